"""Summaries as files in the directory of their first run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.judges.review_file import ReviewFileError, ReviewState, all_stored, read_stored, write_stored
from harness.judges.summary_file import Summary, SummaryGroup, SummarySource
from tests.harness.judges.made import JUDGE, KEY

SUMMARY = Summary(
    key=KEY,
    judge=JUDGE,
    dimension="pitfalls",
    prompt_digest="b" * 64,
    sources=(SummarySource(1, "e/a/r/t/1", 1, (KEY,), step=2), SummarySource(2, "e/a/r/t/2", 1)),
    parts=(),
    state=ReviewState.DONE,
    reason="",
    groups=(SummaryGroup("Unchecked claims", "It claims tests.", (1,)),),
    text="",
    alert=None,
    answered_model="judge-2",
    prompt_tokens=1000,
    completion_tokens=100,
    cached_tokens=800,
    cost_usd=None,
    seconds=1.5,
    asks=1,
    created_at="2026-01-01T00:00:00.000Z",
)


def test_a_written_summary_is_read_back_the_same(tmp_path: Path) -> None:
    path = write_stored(tmp_path, SUMMARY)
    assert path == tmp_path / "summaries" / f"{KEY}.json"
    assert read_stored(tmp_path, KEY, Summary) == SUMMARY
    assert list(all_stored(tmp_path, Summary)) == [SUMMARY]
    assert read_stored(tmp_path, "f" * 32, Summary) is None
    assert [source.number for source in SUMMARY.shown] == [1]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"key": "short"}, "holds the key short|32 hexadecimal"),
        ({"groups": []}, "groups or text must be set"),
        ({"state": "malformed"}, "groups or text must be set"),
        ({"sources": []}, "sources must name a run"),
        ({"alert": "yes"}, "alert"),
        ({"reason": "why"}, "reason must be set unless"),
        ({"more": 1}, "more"),
        ({"schema_version": 2}, "schema_version"),
    ],
)
def test_a_file_that_does_not_fit_names_itself_and_the_field(
    tmp_path: Path, changed: dict[str, Any], reason: str
) -> None:
    path = write_stored(tmp_path, SUMMARY)
    path.write_text(json.dumps({**json.loads(path.read_text()), **changed}))
    with pytest.raises(ReviewFileError, match=reason) as raised:
        read_stored(tmp_path, KEY, Summary)
    assert str(path) in str(raised.value)


def test_a_summary_that_is_not_done_says_why() -> None:
    with pytest.raises(ValueError, match="reason must be set"):
        replace(SUMMARY, state=ReviewState.UNPAID, groups=())
