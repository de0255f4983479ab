"""A rating is stored once for each round: rows and file together."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from runs.judging.raters import saving_ratings
from runs.judging.raters.next_rating import text_of
from runs.judging.raters.rating_file import RATINGS, RatedDimension, RatedQuote, read_rating
from runs.judging.raters.saving_ratings import save_rating
from runs.models import Rating, Run
from tests.runs.cast import Cast, record

QUOTE = RatedQuote("The tide turns again.", 8, "verified", 8, "message", 0, 21)


@pytest.fixture
def run(cast: Cast) -> Run:
    found = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    record(found)
    return found


def save(user: User, run: Run, score: float = 0.5, number: int = 1) -> bool:
    """Saves two dimensions."""
    rendered = text_of(run)
    assert rendered is not None
    given = (RatedDimension("pitfalls", score, "Why.", (QUOTE,)), RatedDimension("tool_calls", score))
    return save_rating(user, run, number, given, rendered=rendered, seconds=12.34)


def files(run: Run) -> list[Path]:
    return sorted((run.path / RATINGS).glob("*.json"))


def test_rows_and_file_say_the_same(run: Run, ada: User) -> None:
    assert save(ada, run)

    (path,) = files(run)
    stored = read_rating(path)
    assert [(each.dimension, each.score, each.text) for each in stored.dimensions] == list(
        Rating.objects.values_list("dimension", "score", "text")
    )
    first = Rating.objects.earliest("pk")
    assert (first.rater, first.rater_name, first.key) == (ada, stored.rater, path.stem)
    assert (first.seconds, first.round, first.run_try) == (12.3, 1, 1)
    assert first.evidence[0]["quote"] == QUOTE.quote
    assert re.search(r"\bada\b", path.read_text()) is None  # a digest may have these letters


def test_a_second_save_of_a_round_changes_neither_rows_nor_file(run: Run, ada: User) -> None:
    save(ada, run, 1.0)
    before = files(run)[0].read_bytes()

    assert not save(ada, run, 0.0)

    assert files(run)[0].read_bytes() == before
    assert set(Rating.objects.values_list("score", flat=True)) == {1.0}
    assert save(ada, run, 0.0, number=2)
    assert len(files(run)) == 2


def test_without_a_file_there_are_no_rows(run: Run, ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "full")

    monkeypatch.setattr(saving_ratings, "write_rating", full)
    with pytest.raises(OSError, match="full"):
        save(ada, run)
    assert not Rating.objects.exists()
