"""All pairs of agents over the tasks that both tried: the difference, and on how many tasks each is ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import RunFacts, sift
from runs.analysis.method import Section, method
from runs.analysis.outcomes.paired import McNemar, difference_of, mcnemar
from runs.analysis.outcomes.passes import TaskScore, pass_rate
from runs.analysis.outcomes.solved import Solved, scores_of, solved_within
from runs.analysis.statistics.digits import leading


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Two agents; `first` ranks above `second` by mean pass@1, each over all of its own tasks.

    `difference`: the first's mean pass@1 minus the second's, over common tasks, with its 95 % interval; n counts
    them. `ahead`, `behind` and `level`: on how many of them the first resolved a larger, a smaller or the same share of
    its attempts. `solved`: the tasks solved by any of the first k attempts, among those that both tried at least k
    times, with McNemar's test.
    """

    first: str
    second: str
    difference: Estimate
    ahead: int
    behind: int
    level: int
    solved: McNemar

    def swapped(self) -> HeadToHead:
        """The same pair with the second agent first."""
        solved = replace(self.solved, only_first=self.solved.only_second, only_second=self.solved.only_first)
        return HeadToHead(
            self.second, self.first, self.difference.negated(), self.behind, self.ahead, self.level, solved
        )


@dataclass(frozen=True, slots=True)
class HeadToHeadTable:
    """All pairs, in the order of the agents: best first, ties by name."""

    k: int
    pairs: tuple[HeadToHead, ...]
    excluded: tuple[Exclusion, ...]


@method("head-to-head", "Every two agents", Section.TWO_AGENTS, 5)
def head_to_head(runs: Sequence[RunFacts], k: int | None = None) -> HeadToHeadTable:
    """The difference between any two agents, paired by task. For significance over all pairs see the tie groups.

    Intervals and p are not corrected for multiple pairs: of twenty pairs of equal agents, one is expected to have an
    interval without 0. ValueError for k < 1.

    Formula: the mean over common tasks of the difference of both pass@1, with the interval of differences; McNemar's
    exact test of what the first k attempts solve. Tasks with fewer than k attempts by one of the two are excluded from
    the test, even if they were solved: otherwise they would count only when solved. `k` None: as for tasks solved
    within k attempts.

    Source: IDE-Bench, 4.4 and A.5, compare what two agents solve; differences of pass@1 and their interval are ours.

    Units: differences of shares, −1 to 1; numbers of tasks.

    Small n: fewer than two agents give no pair; a pair without a common task has no difference, with one common task it
    has a very wide interval.
    """
    sifted = sift(runs)
    scores = scores_of(sifted.usable)
    solved = solved_within(sifted.usable, k)
    order = sorted(scores, key=lambda agent: (-leading(pass_rate(list(scores[agent].values())).value), agent))
    pairs = tuple(_pair(one, other, scores, solved) for one, other in combinations(order, 2))
    return HeadToHeadTable(solved.k, pairs, sifted.excluded)


def _pair(
    first: str, second: str, scores: Mapping[str, Mapping[str, TaskScore]], solved: Solved
) -> HeadToHead:
    tasks = sorted(scores[first].keys() & scores[second].keys())
    ours, theirs = ([scores[agent][task] for task in tasks] for agent in (first, second))
    leads = [score.lead_over(rival) for score, rival in zip(ours, theirs, strict=True)]
    often = [
        task for task in tasks if min(scores[first][task].attempts, scores[second][task].attempts) >= solved.k
    ]
    return HeadToHead(
        first,
        second,
        difference_of(ours, theirs),
        ahead=sum(lead > 0 for lead in leads),
        behind=sum(lead < 0 for lead in leads),
        level=leads.count(0),
        solved=mcnemar(solved.verdicts(first, often), solved.verdicts(second, often), solved.groups(often)),
    )
