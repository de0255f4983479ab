from __future__ import annotations

from pathlib import Path

import pytest

from harness.patches import ReadFile, make_patch
from tasks.generation.pulls.schema import SchemaError, read_record
from tasks.generation.pulls.verdicts import Flaw, judge
from tests.tasks.generation.pulls.published import (
    AFTER,
    BEFORE,
    PATCH,
    SOURCE_PATCH,
    TEST_PATCH,
    paper_record,
    swe_record,
)


def test_a_readable_task_has_counts_and_notes() -> None:
    verdict = judge(read_record(paper_record(stars=1)))
    assert verdict.readable
    assert (verdict.fail_to_pass, verdict.pass_to_pass) == (1, 0)
    assert verdict.notes == (
        "the gold patch contains the tests: it is split",
        "no test is named that has to keep passing",
        "fields that paper does not have: 'stars'",
    )
    assert judge(read_record(swe_record())).notes == ()


@pytest.mark.parametrize(
    ("record", "flaw", "detail"),
    [
        (
            paper_record(fail_to_pass=[]),
            Flaw.EMPTY,
            "its list of such tests is empty: measure it, or leave the task out",
        ),
        (paper_record(gold_patch=SOURCE_PATCH), Flaw.NO_TESTS, "nothing could verify a solution"),
        (paper_record(gold_patch=TEST_PATCH), Flaw.NO_SOURCE, "there is nothing to solve"),
        (
            paper_record(gold_patch=PATCH.replace("-    r", "?    r")),
            Flaw.BROKEN_PATCH,
            "breaks off the hunk",
        ),
        (swe_record(patch=SOURCE_PATCH.replace("calc/", "../")), Flaw.BROKEN_PATCH, "must be a plain path"),
        (swe_record(FAIL_TO_PASS="[]"), Flaw.EMPTY, "its list"),
    ],
)
def test_each_refusal_has_its_reason(record: dict[str, object], flaw: Flaw, detail: str) -> None:
    verdict = judge(read_record(record))
    assert verdict.flaw is flaw
    assert detail in verdict.detail


def test_an_unreadable_record_is_named_by_its_place() -> None:
    verdict = judge(SchemaError(Path("a.jsonl"), "line 3, repo", "is missing"))
    assert (verdict.identifier, verdict.place, verdict.flaw) == ("", "a.jsonl, line 3, repo", Flaw.UNREADABLE)


def test_a_patch_is_applied_to_its_base_commit() -> None:
    def tree_at(commit: str) -> ReadFile:
        if commit != "0" * 40:
            raise LookupError(f"the clone has no commit {commit[:12]}")
        return {state.path: state for state in BEFORE}.get

    assert judge(read_record(swe_record()), tree_at).readable
    missing = judge(read_record(swe_record(base_commit="1" * 40)), tree_at)
    assert (missing.flaw, missing.detail) == (Flaw.NO_BASE, "the clone has no commit 111111111111")
    other = make_patch(AFTER[:1], BEFORE[:1]).decode()
    stale = judge(read_record(swe_record(patch=other)), tree_at)
    assert (stale.flaw, stale.detail) == (
        Flaw.NOT_APPLYING,
        "calc/sums.py, hunk 1, line 1: does not apply: the file has other lines there",
    )
