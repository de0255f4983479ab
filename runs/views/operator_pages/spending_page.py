"""What was spent on language models: a chart by day, and a table by model, of this month and the last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format

from runs.models import LanguageModel
from runs.operations.monitoring.model_spending import JUDGES, RUNS, TASKS, SiteSpending, spending
from runs.presentation.charts.axis import linear_axis
from runs.presentation.charts.time_columns import MAX_PARTS, TimeColumn, TimeColumns
from runs.presentation.formatting.numbers import plain
from runs.views.operator_pages.operators_only import operators_only


@dataclass(frozen=True, slots=True)
class SpendingRow:
    """One model in US dollars. None: nothing is known but that its calls have unknown costs."""

    model: LanguageModel
    today: float | None
    this_month: float | None
    last_month: float | None
    runs: float | None
    judges: float | None
    tasks: float | None
    unknown: int
    doubtful: float
    unknown_uses: Sequence[str]


@operators_only
def spending_page(request: HttpRequest) -> HttpResponse:
    """The page."""
    found = spending(request.user, timezone.now())
    context = {
        "section": "operate",
        "here": "spending",
        "spending": found,
        "rows": _rows(found),
        "days": [(day, _of_day(found, day)) for day in reversed(found.days) if _of_day(found, day)],
        "chart": spending_chart(found),
    }
    return render(request, "runs/operate/spending.html", context)


def spending_chart(found: SiteSpending) -> TimeColumns | None:
    """A column for each day, with a part for each of the most expensive models; None without known dollars."""
    priced = [one for one in found.models if any(one.days.values())]
    if not priced:
        return None
    most = priced if len(priced) <= MAX_PARTS else priced[: MAX_PARTS - 1]
    rest = priced[len(most) :]
    columns = [
        TimeColumn(
            date_format(day, "j M"),
            (
                *(one.days.get(day, 0.0) for one in most),
                *((sum(one.days.get(day, 0.0) for one in rest),) if rest else ()),
            ),
        )
        for day in found.days
    ]
    names = (*(one.model.name for one in most), *((f"{len(rest)} others",) if rest else ()))
    axis = linear_axis(
        "US$ a day", [sum(column.parts) for column in columns], lambda value: f"${plain(value)}"
    )
    return TimeColumns(tuple(columns), axis, names, "day, UTC")


def _rows(found: SiteSpending) -> Sequence[SpendingRow]:
    """The models, those first that cost most."""
    end = found.month - timedelta(days=1)
    return [
        SpendingRow(
            one.model,
            one.between(found.today, found.today),
            one.between(found.month, found.today),
            one.between(found.last_month, end),
            one.used(RUNS),
            one.used(JUDGES),
            one.used(TASKS),
            one.unknown,
            one.doubtful,
            sorted(one.unknown_uses),
        )
        for one in found.models
    ]


def _of_day(found: SiteSpending, day: date) -> list[tuple[LanguageModel, float]]:
    """What each model cost on that day, of those that cost something."""
    return [(one.model, one.days[day]) for one in found.models if one.days.get(day)]
