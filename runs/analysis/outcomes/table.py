"""What came of agents' attempts: every outcome figure of every agent, from runs or from cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts
from runs.analysis.method import Method
from runs.analysis.outcomes.cell_counts import CellCount, by_agent, cells_of
from runs.analysis.outcomes.passes import (
    TaskScore,
    all_pass_rate,
    pass_rate,
    place_between,
    rate_of_tests,
    retry_benefit,
    usual_k,
)
from runs.analysis.outcomes.ties import TieGroups, tie_groups

Name = TypeVar("Name", str, int)
Task = TypeVar("Task", str, int)


@dataclass(frozen=True, slots=True)
class Short(Generic[Task]):
    """A task that an agent has fewer than k graded attempts at; 0 also where others tried it and this agent did not."""

    task: Task
    attempts: int


@dataclass(frozen=True, slots=True)
class AgentOutcome(Generic[Name, Task]):
    """One agent. Rates are means over the tasks that it has a graded attempt at; each figure's n counts tasks.

    `pass_1_strict`: pass@1 if infrastructure failures counted as failures. `between_rates` and `between_tests`: where
    pass@1 and the test pass rate lie between floor (0) and ceiling (1), over the tasks that all three tried.
    `short`: the tasks with too few attempts for pass@k, in order.
    """

    agent: Name
    pass_1: Estimate
    pass_k: Estimate
    all_k: Estimate
    retry_benefit: Estimate
    pass_1_strict: Estimate
    tests: Estimate
    between_rates: Estimate
    between_tests: Estimate
    tasks: int
    attempts: int
    resolved: int
    infrastructure_failed: int
    fewest_attempts: int
    most_attempts: int
    short: tuple[Short[Task], ...]


@dataclass(frozen=True, slots=True)
class Outcomes(Generic[Name, Task]):
    """All agents, best pass@1 first; those without a graded attempt come last, by name.

    `cells`: agent by agent, task by task, in order of names. `excluded`: runs that no figure could use; `untested`:
    runs that count in every figure but the test pass rate.
    """

    k: int
    agents: tuple[AgentOutcome[Name, Task], ...]
    ties: TieGroups[Name]
    cells: tuple[CellCount[Name, Task], ...]
    excluded: tuple[Exclusion, ...] = ()
    untested: tuple[Exclusion, ...] = ()

    def of(self, agent: Name) -> AgentOutcome[Name, Task]:
        """One agent; KeyError for a stranger."""
        for found in self.agents:
            if found.agent == agent:
                return found
        raise KeyError(agent)


def outcomes(
    runs: Sequence[RunFacts], k: int | None = None, *, floor: str | None = None, ceiling: str | None = None
) -> Outcomes[str, str]:
    """Every outcome figure of every agent, from runs.

    Each graded run is one more attempt at its task, also where two evaluations numbered attempts alike. Runs without a
    graded outcome are named in `excluded`; those that the infrastructure failed are counted by agent, too. A run
    without sensible test counts keeps its verdict and is named in `untested`. ValueError for k < 1, and for a `floor`
    or `ceiling` that made no run.

    Formula: see pass@k, pass^k, retry benefit, test pass rate, between floor and ceiling, groups. `k` None: 5, or the
    most attempts that some agent has at each of its tasks. pass@1 as if infrastructure failures were failures is the
    mean over tasks of `c ÷ (n + failures)`. `floor` and `ceiling` name the null agent and the oracle; places
    between them are over the tasks that the agent and both tried.

    Source: IDE-Bench 4.1, 4.10 and F.3.3; the strict rate is ours.

    Units: shares from 0 to 1.

    Small n: no run gives no agent; an agent without a graded attempt has reasons in place of figures.
    """
    counted = cells_of(runs)
    found = outcomes_of(counted.cells, k, floor=floor, ceiling=ceiling)
    return replace(found, excluded=counted.excluded, untested=counted.untested)


def outcomes_of(
    cells: Iterable[CellCount[Name, Task]],
    k: int | None = None,
    *,
    floor: Name | None = None,
    ceiling: Name | None = None,
) -> Outcomes[Name, Task]:
    """The same from counts for each agent and task; several of one agent and task are added up."""
    everybody: dict[Name, dict[Task, CellCount[Name, Task]]] = by_agent(cells)
    graded = {agent: _graded(theirs) for agent, theirs in everybody.items()}
    if k is None:
        k = usual_k([[cell.attempts for cell in theirs.values()] for theirs in graded.values()])
    scores = {agent: {task: each.score for task, each in theirs.items()} for agent, theirs in graded.items()}
    ties = tie_groups({agent: made for agent, made in scores.items() if made})
    order: list[Name] = list(ties.order)
    order += sorted(everybody.keys() - set(order))
    bounds = _bound(graded, floor), _bound(graded, ceiling)
    tasks = sorted({task for theirs in everybody.values() for task in theirs})
    return Outcomes(
        k=k,
        agents=tuple(_outcome(agent, everybody[agent], k, tasks, bounds) for agent in order),
        ties=ties,
        cells=tuple(theirs[task] for _, theirs in sorted(everybody.items()) for task in sorted(theirs)),
    )


def strict_rate(scores: Sequence[TaskScore], lost: Sequence[int]) -> Estimate:
    """pass@1 as it were if attempts that the infrastructure lost had failed. They are “excluded” from all other rates.

    `lost` counts those of each task. ValueError for sequences of different length.

    Formula: mean over tasks of resolved ÷ (settled attempts + those lost), over the tasks that have one of either, with
    the 95 % interval of pass@1 over such attempts.

    Source: ours: the lowest that the excluded attempts could make of the rate.

    Units: a share from 0 to 1, never above pass@1 over the same tasks; n counts tasks.

    Small n: no attempt, lost or not, gives no value; one task gives its own and a very wide interval.
    """
    started = [(score.attempts + more, score.resolved) for score, more in zip(scores, lost, strict=True)]
    return pass_rate([TaskScore(count, resolved) for count, resolved in started if count])


def _graded(theirs: Mapping[Task, CellCount[Name, Task]]) -> dict[Task, CellCount[Name, Task]]:
    return {task: cell for task, cell in theirs.items() if cell.attempts}


def _bound(
    graded: Mapping[Name, Mapping[Task, CellCount[Name, Task]]], name: Name | None
) -> Mapping[Task, CellCount[Name, Task]] | None:
    if name is None:
        return None
    if name not in graded:
        raise ValueError(f"{name} is to be the floor or the ceiling, and made no run")
    return graded[name]


def _outcome(
    agent: Name,
    theirs: Mapping[Task, CellCount[Name, Task]],
    k: int,
    tasks: Sequence[Task],
    bounds: tuple[Mapping[Task, CellCount[Name, Task]] | None, Mapping[Task, CellCount[Name, Task]] | None],
) -> AgentOutcome[Name, Task]:
    graded = _graded(theirs)
    scores = [cell.score for cell in graded.values()]
    made = [score.attempts for score in scores]
    between_rates, between_tests = _between(graded, *bounds)
    missing = [Short(task, graded[task].attempts if task in graded else 0) for task in tasks]
    return AgentOutcome(
        agent=agent,
        pass_1=pass_rate(scores),
        pass_k=pass_rate(scores, k),
        all_k=all_pass_rate(scores, k),
        retry_benefit=retry_benefit(scores, k),
        pass_1_strict=strict_rate(
            [cell.score for cell in theirs.values()], [cell.infrastructure_failed for cell in theirs.values()]
        ),
        tests=_tests(graded.values()),
        between_rates=between_rates,
        between_tests=between_tests,
        tasks=len(graded),
        attempts=sum(made),
        resolved=sum(score.resolved for score in scores),
        infrastructure_failed=sum(cell.infrastructure_failed for cell in theirs.values()),
        fewest_attempts=min(made, default=0),
        most_attempts=max(made, default=0),
        short=tuple(each for each in missing if each.attempts < k),
    )


def _tests(theirs: Iterable[CellCount[Name, Task]]) -> Estimate:
    rates = [cell.test_rate.value for cell in theirs]
    return rate_of_tests([[rate] for rate in rates if rate is not None])


def _between(
    ours: Mapping[Task, CellCount[Name, Task]],
    floor: Mapping[Task, CellCount[Name, Task]] | None,
    ceiling: Mapping[Task, CellCount[Name, Task]] | None,
) -> tuple[Estimate, Estimate]:
    """Where pass@1 and test pass rate lie, over the tasks that this agent and both bounds tried."""
    if floor is None or ceiling is None:
        nothing = Estimate.unknown(f"no {'null agent' if floor is None else 'oracle'} to compare with")
        return nothing, nothing
    three = (ours, floor, ceiling)
    tried = [task for task in ours if task in floor and task in ceiling]
    tested = [task for task in tried if all(each[task].tested for each in three)]
    return (
        place_between(*(pass_rate([each[task].score for task in tried]) for each in three)),
        place_between(*(_tests([each[task] for task in tested]) for each in three)),
    )


METHODS = (
    Method("outcomes", "Outcomes of an agent", outcomes),
    Method("excluded", "Excluded attempts", strict_rate),
)
