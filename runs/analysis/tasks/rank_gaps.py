"""Tasks at which agents of adjacent ranks differ completely."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts, sift
from runs.analysis.method import Section, method
from runs.analysis.outcomes.passes import TaskScore, pass_rate
from runs.analysis.outcomes.solved import scores_of
from runs.analysis.statistics.digits import leading

MIN_GAP = 1.0
MIN_ATTEMPTS = 2
SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class TaskGap:
    """One task at which two agents differ. `gap`: the first agent's rate − the second's, −1 to 1."""

    task: str
    first_rate: float
    second_rate: float

    @property
    def gap(self) -> float:
        """Positive if the agent with the higher rank is better at the task."""
        return self.first_rate - self.second_rate


@dataclass(frozen=True, slots=True)
class AdjacentPair:
    """Two agents of adjacent ranks; `rank` is the first one's, from 1.

    `difference`: pass@1 of the first − that of the second, over each one's tasks. `compared`: the tasks at which both
    have enough attempts. `gaps`: those of them with a gap, the first agent's gains before its losses, then by name.
    """

    rank: int
    first: str
    second: str
    difference: Estimate
    compared: int
    gaps: tuple[TaskGap, ...]

    @property
    def gains(self) -> int:
        """The gaps in favour of the agent with the higher rank."""
        return sum(each.gap > 0 for each in self.gaps)

    @property
    def losses(self) -> int:
        """The gaps in favour of the agent with the lower rank."""
        return len(self.gaps) - self.gains


@dataclass(frozen=True, slots=True)
class RankGaps:
    """Every two agents of adjacent ranks, the best first. `least`: the smallest difference that counts as a gap."""

    pairs: tuple[AdjacentPair, ...]
    least: float
    excluded: tuple[Exclusion, ...]


@method("rank-gaps", "Gaps between adjacent ranks", Section.TASKS, 8)
def rank_gaps(runs: Sequence[RunFacts], least: float = MIN_GAP) -> RankGaps:
    """The tasks at which agents of adjacent ranks differ by 100 percentage points, or by `least`.

    Formula: agents are ordered by pass@1, the best first, equal ones by name. For each agent and the next one, a task
    counts if the shares of attempts that resolved it differ by at least `least`. Tasks at which one of the two has
    fewer than two attempts are not compared: there, every disagreement would be 100 points.

    Source: IDE-Bench, 4.1, 5 and E.1, which name examples for models of adjacent ranks by pass@5; the complete list is
    ours. The ranks here are those by pass@1, as on the leaderboard.

    Units: shares from 0 to 1; ranks from 1.

    Small n: one agent gives no pair; a pair without a compared task has no gap. Chance alone rarely gives a gap of 100
    points: with five attempts each, for two agents that resolve half of their attempts, in 2 of 1,024 tasks.
    ValueError for `least` outside 0 to 1, or of 0.
    """
    if not 0 < least <= 1:
        raise ValueError(f"a gap of at least {least}: expected a share above 0, and at most 1")
    sifted = sift(runs)
    scores = scores_of(sifted.usable)
    rates = {agent: pass_rate(list(tasks.values())) for agent, tasks in scores.items()}
    order = sorted(scores, key=lambda agent: (-leading(rates[agent].value), agent))
    pairs = []
    for rank, (first, second) in enumerate(pairwise(order), 1):
        compared = _compared(scores[first], scores[second])
        gaps = tuple(each for each in compared if math.fabs(each.gap) >= least - SLACK)
        pairs.append(
            AdjacentPair(rank, first, second, rates[first].minus(rates[second]), len(compared), gaps)
        )
    return RankGaps(tuple(pairs), least, sifted.excluded)


def _compared(ours: Mapping[str, TaskScore], theirs: Mapping[str, TaskScore]) -> list[TaskGap]:
    """The tasks with enough attempts by both, the largest advantage of the first agent first."""
    gaps = [
        TaskGap(task, _rate(ours[task]), _rate(theirs[task]))
        for task in ours.keys() & theirs.keys()
        if min(ours[task].attempts, theirs[task].attempts) >= MIN_ATTEMPTS
    ]
    return sorted(gaps, key=lambda each: (-leading(each.gap), each.task))


def _rate(score: TaskScore) -> float:
    return score.resolved / score.attempts
