"""Coverage of the intervals that say how good judges are, with stand-in judges whose truth is known.

    python -m benchmarks.judge_meters [--repetitions 2000] [--seed 0]

A stand-in judge has a hit rate, a false-alarm rate, noise, a bias for its own family, a preference for what it sees
first, or becomes stricter; each number of `runs.analysis.judging`, and the quality index, is computed from what it
says about 64 runs or pairs, or 16 scenarios with two personas, and the true value is that of a large population.

Promised: 95 % intervals cover the true value in 93 to 97 % of repetitions, a result outside being measured again with
more repetitions; if too few outcomes are possible for that, the nearest possible share counts
(`benchmarks.attainable`). For a judge that always gives the same score, alpha and kappa are undefined. Exits with 1 if
a promise is broken.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from benchmarks.attainable import MAX_COVERAGE, MIN_COVERAGE, range_of_estimates
from benchmarks.command_line import benchmark_parser, conclude, verdict
from benchmarks.simulation import Floats
from runs.analysis.estimate import Estimate
from runs.analysis.judging.detection import DetectionTrial, detection
from runs.analysis.judging.judge_agreement import judge_agreement
from runs.analysis.judging.judge_drift import RejudgedRun, judge_drift
from runs.analysis.judging.judge_variance import judge_variance
from runs.analysis.judging.position_bias import BothOrders, position_bias
from runs.analysis.judging.review_quality import ReviewFacts, review_quality
from runs.analysis.judging.review_scores import SCALE, ReviewScore
from runs.analysis.judging.score_tables import alphas, kappas
from runs.analysis.judging.self_preference import FamilyScore, self_preference
from runs.analysis.scores.quality_index import COMPONENTS, JudgedRun, quality_index

RUNS = 64
SCENARIOS = 16
AGAIN = 4
_SPARE = 0.005
_POPULATION = 200_000
_CUTS = np.array([-0.8, 0.2])  # a judge's limits between 0, 0.5 and 1
_DRAWS = 400


class Meter(NamedTuple):
    """One number with its true value, and one simulated estimate of it. `discrete`: few estimates are possible."""

    name: str
    truth: float
    draw: Callable[[np.random.Generator], Estimate]
    discrete: bool = False


class Covered(NamedTuple):
    """How often intervals cover the truth, of the repetitions with an interval, and the bounds for that."""

    meter: Meter
    share: float
    without: float
    least: float
    most: float

    @property
    def met(self) -> bool:
        """Whether the coverage is as promised."""
        return self.least <= self.share <= self.most


def main() -> int:
    """Prints the table; 1 when a promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--repetitions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"{options.repetitions:,} repetitions: truth covered, in %, and how many had no interval")
    met = True
    for number, meter in enumerate(meters()):
        found = covered(meter, options.repetitions, options.seed + number)
        if not found.met:
            found = covered(meter, AGAIN * options.repetitions, options.seed + number + 1)
        bounds = "" if (found.least, found.most) == (MIN_COVERAGE, MAX_COVERAGE) else ", nearest possible"
        print(
            f"{meter.name:<46}{meter.truth:>8.3f}{100 * found.share:>8.1f}{100 * found.without:>7.1f}   "
            f"{verdict(found.met)}{bounds}"
        )
        met = met and found.met
    undefined = constant_judge_is_undefined()
    print(f"a judge that always gives one score has no alpha and no kappa: {verdict(undefined)}")
    return conclude(met and undefined)


