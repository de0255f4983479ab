"""Recomputes cells (agent × task) from the runs, exactly even when several processes do so at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from runs.data.queries.filters import Pair, counted_runs
from runs.models import Cell, CellGroup, Run

BATCH = 200
Group = tuple[int, int]  # the numbers of an agent and a dataset
_READ = (
    *("agent_id", "task_id", "attempt", "outcome", "tests_total", "tests_passed", "prompt_tokens"),
    *("completion_tokens", "cost_usd", "act_seconds", "steps", "odd", "directory", "corrected_outcome"),
)


def recompute_cells(pairs: Iterable[Pair]) -> None:
    """Recomputes the cell of each (agent, task) from all listed evaluations. Call it once per transaction.

    Code that changes what counts calls this in the same transaction. The locks make the cells exact: the second
    process sees the runs that the first one stored. All take them in the same order, after the evaluation's lock.
    """
    wanted = sorted(set(pairs))
    groups: set[Group] = set()
    for start in range(0, len(wanted), BATCH):
        groups |= _recompute(wanted[start : start + BATCH])
    # After all cells, because another transaction may hold a group and wait for a cell.
    mark_changed(groups)


def mark_changed(groups: Iterable[Group]) -> None:
    """Tells caches that cells of these agents in these datasets have changed. For code that writes cells itself."""
    for agent, dataset in sorted(set(groups)):
        ours = CellGroup.objects.filter(agent_id=agent, dataset_id=dataset)
        now = timezone.now()
        if not ours.update(revision=F("revision") + 1, changed_at=now):
            new = CellGroup(agent_id=agent, dataset_id=dataset, changed_at=now)
            CellGroup.objects.bulk_create([new], ignore_conflicts=True)
            ours.update(revision=F("revision") + 1)


def rebuild_cells() -> int:
    """Recomputes every cell while runs may be settled. Returns how many cells have runs."""
    pairs = set(Cell.rows.values_list("agent_id", "task_id"))
    pairs |= set(counted_runs().order_by().values_list("agent_id", "task_id").distinct())
    ordered = sorted(pairs)
    for start in range(0, len(ordered), BATCH):
        with transaction.atomic():
            recompute_cells(ordered[start : start + BATCH])
    return Cell.objects.count()


class SettledRun(Protocol):
    """A finished run, or a reported result before it is one: what a cell sums up."""

    @property
    def pk(self) -> Any: ...
    @property
    def attempt(self) -> int: ...
    @property
    def outcome(self) -> str: ...
    @property
    def corrected_outcome(self) -> str: ...
    @property
    def tests_total(self) -> int | None: ...
    @property
    def tests_passed(self) -> int | None: ...
    @property
    def test_rate(self) -> float | None: ...
    @property
    def act_seconds(self) -> float | None: ...
    @property
    def has_duration(self) -> bool: ...
    @property
    def tokens(self) -> int | None: ...
    @property
    def cost_usd(self) -> float | None: ...
    @property
    def steps(self) -> int | None: ...
    @property
    def is_odd(self) -> bool: ...
    @property
    def can_replay(self) -> bool: ...


def cell_totals(runs: Iterable[SettledRun]) -> dict[str, Any]:
    """The numbers of one cell from its finished runs."""
    runs = list(runs)
    lost, resolved = str(Run.Outcome.INFRASTRUCTURE_FAILED), str(Run.Outcome.RESOLVED)
    settled = [run for run in runs if run.outcome != lost]
    tested = [(rate, run) for run in settled if (rate := run.test_rate) is not None]
    rates = [rate for rate, _ in tested]
    most = max(rates, default=0.0)
    equal = (run for rate, run in tested if rate == most)
    best = min(equal, key=lambda run: (not run.can_replay, run.attempt, run.pk), default=None)
    timed = [run.act_seconds or 0.0 for run in settled if run.has_duration]
    corrected = [run.corrected_outcome for run in settled]
    return {
        "attempts": len(settled),
        "resolved": [run.outcome for run in settled].count(resolved),
        "infrastructure_failed": len(runs) - len(settled),
        "judged": sum(map(bool, corrected)),
        "corrected": corrected.count(resolved),
        "tested": len(rates),
        "timed": len(timed),
        "odd": sum(run.is_odd for run in settled),
        "test_rate_sum": sum(rates),
        "test_rate_squares": sum(rate * rate for rate in rates),
        "test_rate_best": most,
        "best_id": best and best.pk,
        "best_missing": best and (best.tests_total or 0) - (best.tests_passed or 0),
        "tokens": _sum_if_known([run.tokens for run in settled]),
        "cost_usd": _sum_if_known([run.cost_usd for run in settled]) if settled else None,
        "seconds": sum(timed),
        "steps": _sum_if_known([run.steps for run in settled]),
    }


def _sum_if_known(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _recompute(pairs: list[Pair]) -> set[Group]:
    """Recomputes these cells. Returns the groups that they are in."""
    agents, tasks = {agent for agent, _ in pairs}, {task for _, task in pairs}
    ours = {"agent_id__in": agents, "task_id__in": tasks}
    there = set(Cell.rows.filter(**ours).values_list("agent_id", "task_id"))
    missing = [Cell(agent_id=agent, task_id=task) for agent, task in pairs if (agent, task) not in there]
    Cell.rows.bulk_create(missing, ignore_conflicts=True)
    wanted = set(pairs)
    # Only those of `pairs`: a lock on another cell would block a worker that settles a run there.
    rows = Cell.rows.filter(**ours).values_list("pk", "agent_id", "task_id", "task__repository__dataset_id")
    homes = {key: (agent, dataset) for key, agent, task, dataset in rows if (agent, task) in wanted}
    cells = list(Cell.rows.select_for_update().filter(pk__in=list(homes)).order_by("agent_id", "task_id"))
    runs: dict[Pair, list[Run]] = defaultdict(list)
    # Read after the locks are held. Always in the same order, so that equal runs give equal cells.
    for run in counted_runs().filter(**ours).only(*_READ).order_by("pk"):
        runs[run.agent_id, run.task_id].append(run)
    for cell in cells:
        for name, value in cell_totals(runs[cell.agent_id, cell.task_id]).items():
            setattr(cell, name, value)
        cell.revision += 1
        cell.save()
    return set(homes.values())
