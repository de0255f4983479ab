"""All runs of an evaluation, counted in one query: everything else on its page is made of these rows."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Count, F, Q, QuerySet, Sum

from runs.analysis.outcomes.standings import CellFacts
from runs.models import Run

Key = TypeVar("Key", bound=Hashable)

# Plain strings: members of an enumeration cost more to look up and to compare than all the rest.
_FINISHED, _CANCELLED = Run.State.FINISHED.value, Run.State.CANCELLED.value
_RESOLVED, _FAILED = Run.Outcome.RESOLVED.value, Run.Outcome.INFRASTRUCTURE_FAILED.value
_ACTIVE = frozenset(state.value for state in Run.ACTIVE)

_HAS_RATE = Q(tests_total__gt=0, tests_passed__lte=F("tests_total")) & ~Q(odd__contains="tests_")
_HAS_TIME = ~Q(odd__contains="act_seconds")
_SUMS = {
    "n": Count("pk"),
    "tested": Count("pk", filter=_HAS_RATE),
    "rates": Sum(F("tests_passed") * 1.0 / F("tests_total"), filter=_HAS_RATE),
    "tokens": Sum(F("prompt_tokens") + F("completion_tokens")),
    "priced": Count("cost_usd"),
    "cost": Sum("cost_usd"),
    "timed": Count("pk", filter=_HAS_TIME),
    "seconds": Sum("act_seconds", filter=_HAS_TIME),
}


@dataclass(frozen=True, slots=True)
class RunCount:
    """Runs of one agent on one task that are in one state and have one outcome, and what they sum up to."""

    agent: int
    task: int
    state: str
    outcome: str
    n: int
    tested: int
    rates: float | None
    tokens: int | None
    priced: int
    cost: float | None
    timed: int
    seconds: float | None

    @property
    def failed(self) -> bool:
        """Whether the infrastructure failed them for good."""
        return self.outcome == _FAILED

    @property
    def settled(self) -> bool:
        """Whether they have a verdict."""
        return self.state == _FINISHED and self.outcome != _FAILED


@dataclass(slots=True)
class RunTally:
    """How the runs of one place of a grid stand. What the infrastructure failed is in `failed` alone."""

    total: int = 0
    finished: int = 0
    resolved: int = 0
    failed: int = 0
    active: int = 0
    cancelled: int = 0

    def add(self, row: RunCount) -> None:
        """Counts these runs, too."""
        self.total += row.n
        self.finished += row.n * row.settled
        self.failed += row.n * row.failed
        self.resolved += row.n * (row.outcome == _RESOLVED)
        self.active += row.n * (row.state in _ACTIVE)
        self.cancelled += row.n * (row.state == _CANCELLED)

    @property
    def to_come(self) -> int:
        """Runs that are still to end, those under way too."""
        return self.total - self.finished - self.failed - self.cancelled

    @property
    def queued(self) -> int:
        """Runs that nobody works on yet."""
        return self.to_come - self.active

    @property
    def rate(self) -> float | None:
        """Resolved ÷ finished."""
        return self.resolved / self.finished if self.finished else None


def counted(runs: QuerySet[Run]) -> list[RunCount]:
    """One row for each agent, task, state and outcome: one query."""
    groups = runs.order_by().values_list("agent_id", "task_id", "state", "outcome")
    return [RunCount(*row) for row in groups.annotate(**_SUMS)]


def squares(rows: Iterable[RunCount], key: Callable[[RunCount], Key]) -> dict[Key, RunTally]:
    """The rows added up by what `key` says of each."""
    found: dict[Key, RunTally] = defaultdict(RunTally)
    for row in rows:
        found[key(row)].add(row)
    return found


def states(rows: Iterable[RunCount]) -> Counter[str]:
    """How many runs are in each state."""
    found: Counter[str] = Counter()
    for row in rows:
        found[row.state] += row.n
    return found


def cells(rows: Sequence[RunCount]) -> dict[int, list[CellFacts]]:
    """What each agent has settled, task by task, as analysis takes it."""
    by_pair: dict[tuple[int, int], list[RunCount]] = defaultdict(list)
    for row in rows:
        if row.settled:
            by_pair[row.agent, row.task].append(row)
    found: dict[int, list[CellFacts]] = defaultdict(list)
    for (agent, task), settled in by_pair.items():
        found[agent].append(_cell(agent, task, settled))
    return found


def _cell(agent: int, task: int, settled: Sequence[RunCount]) -> CellFacts:
    attempts = sum(row.n for row in settled)
    known = sum(row.priced for row in settled) == attempts
    return CellFacts(
        agent=agent,
        task=task,
        repository="",
        attempts=attempts,
        resolved=sum(row.n for row in settled if row.outcome == _RESOLVED),
        infrastructure_failed=0,
        test_rate_sum=math.fsum(row.rates or 0.0 for row in settled),
        tokens=sum(row.tokens or 0 for row in settled),
        cost_usd=math.fsum(row.cost or 0.0 for row in settled) if known else None,
        seconds=math.fsum(row.seconds or 0.0 for row in settled),
        tested=sum(row.tested for row in settled),
        timed=sum(row.timed for row in settled),
    )
