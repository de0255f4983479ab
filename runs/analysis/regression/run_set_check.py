"""Our check for regressions: a candidate set of runs against an anchor set, paired by scenario and persona."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from runs.analysis.estimate import Estimate
from runs.analysis.judging.judge_drift import JudgeDrift, Movement
from runs.analysis.method import Section, method
from runs.analysis.outcomes.passes import mean
from runs.analysis.outcomes.ties import SIGNIFICANCE, holm
from runs.analysis.regression.run_sets import QUANTITIES, Quantity, RunSet, ScenarioRun, obstacles
from runs.analysis.statistics.shifts import BeforeAfter, shift

MAX_TOOLS = 50
Outcome = Literal["worse", "better", "no difference shown", "judge moved", "not comparable"]
Cells = Mapping[tuple[str, str], Sequence[ScenarioRun]]


@dataclass(frozen=True, slots=True)
class QuantityCheck:
    """One quantity of both sets. Each n counts scenarios; `pairs`: those with a persona, in which both have a value.

    `effect`: candidate − anchor for a share, candidate ÷ anchor for an amount. `p_worse` and `p_better`: of the
    sign-flip test in one direction, after Holm's correction. `reason` of an outcome that is no comparison.
    `missing`: pairs without a value in one of the sets. `drift`: the movement of the judge, if it is known.
    """

    quantity: Quantity
    anchor: Estimate
    candidate: Estimate
    effect: Estimate
    p_worse: Estimate
    p_better: Estimate
    outcome: Outcome
    reason: str
    pairs: int
    missing: int
    drift: Movement | None = None


@dataclass(frozen=True, slots=True)
class RunSetCheck:
    """`obstacles`: why the sets cannot be compared at all; then nothing else is there.

    `checks` can cause an alarm; `tools`, those called in both sets, cannot. `family`: the number of tested quantities;
    `scenarios_needed`: from how many scenarios one is tested. `unpaired`: scenarios with a persona that only one of the
    sets has.
    """

    obstacles: tuple[str, ...]
    checks: tuple[QuantityCheck, ...]
    tools: tuple[QuantityCheck, ...]
    family: int
    scenarios_needed: int
    unpaired: tuple[tuple[str, str], ...]

    @property
    def alarms(self) -> tuple[QuantityCheck, ...]:
        """The quantities that became worse."""
        return tuple(check for check in self.checks if check.outcome == "worse")


@method(
    "run-set-check",
    "Regressions between two sets of runs",
    Section.REGRESSIONS,
    1,
    short=(
        "Regression check: which quantities became worse between two sets of runs, corrected for how "
        "many are tested."
    ),
    example="Tests passed fall by 8 points with a corrected p of 0.01: an alarm.",
)
def check_run_sets(
    anchor: RunSet, candidate: RunSet, drifts: Mapping[str, JudgeDrift] | None = None, *, seed: int = 0
) -> RunSetCheck:
    """Which quantities of an agent became worse between two sets of runs. `drifts`: dimension → drift of its judges.

    Improvements are reported, and are never an alarm. A dimension whose judge moved on fixed trajectories is neither;
    nor are dimensions of sets that other panels judged. If the sets have other dataset versions, limits or simulated
    users, nothing is compared. Two personas of one scenario share what is hard about it, so the scenarios are the
    independent observations, not the runs.

    Formula: values are paired by scenario and persona (several runs of a pair are averaged), pairs without one of the
    values are left out. With d the difference of a share, or of the logarithms of an amount (pairs with a 0 are left
    out), effect, interval and test are those of `shift` with scenarios as clusters: an amount has the ratio of
    geometric means. p_worse is the share of sign patterns at least as bad, corrected by Holm's method over all tested
    quantities: formal, five dimensions, cost, time, tokens, tool calls and successful tool calls. A quantity is *worse*
    if it is below 0.05, *better* if p_better is, corrected in the same way. Only what can cause an alarm is in the
    family: the promise is that at most one check in twenty of an unchanged agent has a false alarm, whatever number of
    quantities could have caused it. Single tools, at most the 50 with most calls, are corrected among themselves and
    cause no alarm, because twenty more tests would hide a decline of the others; the share of successful calls of all
    tools is in the family. A quantity is tested from the number n of scenarios with `m · 2⁻ⁿ < 0.05` for the m
    quantities that have a pair: with fewer, not even scenarios that all agree would be significant.

    Guarantee: if nothing changed, all sign patterns of scenarios are equally likely for each quantity, so each p is
    valid whatever the distribution; Holm's method needs no independence of quantities. `benchmarks.nights` measures the
    rate of false alarms, and the power.

    Source: ours. AgentLens, section 3.6 and appendix B, compares a run with an anchor run; its flags (`paper_flags`)
    are not corrected and treat conversations as unpaired or independent. Holm 1979, as in `tie_groups`.

    Units: shares from 0 to 1; amounts in US dollars, seconds, tokens and calls; p is a probability.

    Small n: with eleven quantities eight scenarios are needed. Sixteen, with two personas, show a drop by 30 points in
    37 % of checks for formal verification and in 70 % for a dimension, a drop by 10 points in 0 and 4 %
    (`benchmarks.nights`).
    """
    against = tuple(obstacles(anchor, candidate))
    if against:
        return RunSetCheck(against, (), (), 0, 0, ())
    ours, theirs = anchor.cells(), candidate.cells()
    shared = sorted(ours.keys() & theirs.keys())
    checks = [_measured(quantity, shared, ours, theirs, seed) for quantity in QUANTITIES]
    if anchor.panel != candidate.panel:
        why = f"the panels of judges differ: {anchor.panel or 'none'} and {candidate.panel or 'none'}"
        checks = [_untested(check, why) if check.quantity.judged else check for check in checks]
    checks = [_beside_drift(check, drifts or {}) for check in checks]
    tested, family, needed = _tested(checks)
    of_tools = [Quantity(f"{_TOOL}{tool}", tool, 1, "share") for tool in _tools(ours, theirs)]
    tools = [_measured(quantity, shared, ours, theirs, seed) for quantity in of_tools]
    unpaired = tuple(sorted(ours.keys() ^ theirs.keys()))
    return RunSetCheck((), tested, _tested(tools)[0], family, needed, unpaired)


def _measured(
    quantity: Quantity, shared: Sequence[tuple[str, str]], ours: Cells, theirs: Cells, seed: int
) -> QuantityCheck:
    pairs = []
    for key in shared:
        values = [_value(quantity, cells[key]) for cells in (ours, theirs)]
        if quantity.scale == "amount":
            values = [math.log(value) if value else None for value in values]
        ours_here, theirs_here = values
        if ours_here is not None and theirs_here is not None:
            pairs.append(BeforeAfter(key[0], ours_here, theirs_here))
    moved = shift(pairs, seed=seed)
    above, below = (Estimate(p, moved.change.n) for p in (moved.flips.above, moved.flips.below))
    worse, better = (below, above) if quantity.better > 0 else (above, below)
    before, after, change = (
        estimate.mapped(_exponential) if quantity.scale == "amount" else estimate
        for estimate in (moved.before, moved.after, moved.change)
    )
    return QuantityCheck(
        quantity,
        before,
        after,
        change,
        p_worse=worse,
        p_better=better,
        outcome="no difference shown",
        reason="",
        pairs=moved.pairs,
        missing=len(shared) - moved.pairs,
    )


def _value(quantity: Quantity, runs: Sequence[ScenarioRun]) -> float | None:
    """The mean over the runs that have a value."""
    tool = quantity.name.removeprefix(_TOOL)
    if tool != quantity.name:
        rates = [run.tools[tool] for run in runs if tool in run.tools and run.tools[tool].calls]
        return mean([rate.succeeded / rate.calls for rate in rates])
    return mean([value for run in runs if (value := run.value(quantity.name)) is not None])


_TOOL = "tool "


def _tools(*sets: Cells) -> list[str]:
    """The tools that were called in both sets, sorted; at most those with most calls, since agents invent names."""
    calls = [_calls(cells) for cells in sets]
    shared = set.intersection(*map(set, calls))
    return sorted(sorted(shared, key=lambda tool: (-sum(each[tool] for each in calls), tool))[:MAX_TOOLS])


def _calls(cells: Cells) -> Counter[str]:
    calls: Counter[str] = Counter()
    for run in (run for runs in cells.values() for run in runs):
        calls.update({tool: success.calls for tool, success in run.tools.items()})
    return calls


def _beside_drift(check: QuantityCheck, drifts: Mapping[str, JudgeDrift]) -> QuantityCheck:
    drift = drifts.get(check.quantity.name)
    if drift is None or not check.quantity.judged:
        return check
    check = replace(check, drift=drift.movement)
    if drift.movement != "moved" or check.outcome == "not comparable":
        return check
    moved = drift.change.value or 0.0
    why = f"its judges score fixed trajectories {moved:+.2f} from what they did"
    return replace(_untested(check, why), outcome="judge moved")


def _untested(check: QuantityCheck, reason: str) -> QuantityCheck:
    nothing = Estimate.unknown(reason, check.p_worse.n)
    return replace(check, p_worse=nothing, p_better=nothing, outcome="not comparable", reason=reason)


def _tested(checks: Sequence[QuantityCheck]) -> tuple[tuple[QuantityCheck, ...], int, int]:
    """The checks with corrected p and outcome, how many were tested, and the scenarios needed for that."""
    open_ones = [check for check in checks if check.outcome == "no difference shown"]
    needed = 1
    while sum(check.pairs > 0 for check in open_ones) * 2.0**-needed >= SIGNIFICANCE:
        needed += 1
    enough = [check for check in open_ones if check.effect.n >= needed]
    worse = iter(holm([check.p_worse.value or 0.0 for check in enough]))
    better = iter(holm([check.p_better.value or 0.0 for check in enough]))
    decided = []
    for check in checks:
        if check.outcome != "no difference shown":
            decided.append(check)
        elif check.effect.n >= needed:
            decided.append(_decided(check, next(worse), next(better)))
        else:
            why = f"{check.effect.n} scenarios have values in both sets, and {needed} are needed"
            decided.append(_untested(check, why))
    return tuple(decided), len(enough), needed


def _decided(check: QuantityCheck, worse: float, better: float) -> QuantityCheck:
    outcome: Outcome = "no difference shown"
    if worse < SIGNIFICANCE:
        outcome = "worse"
    elif better < SIGNIFICANCE:
        outcome = "better"
    n = check.effect.n
    return replace(check, p_worse=Estimate(worse, n), p_better=Estimate(better, n), outcome=outcome)


def _exponential(value: float) -> float:
    return math.exp(min(value, 700.0))  # larger exponents overflow
