"""Submissions of a run, as pages read them."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from harness.records import Submission
from runs.data.replay.run_submissions import MAX_SHOWN, submissions_of

FIRST = Submission(1, 3, "submit_attempt", 5, 3, "1 != 2", False, 1.5, "a.py", "f")


def write(directory: Path, *lines: object) -> None:
    (directory / "submissions.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def test_what_tests_wrote_is_for_those_who_may_see_it(tmp_path: Path) -> None:
    write(tmp_path, asdict(FIRST), asdict(Submission(2, 5, "submit_patch")))
    first, patch = submissions_of(tmp_path, output=True)
    assert (first.number, first.step, first.what, first.passed, first.tests) == (1, 3, "a.py: f", 5, 8)
    assert (first.resolved, first.seconds, first.failure.shown) == (False, 1.5, "1 != 2")
    assert (patch.what, patch.passed, patch.resolved) == ("", None, False)
    assert not submissions_of(tmp_path, output=False)[0].failure


def test_without_a_record_there_are_none(tmp_path: Path) -> None:
    assert submissions_of(tmp_path, output=True) == ()


@pytest.mark.parametrize(
    "broken",
    [
        {"number": "x"}, {"step_id": -1}, {"passed": 1.5}, {"first_failure": None}, {"seconds": "long"},
        {"seconds": float("nan")}, {"path": []}, {"unknown": 1},
    ],
)  # fmt: skip
def test_a_line_that_is_no_submission_is_left_out(tmp_path: Path, broken: dict[str, object]) -> None:
    write(tmp_path, {**asdict(FIRST), **broken}, 1, asdict(FIRST))
    assert [one.number for one in submissions_of(tmp_path, output=True)] == [1]


def test_of_many_the_last_are_shown(tmp_path: Path) -> None:
    write(tmp_path, *(asdict(replace(FIRST, number=number)) for number in range(1, 100)))
    numbers = [one.number for one in submissions_of(tmp_path, output=True)]
    assert (len(numbers), numbers[-1]) == (MAX_SHOWN, 99)
