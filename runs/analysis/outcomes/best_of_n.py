"""Best-of-N: the success of choosing one of N runs by what is known before grading."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, groupby

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import Need, RunFacts, sift
from runs.analysis.features.patch_sketch import sketch_similarity
from runs.analysis.method import Section, method
from runs.analysis.outcomes.passes import TaskScore, checked_k, pass_rate, place_between, usual_k
from runs.analysis.outcomes.run_selectors import SELECTORS, Selector, blind, value_of
from runs.analysis.statistics.differences import difference
from runs.analysis.statistics.intervals import clustered
from runs.analysis.statistics.summaries import mean_of

MAX_SETS = 1000  # of a task, that are compared
UNSEEN = Need("the agent saw results of the hidden tests", lambda run: run.submissions is None)


@dataclass(frozen=True, slots=True)
class SelectorResult:
    """One selector at the tasks of an agent.

    `gain`: best-of-N − pass@1. `captured`: the position between pass@1 (0) and pass@N (1). `missing`: runs without a
    value, which are chosen only if no run with a value was drawn.
    """

    selector: str
    title: str
    best_of: Estimate
    gain: Estimate
    captured: Estimate
    missing: int


@dataclass(frozen=True, slots=True)
class BestOfAgent:
    """An agent's runs with each selector; `agent` None: all agents together. Each n counts tasks of an agent."""

    agent: str | None
    pass_1: Estimate
    pass_n: Estimate
    runs: int
    selectors: tuple[SelectorResult, ...]


@dataclass(frozen=True, slots=True)
class BestOfN:
    """`n` runs are drawn. `overall`: over all agents that have n runs at each of their tasks.

    `unranked`: runs whose record lacks a value that a selector needs. They are counted, but chosen last.
    """

    n: int
    overall: BestOfAgent
    agents: tuple[BestOfAgent, ...]
    excluded: tuple[Exclusion, ...]
    unranked: tuple[Exclusion, ...]


@method(
    "best-of-n",
    "Best-of-N",
    Section.CHOOSING_AMONG_ATTEMPTS,
    1,
    short=(
        "Best-of-n: the success of submitting the one of n runs that a rule chooses without seeing "
        "the outcome."
    ),
    example="pass@1 50 % and pass@5 70 %: a rule that reaches 60 % gets half of the gain.",
)
def best_of_n(
    runs: Iterable[RunFacts], n: int | None = None, selectors: Sequence[Selector] = SELECTORS
) -> BestOfN:
    """The success of choosing one of n runs of an agent at a task, by selectors that do not see the outcome.

    Random choice has pass@1, and choosing by the outcome itself pass@n, of the same runs: a selector lies between them,
    or below pass@1 if it is misleading. Scores (`scores`) contain the outcome and are no selectors; the behavioural
    metrics in them are. A selector is no better than another because its value is higher here: compare intervals, and
    choose on other runs than those that measure. Runs of agents that submit to the hidden tests are excluded: they stop
    when a submission passes, so their length reveals the outcome. ValueError for n < 1.

    Formula: of each task `chosen_rate`; the mean over tasks, with the 95 % interval of a mean over tasks (`clustered`)
    from attempts ÷ n, which is about tasks of these repositories; the personas of one scenario are one group, and, of
    all agents together, all runs at one task. The gain has the interval of the difference of two rates
    on the same tasks, with the same groups; `captured` is (best-of-n − pass@1) ÷ (pass@n − pass@1). `n` None: 5, or
    the largest number of attempts that some agent has at all its tasks. All agents together: the mean over all pairs of
    agent and task of the agents with n runs at each of their tasks.

    Source: Coding Agent Evaluation Framework, sections 5.2 and 6 (best-of-N by metrics of behaviour), which prints no
    result. The expectation and the intervals are ours.

    Units: shares from 0 to 1; n counts tasks.

    Small n: undefined for n = 1, and for an agent that has fewer than n runs at one of its tasks, as pass@n is. A run
    without a value is chosen only if no run with a value was drawn; undefined if no run of the agent has one, or if all
    runs at a task have equal values, for all tasks: then nothing is chosen.
    """
    sifted = sift(runs, UNSEEN)
    tried: dict[str, dict[str, list[RunFacts]]] = defaultdict(lambda: defaultdict(list))
    for run in sorted(sifted.usable, key=lambda run: (run.agent, run.task, run.run)):
        tried[run.agent][run.task].append(run)
    each = {agent: [_Tries.of(made) for made in tasks.values()] for agent, tasks in tried.items()}
    n = checked_k(n) or usual_k([tries.score for tries in theirs] for theirs in each.values())
    complete = [
        tries
        for theirs in each.values()
        if all(tries.score.attempts >= n for tries in theirs)
        for tries in theirs
    ]
    return BestOfN(
        n,
        _agent(None, complete, n, selectors),
        tuple(_agent(agent, theirs, n, selectors) for agent, theirs in each.items()),
        sifted.excluded,
        _unranked(selectors, sifted.usable),
    )


