"""Whether judges prefer agents with a model of their own family."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate
from runs.analysis.judging.review_scores import grouped
from runs.analysis.method import Section, method
from runs.analysis.statistics.means import of_shares, student
from runs.analysis.statistics.sign_flips import sign_flips
from runs.analysis.statistics.summaries import mean_of


@dataclass(frozen=True, slots=True)
class FamilyScore:
    """The score that a judge of one family gave a run of an agent of one family, from 0 to 1."""

    judge_family: str
    agent_family: str
    dimension: str
    scenario: str
    score: float

    def __post_init__(self) -> None:
        if not 0 <= self.score <= 1:
            raise ValueError(f"{self.judge_family} gave the score {self.score}, expected 0 to 1")


@dataclass(frozen=True, slots=True)
class FamilyCell:
    """Judges of one family on agents of one. `mean`: of their scores. `beyond`: what is beyond both main effects.

    Each n counts scenarios. `p` of the sign-flip test of `beyond`, two-sided.
    """

    judge_family: str
    agent_family: str
    mean: Estimate
    beyond: Estimate
    p: Estimate

    @property
    def own(self) -> bool:
        """Whether judge and agent are of one family."""
        return self.judge_family == self.agent_family


@dataclass(frozen=True, slots=True)
class FamilyMatrix:
    """One dimension: judge families × agent families, both sorted. `incomplete`: scenarios that lack some cell."""

    dimension: str
    judges: tuple[str, ...]
    agents: tuple[str, ...]
    cells: tuple[tuple[FamilyCell, ...], ...]
    incomplete: int


@method(
    "self-preference",
    "Preference of judges for their own family",
    Section.JUDGES,
    9,
    short=(
        "Self-preference: what judges give agents of their own model family beyond what both families"
        " explain."
    ),
    example="+0.1 on the diagonal: a tenth of the scale more for their own family.",
)
def self_preference(scores: Iterable[FamilyScore]) -> tuple[FamilyMatrix, ...]:
    """How much more judges of each family give agents of each family than both together explain, by dimension.

    A family of judges may be strict, and a family of agents good: neither is self-preference. What remains is, on the
    diagonal; it can also be a real strength that only judges of that family see.

    Formula: for each scenario, with m the mean score of each cell, `m(j, a) − m(j, ·) − m(·, a) + m(·, ·)`, the means
    over families having equal weights; then the mean over scenarios that have all cells, Student's interval, and the
    test of `sign_flips`. The mean of a cell is over all its scenarios, with the interval of a mean share.

    Source: ours: the interaction of a two-way layout. AgentLens, section 3.5.3, counts winners: of two judges, each
    preferred its own family in 18 % of comparisons and the other in 5 %.

    Units: scores from 0 to 1, so the difference is from −1 to 1, in fact at most ½ for two families of each.

    Small n: with one family of judges or of agents nothing is beyond the main effects: undefined. With two of each all
    four differences are equal in size. One complete scenario gives no interval.
    """
    return tuple(_matrix(dimension, items) for (dimension,), items in grouped(scores, "dimension").items())


Families = tuple[str, str]


def _matrix(dimension: str, items: Iterable[FamilyScore]) -> FamilyMatrix:
    scenarios: dict[str, dict[Families, list[float]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        scenarios[item.scenario][item.judge_family, item.agent_family].append(item.score)
    judges = tuple(sorted({judge for cells in scenarios.values() for judge, _ in cells}))
    agents = tuple(sorted({agent for cells in scenarios.values() for _, agent in cells}))
    means = [
        {cell: _mean(values) for cell, values in cells.items()} for _, cells in sorted(scenarios.items())
    ]
    complete = [cells for cells in means if len(cells) == len(judges) * len(agents)]
    rows = tuple(
        tuple(
            FamilyCell(
                judge,
                agent,
                _mean_of((judge, agent), means),
                *_beyond((judge, agent), judges, agents, complete),
            )
            for agent in agents
        )
        for judge in judges
    )
    return FamilyMatrix(dimension, judges, agents, rows, len(means) - len(complete))


def _mean_of(cell: Families, means: Sequence[Mapping[Families, float]]) -> Estimate:
    scores = [cells[cell] for cells in means if cell in cells]
    return mean_of(scores, "no judge of this family scored an agent of that one", of_shares(scores))


def _beyond(
    cell: Families, judges: Sequence[str], agents: Sequence[str], complete: Sequence[Mapping[Families, float]]
) -> tuple[Estimate, Estimate]:
    """The difference beyond both main effects, and p."""
    reason = "" if complete else "no scenario has scores of all families"
    if len(judges) < 2 or len(agents) < 2:
        reason = "two families of judges and two of agents are needed"
    if reason:
        nothing = Estimate.unknown(reason, len(complete))
        return nothing, nothing
    judge, agent = cell
    remains = [
        cells[cell]
        - _mean([cells[judge, other] for other in agents])
        - _mean([cells[other, agent] for other in judges])
        + _mean(list(cells.values()))
        for cells in complete
    ]
    remains = [round(value, 12) for value in remains]  # rounding must not decide what differs from 0
    n = len(remains)
    return Estimate(_mean(remains), n, interval=student(remains)), Estimate(sign_flips(remains).either, n)


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)
