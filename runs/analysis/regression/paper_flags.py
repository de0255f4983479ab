"""The flags that the AgentLens paper raises when it compares two runs of its benchmark.

They are shown beside our own check (`run_set_check`) and never cause an alarm: two sets of runs of one unchanged agent
raise an alert in many nights (`benchmarks.nights`). The thresholds are those of the paper's published code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from runs.analysis.estimate import Estimate
from runs.analysis.method import Section, method
from runs.analysis.outcomes.ties import SIGNIFICANCE
from runs.analysis.statistics.patterns import counted_share, drawn_share
from runs.analysis.statistics.rank_test import mann_whitney

PAIR_SCALE = 5  # side-by-side scores are from −5 to 5
_ALMOST_NOTHING = 1e-9
_RARE_TOOL = 3
_NOTABLE_CALLS = 12


@dataclass(frozen=True, slots=True)
class PaperFlags:
    """The two levels of the paper's flags."""

    warning: bool
    alert: bool


class RatioLimits(NamedTuple):
    """A ratio of run 2 to run 1 outside of the inner limits is a warning, outside of the outer ones an alert."""

    alert_below: float
    warn_below: float
    warn_above: float
    alert_above: float


RATIO_LIMITS: Mapping[str, RatioLimits] = {
    "price": RatioLimits(0.66, 0.9, 1.2, 1.5),
    "seconds": RatioLimits(0.66, 0.8, 1.3, 1.5),
    "tokens_per_second": RatioLimits(0.66, 0.8, 1.3, 1.5),
    "tool_calls": RatioLimits(0.5, 0.8, 1.3, 2.0),
    "completion_tokens": RatioLimits(0.5, 0.8, 1.3, 2.0),
    "cache_hits": RatioLimits(0.7, 0.9, 1.4, 2.0),
    "parallel_calls": RatioLimits(0.7, 0.9, 1.4, 3.0),
    "formal": RatioLimits(0.7, 0.8, 1.3, 1.4),
}

# From this number of calls in run 2: the success rate may fall to this share of run 1's without a warning, an alert.
_TOOL_LIMITS = ((20, 0.9, 0.8), (10, 0.8, 0.6), (0, 0.7, 0.4))


class ToolSuccess(NamedTuple):
    """The calls of one tool in one run, and how many of them succeeded."""

    succeeded: int
    calls: int


@dataclass(frozen=True, slots=True)
class JudgedFlags:
    """The flags of one dimension. `value`: the mean score ÷ 5, negative if run 1 is better; `p` of the sign-flip test.

    `score_alert`: the alert of the scores alone, without the judge's own.
    """

    value: Estimate
    p: Estimate
    score_alert: bool
    flags: PaperFlags


@method(
    "paper-ratio-flags",
    "The paper's flags of cost, time and calls",
    Section.REGRESSIONS,
    5,
    short=(
        "The AgentLens paper’s flags: a warning or an alert where the ratio of two means lies beyond "
        "fixed limits."
    ),
    example="A price of 1.3 times the earlier one is a warning, of 1.6 times an alert.",
)
def ratio_flags(quantity: str, first: float, second: float, p: float | None) -> PaperFlags:
    """The paper's flags of a quantity of two runs, such as the price; KeyError for one that is not in `RATIO_LIMITS`.

    ValueError for a value that is negative or not finite. Both directions are flagged, so also an improvement.

    Formula: a warning if second ÷ first lies below or above two limits, an alert beyond two further ones; both if
    p < 0.05. Limits (alert, warning; warning, alert): price 0.66, 0.9; 1.2, 1.5. Seconds, and tokens a second: 0.66,
    0.8; 1.3, 1.5. Tool calls and completion tokens: 0.5, 0.8; 1.3, 2. Share of cached tokens: 0.7, 0.9; 1.4, 2.
    Parallel calls: 0.7, 0.9; 1.4, 3. Formal: 0.7, 0.8; 1.3, 1.4. Both values are increased by 10⁻⁹.

    Source: AgentLens, appendix B, whose flags follow from these limits, and its published code, which has them. p is
    that of `unpaired_p`, for formal that of `formal_flags`, and none for parallel calls.

    Units: both values in the same units; p is a probability.

    Small n: two values of 0 have the ratio 1; without p only the ratio counts.
    """
    limits = RATIO_LIMITS[quantity]
    for value in (first, second):
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"{quantity} of a run is {value}, expected a number from 0")
    change = (second + _ALMOST_NOTHING) / (first + _ALMOST_NOTHING)
    significant = p is not None and p < SIGNIFICANCE
    return PaperFlags(
        warning=significant or change < limits.warn_below or change > limits.warn_above,
        alert=significant or change < limits.alert_below or change > limits.alert_above,
    )


