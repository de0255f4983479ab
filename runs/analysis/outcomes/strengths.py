"""The results of an agent by task label, compared with all other agents on the same tasks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.outcomes.cell_counts import reports_tests, scores, tests_passed
from runs.analysis.outcomes.passes import pass_rate
from runs.analysis.outcomes.standings import CellFacts, by_agent
from runs.analysis.statistics.summaries import mean_of

_NO_OTHERS = "no other competing agent tried any of these tasks"


@dataclass(frozen=True, slots=True)
class LabelStrength:
    """The tasks with one label: the agent's results, and the mean rate of all `others` there. Each n counts tasks."""

    label: str
    pass_1: Estimate
    tests: Estimate
    others: Estimate
    attempts: int
    resolved: int


@dataclass(frozen=True, slots=True)
class TaskContrast:
    """One task: the agent's share of resolved attempts, that of the others, and the difference."""

    task: int
    resolved: int
    attempts: int
    others: Estimate
    ahead: float


@dataclass(frozen=True, slots=True)
class OthersComparison:
    """One agent's cells with a graded attempt, and for each task the mean rate of the other competing agents."""

    own: Mapping[int, CellFacts]
    others: Mapping[int, Estimate]

    def parts(self, labels_of: Callable[[int], Iterable[str]]) -> tuple[LabelStrength, ...]:
        """The agent's results by label, sorted; a task with several labels counts in each of them."""
        groups: dict[str, list[int]] = defaultdict(list)
        for task in self.own:
            for label in dict.fromkeys(labels_of(task)):
                groups[label].append(task)
        reported = reports_tests(self.own.values())
        return tuple(self._part(label, groups[label], reported=reported) for label in sorted(groups))

    def contrasts(self) -> tuple[TaskContrast, ...]:
        """Every task that others also tried, largest lead of the agent first."""
        contrasts = [
            TaskContrast(
                task, cell.resolved, cell.attempts, others, cell.resolved / cell.attempts - others.value
            )
            for task, cell in self.own.items()
            if (others := self.others[task]).value is not None
        ]
        return tuple(sorted(contrasts, key=lambda each: (-each.ahead, each.task)))

    def _part(self, label: str, tasks: Sequence[int], *, reported: bool) -> LabelStrength:
        cells = tuple(self.own[task] for task in tasks)
        known = [value for task in tasks if (value := self.others[task].value) is not None]
        pass_1, tests = _own_rates(cells, reported)
        return LabelStrength(
            label=label,
            pass_1=pass_1,
            tests=tests,
            others=mean_of(known, _NO_OTHERS),
            attempts=sum(cell.attempts for cell in cells),
            resolved=sum(cell.resolved for cell in cells),
        )


@lru_cache(maxsize=1024)
def _own_rates(cells: tuple[CellFacts, ...], reported: bool) -> tuple[Estimate, Estimate]:
    """pass@1 and test pass rate of an agent at tasks, which a run of another agent does not change.

    For the page of an agent at 80 tasks with 26 labels: 0.5 ms of CPU time instead of 3.6 for all of them.
    """
    return pass_rate(scores(cells)), tests_passed(cells, reported=reported)


@method(
    "others",
    "An agent compared with all others",
    Section.TWO_AGENTS,
    8,
    short="The mean of all other competing agents on the same tasks.",
    example=(
        "An agent at 60 % where the others have 45 % did better on these tasks, whatever their difficulty."
    ),
)
def compare_with_others(
    agent: int, cells: Iterable[CellFacts], calibrating: Collection[int] = ()
) -> OthersComparison:
    """An agent compared with all other competing agents, task by task.

    Formula: for one task, `Σ rⱼ ÷ m` over the m other competing agents with a graded attempt at it, rⱼ the share of
    their attempts that resolve it. For several tasks the mean over those that another agent tried. The agent's own
    estimates are pass@1 and test pass rate over the same tasks.

    Source: ours. IDE-Bench, 4.5 and E.1, compares agents by stack and by task, without a mean of the others.

    Units: shares from 0 to 1; n counts tasks, or agents for the mean of one task.

    Small n: tasks that no other agent tried have no mean, and a label with such tasks only has the reason; one task
    gives the agent's own rate with a very wide interval.
    """
    made = by_agent(cells)
    own = {task: cell for task, cell in made.get(agent, {}).items() if cell.attempts}
    rates: dict[int, list[float]] = defaultdict(list)
    for name, theirs in made.items():
        if name != agent and name not in calibrating:
            for task, cell in theirs.items():
                if cell.attempts and task in own:
                    rates[task].append(cell.resolved / cell.attempts)
    return OthersComparison(own, {task: mean_of(rates[task], _NO_OTHERS) for task in own})