@method("chosen-rate", "Best-of-N of a task", Section.CHOOSING_AMONG_ATTEMPTS, 2)
def chosen_rate(
    values: Sequence[float | None], resolved: Sequence[bool], n: int, *, highest: bool = False
) -> Fraction:
    """The chance that the run with the best value among n of these runs, drawn without replacement, is resolved.

    Exact: the share of all sets of n runs. Of runs with equal values, each is equally likely to be chosen. Runs without
    a value (None) are equal, and worse than all others. ValueError if there are fewer than n runs, or n < 1.

    Formula: `Σ rᵢ · C(m − rankᵢ, n − 1) ÷ C(m, n)` over m runs, rᵢ being 1 for a resolved run and 0 otherwise, with
    ranks from 1, the best first: the run of a rank is chosen if the n − 1 others are all behind it. Runs with equal
    values have the mean of this weight over their ranks.

    Source: ours; with the outcome as the value it is pass@n (Chen et al. 2021), with equal values pass@1.

    Units: a share from 0 to 1.

    Small n: n = 1 gives resolved ÷ runs; if n is the number of runs, the best run's outcome.
    """
    m = len(values)
    if not 1 <= n <= m:
        raise ValueError(f"{n} of {m} runs, expected from 1 to all of them")
    # The best first.
    places = [(True, 0.0) if value is None else (False, -value if highest else value) for value in values]
    pairs = sorted(zip(places, resolved, strict=True))
    groups = [[won for _, won in group] for _, group in groupby(pairs, key=lambda pair: pair[0])]
    return _expected(tuple((len(group), sum(group)) for group in groups), n)


@lru_cache(maxsize=4096)
def _expected(groups: tuple[tuple[int, int], ...], n: int) -> Fraction:
    """The same from the runs of each value, the best first: how many there are, and how many are resolved."""
    m = sum(size for size, _ in groups)
    total, rank = Fraction(0), 0
    for size, solved in groups:
        weight = sum(math.comb(m - place, n - 1) for place in range(rank + 1, rank + size + 1))
        total += Fraction(weight * solved, size)
        rank += size
    return total / math.comb(m, n)


@method("agreed-rate", "Best-of-N by agreement", Section.CHOOSING_AMONG_ATTEMPTS, 3)
def agreed_rate(sketches: Sequence[str], resolved: Sequence[bool], n: int) -> Fraction:
    """The chance that, of n of these runs, the one whose patch is most similar to those of the others is resolved.

    Exact: over all sets of n runs. Runs with an empty patch ("") are chosen only if all of a set have one. ValueError
    if there are fewer than n runs, or n < 1.

    Formula: of each set, the run with the largest sum of `sketch_similarity` with the other runs of the set that have a
    patch; of several with the same sum, each is equally likely. The mean over all sets of n runs.

    Source: ours: the medoid of the patches, as votes for a solution. Self-consistency: Wang et al. 2023.

    Units: a share from 0 to 1.

    Small n: n = 1 and n = 2 give the share of resolved runs, of those with a patch if there are some.
    """
    if not 1 <= n <= len(sketches):
        raise ValueError(f"{n} of {len(sketches)} runs, expected from 1 to all of them")
    total = Fraction(0)
    for drawn in combinations(range(len(sketches)), n):
        known = [run for run in drawn if sketches[run]] or list(drawn)
        likeness = {
            run: round(
                math.fsum(_similar(sketches[run], sketches[other]) for other in known if other != run), 9
            )
            for run in known
        }
        best = [run for run in known if likeness[run] == max(likeness.values())]
        total += Fraction(sum(resolved[run] for run in best), len(best))
    return total / math.comb(len(sketches), n)


@lru_cache(maxsize=4096)
def _similar(one: str, other: str) -> float:
    return sketch_similarity(*sorted((one, other)))


