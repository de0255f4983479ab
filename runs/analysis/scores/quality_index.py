"""The quality index of AgentLens: one number from the scores of five dimensions and formal verification."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from runs.analysis.estimate import Estimate, Interval
from runs.analysis.judging.review_scores import DIMENSIONS
from runs.analysis.method import Section, method
from runs.analysis.outcomes.passes import mean
from runs.analysis.statistics.means import student

COMPONENTS = ("formal", *DIMENSIONS)


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """One run of a scenario. `scores`: component → score from 0 to 1; one that is None or absent is missing.

    ValueError for an unknown component and for a score outside 0 to 1.
    """

    scenario: str
    scores: Mapping[str, float | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check(self.scenario, self.scores, 1)


@dataclass(frozen=True, slots=True)
class QualityIndex:
    """The index of one agent, from 0 to 100; its n counts scenarios.

    `components`: each from 0 to 100. `coverage`: the share of scores that are known. `lowest` and `highest`: the index
    if every missing score were 0, and if it were 1.
    """

    value: Estimate
    components: Mapping[str, Estimate]
    coverage: Estimate
    lowest: Estimate
    highest: Estimate


@method(
    "quality-index-components", "Quality index from component scores", Section.QUALITY_AND_CORRELATIONS, 2
)
def index_of(components: Mapping[str, float | None]) -> Estimate:
    """The unweighted mean of an agent's six component scores; one that is None or absent is missing.

    ValueError for an unknown component and for a score outside 0 to 100.

    Formula: `Q = (Σ sₘ) ÷ 6` over formal verification, end result, instruction compliance, pitfalls, pleasantness and
    tool calls.

    Source: AgentLens, section 3.3, equation 1; it gives the index of all 17 rows of its Table 6. The paper does not say
    how to treat missing components: here the index is undefined.

    Units: components and index from 0 to 100; n counts components.

    Small n: undefined if a component is missing.
    """
    _check("the agent", components, 100)
    known = [score for name in COMPONENTS if (score := components.get(name)) is not None]
    missing = [name for name in COMPONENTS if components.get(name) is None]
    if missing:
        return Estimate.unknown(f"missing: {', '.join(missing)}", len(known))
    return Estimate(math.fsum(known) / len(COMPONENTS), len(known))


@method(
    "quality-index",
    "Quality index",
    Section.QUALITY_AND_CORRELATIONS,
    1,
    short="Quality index: the mean of six scores that judges give, from 0 to 100.",
    example="72 of 100, with 95 % of the scores known.",
)
def quality_index(runs: Iterable[JudgedRun]) -> QualityIndex:
    """The quality index of one agent from the scores of its runs, with what is missing.

    A review without a score (refused, malformed, too long, unpaid, failed) is no score of 0: it is left out, and the
    coverage and both bounds say how much that could matter.

    Formula: each component is the mean over scenarios of the mean over the scenario's runs that have its score, × 100;
    the index is the mean of the six components. Coverage = known scores ÷ (6 × runs). The bounds are the index with
    every missing score replaced by 0 or by 1. The interval is Student's over scenarios, cut at 0 and 100, of `Q + Σₘ
    (S ÷ Sₘ)(xₘₛ − x̄ₘ) ÷ 6` for scenario s, where component m is known in Sₘ of S scenarios: with all scores, that is
    the scenario's own index. Runs of one scenario with several personas are one observation.

    Source: AgentLens, section 3.3, equation 1, whose components are means over runs: the same if all scenarios have the
    same number of runs. Coverage, bounds and interval are ours; its coverage is measured by `benchmarks.judge_meters`.

    Units: scores from 0 to 1; index, components and bounds from 0 to 100; n counts scenarios.

    Small n: a component without any score leaves the index undefined; the bounds stay. A component with scores in one
    scenario only, and scenarios that are all equal, give no interval. Without a run all is undefined.
    """
    scenarios: dict[str, list[JudgedRun]] = defaultdict(list)
    for run in runs:
        scenarios[run.scenario].append(run)
    count = sum(map(len, scenarios.values()))
    if not count:
        nothing = Estimate.unknown("there is no run")
        return QualityIndex(nothing, dict.fromkeys(COMPONENTS, nothing), nothing, nothing, nothing)
    groups = [scenarios[name] for name in sorted(scenarios)]
    means = {name: [_mean_score(group, name) for group in groups] for name in COMPONENTS}
    components = {name: _component(name, column) for name, column in means.items()}
    known = sum(run.scores.get(name) is not None for group in groups for run in group for name in COMPONENTS)
    bounds = [
        index_of(
            {
                name: _component(name, [_mean_score(group, name, missing) for group in groups]).value
                for name in COMPONENTS
            }
        ).value
        for missing in (0.0, 1.0)
    ]
    n = len(groups)
    lowest, highest = (Estimate(bound or 0.0, n) for bound in bounds)
    plain = index_of({name: component.value for name, component in components.items()})
    value = (
        Estimate.unknown(plain.reason, n)
        if plain.value is None
        else Estimate(plain.value, n, interval=_interval(plain.value, means, components))
    )
    return QualityIndex(
        value, components, Estimate(known / (count * len(COMPONENTS)), count), lowest, highest
    )


def _mean_score(runs: Sequence[JudgedRun], name: str, missing: float | None = None) -> float | None:
    """The mean over runs, without those that lack the score if `missing` is None."""
    scores = (missing if (score := run.scores.get(name)) is None else score for run in runs)
    return mean([score for score in scores if score is not None])


def _component(name: str, column: Sequence[float | None]) -> Estimate:
    known = [value for value in column if value is not None]
    if not known:
        return Estimate.unknown(f"no run has a score of {name}")
    return Estimate(min(100.0, 100 * math.fsum(known) / len(known)), len(known))


def _interval(
    index: float, means: Mapping[str, Sequence[float | None]], components: Mapping[str, Estimate]
) -> Interval | None:
    if min(centre.n for centre in components.values()) < 2:
        return None  # how much that component varies is unknown
    scenarios = len(means[COMPONENTS[0]])
    parts = [index] * scenarios
    for name, column in means.items():
        centre = components[name]
        for place, value in enumerate(column):
            if value is not None and centre.value is not None:
                weight = scenarios / centre.n / len(COMPONENTS)
                parts[place] += weight * (100 * value - centre.value)
    ends = student([round(part, 9) for part in parts])
    return ends and ends.cut(0.0, 100.0)


def _check(whose: str, scores: Mapping[str, float | None], most: float) -> None:
    if unknown := sorted(scores.keys() - set(COMPONENTS)):
        raise ValueError(
            f"{whose}: no such component: {', '.join(unknown)}; expected {', '.join(COMPONENTS)}"
        )
    for name, score in scores.items():
        if score is not None and not 0 <= score <= most:
            raise ValueError(f"{whose}: {name} is {score}, expected a score from 0 to {most}")
