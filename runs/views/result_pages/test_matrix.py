"""The tests of a task: a matrix of tests and attempts, and the tests of a run as a row of stripes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from harness.records import TestStatus
from runs.analysis.estimate import Estimate
from runs.analysis.statistics.contingency import share
from runs.data.replay.record import named_tests
from runs.models import Agent, Run
from runs.presentation.formatting.text import one_line

COLUMNS = 40
MAX_ROWS = 150
MAX_ID_LENGTH = 300
WIDTH = 100.0


@dataclass(frozen=True, slots=True)
class TestRow:
    """One test: the share of the shown attempts that passed it, and its status in each; '' if not reported."""

    test: str
    passed: Estimate
    statuses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TestMatrix:
    """Tests by attempts, grouped by agent. The hardest test is first; equal ones are in the order of the reports.

    `left_out`: number of attempts not shown. `more`: number of tests not shown, none harder than the shown ones.
    """

    groups: tuple[tuple[Agent, tuple[Run, ...]], ...]
    rows: tuple[TestRow, ...]
    left_out: int
    more: int

    @property
    def columns(self) -> int:
        """Number of shown attempts."""
        return sum(len(runs) for _, runs in self.groups)


def limit_runs(runs: Sequence[Run], columns: int = COLUMNS) -> list[Run]:
    """At most `columns` runs, grouped by agent: first attempts of all agents before second ones."""
    by_agent = [list(theirs) for _, theirs in groupby(runs, lambda run: run.agent_id)]
    turns = sorted(
        (turn, place, run.pk) for place, theirs in enumerate(by_agent) for turn, run in enumerate(theirs)
    )
    taken = {key for _, _, key in turns[:columns]}
    return [run for theirs in by_agent for run in theirs if run.pk in taken]


def matrix(runs: Sequence[Run], total: int) -> TestMatrix | None:
    """The tests of these attempts, which are grouped by agent. None if no attempt has a report.

    `total`: number of all attempts, shown or not.
    """
    reports = named_tests(runs)
    known = [
        (run, {test.id: test.status.value for test in reports[run.pk]}) for run in runs if reports[run.pk]
    ]
    if not known:
        return None
    ids = dict.fromkeys(test for _, statuses in known for test in statuses)
    rows = []
    for test in ids:
        statuses = tuple(report.get(test, "") for _, report in known)
        passed = share(statuses.count(TestStatus.PASSED.value), len(statuses), "no attempt")
        rows.append(TestRow(one_line(test, MAX_ID_LENGTH), passed, statuses))
    rows.sort(key=lambda row: row.passed.value or 0.0)
    groups = groupby((run for run, _ in known), lambda run: run.agent)
    return TestMatrix(
        groups=tuple((agent, tuple(theirs)) for agent, theirs in groups),
        rows=tuple(rows[:MAX_ROWS]),
        left_out=total - len(known),
        more=max(0, len(rows) - MAX_ROWS),
    )


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