def covered(meter: Meter, repetitions: int, seed: int) -> Covered:
    """Draws estimates and counts how often their intervals cover the truth."""
    generator = np.random.default_rng(seed)
    drawn = [meter.draw(generator) for _ in range(repetitions)]
    ends = [one.interval for one in drawn if one.interval is not None]
    share = sum(one.low <= meter.truth <= one.high for one in ends) / max(1, len(ends))
    least, most = MIN_COVERAGE, MAX_COVERAGE
    if meter.discrete and not MIN_COVERAGE <= share <= MAX_COVERAGE:
        values = np.array([one.value for one in drawn if one.value is not None])
        least, most = range_of_estimates(values)
        spare = 0.0 if (least, most) == (MIN_COVERAGE, MAX_COVERAGE) else _SPARE
        least, most = least - spare, most + spare
    return Covered(meter, share, 1 - len(ends) / repetitions, least, most)


def meters() -> Iterator[Meter]:
    """Every number, over a few stand-in judges."""
    for rate in (0.7, 0.9):
        yield Meter(f"hits of {rate}, {RUNS} faults", rate, _hits(rate, 1, 0.0), discrete=True)
    for rate in (0.05, 0.2):
        yield Meter(f"false alarms of {rate}, {RUNS} twins", rate, _false_alarms(rate), discrete=True)
    yield Meter(f"hits, {RUNS // 2} faults × 3 reviews", 0.8, _hits(0.8, 3, 0.4))
    for skill in (0.5, 0.8):
        alpha, kappa = _true_agreement(skill)
        yield Meter(f"alpha of 3 judges, skill {skill}", alpha, _alpha(skill))
        yield Meter(f"kappa of 2 judges, skill {skill}", kappa, _kappa(skill))
    for noise in (0.2, 0.5):
        within, between = _true_variance(noise)
        yield Meter(f"variance of 3 samples, noise {noise}", within, _variance(noise, "within"))
        yield Meter(f"variance between runs, noise {noise}", between, _variance(noise, "between"))
    for stricter in (0.0, 0.4):
        yield Meter(f"drift, stricter by {stricter}", _true_drift(stricter), _drift(stricter))
    for liking in (0.0, 1.0):
        preference, flips = _true_position(liking)
        yield Meter(f"preference for the first of {liking}", preference, _position(liking, "preference"))
        yield Meter(f"flips, preference of {liking}", flips, _position(liking, "flips"))
    for liking in (0.0, 0.5):
        yield Meter(f"self-preference of {liking}", _true_family(liking), _family(liking))
    yield Meter("struck quotes, 3 of a review", 0.1, _struck)
    yield Meter("quality index", 100 * _mean_score(0.0), _index(0.0))
    yield Meter("quality index, one review in ten missing", 100 * _mean_score(0.0), _index(0.1))


def constant_judge_is_undefined() -> bool:
    """Whether alpha and kappa with a judge that always gives the same score have a reason instead of a value."""
    generator = np.random.default_rng(0)
    scores = [
        *_reviews("varies", _scored(generator.standard_normal(RUNS))),
        *_reviews("constant", np.ones(RUNS)),
    ]
    (found,) = judge_agreement(scores, draws=_DRAWS)
    estimates = (found.alpha, found.pairs[0].kappa)
    return all(one.value is None and "constant gave every run the score 1" in one.reason for one in estimates)


def _scored(latent: Floats) -> Floats:
    """The scores of latent values: 0, 0.5 or 1."""
    scores: Floats = (latent[..., None] > _CUTS).sum(axis=-1) / 2
    return scores


def _mean_score(shift: float) -> float:
    return float(1 - ndtr(_CUTS - shift).mean())


def _reviews(judge: str, scores: Floats, sample: int = 0) -> list[ReviewScore]:
    return [
        ReviewScore(judge, "pitfalls", str(run), str(run), score, sample)
        for run, score in enumerate(scores.tolist())
    ]


def _hits(rate: float, reviews: int, icc: float) -> Callable[[np.random.Generator], Estimate]:
    """A judge that notices faults with this probability, which varies over faults if `icc` is above 0."""

    def draw(generator: np.random.Generator) -> Estimate:
        count = RUNS if reviews == 1 else RUNS // 2
        spread = (1 - icc) / icc if icc else 0.0
        chance = generator.beta(rate * spread, (1 - rate) * spread, count) if icc else np.full(count, rate)
        flagged = generator.random((reviews, count)) < chance
        trials = [
            DetectionTrial("stand-in", "pitfalls", "fault", str(base), True, bool(one))
            for row in flagged
            for base, one in enumerate(row)
        ]
        return detection(trials)[0].hits

    return draw


