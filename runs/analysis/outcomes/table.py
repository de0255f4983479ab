"""The outcomes of agents: all rates of every agent, from runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts
from runs.analysis.method import Section, method
from runs.analysis.outcomes.cell_counts import (
    CellCount,
    cells_of,
    reports_tests,
    scores_by_task,
    strict_rate,
    tests_passed,
    tests_where_known,
    untested,
)
from runs.analysis.outcomes.cell_counts import scores as scores_of
from runs.analysis.outcomes.passes import (
    all_pass_rate,
    checked_k,
    pass_rate,
    place_between,
    retry_benefit,
    tasks_for_a_place,
    usual_k,
)
from runs.analysis.outcomes.ties import TieGroups, tie_groups

_Cells = dict[str, CellCount]
"""One agent's cells by task."""


@dataclass(frozen=True, slots=True)
class Short:
    """A task with fewer than k graded attempts by an agent; 0 if only other agents tried it."""

    task: str
    attempts: int


@dataclass(frozen=True, slots=True)
class AgentOutcome:
    """One agent. Rates are means over the tasks with a graded attempt by it; each n counts tasks.

    `pass_1_strict`: pass@1 if infrastructure failures counted as unresolved. `tests` counts the `untested` attempts,
    which have no test result, by their outcome; `tests_known` leaves them out. `between_rates` and `between_tests`: the
    position of pass@1 and of the test pass rate between floor (0) and ceiling (1), over the tasks that all three tried.
    `short`: the tasks with too few attempts for pass@k, in order.
    """

    agent: str
    pass_1: Estimate
    pass_k: Estimate
    all_k: Estimate
    retry_benefit: Estimate
    pass_1_strict: Estimate
    tests: Estimate
    tests_known: Estimate
    untested: int
    between_rates: Estimate
    between_tests: Estimate
    tasks: int
    attempts: int
    resolved: int
    infrastructure_failed: int
    fewest_attempts: int
    most_attempts: int
    short: tuple[Short, ...]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """All agents, best pass@1 first; then those without a rank, then those without a graded attempt, by name.

    `ties`: without agents that are not placed or tried too few tasks for a rank (`tasks_for_a_place`).

    `cells`: sorted by agent and task. `excluded`: runs that no estimate can use; `untested`: runs without a
    test result, which count by their outcome in the test pass rate.
    """

    k: int
    agents: tuple[AgentOutcome, ...]
    ties: TieGroups[str]
    cells: tuple[CellCount, ...]
    excluded: tuple[Exclusion, ...]
    untested: tuple[Exclusion, ...]


@method("outcomes", "Outcomes of an agent", Section.OUTCOMES, 1)
def outcomes(
    runs: Sequence[RunFacts],
    k: int | None = None,
    *,
    floor: str | None = None,
    ceiling: str | None = None,
    unplaced: Collection[str] = frozenset(),
) -> Outcomes:
    """All outcome rates of every agent.

    Each graded run is one attempt at its task, even if two evaluations gave attempts the same number. Runs without a
    graded outcome are listed in `excluded`; infrastructure failures are also counted by agent. A run without a
    valid test result counts by its outcome in the test pass rate, and is listed in `untested`. `unplaced`: agents that
    are not compared with the others, such as calibration agents; they come after them, have no rank, and change no
    number of another agent. ValueError for k < 1, and for a `floor` or `ceiling` without runs.

    Formula: see pass@k, pass^k, retry benefit, test pass rate, between floor and ceiling, groups. `k` None: 5, or the
    largest number of attempts that some agent has at all its tasks. The strict pass@1 is the mean over tasks of
    `c ÷ (n + infrastructure failures)`. `floor` and `ceiling` name the null agent and the oracle; positions between
    them use the tasks that the agent and both tried.

    Source: IDE-Bench 4.1, 4.10 and F.3.3; the strict rate is ours.

    Units: shares from 0 to 1.

    Small n: no run gives no agent; an agent without a graded attempt has reasons instead of values.
    """
    counted = cells_of(runs)
    cells: dict[str, _Cells] = defaultdict(dict)
    for cell in counted.cells:
        cells[cell.agent][cell.task] = cell
    scores = scores_by_task(cells)
    tasks = sorted({cell.task for cell in counted.cells})
    needed = tasks_for_a_place(len(tasks))
    enough = {
        agent: theirs for agent, theirs in scores.items() if agent not in unplaced and len(theirs) >= needed
    }
    k = checked_k(k) or usual_k(theirs.values() for theirs in (enough or scores).values())
    ties = tie_groups(enough)
    others = tie_groups({agent: scores[agent] for agent in scores.keys() - enough.keys()}).order
    order = [*ties.order, *others, *sorted(cells.keys() - scores.keys())]
    bounds = _bound(cells, floor), _bound(cells, ceiling)
    return Outcomes(
        k=k,
        agents=tuple(_outcome(agent, cells[agent], k, tasks, bounds) for agent in order),
        ties=ties,
        cells=counted.cells,
        excluded=counted.excluded,
        untested=counted.untested,
    )


def _graded(theirs: _Cells) -> _Cells:
    return {task: cell for task, cell in theirs.items() if cell.attempts}


def _bound(cells: Mapping[str, _Cells], name: str | None) -> _Cells | None:
    if name is None:
        return None
    if name not in cells:
        raise ValueError(f"{name} is the floor or the ceiling, but made no run")
    return _graded(cells[name])


def _outcome(
    agent: str, theirs: _Cells, k: int, tasks: Sequence[str], bounds: tuple[_Cells | None, _Cells | None]
) -> AgentOutcome:
    graded = _graded(theirs)
    scores = scores_of(graded.values())
    made = [score.attempts for score in scores]
    between_rates, between_tests = _between(graded, *bounds)
    missing = [Short(task, graded[task].attempts if task in graded else 0) for task in tasks]
    return AgentOutcome(
        agent=agent,
        pass_1=pass_rate(scores),
        pass_k=pass_rate(scores, k),
        all_k=all_pass_rate(scores, k),
        retry_benefit=retry_benefit(scores, k),
        pass_1_strict=strict_rate(theirs.values()),
        tests=tests_passed(graded.values(), reported=reports_tests(graded.values())),
        tests_known=tests_where_known(graded.values()),
        untested=untested(graded.values()),
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


def _between(ours: _Cells, floor: _Cells | None, ceiling: _Cells | None) -> tuple[Estimate, Estimate]:
    """The positions of pass@1 and of the test pass rate, over the tasks that this agent and both bounds tried."""
    if floor is None or ceiling is None:
        nothing = Estimate.unknown(f"no {'null agent' if floor is None else 'oracle'} to compare with")
        return nothing, nothing
    three = (ours, floor, ceiling)
    tried = [task for task in ours if task in floor and task in ceiling]
    tested = tried if all(map(reports_tests, (each.values() for each in three))) else []
    return (
        place_between(*(pass_rate(scores_of(each[task] for task in tried)) for each in three)),
        place_between(*(tests_passed([each[task] for task in tested], reported=True) for each in three)),
    )
