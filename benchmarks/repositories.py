"""What intervals and places claim: on tasks of these repositories, and on other repositories, by simulation.

Repositories differ in how hard they are, and an agent is better or worse in some of them. "These": tasks are drawn from
the simulated repositories, and the truth is the agent's mean over all their tasks; "others": it is the mean over all
repositories that could have been drawn. Tasks are drawn with the shares of the repositories ("these"), or the sizes are
fixed ("others").

Promised, for each case: the interval of a claim covers its truth in 93 to 97 % of repetitions, and 15 agents that are
equal by a claim are all left together by its places in at least 95 %. A result outside its bounds is measured again
with ten times the repetitions and another seed, which then counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from benchmarks.attainable import MAX_COVERAGE, MIN_COVERAGE
from benchmarks.command_line import mark
from benchmarks.simulation import Counts, RepositoryEffects, repository_world
from runs.analysis.estimate import Interval
from runs.analysis.outcomes.elsewhere import signs_of_leads
from runs.analysis.outcomes.passes import TaskScore
from runs.analysis.outcomes.ties import SIGNIFICANCE
from runs.analysis.statistics.intervals import clustered
from runs.analysis.statistics.random_effects import mean_of_groups

Claim = Literal["these", "others"]
# The repositories of SWE-bench Verified.
TWELVE = (231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1)
HUNDRED = tuple(size // 5 + 1 for size in (TWELVE * 9)[:100])
DESIGNS = (TWELVE, HUNDRED)
RATES = (0.1, 0.25, 0.5, 0.75, 0.9)
# On the probit scale: of a repository, of an agent in a repository. Agents on SWE-bench Verified show 0 to 0.6.
EFFECTS = (
    RepositoryEffects(0.0, 0.0),
    RepositoryEffects(0.3, 0.2),
    RepositoryEffects(0.5, 0.4),
    RepositoryEffects(0.8, 0.4),
)
AGENTS = 15
PROMISED_APART = 0.05
# So many times as many repetitions, where a result is outside its bounds.
AGAIN = 10
_FAILED_OR_SOLVED = (TaskScore(1, 0), TaskScore(1, 1))


@dataclass(frozen=True, slots=True)
class RepositoryCase:
    """Agents of equal rates at tasks of repositories of these sizes."""

    sizes: tuple[int, ...]
    rate: float
    effects: RepositoryEffects


@dataclass(frozen=True, slots=True)
class Covered:
    """How often the intervals of the two claims cover their truths, and that of "these" the truth of "others"."""

    case: RepositoryCase
    these: float
    others: float
    mistaken: float

    @property
    def met(self) -> bool:
        """Whether both promises hold."""
        return all(MIN_COVERAGE <= share <= MAX_COVERAGE for share in (self.these, self.others))


def repository_cases(
    sizes: tuple[int, ...],
    rates: Sequence[float] = RATES,
    all_effects: Sequence[RepositoryEffects] = EFFECTS,
) -> Iterator[RepositoryCase]:
    """The grid for repositories of these sizes."""
    return (RepositoryCase(sizes, rate, effects) for effects in all_effects for rate in rates)


def covered(case: RepositoryCase, repetitions: int, seed: int) -> Covered:
    """One agent in each repetition, with one attempt at each task."""
    generator = np.random.default_rng(seed)
    these = others = mistaken = 0
    for _ in range(repetitions):
        world = repository_world(generator, [case.rate], case.effects, case.sizes)
        drawn = world.outcomes(generator, fixed=False)[0].tolist()
        these += _holds(clustered(drawn, [1] * len(drawn)), world.here[0])
        fixed = world.outcomes(generator, fixed=True)[0].tolist()
        mistaken += _holds(clustered(fixed, [1] * len(fixed)), case.rate)
        others += _holds(mean_of_groups(fixed, world.repositories.tolist()).interval, case.rate)
    return Covered(case, these / repetitions, others / repetitions, mistaken / repetitions)


def separated(
    case: RepositoryCase, claim: Claim, repetitions: int, seed: int, *, over_tasks: bool = False
) -> float:
    """The share of repetitions in which some of fifteen agents that are equal by the claim are found to differ.

    `over_tasks`: by the test of "these", also for the claim "others".
    """
    generator = np.random.default_rng(seed)
    wrong = 0
    for _ in range(repetitions):
        rates = [case.rate] * AGENTS
        world = repository_world(generator, rates, case.effects, case.sizes, equal_here=claim == "these")
        outcomes = world.outcomes(generator, fixed=claim == "others")
        if claim == "these" or over_tasks:
            wrong += separates(outcomes)
        else:
            wrong += separates_elsewhere(outcomes, case.sizes)
    return wrong / repetitions


def separates(outcomes: Counts) -> bool:
    """Whether `tie_groups` separates any of these agents (agents × tasks, 1 for resolved), a hundred times as fast.

    With one attempt at each task, the sign-flip test is the exact binomial test of the tasks that only one of two
    agents resolves, and Holm's procedure rejects something if it rejects the smallest p.
    """
    from scipy.special import bdtr  # noqa: PLC0415 - takes a second to import

    only_first = outcomes @ (1 - outcomes).T
    pairs = np.triu_indices(len(outcomes), 1)
    ahead, behind = only_first[pairs], only_first.T[pairs]
    smallest = float(np.min(2 * bdtr(np.minimum(ahead, behind), ahead + behind, 0.5)))
    return smallest * len(ahead) < SIGNIFICANCE


def separates_elsewhere(outcomes: Counts, sizes: Sequence[int]) -> bool:
    """Whether `places_elsewhere` separates any of these agents, in less time: all of them tried every task."""
    starts = np.cumsum([0, *sizes[:-1]])
    solved = np.add.reduceat(outcomes.astype(float), starts, axis=1)
    first, second = np.triu_indices(len(outcomes), 1)
    common = np.broadcast_to(np.array(sizes, dtype=float), (len(first), len(sizes)))
    return bool(signs_of_leads(solved[first] - solved[second], common).any())


def print_covered(sizes: tuple[int, ...], repetitions: int, seed: int) -> bool:
    """Prints how often intervals cover their truth; whether the promise holds."""
    print(
        f"\n{len(sizes)} repositories, {sum(sizes)} tasks, {repetitions:,} repetitions: truth covered, in %\n"
        "effects of repositories, and of agents in them; these, others, others by the interval of these (not promised)"
    )
    met = True
    for number, case in enumerate(repository_cases(sizes)):
        found = covered(case, repetitions, seed + number)
        if not found.met:
            found = covered(case, AGAIN * repetitions, seed + number + 1)
        print(
            f"{_named(case)}{100 * found.these:>8.1f}{100 * found.others:>8.1f}{100 * found.mistaken:>8.1f}"
            f"{mark(found.met)}"
        )
        met = met and found.met
    return met


def print_separated(sizes: tuple[int, ...], repetitions: int, seed: int) -> bool:
    """Prints how often equal agents are separated; whether the promise holds."""
    print(
        f"\n{len(sizes)} repositories: {AGENTS} equal agents, some separated in % of {repetitions:,} repetitions, "
        f"promised {PROMISED_APART:.0%}\n"
        "these, others, others by the test of these (not promised)"
    )
    met = True
    for case in repository_cases(sizes, (0.25, 0.5), EFFECTS[1:]):
        shares = [_apart(case, claim, repetitions, seed) for claim in ("these", "others")]
        mistaken = separated(case, "others", max(20, repetitions // 20), seed, over_tasks=True)
        good = all(share <= PROMISED_APART for share in shares)
        numbers = "".join(f"{100 * share:>8.1f}" for share in shares)
        print(f"{_named(case)}{numbers}{100 * mistaken:>8.1f}{mark(good)}")
        met = met and good
    return met


def _apart(case: RepositoryCase, claim: Claim, repetitions: int, seed: int) -> float:
    """The share of repetitions with separated agents."""
    share = separated(case, claim, repetitions, seed)
    return share if share <= PROMISED_APART else separated(case, claim, AGAIN * repetitions, seed + 1)


def _named(case: RepositoryCase) -> str:
    return f"rate {case.rate:<5g}effects {case.effects.repository:g} and {case.effects.agent:g}"


def _holds(interval: Interval | None, truth: float) -> bool:
    return interval is not None and interval.low <= truth <= interval.high


def scores(outcomes: Counts) -> dict[str, dict[str, TaskScore]]:
    """Agents × tasks as the analysis takes them, one attempt at each task."""
    tasks = [str(task) for task in range(outcomes.shape[1])]
    return {
        f"agent-{agent:02}": dict(zip(tasks, (_FAILED_OR_SOLVED[won] for won in row), strict=True))
        for agent, row in enumerate(outcomes.tolist())
    }