def _false_alarms(rate: float) -> Callable[[np.random.Generator], Estimate]:
    def draw(generator: np.random.Generator) -> Estimate:
        trials = [
            DetectionTrial("stand-in", "pitfalls", "fault", str(base), False, bool(one))
            for base, one in enumerate(generator.random(RUNS) < rate)
        ]
        return detection(trials)[0].false_alarms

    return draw


def _judged(generator: np.random.Generator, skill: float, judges: int, runs: int) -> Floats:
    """The scores of judges that see the truth with a correlation of √skill."""
    truth = generator.standard_normal(runs)
    return _scored(skill**0.5 * truth + (1 - skill) ** 0.5 * generator.standard_normal((judges, runs)))


def _true_agreement(skill: float) -> tuple[float, float]:
    scores = _judged(np.random.default_rng(0), skill, 3, _POPULATION)
    counts = np.stack([(scores == score).sum(axis=0) for score in SCALE], axis=1).astype(float)
    units, often = np.unique(counts, axis=0, return_counts=True)
    places = (2 * scores).astype(int)
    table = np.bincount(3 * places[0] + places[1], minlength=9).reshape(1, 3, 3).astype(float)
    return float(alphas(often[None].astype(float), units)[0]), float(kappas(table)[0])


def _agreement(generator: np.random.Generator, skill: float, judges: int) -> Sequence[ReviewScore]:
    rows = _judged(generator, skill, judges, RUNS)
    return [score for judge, row in enumerate(rows) for score in _reviews(f"judge-{judge}", row)]


def _alpha(skill: float) -> Callable[[np.random.Generator], Estimate]:
    return lambda generator: judge_agreement(_agreement(generator, skill, 3), draws=_DRAWS)[0].alpha


def _kappa(skill: float) -> Callable[[np.random.Generator], Estimate]:
    return lambda generator: judge_agreement(_agreement(generator, skill, 2), draws=_DRAWS)[0].pairs[0].kappa


def _noisy(generator: np.random.Generator, noise: float, runs: int) -> Floats:
    """Three samples of each run, by a judge with noise of its own."""
    truth = (1 - noise) ** 0.5 * generator.standard_normal(runs)
    return _scored(truth + noise**0.5 * generator.standard_normal((3, runs)))


def _true_variance(noise: float) -> tuple[float, float]:
    scores = _noisy(np.random.default_rng(0), noise, _POPULATION)
    within = float(scores.var(axis=0, ddof=1).mean())
    return within, float(scores.mean(axis=0).var(ddof=1)) - within / 3


def _variance(noise: float, part: str) -> Callable[[np.random.Generator], Estimate]:
    def draw(generator: np.random.Generator) -> Estimate:
        rows = _noisy(generator, noise, RUNS)
        scores = [score for sample, row in enumerate(rows) for score in _reviews("judge", row, sample)]
        found: Estimate = getattr(judge_variance(scores)[0], part)
        return found

    return draw


def _true_drift(stricter: float) -> float:
    return _mean_score(-stricter) - _mean_score(0.0)


def _drift(stricter: float) -> Callable[[np.random.Generator], Estimate]:
    def draw(generator: np.random.Generator) -> Estimate:
        truth = 0.8**0.5 * generator.standard_normal(RUNS)
        times = truth + 0.2**0.5 * generator.standard_normal((2, RUNS)) - np.array([[0.0], [stricter]])
        rejudged = [
            RejudgedRun("judge", "pitfalls", str(run), str(run), before, after)
            for run, (before, after) in enumerate(_scored(times).T.tolist())
        ]
        return judge_drift(rejudged)[0].change

    return draw


