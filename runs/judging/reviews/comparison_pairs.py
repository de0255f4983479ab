"""Which runs are compared with each other: those of one task, persona and attempt."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from django.db.models import QuerySet

from runs.judging.reviews.judging_passes import judged_runs
from runs.models import Agent, Evaluation, Run

RunPair = tuple[Run, Run]


def agent_pairs(one: Agent, two: Agent, runs: QuerySet[Run]) -> list[RunPair]:
    """The pairs of two agents among these runs, by task. Of several runs of one attempt the latest counts."""
    return _paired(runs.filter(agent=one), runs.filter(agent=two), lambda run: (run.task_id, run.attempt))


def evaluation_pairs(one: Evaluation, two: Evaluation, runs: QuerySet[Run]) -> list[RunPair]:
    """The pairs of two evaluations among these runs, by task.

    If each is of one agent, these are compared, whether they are the same or not; else each agent with itself.
    """
    both = runs.filter(evaluation=one), runs.filter(evaluation=two)
    agents = [set(side.order_by().values_list("agent", flat=True)) for side in both]
    if all(len(side) == 1 for side in agents):
        return _paired(*both, lambda run: (run.task_id, run.attempt))
    return _paired(*both, lambda run: (run.agent_id, run.task_id, run.attempt))


def runs_of(pairs: list[RunPair]) -> list[Run]:
    """The runs of these pairs, each once."""
    return list({run.pk: run for pair in pairs for run in pair}.values())


def _paired(one: QuerySet[Run], two: QuerySet[Run], key: Callable[[Run], Hashable]) -> list[RunPair]:
    # Ascending, so that the latest run of a key stays.
    first, second = (
        {key(run): run for run in judged_runs(side).select_related("agent", "task").order_by("pk")}
        for side in (one, two)
    )
    shared = [name for name in first if name in second and first[name].pk != second[name].pk]
    pairs = [(first[name], second[name]) for name in shared]
    return sorted(pairs, key=lambda pair: (pair[0].task_id, pair[0].attempt, pair[0].pk))
