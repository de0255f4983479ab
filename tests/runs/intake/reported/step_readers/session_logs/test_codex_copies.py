"""What a session of Codex copied from another one counts there only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.reported_result import ReportedSet
from tests.runs.intake.reported.step_readers.session_logs.session_files import (
    CODEX,
    SECOND,
    codex_counts_first,
    codex_counts_last,
    codex_line,
    item,
    lines_file,
    shown,
    token_count,
    usage,
)

BOUND = "[the session began as a copy of session {}, where its steps so far are]"
OWN = usage(6600, 3800, 210, 50)  # the total after one response more than the first session has


def words(role: str, said: str) -> dict[str, Any]:
    """A line with a message."""
    return item("message", 9, role=role, content=[{"type": "output_text", "text": said}])


def copy_of(
    lines: list[dict[str, Any]], name: str, *own: dict[str, Any], **head: Any
) -> list[dict[str, Any]]:
    """A session that begins with a copy of these lines, with other times and fields of a newer version."""
    at = "2026-02-01T10:00:00.000Z"
    first = {"timestamp": at, "type": "session_meta", "payload": {"id": name, "cwd": "/b", **head}}
    copied = [{**line, "timestamp": at, "payload": {**line["payload"], "added": None}} for line in lines]
    return [first, *copied, *own]


def went_on(said: str, total: dict[str, int] = OWN) -> list[dict[str, Any]]:
    """What a fork does of its own: the prompt, a repeated count, and one response with a call."""
    return [
        codex_line("turn_context", {"cwd": "/b", "model": "gpt-5-mini"}, 8),
        words("user", said),
        token_count(SECOND, total),
        words("assistant", "I go on."),
        item("function_call", 9, name="shell", call_id=f"call {said}", arguments='{"command": ["ls"]}'),
    ]


def read(home: Path, **files: list[dict[str, Any]]) -> ReportedSet:
    """The sessions in files of these names."""
    for name, lines in files.items():
        lines_file(home / f"{name}.jsonl", lines)
    return read_trajectories(home, {})


def use(found: ReportedSet) -> dict[str, tuple[int | None, ...]]:
    """Tokens of each session, and the numbers of its responses and calls."""
    counted: dict[str, tuple[int | None, ...]] = {}
    for one in found.results:
        assert one.trajectory is not None
        steps = [step for step, _ in one.trajectory.steps() if step.source == "agent"]
        calls = sum(len(step.calls) for step in steps)
        counted[one.task] = (one.prompt_tokens, one.completion_tokens, len(steps), calls)
    return counted


@pytest.mark.parametrize(
    "head",
    [
        {"forked_from_id": CODEX},
        {"parent_thread_id": CODEX},
        {"source": {"subagent": {"thread_spawn": {"parent_thread_id": CODEX}}}},
        {},  # the copied first line of the other session names it
    ],
)
@pytest.mark.parametrize("session", [codex_counts_first, codex_counts_last])
def test_a_copied_history_counts_once(tmp_path: Path, head: dict[str, Any], session: Any) -> None:
    fork = copy_of(session(), "fork", *went_on("Now mul."), **head)
    found = read(tmp_path, a=fork, z=session())
    alone = use(read(tmp_path / "alone", z=session()))
    assert use(found) == {CODEX: alone[CODEX], "fork": (2300, 60, 1, 1)}
    (result,) = (one for one in found.results if one.task == "fork")
    assert result.trajectory is not None
    assert shown(result.trajectory.steps()) == [
        ("system", BOUND.format(CODEX), []),
        ("user", "Now mul.", []),
        ("agent", "I go on.", ["shell"]),
    ]
    assert (result.agent, result.seconds, result.ending) == ("Codex with gpt-5-mini", None, "")
    assert [step.metrics.prompt_tokens for step, _ in result.trajectory.steps() if step.metrics] == [2300]


def test_without_the_other_session_its_history_counts_in_the_copy(tmp_path: Path) -> None:
    fork = copy_of(codex_counts_first(), "fork", *went_on("Now mul."), forked_from_id=CODEX)
    assert use(read(tmp_path, a=fork)) == {"fork": (6600, 210, 3, 4)}


def test_a_copy_of_a_beginning_and_a_copy_of_a_copy_count_once(tmp_path: Path) -> None:
    half = copy_of(
        codex_counts_first()[:15],
        "half",
        *went_on("Or mul.", usage(4300, 1900, 150, 40)),
        forked_from_id=CODEX,
    )
    fork = copy_of(codex_counts_first(), "fork", *went_on("Now mul."), forked_from_id=CODEX)
    again = copy_of(fork, "again", *went_on("And div.", usage(8900, 5700, 270, 60)), forked_from_id="fork")
    again[0]["timestamp"] = "2026-02-01T11:00:00.000Z"
    found = use(read(tmp_path, a=again, b=half, c=fork, d=codex_counts_first()))
    assert found == {
        CODEX: (4300, 150, 2, 3),
        "half": (2300, 60, 1, 1),
        "fork": (2300, 60, 1, 1),
        "again": (2300, 60, 1, 1),
    }


def test_a_copy_without_a_response_of_its_own_is_left_out(tmp_path: Path) -> None:
    found = read(
        tmp_path, a=copy_of(codex_counts_first(), "fork", forked_from_id=CODEX), b=codex_counts_first()
    )
    assert ([one.task for one in found.results], found.left_out) == ([CODEX], 1)


def test_equal_words_after_a_copy_are_its_own(tmp_path: Path) -> None:
    """Here both go on with the same prompt."""
    session = [*codex_counts_first(), *went_on("Go on.")]
    fork = copy_of(
        codex_counts_first(), "fork", words("user", "Go on."), words("assistant", "No."), forked_from_id=CODEX
    )
    results = {one.task: one.trajectory for one in read(tmp_path, a=session, b=fork).results}
    trajectory = results["fork"]
    assert trajectory is not None
    assert [message for _, message, _ in shown(trajectory.steps())] == [BOUND.format(CODEX), "Go on.", "No."]


def test_equal_words_are_no_copy(tmp_path: Path) -> None:
    """Neither in a session that names no other, nor before a response of its own."""
    twin = [{**codex_counts_first()[0], "payload": {"id": "twin"}}, *codex_counts_first()[1:]]
    other = copy_of([], "other", *went_on("Fix add."), *codex_counts_first()[1:], forked_from_id=CODEX)
    found = use(read(tmp_path, a=codex_counts_first(), b=twin, c=other))
    assert (found["twin"], found["other"][2:]) == (found[CODEX], (3, 4))


def test_of_two_sessions_that_name_each_other_nothing_is_lost(tmp_path: Path) -> None:
    one = copy_of(codex_counts_first(), "one", forked_from_id="two")
    two = copy_of(codex_counts_first(), "two", forked_from_id="one")
    assert use(read(tmp_path, a=one, b=two)) == dict.fromkeys(("one", "two"), (4300, 150, 2, 3))
