from __future__ import annotations

from dataclasses import replace

import pytest

from harness.dataset import Difficulty
from harness.patches import FileState, LineCounts, make_patch
from tasks.generation.pulls.changes import Issue, MergedChange, Reason
from tasks.generation.pulls.filters import ChangeFilter, difficulty
from tasks.generation.pulls.splitting import split_patch

EVERYTHING = ChangeFilter()


def change_of(*sizes: tuple[str, int]) -> MergedChange:
    """A merged change with an issue, which adds files of so many lines."""
    diff = make_patch([], [FileState(path, b"line\n" * lines) for path, lines in sizes])
    return MergedChange("1", "A change", diff, "base", dict, issue=Issue(1))


def reason(change: MergedChange, rules: ChangeFilter = EVERYTHING) -> Reason | None:
    """Why the change is refused."""
    refusal = rules.refusal(change, split_patch(change.diff))
    return refusal.reason if refusal else None


SMALL = change_of(("a.py", 5), ("tests/test_a.py", 5))


def test_a_change_within_all_limits_is_a_candidate() -> None:
    assert reason(SMALL) is None
    assert reason(change_of(*((f"{name}.py", 100) for name in "abcd"), ("tests/test_a.py", 100))) is None


@pytest.mark.parametrize(
    ("change", "expected", "without"),
    [
        (replace(SMALL, merged=False), Reason.NOT_MERGED, ChangeFilter(merged=False)),
        (replace(SMALL, issue=None), Reason.NO_ISSUE, ChangeFilter(issue=False)),
        (change_of(("a.py", 10)), Reason.NO_TESTS, ChangeFilter(tests=False)),
        (change_of(("a.py", 4), ("tests/test_a.py", 5)), Reason.TOO_FEW_LINES, ChangeFilter(least_lines=9)),
        (
            change_of(("a.py", 1), ("tests/test_a.py", 500)),
            Reason.TOO_MANY_LINES,
            ChangeFilter(most_lines=501),
        ),
        (
            change_of(*((f"{name}.py", 2) for name in "abcde"), ("tests/test_a.py", 2)),
            Reason.TOO_MANY_FILES,
            ChangeFilter(most_files=6),
        ),
    ],
)
def test_each_criterion_is_a_setting(change: MergedChange, expected: Reason, without: ChangeFilter) -> None:
    assert reason(change) is expected
    assert reason(change, without) is None


@pytest.mark.parametrize(
    ("title", "says_something"),
    [
        ("Merge commit from fork", False),
        ("Merge pull request #3 from a/b", False),
        ("Fix CVE-2024-1111", False),
        ("CVE-2024-1111.patch", False),
        ("Changes from calc-1.0 to calc-1.1", False),
        ("Fix CVE-2024-1111 in sums", True),
        ("Merge sums", True),
    ],
)
def test_a_change_without_a_description_is_refused(title: str, says_something: bool) -> None:
    change = replace(SMALL, title=title)
    assert reason(change) is (None if says_something else Reason.NO_DESCRIPTION)
    assert reason(replace(change, text="Sums were wrong.")) is None
    assert reason(replace(change, issue=Issue(1, "Sums are wrong"))) is None


def test_a_refusal_says_what_was_found_and_what_is_allowed() -> None:
    refusal = EVERYTHING.refusal(
        change := change_of(("a.py", 4), ("tests/a.py", 4)), split_patch(change.diff)
    )
    assert refusal
    assert (refusal.identifier, refusal.title, refusal.detail) == ("1", "A change", "8, at least 10")


def test_a_change_needs_source_and_enough_files() -> None:
    assert reason(change_of(("tests/test_a.py", 10), ("README.md", 2))) is Reason.NO_SOURCE
    assert reason(SMALL, ChangeFilter(least_files=3)) is Reason.TOO_FEW_FILES


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((1, 40, 9), Difficulty.EASY),
        ((1, 40, 10), Difficulty.MEDIUM),
        ((2, 1, 0), Difficulty.MEDIUM),
        ((3, 100, 99), Difficulty.MEDIUM),
        ((3, 100, 100), Difficulty.HARD),
        ((4, 1, 0), Difficulty.HARD),
    ],
)
def test_difficulty_follows_files_and_lines(size: tuple[int, int, int], expected: Difficulty) -> None:
    assert difficulty(LineCounts(*size)) is expected
