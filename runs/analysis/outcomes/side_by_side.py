"""Two agents over the tasks that both tried: rates, expenses, and who solves which task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.outcomes.cell_counts import reports_tests, tests_passed, tests_where_known
from runs.analysis.outcomes.cell_counts import scores as scores_of
from runs.analysis.outcomes.paired import McNemar, SignFlip, difference_of, mcnemar, sign_flip
from runs.analysis.outcomes.passes import TaskScore, pass_rate, usual_k
from runs.analysis.outcomes.standings import NO_SUCCESS, CellFacts, cost_of, seconds_per_attempt, tokens_of
from runs.analysis.statistics.intervals import groups_of

Winner = Literal["first", "second", "both", "neither"]
NO_TASK = "no task was tried by both"


@dataclass(frozen=True, slots=True)
class SideOutcome:
    """One of the two agents over the common tasks. Expenses include those of failed attempts.

    `tests` counts attempts without a test result by their outcome, `tests_known` leaves them out.
    """

    pass_1: Estimate
    pass_k: Estimate
    tests: Estimate
    tests_known: Estimate
    tokens_per_attempt: Estimate
    tokens_per_success: Estimate
    cost_per_attempt: Estimate
    cost_per_success: Estimate
    seconds_per_attempt: Estimate
    attempts: int
    resolved: int
    infrastructure_failed: int


@dataclass(frozen=True, slots=True)
class SharedTask:
    """One common task, with the cells of both agents."""

    task: int
    first: CellFacts
    second: CellFacts

    @property
    def winner(self) -> Winner:
        """Which of the two resolved it in any attempt."""
        if self.first.resolved and self.second.resolved:
            return "both"
        if self.first.resolved:
            return "first"
        return "second" if self.second.resolved else "neither"

    @property
    def gain(self) -> float:
        """The share of attempts that the first resolved minus that of the second."""
        return self.first.resolved / self.first.attempts - self.second.resolved / self.second.attempts


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two agents. `test` compares pass@1; `solved` compares what they resolved in any attempt.

    `ahead` and `behind`: on how many tasks the first resolved a larger or a smaller share of its attempts.
    `unequal`: common tasks with unequal numbers of attempts, which `solved` excludes. `only_first` and `only_second`:
    tasks that only one tried, used in no estimate.
    """

    k: int
    tasks: tuple[SharedTask, ...]
    first: SideOutcome
    second: SideOutcome
    difference: Estimate
    test: SignFlip
    solved: McNemar
    ahead: int
    behind: int
    unequal: int
    only_first: int
    only_second: int

    @property
    def level(self) -> int:
        """On how many tasks they resolved the same share of attempts."""
        return len(self.tasks) - self.ahead - self.behind