@dataclass(frozen=True, slots=True)
class _Tries:
    """The runs of one agent at one task, blind, and their outcomes. `score.scenario` is the repository.

    What a selector gives is stored, because it counts for the agent and for all agents together.
    """

    runs: tuple[RunFacts, ...]
    resolved: tuple[bool, ...]
    score: TaskScore
    _values: dict[str, list[float | None]] = field(default_factory=dict)
    _rates: dict[str, float] = field(default_factory=dict)

    def values(self, selector: Selector) -> list[float | None]:
        """The value of each run."""
        if selector.name not in self._values:
            self._values[selector.name] = [value_of(selector, run) for run in self.runs]
        return self._values[selector.name]

    def rate(self, selector: Selector, n: int) -> float:
        """The success of the choice among n runs, always the same n."""
        if selector.name not in self._rates:
            self._rates[selector.name] = float(self._expected(selector, n))
        return self._rates[selector.name]

    def _expected(self, selector: Selector, n: int) -> Fraction:
        if not selector.compares:
            return chosen_rate(self.values(selector), self.resolved, n, highest=selector.highest)
        sketches = [run.behaviour.patch_sketch if run.behaviour else "" for run in self.runs]
        return agreed_rate(sketches, self.resolved, n)

    @classmethod
    def of(cls, runs: Sequence[RunFacts]) -> _Tries:
        resolved = tuple(run.resolved for run in runs)
        # Of all agents together, those at one task are one group.
        score = TaskScore(len(runs), sum(resolved), runs[0].cluster)
        return cls(tuple(map(blind, runs)), resolved, score)


def _agent(agent: str | None, tried: Sequence[_Tries], n: int, selectors: Sequence[Selector]) -> BestOfAgent:
    scores = [tries.score for tries in tried]
    pass_1, pass_n = pass_rate(scores), pass_rate(scores, n)
    if n == 1:
        pass_n = Estimate.unknown("no agent has two attempts at each of its tasks", len(tried))
    results = tuple(_result(selector, tried, n, (pass_1, pass_n)) for selector in selectors)
    return BestOfAgent(agent, pass_1, pass_n, sum(score.attempts for score in scores), results)


def _result(
    selector: Selector, tried: Sequence[_Tries], n: int, bounds: tuple[Estimate, Estimate]
) -> SelectorResult:
    pass_1, pass_n = bounds
    values = [task.values(selector) for task in tried]
    missing = sum(value is None for row in values for value in row)
    reason = pass_n.reason or _no_choice(selector, values, n)
    if reason:
        nothing = Estimate.unknown(reason, len(tried))
        return SelectorResult(selector.name, selector.title, nothing, nothing, nothing, missing)
    rates = [task.rate(selector, n) for task in tried]
    once = [float(task.score.rate) for task in tried]
    tries = [task.score.attempts / n for task in tried]
    groups: list[Hashable] = [task.score.scenario for task in tried]
    best = mean_of(rates, reason, clustered(rates, tries, groups=groups))
    gained = math.fsum(a - b for a, b in zip(rates, once, strict=True)) / len(rates)
    gain = Estimate(gained, len(rates), interval=difference(rates, once, tries, groups))
    captured = place_between(best, pass_1, pass_n)
    if captured.value is None:
        captured = Estimate.unknown("pass@n is not above pass@1", len(rates))
    return SelectorResult(selector.name, selector.title, best, gain, captured, missing)


def _no_choice(selector: Selector, values: Sequence[Sequence[float | None]], n: int) -> str:
    """Why these values choose nothing; "" if they do."""
    if all(value is None for row in values for value in row):
        return f"no run has a value: {selector.title}"
    if not selector.compares:
        equal = all(len(set(row)) == 1 for row in values)
        return f"the runs at each task have equal values: {selector.title}" if equal else ""
    if n == 2:
        return "two runs are equally similar to each other"
    if any(math.comb(len(row), n) > MAX_SETS for row in values):
        return f"more than {MAX_SETS} sets of {n} runs at a task"
    return ""


def _unranked(selectors: Sequence[Selector], runs: Sequence[RunFacts]) -> tuple[Exclusion, ...]:
    needs = {need.reason: need for selector in selectors for need in selector.needs}
    lacking = {
        reason: tuple(sorted(run.run for run in runs if not need.holds(run)))
        for reason, need in needs.items()
    }
    return tuple(Exclusion(reason, those) for reason, those in lacking.items() if those)
