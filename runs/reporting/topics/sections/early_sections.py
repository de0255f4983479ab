"""Sections of the iterations topic on ending runs early: smaller budgets, and prediction from the first calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runs.analysis.iterations.budgets import RECENT, Cut, IterationBudget, IterationBudgets
from runs.analysis.prediction.early import LOST, EarlyPrediction, EarlyStep
from runs.presentation.charts.axis import linear_axis
from runs.presentation.charts.dots import Dots
from runs.presentation.charts.scatter import Scatter, ScatterPoint
from runs.presentation.formatting.numbers import counted, percent, plain
from runs.reporting.topics.section_parts import Columns, Field, estimate_dot, one_picture, table_of
from runs.reporting.topics.topic_result import ResultSection

_BUDGETS: Columns[IterationBudget] = (
    Field("iterations", "Budget", "count", lambda it: it.iterations),
    Field("longer", "Longer runs", "percent", lambda it: it.longer),
    Field("fixed_lost", "Fixed: successes lost", "percent", lambda it: it.fixed.lost, "iteration-budgets"),
    Field("fixed_saved", "Fixed: iterations saved", "percent", lambda it: it.fixed.saved),
    Field(
        "extended_lost",
        "Extended: successes lost",
        "percent",
        lambda it: it.extended.lost,
        "iteration-budgets",
    ),
    Field("extended_saved", "Extended: iterations saved", "percent", lambda it: it.extended.saved),
)


def budgets_section(found: IterationBudgets) -> ResultSection:
    """What smaller budgets of iterations would lose and save."""
    points = [point for budget in found.budgets for point in _points(budget)]
    return ResultSection(
        "budgets",
        "What if runs had fewer iterations",
        "A simulation on finished runs. A fixed budget stops every longer run. An extended one lets a longer run go on "
        f"if one of the last {RECENT} iterations before the budget changed the workspace. An agent that knows its "
        "budget may act differently.",
        ("iteration-budgets",),
        one_picture(
            "budgets-chart",
            "Iterations saved and successes lost by each budget, fixed (filled) and extended (hollow).",
            Scatter(
                tuple(points),
                linear_axis("iterations saved", [point.x for point in points], _percents),
                linear_axis("successes lost", [point.y for point in points], _percents),
            )
            if points
            else None,
        ),
        table_of("budgets", "Budgets of iterations", _BUDGETS, found.budgets),
        "No run is known to take more than ten iterations.",
    )


def _points(budget: IterationBudget) -> Iterator[ScatterPoint]:
    for name, cut in (("fixed", budget.fixed), ("extended", budget.extended)):
        if cut.saved.value is not None and cut.lost.value is not None:
            yield ScatterPoint(
                f"{budget.iterations}, {name}",
                cut.saved.value,
                cut.lost.value,
                hollow=name == "extended",
                hover=(_hover(cut),),
            )


def _hover(cut: Cut) -> str:
    return f"{percent(cut.saved.value)} of iterations saved, {percent(cut.lost.value)} of successes lost"


_STEPS: Columns[EarlyStep] = (
    Field("calls", "After calls", "count", lambda it: it.step),
    Field("runs", "Runs that go on", "count", lambda it: it.runs),
    Field("base_rate", "Resolved", "percent", lambda it: it.base_rate),
    Field("roc_auc", "ROC AUC", "number", lambda it: it.roc_auc, "early-prediction"),
    Field("stopped", "Stopped", "percent", lambda it: it.stopped),
    Field("lost", "Successes lost", "percent", lambda it: it.lost),
    Field("saved", "Calls saved", "percent", lambda it: it.saved),
)


def early_section(found: EarlyPrediction) -> ResultSection:
    """How well the first calls of a run predict its outcome."""
    known = [one for one in found.steps if one.roc_auc.value is not None]
    return ResultSection(
        "early",
        "Can the first calls predict the outcome",
        "Predictions of success from the kinds and results of the first calls, on tasks that were not used for "
        f"fitting ({counted(found.tasks, 'task')}). An ROC AUC of 0.5 is chance. The last columns simulate stopping "
        f"the runs with the lowest predictions, so that at most {percent(LOST, 0)} of the successes of other tasks are "
        "lost.",
        ("early-prediction", "prefix-features", "opening"),
        one_picture(
            "early-chart",
            "ROC AUC of predictions after the first calls, on held-out tasks; the dashed line is chance.",
            _auc(known) if known else None,
        ),
        table_of("early", "Prediction after the first calls", _STEPS, found.steps),
        "No trajectory with more than five calls was counted.",
    )


def _auc(known: Sequence[EarlyStep]) -> Dots:
    return Dots(
        tuple(estimate_dot(f"after {one.step} calls", one.roc_auc, share=False, digits=2) for one in known),
        linear_axis("ROC AUC", [1.0], plain),
        reference=0.5,
    )


def _percents(value: float) -> str:
    return percent(value, 0)
