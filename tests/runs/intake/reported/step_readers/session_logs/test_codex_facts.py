"""What a session of Codex says about itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runs.intake.reported.step_readers.session_logs.codex_facts import (
    CodexFacts,
    codex_facts,
    codex_trajectory,
)
from tests.runs.intake.reported.step_readers.session_logs.session_files import (
    BOTH,
    CODEX,
    FIRST,
    HOME,
    SECOND,
    codex_counts_first,
    codex_counts_last,
    codex_exec,
    codex_first_form,
    codex_line,
    lines_file,
    token_count,
    usage,
)

TOKENS = {"prompt_tokens": 4300, "completion_tokens": 150, "cached_tokens": 1900}


def facts_of(path: Path, lines: list[dict[str, Any]]) -> CodexFacts:
    return codex_facts(lines_file(path / "a.jsonl", lines), "a.jsonl")


def test_a_session_names_its_project_version_and_model(tmp_path: Path) -> None:
    found = facts_of(tmp_path, codex_counts_first())
    assert (found.session, found.workdir, found.version, found.model) == (
        CODEX,
        HOME,
        "0.58.0",
        "gpt-5-codex",
    )
    assert (found.is_printed, found.has_response, found.ending, found.seconds) == (False, True, "", None)
    assert found.tokens == TOKENS
    trajectory = codex_trajectory(found)
    assert (trajectory.form, trajectory.version, len(list(trajectory.steps()))) == ("Codex", "0.58.0", 5)


def test_newer_versions_say_how_turns_ended(tmp_path: Path) -> None:
    found = facts_of(tmp_path, codex_counts_last())
    assert (found.ending, found.detail, found.seconds, found.tokens) == ("completed", "", 2.5, TOKENS)
    ended = codex_line("event_msg", {"type": "turn_aborted", "reason": "interrupted", "duration_ms": 500})
    aborted = facts_of(tmp_path, [*codex_counts_last(), ended])
    assert (aborted.ending, aborted.detail, aborted.seconds) == ("cancelled", "interrupted", 3.0)


def test_totals_that_begin_anew_are_added(tmp_path: Path) -> None:
    lines = [token_count(FIRST, FIRST), token_count(FIRST, BOTH), token_count(FIRST, FIRST)]
    assert facts_of(tmp_path, lines).tokens == {
        "prompt_tokens": 6300,
        "completion_tokens": 240,
        "cached_tokens": 1900,
    }


def test_totals_of_a_fork_count_from_where_it_began(tmp_path: Path) -> None:
    about = {"id": "fork", "forked_from_id": CODEX, "history_base": {"thread_id": CODEX}}
    lines = [codex_line("session_meta", about), token_count(SECOND, BOTH)]
    assert facts_of(tmp_path, lines).tokens == {
        "prompt_tokens": 2300,
        "completion_tokens": 60,
        "cached_tokens": 1900,
    }


def test_what_was_printed_has_the_tokens_in_all(tmp_path: Path) -> None:
    found = facts_of(tmp_path, codex_exec())
    assert (found.session, found.is_printed, found.model, found.workdir) == (CODEX, True, "", "")
    assert (found.ending, found.tokens, found.has_response) == ("completed", TOKENS, True)
    failed = [*codex_exec()[:2], {"type": "turn.failed", "error": {"message": "no network"}}]
    found = facts_of(tmp_path, failed)
    assert (found.ending, found.detail, found.has_response) == ("agent_error", "no network", False)


def test_the_first_versions_say_nothing_about_tokens(tmp_path: Path) -> None:
    found = facts_of(tmp_path, codex_first_form())
    assert (found.session, found.has_response, found.tokens, found.model) == (CODEX, True, {}, "")
    assert not facts_of(tmp_path, codex_first_form()[:3]).has_response


def test_of_copied_lines_nothing_counts_but_the_total_goes_on(tmp_path: Path) -> None:
    ended = codex_line("event_msg", {"type": "task_complete", "duration_ms": 2500})
    model = codex_line("turn_context", {"cwd": HOME, "model": "gpt-5-mini"})
    copied = [*codex_counts_first(), ended]
    path = lines_file(tmp_path / "a.jsonl", [*copied, model, token_count(FIRST, usage(6300, 1900, 240, 70))])
    found = codex_facts(path, "a.jsonl", len(copied), "other")
    assert (found.tokens, found.model) == (
        {"prompt_tokens": 2000, "completion_tokens": 90, "cached_tokens": 0},
        "gpt-5-mini",
    )
    assert (found.has_response, found.seconds, found.ending) == (False, None, "")
    begun_again = lines_file(tmp_path / "a.jsonl", [*copied, token_count(FIRST, FIRST)])
    again = codex_facts(begun_again, "a.jsonl", len(copied), "other")
    assert (again.tokens["prompt_tokens"], again.model) == (2000, "gpt-5-codex")
    nothing = codex_facts(lines_file(tmp_path / "a.jsonl", copied), "a.jsonl", len(copied), "other")
    assert set(nothing.tokens.values()) == {0}
    less = lines_file(tmp_path / "a.jsonl", [*copied, token_count(FIRST, usage(6300, 100, 240, 70))])
    assert codex_facts(less, "a.jsonl", len(copied), "other").tokens == {
        "prompt_tokens": 2000,
        "completion_tokens": 90,
        "cached_tokens": None,
    }


def test_a_session_names_those_that_it_may_have_copied(tmp_path: Path) -> None:
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": "b", "depth": 1}}}
    head = {"id": "a", "forked_from_id": "c", "parent_thread_id": None, "source": spawned}
    lines = [codex_line("session_meta", head, 7), codex_line("session_meta", {"id": "d", "source": "cli"}, 8)]
    found = facts_of(tmp_path, lines)
    assert (found.session, found.origins, found.begun_at) == (
        "a",
        ["c", "b", "d"],
        "2026-01-31T12:00:07.000Z",
    )