@method(
    "side-by-side",
    "Two agents side by side",
    Section.TWO_AGENTS,
    6,
    short="Both agents over only those tasks that both tried, so that neither has the easier ones.",
    example="Of 500 and 300 tasks, 280 are common: all numbers use these 280.",
)
def side_by_side(first: Sequence[CellFacts], second: Sequence[CellFacts]) -> SideBySide:
    """Both agents over the tasks with a graded attempt by both, each task with equal weight.

    Not corrected for multiple comparisons; the ranks on the leaderboard are. The order of cells does not matter.

    Formula: pass@1, pass@k and tests passed as on the leaderboard, over common tasks; k is 5, or the largest number of
    attempts that one of the two has at all of them. The difference of pass@1 has the interval of differences, its p
    is that of the sign-flip test. McNemar's exact test compares which tasks each resolved in any attempt, over the
    tasks with equal numbers of attempts: more attempts resolve more tasks. Tokens, dollars and seconds are the
    expenses at common tasks ÷ attempts, or ÷ successes, as on the leaderboard where some are unknown.

    Source: IDE-Bench, 4.4 and A.5, compare what two agents solve; the rest is ours.

    Units: shares from 0 to 1 and differences of such; tokens, US dollars, seconds.

    Small n: without a common task every estimate is unknown; with fewer than six the test is never significant.
    """
    ours = {cell.task: cell for cell in first if cell.attempts}
    theirs = {cell.task: cell for cell in second if cell.attempts}
    tasks = tuple(SharedTask(task, ours[task], theirs[task]) for task in sorted(ours.keys() & theirs.keys()))
    own, rival = scores_of(task.first for task in tasks), scores_of(task.second for task in tasks)
    k = usual_k([own, rival])
    fair = [task for task in tasks if task.first.attempts == task.second.attempts]
    leads = [score.lead_over(other) for score, other in zip(own, rival, strict=True)]
    return SideBySide(
        k=k,
        tasks=tasks,
        first=_side([task.first for task in tasks], k, reported=reports_tests(first)),
        second=_side([task.second for task in tasks], k, reported=reports_tests(second)),
        difference=difference_of(own, rival),
        test=sign_flip(own, rival),
        solved=mcnemar(
            [task.first.resolved > 0 for task in fair],
            [task.second.resolved > 0 for task in fair],
            groups_of([task.first.group for task in fair]),
        ),
        ahead=sum(lead > 0 for lead in leads),
        behind=sum(lead < 0 for lead in leads),
        unequal=len(tasks) - len(fair),
        only_first=len(ours.keys() - theirs.keys()),
        only_second=len(theirs.keys() - ours.keys()),
    )


@dataclass(frozen=True, slots=True)
class SharedSlice:
    """The common tasks of one group, such as a repository or difficulty: pass@1 of both and its difference."""

    name: str
    first: Estimate
    second: Estimate
    difference: Estimate


def sliced(tasks: Sequence[SharedTask], names: Mapping[int, str]) -> tuple[SharedSlice, ...]:
    """The common tasks grouped by the name given for each task, sorted by name."""
    groups: dict[str, list[SharedTask]] = {}
    for task in tasks:
        groups.setdefault(names[task.task], []).append(task)
    slices = []
    for name, theirs in sorted(groups.items()):
        first, second = scores_of(task.first for task in theirs), scores_of(task.second for task in theirs)
        slices.append(SharedSlice(name, pass_rate(first), pass_rate(second), difference_of(first, second)))
    return tuple(slices)


def differences(cells: Mapping[int, Sequence[CellFacts]]) -> dict[tuple[int, int], Estimate]:
    """The difference of pass@1 for each ordered pair of agents, over the tasks that both tried."""
    scores = {
        agent: {
            cell.task: TaskScore(cell.attempts, cell.resolved, cell.group) for cell in theirs if cell.attempts
        }
        for agent, theirs in cells.items()
    }
    gaps: dict[tuple[int, int], Estimate] = {}
    for first, second in combinations(sorted(scores), 2):
        tasks = sorted(scores[first].keys() & scores[second].keys())
        ours, theirs = ([scores[agent][task] for task in tasks] for agent in (first, second))
        gap = difference_of(ours, theirs)
        gaps[first, second], gaps[second, first] = gap, gap.negated()
    return gaps


def _side(cells: Sequence[CellFacts], k: int, *, reported: bool) -> SideOutcome:
    scores = scores_of(cells)
    tokens, cost = tokens_of(cells), cost_of(cells)
    return SideOutcome(
        pass_1=pass_rate(scores),
        pass_k=pass_rate(scores, k),
        tests=tests_passed(cells, reported=reported),
        tests_known=tests_where_known(cells),
        tokens_per_attempt=tokens.per_attempt(NO_TASK),
        tokens_per_success=tokens.per_success(NO_SUCCESS if cells else NO_TASK),
        cost_per_attempt=cost.per_attempt(NO_TASK),
        cost_per_success=cost.per_success(NO_SUCCESS if cells else NO_TASK),
        seconds_per_attempt=seconds_per_attempt(cells),
        attempts=sum(cell.attempts for cell in cells),
        resolved=sum(cell.resolved for cell in cells),
        infrastructure_failed=sum(cell.infrastructure_failed for cell in cells),
    )
