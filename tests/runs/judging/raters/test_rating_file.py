"""The file of a rating."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from runs.judging.raters.rating_file import (
    RATINGS,
    RatedDimension,
    RatedQuote,
    RatingFileError,
    StoredRating,
    rating_files,
    rating_key,
    read_rating,
    write_rating,
)
from runs.work.execution.run_signature import is_signed

QUOTE = RatedQuote("The tide is high.", 2, "verified", 2, "message", 0, 17)
STORED = StoredRating(
    key=rating_key("a/b/c/d/1", 1, "p-ada", 1),
    run_id="a/b/c/d/1",
    try_number=1,
    rater="p-ada",
    round=1,
    dimensions=(RatedDimension("pitfalls", 0.5, "So.", (QUOTE,)), RatedDimension("tool_calls", 1.0)),
    seconds=61.5,
    trajectory_digest="d" * 64,
    rendering_version=1,
    created_at="2026-01-02T03:04:05+00:00",
)


def path_of(directory: Path) -> Path:
    (path,) = rating_files(directory)
    return path


def test_what_was_written_and_signed_is_read(tmp_path: Path) -> None:
    stored = replace(STORED, dimensions=(RatedDimension("pitfalls", 0.5, "So \N{WATER WAVE}.", (QUOTE,)),))
    write_rating(tmp_path, stored)

    path = path_of(tmp_path)
    assert read_rating(path) == stored
    assert is_signed(path)
    path.write_text(path.read_text().replace("0.5", "1.0"))
    assert not is_signed(path)


def test_person_run_try_and_round_have_files_of_their_own() -> None:
    keys = {
        rating_key(*each)
        for each in [("r", 1, "p", 1), ("r", 1, "p", 2), ("r", 2, "p", 1), ("r", 1, "q", 1), ("s", 1, "p", 1)]
    }
    assert len(keys) == 5


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"score": 0.75}, "dimensions.0.score"),
        ({"score": True}, "dimensions.0.score"),
        ({"text": "x" * 2001}, "dimensions.0.text"),
        ({"mood": "good"}, "dimensions.0.mood"),
        ({"evidence": [{"quote": "x"}]}, "dimensions.0.evidence.0.step"),
        ({"dimension": "tool_calls"}, "must name each dimension once"),
    ],
)
def test_a_wrong_value_is_named(tmp_path: Path, change: dict[str, object], reason: str) -> None:
    write_rating(
        tmp_path, replace(STORED, dimensions=(RatedDimension("pitfalls", 0.5), STORED.dimensions[1]))
    )
    path = path_of(tmp_path)
    content = json.loads(path.read_text())
    content["dimensions"][0] |= change
    path.write_text(json.dumps(content))
    with pytest.raises(RatingFileError, match=reason):
        read_rating(path)


@pytest.mark.parametrize("change", [{"round": 2}, {"rater": "p-bea"}, {"run_id": "x"}, {"try_number": 3}])
def test_a_file_under_the_key_of_another_rating_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    write_rating(tmp_path, replace(STORED, dimensions=(RatedDimension("pitfalls", 0.5),)))
    path = path_of(tmp_path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(RatingFileError, match="key: must be that of"):
        read_rating(path)


def test_a_link_and_a_long_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / RATINGS).mkdir()
    link = tmp_path / RATINGS / f"{STORED.key}.json"
    link.symlink_to("/etc/hostname")
    with pytest.raises(RatingFileError, match="not a link"):
        read_rating(link)
    link.unlink()
    link.write_text(" " * (1 << 19))
    with pytest.raises(RatingFileError, match="larger than"):
        read_rating(link)
