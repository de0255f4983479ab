"""Agents with unusual shares of iteration kinds, and whether agents that explore more fail less often to edit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.iterations.shares import IterationMix, IterationMixes
from runs.analysis.method import Section, method
from runs.analysis.statistics.correlations import PEARSON, SPEARMAN, correlations, p_of_correlation
from runs.analysis.statistics.summaries import WHISKER, box

MIN_AGENTS = 4

_MEASURES: Mapping[str, Callable[[IterationMix], Estimate]] = {
    "exploration": lambda mix: mix.exploration.pooled,
    "productive": lambda mix: mix.productive.pooled,
    "non_productive": lambda mix: mix.non_productive.pooled,
    "iterations": lambda mix: mix.total,
}


@dataclass(frozen=True, slots=True)
class MeasureLimits:
    """One measure over agents. Agents below `low` or above `high` are unusual: name → value.

    `measure`: exploration, productive, non_productive (shares of iterations) or iterations (mean of a run).
    """

    measure: str
    q1: Estimate
    q3: Estimate
    low: Estimate
    high: Estimate
    agents: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class UnusualAgents:
    """Every measure with its limits."""

    measures: tuple[MeasureLimits, ...]
    excluded: tuple[Exclusion, ...]


@dataclass(frozen=True, slots=True)
class ExplorationErrors:
    """The correlation of exploring and non-productive shares over agents, of values and of ranks, each with its p."""

    pearson: Estimate
    pearson_p: Estimate
    spearman: Estimate
    spearman_p: Estimate
    excluded: tuple[Exclusion, ...]


@method("unusual-agents", "Unusual agents", Section.ITERATIONS, 12)
def unusual_agents(mixes: IterationMixes) -> UnusualAgents:
    """Agents whose share of a kind of iterations, or length of runs, is an outlier among agents.

    Formula: with the quartiles Q1 and Q3 over agents and IQR = Q3 − Q1, an agent is unusual if its value lies below
    `Q1 − 1.5·IQR` or above `Q3 + 1.5·IQR` (`box`). Shares are pooled ones.

    Source: IDE-Bench, appendix B.3.2 ("detected as statistical outlier via IQR method"): by Table 8, Command R+ with
    18.0 % non-productive iterations, above the limit of 12.3 %.

    Units: shares from 0 to 1; iterations of a run; n counts agents.

    Small n: undefined for fewer than four agents, of which no value can be an outlier.
    """
    return UnusualAgents(
        tuple(_limits(name, mixes.agents, value) for name, value in _MEASURES.items()), mixes.excluded
    )


@method("exploration-and-errors", "Exploration and errors", Section.ITERATIONS, 13)
def exploration_and_errors(mixes: IterationMixes) -> ExplorationErrors:
    """Whether agents that explore more have fewer non-productive iterations.

    Formula: Pearson's correlation over agents between the pooled shares of exploring and of non-productive iterations,
    and Spearman's; p as in `p_of_correlation`. The three shares sum to 1, so a weak negative correlation is expected
    even of unrelated behaviour.

    Source: IDE-Bench, appendix B.2.4, which prints p = 0.061 without a test. The values of its Table 8 give r = −0.54
    with p = 0.036, and −0.69 with p = 0.004 for ranks.

    Units: −1 to 1; probabilities from 0 to 1; n counts agents.

    Small n: undefined for fewer than three agents, or if all have the same share.
    """
    shares = {
        "exploration": [mix.exploration.pooled.value for mix in mixes.agents],
        "non_productive": [mix.non_productive.pooled.value for mix in mixes.agents],
    }
    pearson, spearman = (
        correlations(shares, kind).of("exploration", "non_productive") for kind in (PEARSON, SPEARMAN)
    )
    return ExplorationErrors(
        pearson, p_of_correlation(pearson), spearman, p_of_correlation(spearman), mixes.excluded
    )


def _limits(
    name: str, agents: Sequence[IterationMix], measure: Callable[[IterationMix], Estimate]
) -> MeasureLimits:
    known = [(mix.agent, value) for mix in agents if mix.agent and (value := measure(mix).value) is not None]
    if len(known) < MIN_AGENTS:
        nothing = Estimate.unknown(f"fewer than {MIN_AGENTS} agents have iterations", len(known))
        return MeasureLimits(name, nothing, nothing, nothing, nothing, {})
    summary = box([(place, value) for place, (_, value) in enumerate(known)], "no agent")
    q1, q3 = summary.q1, summary.q3
    assert q1.value is not None
    assert q3.value is not None
    reach = WHISKER * (q3.value - q1.value)
    low, high = Estimate(q1.value - reach, len(known)), Estimate(q3.value + reach, len(known))
    outliers = {known[each.run][0]: each.value for each in summary.outliers}
    return MeasureLimits(name, q1, q3, low, high, outliers)
