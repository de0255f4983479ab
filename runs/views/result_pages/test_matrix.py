"""The tests of a task against attempts at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from harness.records import TestStatus
from runs.analysis.estimate import Estimate
from runs.analysis.statistics.contingency import share
from runs.formatting.text import mark, one_line
from runs.models import Agent, Run
from runs.replay.record import cached_tests

COLUMNS = 40
MOST_ROWS = 150
LONGEST_ID = 300


@dataclass(frozen=True, slots=True)
class AgentColumns:
    """One agent's neighbouring columns."""

    agent: Agent
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class TestMark:
    """What came of one test in one attempt. `status` '': the attempt's report does not name the test."""

    status: str
    sign: str


@dataclass(frozen=True, slots=True)
class TestRow:
    """One test: the share of the attempts shown that passed it, and what came of it in each."""

    test: str
    passed: Estimate
    marks: tuple[TestMark, ...]


@dataclass(frozen=True, slots=True)
class TestMatrix:
    """Tests against attempts, agent by agent, the hardest test first; of equals the first as the reports name them.

    `left_out` counts attempts that are not shown, `more` tests that are not, none of them harder than those shown.
    """

    groups: tuple[AgentColumns, ...]
    rows: tuple[TestRow, ...]
    left_out: int
    more: int

    @property
    def columns(self) -> int:
        """How many attempts are shown."""
        return sum(len(group.runs) for group in self.groups)


def chosen(runs: Sequence[Run], columns: int = COLUMNS) -> list[Run]:
    """At most so many of the runs, agent by agent: everybody's first attempts before anybody's second ones."""
    by_agent = [list(theirs) for _, theirs in groupby(runs, lambda run: run.agent_id)]
    turns = sorted(
        (turn, place, run.pk) for place, theirs in enumerate(by_agent) for turn, run in enumerate(theirs)
    )
    taken = {key for _, _, key in turns[:columns]}
    return [run for theirs in by_agent for run in theirs if run.pk in taken]


def matrix(runs: Sequence[Run], everything: int) -> TestMatrix | None:
    """The tests of these attempts, of `everything` that there are, whose reports are here. None without any.

    `runs` are in the order of their agents.
    """
    reports = [(run, cached_tests(run.path)) for run in runs]
    known = [(run, {test.id: test.status.value for test in tests}) for run, tests in reports if tests]
    if not known:
        return None
    ids = dict.fromkeys(test for _, statuses in known for test in statuses)
    rows = sorted((_row(test, [statuses for _, statuses in known]) for test in ids), key=_share)
    groups = groupby((run for run, _ in known), lambda run: run.agent)
    return TestMatrix(
        groups=tuple(AgentColumns(agent, tuple(theirs)) for agent, theirs in groups),
        rows=tuple(rows[:MOST_ROWS]),
        left_out=everything - len(known),
        more=max(0, len(rows) - MOST_ROWS),
    )


def _row(test: str, reports: Sequence[Mapping[str, str]]) -> TestRow:
    statuses = [report.get(test, "") for report in reports]
    passed = statuses.count(TestStatus.PASSED.value)
    return TestRow(
        one_line(test, LONGEST_ID),
        share(passed, len(statuses), "no attempt"),
        tuple(TestMark(status, mark(status)) for status in statuses),
    )


def _share(row: TestRow) -> float:
    return row.passed.value or 0.0
