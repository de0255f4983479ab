"""A matrix of the tests of a task and the attempts at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    rows = sorted((_row(test, [statuses for _, statuses in known]) for test in ids), key=_share)
    groups = groupby((run for run, _ in known), lambda run: run.agent)
    return TestMatrix(
        groups=tuple((agent, tuple(theirs)) for agent, theirs in groups),
        rows=tuple(rows[:MAX_ROWS]),
        left_out=total - len(known),
        more=max(0, len(rows) - MAX_ROWS),
    )


def _row(test: str, reports: Sequence[Mapping[str, str]]) -> TestRow:
    statuses = tuple(report.get(test, "") for report in reports)
    passed = statuses.count(TestStatus.PASSED.value)
    return TestRow(one_line(test, MAX_ID_LENGTH), share(passed, len(statuses), "no attempt"), statuses)


def _share(row: TestRow) -> float:
    return row.passed.value or 0.0