@method("paper-unpaired-p", "The paper's p of cost, time and calls", Section.REGRESSIONS, 6)
def unpaired_p(first: Sequence[float], second: Sequence[float]) -> Estimate:
    """The p with which the paper flags a quantity: of the conversations of two runs, as if they were not paired.

    Both runs have the same scenarios, and two conversations of one scenario are alike, so this p is wrong: it is
    usually too large. `run_set_check` uses the pairs.

    Formula: p of the two-sided Mann–Whitney test, as in `resolved_against_failed`.

    Source: AgentLens, appendix B; the test is that of its published code.

    Units: any for the values; p is a probability; n counts the values of both runs.

    Small n: undefined if a run has no value; the paper's code then has 1.
    """
    if not (first and second):
        return Estimate.unknown("a run has no value", len(first) + len(second))
    _, p = mann_whitney(np.asarray(first, dtype=float), np.asarray(second, dtype=float))
    return Estimate(p, len(first) + len(second))


@method("paper-formal-flags", "The paper's flags of formal verification", Section.REGRESSIONS, 7)
def formal_flags(first: int, second: int, conversations: int) -> tuple[PaperFlags, Estimate]:
    """The paper's flags of formal verification, and p. ValueError for more passes than conversations.

    Formula: `ratio_flags` of the two numbers of passed conversations, with p of Fisher's exact test, two-sided, of
    passed and failed conversations of both runs.

    Source: AgentLens, appendix B (28 and 28 of 32: p = 1, no flag); the test is that of its published code. Fisher
    1922, On the Interpretation of χ² from Contingency Tables.

    Units: conversations; p is a probability, its n counts the conversations of both runs.

    Small n: without a conversation p is undefined and nothing is flagged.
    """
    if not 0 <= max(first, second) <= conversations or min(first, second) < 0:
        raise ValueError(f"{first} and {second} passed of {conversations} conversations")
    if not conversations:
        return PaperFlags(warning=False, alert=False), Estimate.unknown("there is no conversation")
    from scipy.stats import fisher_exact  # noqa: PLC0415 - takes a second to import

    table = np.array([[first, conversations - first], [second, conversations - second]])
    p = Estimate(min(1.0, float(fisher_exact(table).pvalue)), 2 * conversations)
    return ratio_flags("formal", first, second, p.value), p


@method(
    "paper-tool-flags",
    "The paper's flags of tools",
    Section.REGRESSIONS,
    8,
    short="The AgentLens paper’s flags of a tool whose success rate fell, by how often it was called.",
    example="With 20 calls or more, a fall of the success rate to 85 % of what it was is a warning.",
)
def tool_flags(first: ToolSuccess, second: ToolSuccess) -> PaperFlags:
    """The paper's flags of one tool. ValueError for more successes than calls.

    Formula: nothing is flagged up to 3 calls in run 2, or without a call in run 1. With r the success rate of run 2 ÷
    that of run 1 (increased by 10⁻⁹): a warning if r < w, an alert if r < a, both if r > 1.2 ÷ w, where w and a are 0.9
    and 0.8 from 20 calls in run 2, 0.8 and 0.6 from 10, else 0.7 and 0.4. A warning also if run 2 has less than 0.7 or
    more than 1.4 times the calls of run 1 and they differ by at least 12.

    Source: AgentLens, appendix B: the rule of its published code gives the printed flags of all 24 tools.

    Units: calls.

    Small n: a tool that fails always in both runs has r = 0, which is an alert.
    """
    for tool in (first, second):
        if not 0 <= tool.succeeded <= tool.calls:
            raise ValueError(f"{tool.succeeded} of {tool.calls} calls succeeded")
    if second.calls <= _RARE_TOOL or not first.calls:
        return PaperFlags(warning=False, alert=False)
    _, warn, alarm = next(limits for limits in _TOOL_LIMITS if second.calls >= limits[0])
    change = second.succeeded / second.calls / (first.succeeded / first.calls + _ALMOST_NOTHING)
    calls = second.calls / first.calls
    other_use = (calls < 0.7 or calls > 1.4) and abs(second.calls - first.calls) >= _NOTABLE_CALLS
    risen = change > 1.2 / warn
    return PaperFlags(warning=risen or change < warn or other_use, alert=risen or change < alarm)