def _orders(generator: np.random.Generator, liking: float, scenarios: int) -> Floats:
    """Scores in both orders: scenarios × two personas × two orders. Negative: the run shown first is better."""
    lead = 2 * generator.standard_normal((scenarios, 1)) + generator.standard_normal((scenarios, 2))
    seen = np.stack([-lead, lead], axis=-1) - liking + generator.standard_normal((scenarios, 2, 2))
    scores: Floats = np.clip(np.rint(seen), -5, 5)
    return scores


def _true_position(liking: float) -> tuple[float, float]:
    scores = _orders(np.random.default_rng(0), liking, _POPULATION)
    return float(-scores.sum(axis=-1).mean() / 10), float((scores.prod(axis=-1) > 0).mean())


def _position(liking: float, part: str) -> Callable[[np.random.Generator], Estimate]:
    def draw(generator: np.random.Generator) -> Estimate:
        scores = _orders(generator, liking, 2 * SCENARIOS).astype(int)
        pairs = [
            BothOrders("judge", "pitfalls", str(scenario), int(a_first), int(b_first))
            for scenario, rows in enumerate(scores)
            for a_first, b_first in rows
        ]
        found: Estimate = getattr(position_bias(pairs)[0], part)
        return found

    return draw


def _families(generator: np.random.Generator, liking: float, scenarios: int) -> Floats:
    """Scores of three families: scenarios × judges × agents. One is strict, one is good; each likes its own."""
    latent = 0.6 * generator.standard_normal((scenarios, 1, 1)) + 0.5 * generator.standard_normal(
        (scenarios, 1, 3)
    )
    latent = latent + 0.6 * generator.standard_normal((scenarios, 3, 3))
    latent = latent - np.array([0.4, 0, 0])[:, None] + np.array([0, 0.4, 0]) + liking * np.eye(3)
    return _scored(latent)


def _true_family(liking: float) -> float:
    means = _families(np.random.default_rng(0), liking, _POPULATION).mean(axis=0)
    return float(means[0, 0] - means[0].mean() - means[:, 0].mean() + means.mean())


def _family(liking: float) -> Callable[[np.random.Generator], Estimate]:
    def draw(generator: np.random.Generator) -> Estimate:
        scores = _families(generator, liking, 2 * SCENARIOS)
        given = [
            FamilyScore(f"family-{place[1]}", f"family-{place[2]}", "pitfalls", str(place[0]), float(score))
            for place, score in np.ndenumerate(scores)
        ]
        return self_preference(given)[0].cells[0][0].beyond

    return draw


def _struck(generator: np.random.Generator) -> Estimate:
    """Reviews with three quotes each; some reviews invent more than others."""
    struck = generator.binomial(3, generator.beta(0.4, 3.6, RUNS)).tolist()
    return review_quality([ReviewFacts("judge", "pitfalls", "done", 3, one) for one in struck])[0].struck


def _index(missing: float) -> Callable[[np.random.Generator], Estimate]:
    """Scenarios with two personas; all components of a run depend on its scenario."""

    def draw(generator: np.random.Generator) -> Estimate:
        shape = (SCENARIOS, 2, len(COMPONENTS))
        latent = 0.6**0.5 * generator.standard_normal(
            (SCENARIOS, 1, 1)
        ) + 0.4**0.5 * generator.standard_normal(shape)
        scores, lost = _scored(latent), generator.random(shape) < missing
        runs = [
            JudgedRun(
                str(scenario),
                {
                    name: None if gone else float(score)
                    for name, score, gone in zip(
                        COMPONENTS, scores[scenario, persona], lost[scenario, persona], strict=True
                    )
                },
            )
            for scenario in range(SCENARIOS)
            for persona in range(2)
        ]
        return quality_index(runs).value

    return draw


if __name__ == "__main__":
    sys.exit(main())
