"""Whether larger tasks are resolved less often."""

from __future__ import annotations

from runs.formatting.markdown_text import text
from runs.formatting.numbers import decimal
from runs.reports.found import SUCCESS, SuccessCurve, SuccessModels
from runs.reports.pen import Pen, Section
from runs.reports.report_tables import Table
from runs.reports.words import number, percent


def difficulty(pen: Pen) -> Section:
    """Success by the size of the reference patch. Only where reference patches could be read."""
    found = pen.material.found
    models, curves = found.success_models or (), found.success_curves or ()
    # The curve of the measure that tells most; of equals the first by name.
    told = {one.joint.coefficients[0].name: one.joint.mcfadden.value or 0.0 for one in models}
    best = max(curves, key=lambda curve: told.get(curve.measure, 0.0), default=None)
    return Section(
        "Difficulty",
        "Whether tasks that take larger changes are resolved less often, by measures of their reference patches; "
        "another solution may be smaller. The odds ratio is that of one standard deviation more: below 1, success "
        "falls with the measure. Each measure is looked at alone, over all agents, with errors clustered by task; the "
        "measures say much the same, so five of them are no five findings.",
        [_models(pen, models), _curve(best) if best else ""],
        ("patch-measures", "success-models", "success-curve", "difficulty-correlations"),
    )


def _models(pen: Pen, models: tuple[SuccessModels, ...]) -> str:
    correlations = pen.material.found.difficulty_correlations
    table = Table(
        "measure",
        "mean of tasks ± deviation",
        "odds ratio of +1 deviation",
        "p",
        "McFadden's R²",
        "rank correlation with success",
        of="measures",
        where="difficulty.success_models",
    )
    for one in models:
        (only,) = one.joint.coefficients
        assert correlations is not None, "models and correlations come together"
        table.row(
            text(only.name),
            f"{decimal(only.mean, 1)} ± {decimal(only.deviation, 1)}",
            number(only.odds_ratio),
            number(only.p, 3),
            number(one.joint.mcfadden, 3),
            number(correlations.of(only.name, SUCCESS)),
        )
    return table.markdown("No reference patch could be read.")


def _curve(curve: SuccessCurve) -> str:
    table = Table(text(curve.measure), "runs", "resolved", of="groups", where="difficulty.success_curves")
    for one in curve.bins:
        span = decimal(one.low, 0) if one.low == one.high else f"{decimal(one.low, 0)}–{decimal(one.high, 0)}"
        table.row(span, f"{one.runs:,}", percent(one.rate))
    return f"### Success by {text(curve.measure)}\n\n{table.markdown()}"
