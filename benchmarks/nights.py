"""False alarms and power of the check for regressions, on simulated nights.

    python -m benchmarks.nights [--nights 2000] [--seed 0]

Each night compares an anchor set of runs with a candidate set: 16 scenarios with two personas, 32 pairs
(`benchmarks.simulated_nights`). In an A/A night the agent is the same, so every alarm is false. It prints the share of
A/A nights with an alert or a warning by the paper's rules, and with an alarm by ours; the coverage of the intervals of
effects; the power: the share of nights with an alarm about a quantity that declined by 10, 20 and 30 points; and the
same if not the agent but the judge changed.

Promised: at most 5 % of A/A nights have one of our alarms, a share above that being measured again with ten times the
nights; 93 to 97 % of the intervals cover no change. Exits with 1 if a promise is broken.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchmarks.attainable import MAX_COVERAGE, MIN_COVERAGE
from benchmarks.command_line import benchmark_parser, conclude, mark, verdict
from benchmarks.simulated_nights import PERSONAS, night, paper_flags_of
from runs.analysis.judging.judge_drift import RejudgedRun, judge_drift
from runs.analysis.regression.run_set_check import check_run_sets

SCENARIOS = 16
MORE_SCENARIOS = 32
PROMISED = 0.05
AGAIN = 10
DROPS = (0.1, 0.2, 0.3)
PLANTED = ("formal", "end_result")
FIXED = 32  # trajectories that are judged again
_PARTS = ("inference", "formal", "tools", "termination", "dimensions")


@dataclass(frozen=True, slots=True)
class EqualNights:
    """A/A nights: shares with an alert, a warning by the paper's rules, by part; with our alarms and improvements.

    `covered`: quantity → the share of intervals that contain "no change".
    """

    alerts: Mapping[str, float]
    warnings: Mapping[str, float]
    alarms: float
    improvements: float
    covered: Mapping[str, float]


def main() -> int:
    """Prints the tables; 1 when a promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--nights", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = equal_nights(options.nights, options.seed)
    met = _print_equal(found, options.nights, options.seed)
    for scenarios in (SCENARIOS, MORE_SCENARIOS):
        _print_power(scenarios, max(1, options.nights // 4), options.seed)
    _print_drift(max(1, options.nights // 4), options.seed)
    return conclude(met)


def equal_nights(nights: int, seed: int, scenarios: int = SCENARIOS) -> EqualNights:
    """Nights on which nothing changed."""
    generator = np.random.default_rng(seed)
    alerts: Counter[str] = Counter()
    warnings: Counter[str] = Counter()
    held: Counter[str] = Counter()
    alarms = improvements = 0
    for _ in range(nights):
        one = night(generator, scenarios)
        flags = paper_flags_of(one)
        raised = {
            part: [any(flag.alert for flag in rows), any(flag.warning for flag in rows)]
            for part, rows in flags.items()
        }
        alarmed = raised.pop("dimensions, alarmed judge")
        quiet = [any(raised[part][level] for part in _PARTS) for level in (0, 1)]
        raised["any row"] = quiet
        raised["any row, alarmed judge"] = [quiet[0] or alarmed[0], True]
        alerts.update(part for part, levels in raised.items() if levels[0])
        warnings.update(part for part, levels in raised.items() if levels[1])
        check = check_run_sets(one.anchor.as_run_set("anchor"), one.candidate.as_run_set("candidate"))
        alarms += bool(check.alarms)
        improvements += any(each.outcome == "better" for each in check.checks)
        for each in check.checks:
            ends, nothing = each.effect.interval, float(each.quantity.scale == "amount")
            held[each.quantity.name] += ends is not None and ends.low <= nothing <= ends.high
    shares = [{part: count / nights for part, count in counts.items()} for counts in (alerts, warnings, held)]
    return EqualNights(shares[0], shares[1], alarms / nights, improvements / nights, shares[2])


def power(quantity: str, points: float, scenarios: int, nights: int, seed: int) -> float:
    """The share of nights with an alarm about a quantity that declined by so many points, 0 to 1."""
    generator = np.random.default_rng(seed)
    found = 0
    for _ in range(nights):
        one = night(generator, scenarios, {quantity: points})
        check = check_run_sets(one.anchor.as_run_set("anchor"), one.candidate.as_run_set("candidate"))
        found += any(each.quantity.name == quantity for each in check.alarms)
    return found / nights


def drifted_nights(points: float, nights: int, seed: int) -> tuple[float, float]:
    """The share of nights with an alarm about a dimension whose judge became stricter, without and with the check of
    fixed trajectories.
    """
    generator = np.random.default_rng(seed)
    blind = seeing = 0
    for _ in range(nights):
        one = night(generator, SCENARIOS, {"end_result": points})
        fixed = night(generator, FIXED, {"end_result": points})
        scores = [each.shares["end_result"][:, 0] for each in (fixed.anchor, fixed.candidate)]
        rejudged = [
            RejudgedRun("panel", "end_result", str(number), str(number), float(before), float(after))
            for number, (before, after) in enumerate(zip(*scores, strict=True))
        ]
        sets = one.anchor.as_run_set("anchor"), one.candidate.as_run_set("candidate")
        drifts = {drift.dimension: drift for drift in judge_drift(rejudged)}
        for known in ({}, drifts):
            check = check_run_sets(*sets, known)
            alarmed = any(each.quantity.name == "end_result" for each in check.alarms)
            blind += alarmed and not known
            seeing += alarmed and bool(known)
    return blind / nights, seeing / nights


def _print_equal(found: EqualNights, nights: int, seed: int) -> bool:
    pairs = SCENARIOS * len(PERSONAS)
    print(f"{nights:,} A/A nights, {SCENARIOS} scenarios × {len(PERSONAS)} personas = {pairs} pairs")
    print(f"\n{'the paper’s rules, % of nights':<34}{'alert':>8}{'warning':>9}")
    for part in (*_PARTS, "any row", "any row, alarmed judge"):
        print(f"{part:<34}{100 * found.alerts.get(part, 0):>8.1f}{100 * found.warnings.get(part, 0):>9.1f}")
    alarms = found.alarms
    if alarms > PROMISED:
        alarms = equal_nights(AGAIN * nights, seed + 1).alarms
    good = alarms <= PROMISED
    print(f"\nour check, % of nights: an alarm {100 * alarms:.1f}, promised {PROMISED:.0%}: {verdict(good)}")
    print(f"{'':<24}an improvement {100 * found.improvements:.1f}")
    print("\nintervals of effects that cover no change, in %")
    for quantity, share in found.covered.items():
        fits = MIN_COVERAGE <= share <= MAX_COVERAGE
        print(f"{quantity:<24}{100 * share:>6.1f}{mark(fits)}")
        good = good and fits
    return good


def _print_power(scenarios: int, nights: int, seed: int) -> None:
    print(
        f"\npower, % of {nights:,} nights with an alarm about it; n = {scenarios} scenarios, "
        f"{scenarios * len(PERSONAS)} pairs"
    )
    print(f"{'drop in points':<24}" + "".join(f"{100 * drop:>6.0f}" for drop in DROPS))
    for quantity in PLANTED:
        shares = [
            power(quantity, drop, scenarios, nights, seed + number) for number, drop in enumerate(DROPS)
        ]
        print(f"{quantity:<24}" + "".join(f"{100 * share:>6.1f}" for share in shares))


def _print_drift(nights: int, seed: int) -> None:
    print(f"\nthe judge became stricter, % of {nights:,} nights with an alarm about end_result")
    print(f"{'points':<8}{'without':>9}{'with':>8}   {FIXED} fixed trajectories judged again")
    for drop in DROPS:
        blind, seeing = drifted_nights(drop, nights, seed)
        print(f"{100 * drop:<8.0f}{100 * blind:>9.1f}{100 * seeing:>8.1f}")


if __name__ == "__main__":
    sys.exit(main())
