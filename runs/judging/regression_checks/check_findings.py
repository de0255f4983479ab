"""A comparison in the form that the database stores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from runs.analysis.judging.judge_drift import JudgeDrift
from runs.analysis.regression.run_set_check import QuantityCheck
from runs.judging.regression_checks.comparing_sets import SetComparison, shown
from runs.judging.regression_checks.paper_dimensions import PaperDimension
from runs.models import RegressionFinding

# In the order in which a reader needs them.
OUTCOMES = ("worse", "judge moved", "better", "no difference shown", "not comparable")


def findings_of(found: SetComparison) -> list[RegressionFinding]:
    """A row for each quantity, what became worse first; then the tools, which cause no alarm. Not stored yet."""
    ordered = sorted(found.check.checks, key=lambda one: OUTCOMES.index(one.outcome))
    tools = sorted(found.check.tools, key=lambda one: OUTCOMES.index(one.outcome))
    return [_finding(one, found, alarm=True) for one in ordered] + [
        _finding(one, found, alarm=False) for one in tools
    ]


def _finding(one: QuantityCheck, found: SetComparison, *, alarm: bool) -> RegressionFinding:
    effect, low, high = shown(one.effect)
    return RegressionFinding(
        quantity=one.quantity.name[:120],
        title=one.quantity.title[:120],
        scale=one.quantity.scale,
        causes_alarm=alarm,
        outcome=one.outcome,
        reason=one.reason,
        anchor_value=one.anchor.value,
        candidate_value=one.candidate.value,
        effect=effect,
        low=low,
        high=high,
        p_worse=one.p_worse.value,
        p_better=one.p_better.value,
        scenarios=one.effect.n,
        pairs=one.pairs,
        missing=one.missing,
        drift=one.drift or "",
        evidence=[
            {
                "run": pair.candidate.pk,
                "value": pair.after,
                "anchor_run": pair.anchor.pk,
                "anchor_value": pair.before,
            }
            for pair in found.evidence.get(one.quantity.name, ())
        ],
    )


def result_of(
    found: SetComparison, drifts: Mapping[str, JudgeDrift], dimensions: Sequence[PaperDimension] = ()
) -> dict[str, Any]:
    """What belongs to no single quantity: counts, drift of the judges, and the paper's flags."""
    return {
        "obstacles": list(found.check.obstacles),
        "tested": found.check.family,
        "scenarios_needed": found.check.scenarios_needed,
        "unpaired": [" ".join(filter(None, pair)) for pair in found.check.unpaired],
        "drift": [
            {
                "dimension": name,
                "change": drift.change.value,
                "same": drift.same.value,
                "scenarios": drift.change.n,
                "p": drift.p.value,
                "movement": drift.movement,
            }
            for name, drift in drifts.items()
        ],
        "paper": [
            {
                "title": row.title[:120],
                "anchor": row.first,
                "candidate": row.second,
                "p": row.p,
                "warning": row.flags.warning,
                "alert": row.flags.alert,
            }
            for row in found.paper
        ],
        "paper_dimensions": [asdict(row) for row in dimensions],
    }
