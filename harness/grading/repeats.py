"""One verdict from several test runs of the same patch. A test whose status differs between them is flaky."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.grading.results import worse
from harness.grading.verdict import NAMED, Verdict
from harness.records import Flag, TestResult, TestStatus


def combine(verdicts: Sequence[Verdict]) -> tuple[Verdict, tuple[Flag, ...]]:
    """The verdict of all repeats, and a flag for each expected test whose status differed, with the counts.

    Resolved if every repeat is. The worst status of each test counts; `missing` is the worst.
    Raises ValueError if `verdicts` is empty.
    """
    if not verdicts:
        raise ValueError("no verdict to combine")
    columns = list(zip(*(verdict.tests for verdict in verdicts), strict=True))
    flaky = tuple(_flag(column) for column in columns if len({test.status for test in column}) > 1)
    resolved = sum(verdict.resolved for verdict in verdicts)
    first_bad = next((verdict for verdict in verdicts if not verdict.resolved), verdicts[0])
    reason = first_bad.reason
    if 0 < resolved < len(verdicts) or flaky:
        reason = f"{resolved} of {len(verdicts)} repeats resolved the task{_named(flaky)}; {reason}"
    elif len(verdicts) > 1:
        reason = f"{reason} in all {len(verdicts)} repeats"
    return Verdict(resolved == len(verdicts), tuple(map(_worst, columns)), reason), flaky


def _worst(column: Sequence[TestResult]) -> TestResult:
    chosen: TestResult | None = None
    for test in column:
        if test.status is TestStatus.MISSING:
            return test
        chosen = worse(chosen, test)
    assert chosen is not None
    return chosen


def _flag(column: Sequence[TestResult]) -> Flag:
    counts = Counter(test.status.value.replace("_", " ") for test in column)
    listed = ", ".join(f"{status} {count}×" for status, count in counts.items())
    return Flag("flaky", column[0].id, f"its verdict differs between repeats: {listed}")


def _named(flaky: Sequence[Flag]) -> str:
    if not flaky:
        return ""
    names = ", ".join(flag.path for flag in flaky[:NAMED])
    more = f" and {len(flaky) - NAMED} more" if len(flaky) > NAMED else ""
    return f", flaky: {names}{more}"