@method(
    "paper-judged-flags",
    "The paper's flags of dimensions",
    Section.REGRESSIONS,
    9,
    short="The AgentLens paper’s flags of a dimension, from side-by-side scores by judges.",
    example="A mean score of −0.4 or less from −1 to 1 is an alert of the scores.",
)
def judged_flags(scores: Sequence[int], *, judge_alert: bool) -> JudgedFlags:
    """The paper's flags of one dimension, from the scores of side-by-side comparisons of all conversations.

    `judge_alert`: whether the judge itself called the difference alarming. ValueError for a score outside −5 to 5.

    Formula: value = mean of score ÷ 5; p is the share of all sign patterns whose mean is at least as far from 0. The
    scores have an alert if p < 0.05, value ≤ −0.4 or value ≥ 0.5. The dimension has a warning if the scores or the
    judge have an alert, and an alert if both do.

    Source: AgentLens, appendix B, and its published code, which counts patterns up to 17 conversations and draws
    100,000 above; here all are counted, up to a few thousand conversations. Conversations of one scenario are treated
    as independent, which they are not.

    Units: scores from −5 to 5, negative if run 1 is better; value from −1 to 1; n counts conversations.

    Small n: without a score value and p are undefined, and the scores have no alert.
    """
    if any(abs(score) > PAIR_SCALE for score in scores):
        raise ValueError(f"scores of {sorted(set(scores))}, expected −{PAIR_SCALE} to {PAIR_SCALE}")
    if not scores:
        nothing = Estimate.unknown("no conversation was compared")
        return JudgedFlags(nothing, nothing, False, PaperFlags(warning=judge_alert, alert=False))
    n = len(scores)
    share = counted_share(np.asarray(scores, dtype=np.int64))
    if share is None:  # thousands of conversations
        share = drawn_share(np.asarray(scores, dtype=float), seed=0)
    value = sum(scores) / n / PAIR_SCALE
    flags = dimension_flags(value, share, judge_alert=judge_alert)
    return JudgedFlags(Estimate(value, n), Estimate(share, n), _score_alert(value, share), flags)


def dimension_flags(value: float, p: float, *, judge_alert: bool) -> PaperFlags:
    """The flags of a dimension whose value and p are known: see `judged_flags`."""
    scores = _score_alert(value, p)
    return PaperFlags(warning=scores or judge_alert, alert=scores and judge_alert)


def _score_alert(value: float, p: float) -> bool:
    return p < SIGNIFICANCE or value <= -0.4 or value >= 0.5


@method("paper-termination-flags", "The paper's flags of endings", Section.REGRESSIONS, 10)
def termination_flags(first: Mapping[str, int], second: Mapping[str, int]) -> PaperFlags:
    """The paper's flags of why conversations ended: reason → conversations of each run. ValueError below 0.

    Formula: with D the sum over reasons of |n₁ − n₂| and U the sum of max(n₁, n₂), a warning if D ≥ U ÷ 5 + 2, an alert
    if D ≥ U ÷ 4 + 3.

    Source: AgentLens, appendix B (D = 10 and U = 37: a warning, no alert), and its published code.

    Units: conversations.

    Small n: without a conversation nothing is flagged.
    """
    reasons = first.keys() | second.keys()
    counts = [(first.get(reason, 0), second.get(reason, 0)) for reason in reasons]
    if any(min(pair) < 0 for pair in counts):
        raise ValueError("a reason has a negative number of conversations")
    apart = sum(abs(one - other) for one, other in counts)
    union = sum(map(max, counts))
    return PaperFlags(warning=apart >= union / 5 + 2, alert=apart >= union / 4 + 3)
