"""Sessions of Factory's Droid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.conversations.droid_parts import is_droid
from runs.intake.reported.step_readers.derived_edits import derived_edits
from runs.intake.reported.step_readers.json_lines import FirstLines
from tests.runs.intake.reported.step_readers.conversations.conversation_files import (
    conversation_file,
    measured,
    read_one,
    told,
)
from tests.runs.intake.reported.step_readers.conversations.droid_files import (
    PRINTED_LINES,
    SETTINGS,
    STORED_LINES,
)


def test_a_session_has_responses_with_thoughts_calls_and_results(tmp_path: Path) -> None:
    result, steps = read_one(tmp_path / "a.jsonl", STORED_LINES)
    assert told(steps) == [
        ("system", "<system-reminder>Be brief.</system-reminder>", [], []),
        ("user", "Fix add.", [], []),
        ("agent", "I edit.", ["Edit", "Execute"], [("Done.", None), ("No.", False)]),
        ("system", "[the conversation was compressed]\nAll is well.", [], []),
        ("system", "Error: no connection.", [], []),
        ("agent", "Done.", [], []),
    ]
    assert measured(steps) == [(None,) * 4] * 2
    assert steps[2].step.reasoning == "Read first."
    assert [(one.path, one.added) for one in derived_edits(steps[2].step, "/calc")] == [("calc.py", 1)]
    assert (result.agent, result.task, result.repository) == ("Droid", "d-1", "calc")
    assert result.prompt_tokens is result.seconds is None
    assert result.trajectory is not None
    assert result.trajectory.title == "Correct the sum"


def test_the_settings_beside_a_session_know_model_tokens_and_seconds(tmp_path: Path) -> None:
    conversation_file(tmp_path / "a.jsonl", STORED_LINES)
    conversation_file(tmp_path / "a.settings.json", SETTINGS)
    conversation_file(tmp_path / "b.settings.json", SETTINGS)
    found = read_trajectories(tmp_path, {})
    (result,) = found.results
    assert result.agent == "Droid with glm-4.6"
    assert (result.prompt_tokens, result.completion_tokens, result.cached_tokens) == (100, 26, 40)
    assert result.seconds == 2.5
    assert result.trajectory is not None
    assert list(result.trajectory.files) == ["a.jsonl", "a.settings.json"]
    assert found.unread == ("b.settings.json",)


def test_zeros_throughout_are_unknown(tmp_path: Path) -> None:
    empty = dict.fromkeys(SETTINGS["tokenUsage"], 0)  # type: ignore[call-overload]
    settings = {"model": "gpt-5", "assistantActiveTimeMs": 0, "tokenUsage": empty}
    conversation_file(tmp_path / "a.settings.json", settings)
    result, _ = read_one(tmp_path / "a.jsonl", STORED_LINES)
    assert result.prompt_tokens is result.completion_tokens is result.cached_tokens is result.seconds is None


def test_broken_settings_are_named(tmp_path: Path) -> None:
    conversation_file(tmp_path / "a.settings.json", "[")
    with pytest.raises(ResultsRefused, match=r"a\.settings\.json: it is not JSON"):
        read_one(tmp_path / "a.jsonl", STORED_LINES)


def test_printed_lines_have_responses_calls_results_and_sums(tmp_path: Path) -> None:
    result, steps = read_one(tmp_path / "a.jsonl", PRINTED_LINES)
    assert told(steps) == [
        ("user", "Fix add.", [], []),
        (
            "agent",
            "I look.",
            ["Execute", "Read"],
            [("[exit code: 0]\ncalc.py\n", None), ("No such file.", False)],
        ),
        ("agent", "", ["Execute"], [("/calc", True)]),
        ("agent", "Done.", [], []),
        ("system", "[error: The connection broke.]", [], []),
    ]
    assert (result.agent, result.task) == ("Droid with gpt-5", "d-1")
    assert (result.prompt_tokens, result.completion_tokens, result.cached_tokens) == (100, 26, 40)
    assert result.seconds == 8.0
    assert steps[0].step.timestamp == "2026-01-31T12:00:01.000Z"


def test_a_final_text_that_was_not_printed_before_is_a_response(tmp_path: Path) -> None:
    _, steps = read_one(tmp_path / "a.jsonl", (PRINTED_LINES[1], *PRINTED_LINES[3:6], PRINTED_LINES[10]))
    assert [one[:2] for one in told(steps)] == [("user", "Fix add."), ("agent", ""), ("agent", "Done.")]


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [STORED_LINES[0]],
        [{"type": "session_start", "id": "e-1"}, {"type": "message", "message": "Done."}],
        [{"type": "message", "role": "user", "text": "Fix add."}],
        [{"type": "tool_call", "toolName": 7}],
    ],
)
def test_other_files_are_none(lines: list[dict[str, Any]]) -> None:
    assert not is_droid(FirstLines(lines))
    assert not is_droid(lines)
