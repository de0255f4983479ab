"""Routing: each task goes to the best agent for its stack or language. The best agents, and the gain."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import Need, RunFacts, Shortage, scenarios_of, shortages, sift
from runs.analysis.method import Section, method
from runs.analysis.outcomes.passes import TaskScore, pass_rate
from runs.analysis.outcomes.solved import scores_of
from runs.analysis.outcomes.ties import tie_groups
from runs.analysis.portfolios.common_tasks import CommonTasks, common_tasks

Array = NDArray[np.float64]
EQUAL = 1e-9  # rates are means of small fractions: closer values are equal rates


def stack_of(run: RunFacts) -> str:
    """The stack of a run's task; empty if none is given."""
    return run.stack


def language_of(run: RunFacts) -> str:
    """The first language of a run's task; empty if none is given."""
    return run.languages[0] if run.languages else ""


@dataclass(frozen=True, slots=True)
class Route:
    """Tasks of one label, and the agent that resolves most of them.

    `rate`: the mean over tasks of its share of resolved attempts. `tied`: the agents that do not differ significantly
    from the best one, including itself, best first.
    """

    label: str
    tasks: int
    agent: str
    rate: Estimate
    tied: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Routing:
    """Routes by label, and the gain over always using the single best agent.

    `routed`, `single` and `gain` are estimated on tasks that were not used to choose the agent. `naive_gain` is
    measured on the tasks used for the choice: it is never negative, and optimistic.
    """

    routes: tuple[Route, ...]
    best: str | None
    routed: Estimate
    single: Estimate
    gain: Estimate
    naive_gain: Estimate
    common: CommonTasks
    shortages: tuple[Shortage, ...]
    excluded: tuple[Exclusion, ...]


@method("routing", "Routing by stack or language", Section.CASCADES_AND_ROUTING, 5)
def routing(runs: Sequence[RunFacts], label_of: Callable[[RunFacts], str] = stack_of) -> Routing:
    """The best agent for each stack (or language), and the expected gain of routing on new tasks.

    Formula: r(A, t) is the share of A's attempts at task t that resolve it. For each task t the agent with the highest
    mean r over the *other* tasks of its label is chosen, and scored with r(·, t): `routed` is the mean of that.
    `single` is the same with the agent that is best over all other tasks, `gain` the difference. The personas of one
    scenario are left out together. If several agents are best, the mean of their scores is used. A label with one task
    has no other task for the choice: it uses the single best agent. The naive gain is the mean of the highest mean r in
    each label, weighted by tasks, minus the highest mean r over all tasks.

    Source: IDE-Bench, 4.10 (language-specific routing) chooses and measures on the same tasks. Leave-one-out: Stone
    1974, Cross-Validatory Choice and Assessment of Statistical Predictions. Tied agents: the pairwise tests of the
    leaderboard, within each label.

    Units: rates 0 to 1, `n` counts tasks: those that all compared agents attempted.

    Small n: fewer than two agents or two tasks leave the gains undefined; the personas of one scenario are one task
    here. With one task in every label the gain is 0. With few tasks the choice is unreliable, and the gain may be
    negative.
    """
    need = Need("no stack or language is given", lambda run: bool(label_of(run)))
    sifted = sift(runs, need)
    scores = scores_of(sifted.usable)
    common = common_tasks({agent: tasks.keys() for agent, tasks in scores.items()})
    columns = _columns(sifted.usable, common, label_of)
    rates = np.array(
        [[float(scores[agent][task].rate) for task in common.tasks] for agent in common.agents], dtype=float
    ).reshape(len(common.agents), len(common.tasks))
    scenarios = scenarios_of(sifted.usable)
    names = [scenarios[task] or task for task in common.tasks]
    clusters = np.unique(names, return_inverse=True)[1]
    comparable = len(common.agents) > 1 and len(set(names)) > 1
    routed, single, naive = _estimates(rates, columns, clusters) if comparable else _none(common)
    return Routing(
        routes=tuple(_route(label, places, common, scores) for label, places in columns.items()),
        best=_best(common, scores),
        routed=routed,
        single=single,
        gain=routed.minus(single),
        naive_gain=naive,
        common=common,
        shortages=shortages(runs),
        excluded=sifted.excluded,
    )


def _columns(
    runs: Sequence[RunFacts], common: CommonTasks, label_of: Callable[[RunFacts], str]
) -> dict[str, list[int]]:
    """The columns of each label's tasks. If runs of a task disagree, the one with the highest number decides."""
    latest: dict[str, RunFacts] = {}
    for run in runs:
        if run.task not in latest or run.run > latest[run.task].run:
            latest[run.task] = run
    columns: dict[str, list[int]] = defaultdict(list)
    for place, task in enumerate(common.tasks):
        columns[label_of(latest[task])].append(place)
    return dict(sorted(columns.items()))


def _estimates(
    rates: Array, columns: Mapping[str, Sequence[int]], clusters: NDArray[np.intp]
) -> tuple[Estimate, Estimate, Estimate]:
    tasks = rates.shape[1]
    single = _left_out(rates, clusters)
    routed = single.copy()
    naive = -_highest(rates)
    for places in columns.values():
        part = rates[:, places]
        naive += len(places) / tasks * _highest(part)
        if len(set(clusters[places].tolist())) > 1:
            routed[places] = _left_out(part, clusters[places])
    return (
        Estimate(math.fsum(routed) / tasks, tasks),
        Estimate(math.fsum(single) / tasks, tasks),
        Estimate(max(0.0, naive), tasks),
    )


def _left_out(rates: Array, clusters: NDArray[np.intp]) -> Array:
    """For each task the score of the agent that is best on the other tasks; the mean score if several are best.

    Tasks with the same number in `clusters` are left out together.
    """
    sizes = np.bincount(clusters)
    own = np.zeros((len(sizes), len(rates)))
    np.add.at(own, clusters, rates.T)
    others = (rates.sum(axis=1, keepdims=True) - own[clusters].T) / (rates.shape[1] - sizes[clusters])
    chosen = others >= others.max(axis=0) - EQUAL
    return np.asarray((rates * chosen).sum(axis=0) / chosen.sum(axis=0), dtype=float)


def _highest(rates: Array) -> float:
    return float(max(math.fsum(row) for row in rates) / rates.shape[1])


def _none(common: CommonTasks) -> tuple[Estimate, Estimate, Estimate]:
    reason = (
        "fewer than two common tasks" if len(common.tasks) < 2 else "all common tasks are of one scenario"
    )
    if len(common.agents) < 2:
        reason = "fewer than two agents to choose from"
    unknown = Estimate.unknown(reason, len(common.tasks))
    return unknown, unknown, unknown


def _route(
    label: str, places: Sequence[int], common: CommonTasks, scores: Mapping[str, Mapping[str, TaskScore]]
) -> Route:
    tasks = [common.tasks[place] for place in places]
    ties = tie_groups({agent: {task: scores[agent][task] for task in tasks} for agent in common.agents})
    best = ties.order[0]
    worse = {pair.second for pair in ties.pairs if pair.better == best}
    theirs = [scores[best][task] for task in tasks]
    tied = tuple(agent for agent in ties.order if agent not in worse)
    return Route(label, len(tasks), best, pass_rate(theirs), tied)


def _best(common: CommonTasks, scores: Mapping[str, Mapping[str, TaskScore]]) -> str | None:
    if not common.tasks:
        return None
    return min(
        common.agents, key=lambda agent: (-sum(scores[agent][task].rate for task in common.tasks), agent)
    )
