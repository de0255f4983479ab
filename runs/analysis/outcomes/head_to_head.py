"""Every two agents over the tasks that both tried: by how much, and on which tasks, one is ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts, sift
from runs.analysis.method import Method
from runs.analysis.outcomes.paired import McNemar, difference_of, mcnemar
from runs.analysis.outcomes.passes import TaskScore, pass_rate
from runs.analysis.outcomes.solved import Solved, scores_of, solved_within
from runs.analysis.statistics.digits import leading


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Two agents; `first` stands above `second` by mean pass@1 over all of its own tasks.

    `difference`: the first's mean pass@1 minus the second's, over common tasks alone, with its 95 % interval; n counts
    them. `ahead` and `behind`: on how many of them the first resolved a larger or a smaller share of its attempts;
    `level`: on how many the same. `solved`: what any of the first k attempts solved, over the tasks that both tried k
    times or more, and McNemar's test of it.
    """

    first: str
    second: str
    difference: Estimate
    ahead: int
    behind: int
    level: int
    solved: McNemar

    def turned(self) -> HeadToHead:
        """The same, seen from the second."""
        turned = McNemar(
            self.solved.both,
            self.solved.only_second,
            self.solved.only_first,
            self.solved.neither,
            self.solved.p,
        )
        return HeadToHead(
            self.second, self.first, self.difference.negated(), self.behind, self.ahead, self.level, turned
        )


@dataclass(frozen=True, slots=True)
class HeadsToHeads:
    """Every pair, in the order of the agents: best first, equal ones by name."""

    k: int
    pairs: tuple[HeadToHead, ...]
    excluded: tuple[Exclusion, ...]


def head_to_head(runs: Sequence[RunFacts], k: int | None = None) -> HeadsToHeads:
    """How far any two agents lie apart, task by task. For whether chance explains it, see the tie groups.

    Intervals and p are of one pair each and corrected for nobody: of twenty pairs of equal agents one is likely to have
    an interval without 0. ValueError for k < 1.

    Formula: the mean over common tasks of the difference of both pass@1, with the interval of differences; McNemar's
    exact test of what the first k attempts solve. Tasks that either tried less often are left out of that whatever came
    of it: else they would count when solved and not when unsolved. `k` None: as for what is solved within k attempts.

    Source: IDE-Bench, 4.4 and A.5, compare what two agents solve; differences of pass@1 and their interval are ours.

    Units: differences of shares, −1 to 1; numbers of tasks.

    Small n: fewer than two agents give no pair; a pair without a common task has no difference, with one it has a very
    wide interval.
    """
    sifted = sift(runs)
    scores = scores_of(sifted.kept)
    solved = solved_within(sifted.kept, k)
    order = sorted(scores, key=lambda agent: (-leading(pass_rate(list(scores[agent].values())).value), agent))
    pairs = tuple(_pair(one, other, scores, solved) for one, other in combinations(order, 2))
    return HeadsToHeads(solved.k, pairs, sifted.excluded)


def _pair(
    first: str, second: str, scores: Mapping[str, Mapping[str, TaskScore]], solved: Solved
) -> HeadToHead:
    tasks = sorted(scores[first].keys() & scores[second].keys())
    ours, theirs = ([scores[agent][task] for task in tasks] for agent in (first, second))
    gains = [
        one.resolved * other.attempts - other.resolved * one.attempts
        for one, other in zip(ours, theirs, strict=True)
    ]
    often = [
        task for task in tasks if min(scores[first][task].attempts, scores[second][task].attempts) >= solved.k
    ]
    return HeadToHead(
        first,
        second,
        difference_of(ours, theirs),
        ahead=sum(gain > 0 for gain in gains),
        behind=sum(gain < 0 for gain in gains),
        level=gains.count(0),
        solved=mcnemar(solved.verdicts(first, often), solved.verdicts(second, often)),
    )


METHODS = (Method("head-to-head", "Every two agents", head_to_head),)
