"""Events of OpenHands in a list, in lines of an evaluation, and in files of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.openhands import openhands_steps
from runs.intake.reported.step_readers.openhands.openhands_steps import (
    evaluation_rows,
    facts_of,
    filed_events,
    listed_events,
    openhands_trajectory,
    row_events,
    whole_object,
)
from tests.runs.intake.reported.step_readers.openhands.event_files import HOME, row, sdk, state, version_0
from tests.runs.intake.reported.step_readers.tool_files import written


def test_events_say_what_they_know_of_the_whole() -> None:
    found = facts_of(version_0())
    assert (found.model, found.version, found.workdir) == ("openai/gpt-5", "0.62.0", HOME)
    assert (found.state, found.last_at, found.has_response) == ("finished", "2026-01-31T12:00:12", True)
    assert found.sums == {
        "prompt_tokens": 3500,
        "completion_tokens": 100,
        "cached_tokens": 1900,
        "cost_usd": 0.006,
    }
    newer = facts_of(sdk())
    assert (newer.model, newer.workdir, newer.has_response, newer.sums) == ("", HOME, True, {})
    assert not facts_of(version_0()[:3] + sdk()[:2]).has_response


def test_a_line_of_an_evaluation_is_read_again_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "output.jsonl"
    pairs = [[version_0()[3], version_0()[4]]]  # older evaluations have pairs
    path.write_text(json.dumps(row()) + "\n\n" + json.dumps(row(history=pairs)) + "\n")
    first, second = (one for one, _ in evaluation_rows(path, "output.jsonl"))
    assert list(first.events()) == version_0()
    assert list(second.events()) == pairs[0]
    assert (first.where, second.where) == ("output.jsonl, line 1", "output.jsonl, line 3")
    assert first.digest != second.digest


def test_a_trajectory_has_its_steps_with_edits_and_use(tmp_path: Path) -> None:
    files = [
        (written(tmp_path / f"{number}.json", one), f"{number}.json") for number, one in enumerate(sdk())
    ]
    found = openhands_trajectory(
        lambda: filed_events(files), facts_of(sdk()), files, place="c", digest="d", measured=state()["stats"]
    )
    steps = list(found.steps())
    assert (found.form, found.workdir, len(found.files)) == ("OpenHands", HOME, 11)
    assert [step.metrics.prompt_tokens for step, _ in steps if step.metrics] == [1000, 1100, 1200]
    assert [[edit.path for edit in edits or ()] for _, edits in steps] == [[], [], [], ["calc.py"], [], []]


def test_what_is_no_event_is_refused_with_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "a.json", [version_0()[0], [version_0()[1], 7]])
    with pytest.raises(ResultsRefused, match=r"^a\.json, event 2: it is not an object$"):
        list(listed_events(path, "a.json"))
    with pytest.raises(ResultsRefused, match=r"^b, line 1, event 1: it is not an object$"):
        list(row_events({"history": ["x"]}, "b, line 1"))
    assert list(row_events({"history": None}, "b")) == []
    with pytest.raises(ResultsRefused, match=r"^a\.json: it is not an object$"):
        whole_object(path, "a.json")
    monkeypatch.setattr(openhands_steps, "MAX_VALUE_BYTES", 10)
    with pytest.raises(ResultsRefused, match=r"^a\.json: it is longer than 10 bytes$"):
        whole_object(path, "a.json")
