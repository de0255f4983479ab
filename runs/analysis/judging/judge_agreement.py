"""Whether judges agree on the scores of the same runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.judging.review_scores import SCALE, ReviewScore, grouped
from runs.analysis.judging.score_tables import Floats, alphas, kappas
from runs.analysis.method import Section, method
from runs.analysis.statistics.bootstrap import flat
from runs.analysis.statistics.means import student_t

DRAWS = 1000
MIN_RUNS = 2
_MAX_UNDEFINED = 0.05  # of the draws
_NEARLY_1 = 0.999
_PLACES = {score: place for place, score in enumerate(SCALE)}


@dataclass(frozen=True, slots=True)
class JudgePair:
    """Two judges over the runs that both scored (the n of both estimates). `same`: the share with equal scores."""

    first: str
    second: str
    kappa: Estimate
    same: Estimate


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """The judges of one dimension. The n of `alpha` counts runs with the scores of two judges or more.

    `missing`: how many scores the judges lack, of all runs that any of them was asked about. `left_out`: each judge
    that is not part of `alpha`, and why its own alpha is undefined.
    """

    dimension: str
    judges: tuple[str, ...]
    alpha: Estimate
    pairs: tuple[JudgePair, ...]
    missing: int
    left_out: Mapping[str, str]


@method(
    "judge-agreement",
    "Agreement of judges",
    Section.JUDGES,
    1,
    short=(
        "Krippendorff’s alpha: how far judges agree beyond chance, from 1 (always) through 0 (by "
        "chance only)."
    ),
    example="Judges that order all runs alike have 1; an alpha of 0.4 is weak agreement.",
)
def judge_agreement(
    scores: Iterable[ReviewScore], *, draws: int = DRAWS, seed: int = 0
) -> tuple[JudgeAgreement, ...]:
    """The agreement of judges in each dimension, over the first sample that each judge gave each run.

    A judge that gives all runs one score is no evidence of agreement or disagreement: its alpha and its kappas are
    undefined, and the alpha of the group is that of the others. ValueError if a judge scored a run twice in one sample.

    Formula: Krippendorff's alpha with ordinal distances: 1 − observed ÷ expected disagreement, over runs with two
    scores or more; missing scores are left out. For each two judges, Cohen's kappa with quadratic weights. The 95 %
    interval is `tanh(artanh a ± t · s)`, s the standard deviation of artanh a over 1,000 bootstrap samples of
    scenarios, each with all its runs, t the quantile of Student's distribution with c − 1 degrees of freedom for c
    scenarios. A task that is no conversation is a scenario of its own.

    Source: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability (the `krippendorff` library); Cohen 1968,
    Weighted Kappa (scikit-learn). The interval was chosen by coverage: with 64 runs 93 to 97 %
    (`benchmarks.judge_meters`), as BCa; with 32 runs it covers the true kappa in 93 to 96 %, BCa in some cases in 91 %.
    AgentLens leaves the agreement of judges to future work.

    Units: alpha and kappa from below 0 to 1: 0 is the agreement of chance. n counts runs.

    Small n: undefined with fewer than two judges or two runs that both scored. No interval for runs of one scenario,
    and if more than one in twenty samples has scores that are all equal.
    """
    given = sorted(scores, key=lambda score: (score.judge, score.run, score.sample))
    rows = []
    for (dimension,), items in grouped(given, "dimension").items():
        table = _first_samples(items)
        judges = tuple(sorted(table))
        runs = {score.run: score.scenario for score in sorted(items, key=lambda score: score.run)}
        pairs = tuple(_pair(each, table, runs, draws, seed) for each in combinations(judges, 2))
        missing = sum(table[judge].get(run) is None for judge in judges for run in runs)
        left_out = _left_out(table, runs)
        rest = {judge: theirs for judge, theirs in table.items() if judge not in left_out}
        alone = len(rest) < 2 and len(left_out) > 0
        alpha = (
            Estimate.unknown("; ".join(left_out.values()), int(_shared(_matrix(table, runs)).sum()))
            if alone
            else _alpha(rest, runs, draws, seed)
        )
        rows.append(JudgeAgreement(dimension, judges, alpha, pairs, missing, left_out))
    return tuple(rows)


Scores = Mapping[str, Mapping[str, float | None]]


def _first_samples(items: Iterable[ReviewScore]) -> Scores:
    """Judge → run → the score of its first sample."""
    table: dict[str, dict[str, float | None]] = {}
    samples: dict[tuple[str, str], int] = {}
    for item in items:
        first = samples.setdefault((item.judge, item.run), item.sample)
        theirs = table.setdefault(item.judge, {})
        if item.sample == first:
            if item.run in theirs:
                raise ValueError(
                    f"{item.judge} scored {item.run} twice in {item.dimension}, sample {item.sample}"
                )
            theirs[item.run] = item.score
    return table


def _left_out(table: Scores, runs: Iterable[str]) -> dict[str, str]:
    """The judges without two different scores of runs that another judge scored, too, with the reason."""
    rest, reasons = dict(table), dict[str, str]()
    while len(rest) > 1:
        # Without a judge, fewer runs have two scores, and another one may be constant on those.
        matrix = _matrix(rest, runs)
        shared = matrix[:, _shared(matrix)]
        constant = {
            judge: reason
            for judge, row in zip(rest, shared, strict=True)
            if shared.shape[1] >= MIN_RUNS and (reason := _constant(judge, row))
        }
        if not constant:
            break
        reasons |= constant
        rest = {judge: theirs for judge, theirs in rest.items() if judge not in constant}
    return {judge: reasons[judge] for judge in table if judge in reasons}


def _matrix(table: Scores, runs: Iterable[str]) -> Floats:
    """Judges × runs; NaN without a score."""
    given = list(runs)
    rows = [[theirs.get(run) for run in given] for theirs in table.values()]
    return np.array(rows, dtype=float).reshape(len(rows), len(given))  # None becomes NaN


def _shared(matrix: Floats) -> NDArray[np.bool_]:
    """Which runs have the scores of two judges."""
    shared: NDArray[np.bool_] = (~np.isnan(matrix)).sum(axis=0) > 1
    return shared


def _alpha(table: Scores, runs: Mapping[str, str], draws: int, seed: int) -> Estimate:
    """`runs`: each with its scenario."""
    matrix = _matrix(table, runs)
    known = _shared(matrix)
    shared, n = matrix[:, known], int(known.sum())
    if len(table) < 2:
        return Estimate.unknown("one judge has no other to agree with", n)
    if n < MIN_RUNS:
        runs_have = "1 run has" if n == 1 else f"{n} runs have"
        return Estimate.unknown(f"{runs_have} the scores of two judges, and alpha needs {MIN_RUNS}", n)
    from krippendorff import alpha  # noqa: PLC0415 - few pages need it

    value = float(alpha(shared, level_of_measurement="ordinal", value_domain=list(SCALE)))
    counts = np.stack([(shared == score).sum(axis=0) for score in SCALE], axis=1).astype(float)
    units, kinds = np.unique(counts, axis=0, return_inverse=True)
    of_scenario = _by_scenario([name for name, both in zip(runs.values(), known, strict=True) if both], kinds)
    interval = _interval(value, of_scenario, lambda weights: alphas(weights, units), draws, seed)
    return Estimate(value, n, interval=interval)


def _pair(
    judges: tuple[str, str], table: Scores, runs: Mapping[str, str], draws: int, seed: int
) -> JudgePair:
    """`runs`: each with its scenario."""
    first, second = judges
    both = [
        (ours, theirs, scenario)
        for run, scenario in runs.items()
        if (ours := table[first].get(run)) is not None and (theirs := table[second].get(run)) is not None
    ]
    n = len(both)
    if n < MIN_RUNS:
        nothing = Estimate.unknown(f"both scored {n} of the {MIN_RUNS} runs that kappa needs", n)
        return JudgePair(first, second, nothing, nothing)
    same = Estimate(sum(ours == theirs for ours, theirs, _ in both) / n, n)
    columns = np.array([pair[:2] for pair in both]).T
    for judge, row in zip(judges, columns, strict=True):
        if reason := _constant(judge, row):
            return JudgePair(first, second, Estimate.unknown(reason, n), same)
    from sklearn.metrics import cohen_kappa_score  # noqa: PLC0415 - takes a second to import

    places = [[_PLACES[score] for score in row] for row in columns.tolist()]
    value = float(cohen_kappa_score(*places, labels=list(_PLACES.values()), weights="quadratic"))
    size = len(SCALE)
    kinds = np.array([first * size + second for first, second in zip(*places, strict=True)])
    of_scenario = _by_scenario([scenario for *_, scenario in both], kinds, size**2)
    interval = _interval(
        value, of_scenario, lambda weights: kappas(weights.reshape(-1, size, size)), draws, seed
    )
    return JudgePair(first, second, Estimate(value, n, interval=interval), same)


def _by_scenario(scenarios: Sequence[str], kinds: NDArray[np.intp], most: int = 0) -> Floats:
    """Scenarios × kinds: how many runs of each kind a scenario has."""
    names, places = np.unique(scenarios, return_inverse=True)
    counts = np.zeros((len(names), max(most, int(kinds.max()) + 1)))
    np.add.at(counts, (places, kinds), 1)
    return counts


def _interval(
    value: float, of_scenario: Floats, measure: Callable[[Floats], Floats], draws: int, seed: int
) -> Interval | None:
    """The interval of a measure of runs of several kinds, of which each scenario has so many."""
    rows, often = np.unique(of_scenario, axis=0, return_counts=True)
    n = len(of_scenario)
    if n < MIN_RUNS:
        return None
    drawn = measure(np.random.default_rng(seed).multinomial(n, often / n, size=draws) @ rows)
    known = drawn[~np.isnan(drawn)]
    if len(known) < (1 - _MAX_UNDEFINED) * draws or flat(known):
        return None
    centre = math.atanh(max(-_NEARLY_1, min(_NEARLY_1, value)))
    half = student_t(n - 1) * float(np.arctanh(known.clip(-_NEARLY_1, _NEARLY_1)).std(ddof=1))
    return Interval(min(value, math.tanh(centre - half)), max(value, math.tanh(centre + half)))


def _constant(judge: str, row: Floats) -> str:
    """Why a judge without two different scores says nothing about agreement; '' for others."""
    scores = np.unique(row[~np.isnan(row)])
    if len(scores) == 1:
        return f"{judge} gave every run the score {scores[0]:g}"
    return f"{judge} scored none of these runs" if not len(scores) else ""
