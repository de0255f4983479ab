"""Coverage of intervals over repetitions of a simulated evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.attainable import MAX_COVERAGE, MIN_COVERAGE, Bound, least_of_equal_agents, range_of_estimates
from benchmarks.simulation import Floats, chances, resolved
from runs.analysis.estimate import Interval
from runs.analysis.outcomes.passes import pass_at_k
from runs.analysis.statistics.differences import difference
from runs.analysis.statistics.intervals import clustered, wilson

KINDS = ("single", "repeated", "retries", "difference")
RATES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9)
CORRELATIONS = (0.0, 0.2, 0.5, 0.8)
PAIRS = ((0.5, 0.5), (0.3, 0.5), (0.1, 0.1), (0.05, 0.15), (0.9, 0.95), (0.05, 0.6))
_POPULATION = 400_000
_BOOTSTRAP_DRAWS = 1000
_BOOTSTRAPS = 500  # repetitions used: it is only for comparison
_TOLERANCE = 1e-9
_CHANCE = 0.005
_FEW = 20  # tasks: more take minutes


@dataclass(frozen=True, slots=True)
class Case:
    """A simulated evaluation, and the kind of interval that is measured.

    "single": Wilson's of a rate, one attempt at each task. "repeated": `clustered`, of a rate. "retries": `clustered`,
    of the retry benefit, pass@k − pass@1 with k attempts. "difference": `difference`, of two agents over the same
    tasks.
    """

    kind: str
    tasks: int
    attempts: int
    rates: tuple[float, ...]
    icc: float

    @property
    def truth(self) -> float:
        """The true mean over the population of tasks."""
        if self.kind == "retries":
            known = chances(np.random.default_rng(0), self.rates, self.icc, _POPULATION)[0, 0]
            return float((1 - (1 - known) ** self.attempts - known).mean())
        return self.rates[0] - sum(self.rates[1:])

    @property
    def differ(self) -> float:
        """The share of tasks on which single attempts of two agents differ."""
        ours, theirs = chances(np.random.default_rng(0), self.rates, self.icc, _POPULATION)[0]
        return float((ours * (1 - theirs) + theirs * (1 - ours)).mean())


@dataclass(frozen=True, slots=True)
class Coverage:
    """Coverage of intervals. `others`: of other intervals for the same quantity, by name.

    `bounds`: the required range: 93 to 97 %, or the nearest possible.
    """

    case: Case
    repetitions: int
    share: float
    others: tuple[tuple[str, float], ...]
    bounds: Bound = (MIN_COVERAGE, MAX_COVERAGE)

    @property
    def met(self) -> bool:
        """Whether the coverage is within the bounds; half a percent more if they are the nearest possible."""
        spare = 0.0 if self.bounds == (MIN_COVERAGE, MAX_COVERAGE) else _CHANCE
        return self.bounds[0] - spare <= self.share <= self.bounds[1] + spare


def cases(tasks: int) -> Iterator[Case]:
    """Every kind over the grid of rates and correlations, for a number of tasks."""
    for rate in RATES:
        yield Case("single", tasks, 1, (rate,), 0.5)
    for kind, correlations in (("repeated", CORRELATIONS), ("retries", CORRELATIONS[1:])):
        for rate in RATES:
            for icc in correlations:
                yield Case(kind, tasks, 5, (rate,), icc)
    for attempts in (1, 5):
        for pair in PAIRS:
            for icc in CORRELATIONS[1:]:
                yield Case("difference", tasks, attempts, pair, icc)


def measure(case: Case, repetitions: int, seed: int) -> Coverage:
    """Simulates evaluations and counts how often their intervals cover the true value."""
    generator = np.random.default_rng(seed)
    chance = chances(generator, case.rates, case.icc, case.tasks, repetitions=repetitions)
    counts = resolved(generator, chance, case.attempts)
    rates = counts / case.attempts
    attempts = [case.attempts] * case.tasks
    found: list[Interval | None]
    if case.kind == "difference":
        values = rates[:, 0] - rates[:, 1]
        pairs = zip(rates[:, 0].tolist(), rates[:, 1].tolist(), strict=True)
        found = [difference(ours, theirs, attempts) for ours, theirs in pairs]
    elif case.kind == "single":
        values = rates[:, 0]
        found = _wilson(values)
    else:
        values = _gains(case.attempts)[counts[:, 0]] if case.kind == "retries" else rates[:, 0]
        found = [clustered(row, attempts) for row in values.tolist()]
    truth = case.truth
    others = {} if case.kind == "single" else {"bootstrap": _share(_bootstrap(values), truth)}
    if case.kind == "repeated":
        others["Wilson"] = _share(_wilson(values), truth)
    share = _share(found, truth)
    bounds = (
        (MIN_COVERAGE, MAX_COVERAGE)
        if MIN_COVERAGE <= share <= MAX_COVERAGE
        else _possible(case, values.mean(axis=1))
    )
    return Coverage(case, repetitions, share, tuple(others.items()), bounds)


def _possible(case: Case, estimates: Floats) -> Bound:
    """The possible coverage. For differences it is known for equal agents and few single attempts."""
    if case.kind != "difference":
        return range_of_estimates(estimates)
    if case.attempts > 1 or case.truth or case.tasks > _FEW:
        return MIN_COVERAGE, MAX_COVERAGE
    return MIN_COVERAGE, max(MAX_COVERAGE, least_of_equal_agents(case.tasks, case.differ))


def _gains(attempts: int) -> Floats:
    """pass@k − pass@1 of k attempts, for each number of them that succeed."""
    return np.array([(pass_at_k(attempts, c, attempts) or 0.0) - c / attempts for c in range(attempts + 1)])


def _wilson(values: Floats) -> list[Interval | None]:
    return [wilson(mean, values.shape[1]) for mean in values.mean(axis=1).clip(0, 1).tolist()]


def _bootstrap(values: Floats) -> list[Interval | None]:
    """Percentile intervals of the mean over tasks, for the first repetitions; none if all draws are equal."""
    tasks = values.shape[1]
    weights = np.random.default_rng(0).multinomial(tasks, [1 / tasks] * tasks, _BOOTSTRAP_DRAWS) / tasks
    found = (np.quantile(weights @ row, (0.025, 0.975)).tolist() for row in values[:_BOOTSTRAPS])
    return [Interval(low, high) if low < high - _TOLERANCE else None for low, high in found]


def _share(found: Sequence[Interval | None], truth: float) -> float:
    """The share of intervals that exist and cover the true value."""
    held = [one is not None and one.low - _TOLERANCE <= truth <= one.high + _TOLERANCE for one in found]
    return sum(held) / len(held)
