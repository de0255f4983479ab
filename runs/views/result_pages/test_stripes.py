"""The tests of a run as a row of stripes. A test has the same place in every run of a task."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from harness.records import TestStatus
from runs.data.replay.record import named_tests
from runs.models import Run

WIDTH = 100.0


@dataclass(frozen=True, slots=True)
class Stripe:
    """Consecutive tests that all passed, or all did not."""

    passed: bool
    x: str
    width: str


@dataclass(frozen=True, slots=True)
class Stripes:
    """The tests of one run. `label`: a summary in words."""

    stripes: tuple[Stripe, ...]
    label: str


def stripes_of(runs: Iterable[Run]) -> dict[int, Stripes]:
    """Run → its tests, sorted by the names in all reports of these runs. Runs without a report are left out."""
    reports = {run: {test.id: test.status for test in tests} for run, tests in named_tests(runs).items()}
    names = sorted({name for report in reports.values() for name in report})
    return {run: _strip(report, names) for run, report in reports.items() if report}


def _strip(report: dict[str, TestStatus], names: list[str]) -> Stripes:
    marks = [report.get(name) is TestStatus.PASSED for name in names]
    slot = WIDTH / len(names)
    stripes, place = [], 0
    for passed, same in groupby(marks):
        count = len(list(same))
        stripes.append(Stripe(passed, f"{place * slot:.2f}", f"{count * slot:.2f}"))
        place += count
    return Stripes(tuple(stripes), f"{sum(marks)} of {len(names)} tests passed")
