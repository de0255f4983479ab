"""What judges said about an earlier state of a run lies in a directory of that state."""

from __future__ import annotations

from pathlib import Path

import pytest

from runs.intake.reported.growing.earlier_answers import carry_answers, earlier_answers
from tests.runs.intake.reported.test_staged_records import places


def state(directory: Path, *names: str) -> Path:
    """A run directory with these files of answers."""
    for name in ("trajectory.jsonl", *names):
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(name)
    return directory


@pytest.fixture
def longer(tmp_path: Path) -> Path:
    return state(tmp_path / "longer")


def test_answers_about_an_earlier_state_are_apart_and_ratings_stay(tmp_path: Path, longer: Path) -> None:
    carry_answers(state(tmp_path / "a", "reviews/a.json", "passes/p.json", "ratings/r.json"), longer, 1)
    assert places(longer) == {
        *("trajectory.jsonl", "ratings/r.json"),
        *("earlier/1/reviews/a.json", "earlier/1/passes/p.json"),
    }
    assert list(earlier_answers(longer)) == [(1, longer / "earlier/1")]


def test_those_about_states_before_it_stay_with_them(tmp_path: Path, longer: Path) -> None:
    older = state(tmp_path / "a", "earlier/1/reviews/a.json", "reviews/b.json")
    carry_answers(older, longer, 2)
    assert places(longer / "earlier") == {"1/reviews/a.json", "2/reviews/b.json"}
    assert [number for number, _ in earlier_answers(longer)] == [1, 2]


def test_files_without_an_answer_stay_with_the_run(tmp_path: Path, longer: Path) -> None:
    carry_answers(state(tmp_path / "a", "passes/p.json"), longer, 0)
    assert places(longer) == {"trajectory.jsonl", "passes/p.json"}
    assert list(earlier_answers(longer)) == []


def test_only_directories_with_a_number_are_earlier_states(longer: Path) -> None:
    for name in ("x", "..", "1.5", "²"):
        (longer / "earlier" / name).mkdir(parents=True, exist_ok=True)
    assert list(earlier_answers(longer)) == []
