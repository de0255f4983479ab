"""Two agents over the tasks that both tried: what each reaches there, what it takes, and who wins where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from runs.analysis.estimate import Estimate
from runs.analysis.method import Method
from runs.analysis.outcomes.paired import McNemar, SignFlip, difference_of, mcnemar, sign_flip
from runs.analysis.outcomes.passes import TaskScore, pass_rate, rate_of_tests, usual_k
from runs.analysis.outcomes.standings import CellFacts, cost_per_attempt, seconds_per_attempt, total_cost

Winner = Literal["first", "second", "both", "neither"]
NO_TASK = "no task was tried by both"
NO_SUCCESS = "no attempt resolved a task"
UNKNOWN_COST = "the cost of some attempt is unknown"


@dataclass(frozen=True, slots=True)
class SideOutcome:
    """One of the two over the common tasks. What is spent is by attempt and by success, failures' included."""

    pass_1: Estimate
    pass_k: Estimate
    tests: Estimate
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
    """One common task. `winner`: which of the two resolved it in any attempt."""

    task: int
    first: CellFacts
    second: CellFacts

    @property
    def winner(self) -> Winner:
        """Who resolved it at all."""
        if self.first.resolved and self.second.resolved:
            return "both"
        if self.first.resolved:
            return "first"
        return "second" if self.second.resolved else "neither"

    @property
    def gain(self) -> float:
        """The share of attempts that the first resolved, less that of the second."""
        return self.first.resolved / self.first.attempts - self.second.resolved / self.second.attempts


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two agents. `test` is of the difference of pass@1; `solved` of what they resolved in any attempt.

    `ahead` and `behind`: on how many tasks the first resolved a larger or a smaller share of its attempts.
    `unequal`: how many common tasks they tried unequally often, which are left out of `solved`. `only_first` and
    `only_second`: tasks that one alone tried, in no figure.
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
        """On how many tasks they resolved the same share."""
        return len(self.tasks) - self.ahead - self.behind


def side_by_side(first: Sequence[CellFacts], second: Sequence[CellFacts]) -> SideBySide:
    """Both agents over the tasks that both have a graded attempt at, each task of equal weight.

    Nothing here is corrected for how many pairs one looks at; the leaderboard's places are. The order of cells does not
    matter.

    Formula: pass@1, pass@k and tests passed as on the leaderboard, over common tasks alone; k is 5, or the most
    attempts that one of the two has at each of them. The difference of pass@1 has the interval of differences, its p
    is that of the sign-flip test. McNemar's exact test asks who resolved more tasks in any attempt, over the tasks that
    both tried equally often: who tries more often resolves more. Tokens, dollars and seconds are all that was
    spent at common tasks ÷ attempts, or ÷ successes.

    Source: IDE-Bench, 4.4 and A.5, compare what two agents solve; the rest is ours.

    Units: shares from 0 to 1 and differences of such; tokens, US dollars, seconds.

    Small n: without a common task every figure is unknown; with fewer than six the test never decides.
    """
    ours = {cell.task: cell for cell in first if cell.attempts}
    theirs = {cell.task: cell for cell in second if cell.attempts}
    tasks = tuple(SharedTask(task, ours[task], theirs[task]) for task in sorted(ours.keys() & theirs.keys()))
    one, other = [_score(task.first) for task in tasks], [_score(task.second) for task in tasks]
    k = usual_k([[score.attempts for score in one], [score.attempts for score in other]])
    fair = [task for task in tasks if task.first.attempts == task.second.attempts]
    gains = [
        task.first.resolved * task.second.attempts - task.second.resolved * task.first.attempts
        for task in tasks
    ]
    return SideBySide(
        k=k,
        tasks=tasks,
        first=_side([task.first for task in tasks], k),
        second=_side([task.second for task in tasks], k),
        difference=difference_of(one, other),
        test=sign_flip(one, other),
        solved=mcnemar(
            [task.first.resolved > 0 for task in fair], [task.second.resolved > 0 for task in fair]
        ),
        ahead=sum(gain > 0 for gain in gains),
        behind=sum(gain < 0 for gain in gains),
        unequal=len(tasks) - len(fair),
        only_first=len(ours.keys() - theirs.keys()),
        only_second=len(theirs.keys() - ours.keys()),
    )


@dataclass(frozen=True, slots=True)
class SharedSlice:
    """The common tasks of one repository, difficulty or the like: pass@1 of both and its difference."""

    name: str
    first: Estimate
    second: Estimate
    difference: Estimate


def sliced(tasks: Sequence[SharedTask], names: Mapping[int, str]) -> tuple[SharedSlice, ...]:
    """The common tasks in groups, by the name that each task has; in the order of the names."""
    groups: dict[str, list[SharedTask]] = {}
    for task in tasks:
        groups.setdefault(names[task.task], []).append(task)
    return tuple(_slice(name, groups[name]) for name in sorted(groups))


def _slice(name: str, tasks: Sequence[SharedTask]) -> SharedSlice:
    one, other = [_score(task.first) for task in tasks], [_score(task.second) for task in tasks]
    return SharedSlice(name, pass_rate(one), pass_rate(other), difference_of(one, other))


def differences(cells: Mapping[int, Sequence[CellFacts]]) -> dict[tuple[int, int], Estimate]:
    """The difference of pass@1 of each two of several agents, over the tasks that these two tried; both ways round."""
    scores = {
        agent: {cell.task: _score(cell) for cell in theirs if cell.attempts}
        for agent, theirs in cells.items()
    }
    found: dict[tuple[int, int], Estimate] = {}
    agents = sorted(scores)
    for place, one in enumerate(agents):
        for other in agents[place + 1 :]:
            tasks = sorted(scores[one].keys() & scores[other].keys())
            figure = difference_of(
                [scores[one][task] for task in tasks], [scores[other][task] for task in tasks]
            )
            found[one, other], found[other, one] = figure, figure.negated()
    return found


def _score(cell: CellFacts) -> TaskScore:
    return TaskScore(cell.attempts, cell.resolved)


def _side(cells: Sequence[CellFacts], k: int) -> SideOutcome:
    scores = [_score(cell) for cell in cells]
    attempts, resolved = sum(cell.attempts for cell in cells), sum(cell.resolved for cell in cells)
    tokens, cost = sum(cell.tokens for cell in cells), total_cost(cells)
    return SideOutcome(
        pass_1=pass_rate(scores),
        pass_k=pass_rate(scores, k),
        tests=rate_of_tests([[min(1.0, cell.test_rate_sum / cell.tested)] for cell in cells if cell.tested]),
        tokens_per_attempt=_figure(tokens / attempts if attempts else None, attempts, NO_TASK),
        tokens_per_success=_figure(tokens / resolved if resolved else None, attempts, NO_SUCCESS),
        cost_per_attempt=_figure(cost_per_attempt(cells), attempts, UNKNOWN_COST if attempts else NO_TASK),
        cost_per_success=_figure(
            cost / resolved if cost is not None and resolved else None,
            attempts,
            NO_SUCCESS if cost is not None else UNKNOWN_COST,
        ),
        seconds_per_attempt=_figure(seconds_per_attempt(cells), attempts, "no attempt has a duration"),
        attempts=attempts,
        resolved=resolved,
        infrastructure_failed=sum(cell.infrastructure_failed for cell in cells),
    )


def _figure(value: float | None, n: int, reason: str) -> Estimate:
    return Estimate.unknown(reason, n) if value is None else Estimate(value, n)


METHODS = (Method("side-by-side", "Two agents side by side", side_by_side),)
