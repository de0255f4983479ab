"""Everything that an evaluation's page shows, in a fixed number of queries."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Min, QuerySet, Sum

from runs.analysis.estimate import Estimate
from runs.data.cache.digests import text_digest
from runs.data.cells.run_sums import TaskPlace, run_sums
from runs.data.queries.visibility import (
    Reader,
    rights,
    visible,
    visible_agents,
    visible_evaluations,
    visible_tasks,
)
from runs.models import Evaluation, Run, Try
from runs.operations.evaluations.paused_models import paused_models
from runs.operations.monitoring.health import problems
from runs.work.execution.budget import account_of_tries
from runs.work.progress import run_counts
from runs.work.progress.agent_progress import AgentSoFar, Money, agents_so_far, money_of, user_costs
from runs.work.progress.failure_reasons import Failure, cancellations_of, failures_of
from runs.work.progress.in_progress import ActiveRun, Waiting, active_runs, runs_ahead, waiting_of
from runs.work.progress.lost_runs import LostCause, lost_cause
from runs.work.progress.pace import Pace, pace_of
from runs.work.progress.progress_grid import ProgressGrid, grid_of
from runs.work.progress.run_counts import RunTally
from tasks.models import Task

WAITING = 20
REFRESH_SECONDS = 10
BIG = 20_000  # runs: counting them takes a second
REFRESH_SECONDS_OF_BIG = 30


@dataclass(frozen=True, slots=True)
class EvaluationStatus:
    """The progress of an evaluation over the runs that this reader may see.

    `reported_cost`: the known costs of its runs with a verdict, in US dollars, which others paid if the runs are from
    elsewhere; `acted`: the seconds in which their agents acted. Both are sums over n runs. `lost`: why all its runs
    were lost, of a failed one.
    """

    tally: RunTally
    states: tuple[tuple[str, int], ...]
    tasks: tuple[Task, ...]
    agents: tuple[AgentSoFar, ...]
    grid: ProgressGrid
    pace: Pace
    money: Money
    active: tuple[ActiveRun, ...]
    waiting: Waiting
    failures: tuple[Failure, ...]
    cancellations: tuple[tuple[str, int], ...]
    reported_cost: Estimate
    acted: Estimate
    lost: LostCause | None

    @property
    def repositories(self) -> int:
        """The number of repositories of its tasks."""
        return len({task.repository_id for task in self.tasks})

    @property
    def common_filters(self) -> dict[str, str]:
        """The dataset and the repository of all its tasks, where there is only one, as filters of the leaderboard."""
        datasets = {task.repository.dataset.slug for task in self.tasks}
        repositories = {task.repository.slug for task in self.tasks}
        common = {"dataset": datasets, "repository": repositories}
        return {name: next(iter(slugs)) for name, slugs in common.items() if len(slugs) == 1}


def progress_of(found: Evaluation, reader: Reader, repository: str = "", page: int = 1) -> EvaluationStatus:
    """Everything that the page shows to this reader. `repository` and `page` select the rows of the grid."""
    runs = visible(found.runs.all(), reader)
    rows = run_sums(runs)
    states = run_counts.states(rows)
    tally = run_counts.tallies(rows, lambda _row: 0)[0]
    settled = [row for row in rows if row.settled]
    agents = list(visible_agents(reader).filter(pk__in={row.agent for row in rows}))
    tasks = tuple(visible_tasks(reader).filter(pk__in={row.task for row in rows}))
    places = {task.pk: TaskPlace(origin=task.origin) for task in tasks}
    results = agents_so_far(agents, rows, run_counts.cells(rows, places))
    return EvaluationStatus(
        tally=tally,
        states=tuple((state, states[state]) for state in Run.State.values if states[state]),
        tasks=tasks,
        agents=results,
        grid=grid_of(found, rows, agents, tasks, repository=repository, page=page),
        pace=pace_of(found, runs, tally.done, tally.to_come),
        money=money_of(
            account_of_tries(visible(Try.objects.filter(run__evaluation=found.pk), reader)),
            found.budget_usd,
            results,
            user_costs(runs) if found.user_model_id else None,
        ),
        active=active_runs(runs, reader) if tally.active else (),
        waiting=waiting_of(found, runs, tally.queued, tally.active, shown=WAITING, reader=reader),
        failures=failures_of(found, reader),
        cancellations=cancellations_of(runs) if tally.cancelled else (),
        reported_cost=_sum([(row.cost or 0.0, row.priced) for row in settled], "no run has a known cost"),
        lost=lost_cause(found, reader),
        acted=_sum([(row.seconds or 0.0, row.timed) for row in rows], "no run has a known duration"),
    )


def _sum(parts: Sequence[tuple[float, int]], reason: str) -> Estimate:
    """The sum of amounts, each of so many runs."""
    n = sum(count for _, count in parts)
    return Estimate(math.fsum(amount for amount, _ in parts), n) if n else Estimate.unknown(reason)


def version_of(pk: int, reader: Reader) -> str:
    """Changes whenever the page does: a run changes state or makes a step, money is spent, a dataset is hidden.

    '' if this reader may see no such evaluation.

    For a running evaluation it also changes every REFRESH_SECONDS, because its pace falls while nothing happens. For a
    big one it changes only every REFRESH_SECONDS_OF_BIG, and with its own state. At most ten queries.
    """
    seen = rights(reader)
    found = visible_evaluations(reader).filter(pk=pk)
    row = found.values_list("state", "listed", "publish_when_finished", "finished_at").first()
    if row is None:
        return ""
    runs = visible(Run.objects.filter(evaluation=pk), reader)
    if is_big(runs):
        return text_digest(repr((seen, row, time.time() // REFRESH_SECONDS_OF_BIG)))
    states = list(
        runs.order_by("state", "outcome")
        .values_list("state", "outcome")
        .annotate(n=Count("pk"), tries=Sum("tries"), due=Min("not_before"))
    )
    active = any(one[0] in Run.ACTIVE for one in states)
    is_running = row[0] == Evaluation.State.RUNNING
    shown = (
        seen,
        row,
        states,
        [(one.run.pk, one.run.state, one.run.detail, one.step) for one in active_runs(runs, reader)]
        if active
        else (),
        0 if active else runs_ahead(pk, reader),
        account_of_tries(visible(Try.objects.filter(run__evaluation=pk), reader)),
        problems() if is_running else (),
        [(one.pk, one.n_waiting) for one in paused_models(runs)] if is_running else (),
        time.time() // REFRESH_SECONDS if is_running else 0,
    )
    return text_digest(repr(shown))


def is_big(runs: QuerySet[Run]) -> bool:
    """Whether an evaluation has too many runs, which these are, to count them for each request."""
    return runs.order_by("pk")[BIG : BIG + 1].exists()
