"""The operator's home: what runs, what needs attention, what was spent, and what to do next."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.vary import vary_on_headers

from runs.data.queries.visibility import is_operator, visible
from runs.models import Evaluation, Run
from runs.operations.monitoring.live_workers import worker_status
from runs.operations.monitoring.model_spending import spending
from runs.views.operator_pages.attention import concerns
from runs.views.operator_pages.operators_only import staff_only
from runs.views.operator_pages.spending_page import spending_chart
from runs.work.progress.evaluation_list import evaluation_rows, evaluations_in

MAX_RUNNING = 8
LATEST = 3
EVERY_SECONDS = 10


@staff_only
@vary_on_headers("X-Partial")
def operate(request: HttpRequest) -> HttpResponse:
    """The home of staff; with an X-Partial header, only what changes. Spending and concerns are for operators."""
    reader, operator = request.user, is_operator(request.user)
    running = evaluations_in(Evaluation.State.RUNNING, reader)
    active = list(running[:MAX_RUNNING])
    by_people = visible(Run.objects.filter(evaluation=OuterRef("pk"), play__isnull=False), reader)
    own = evaluations_in("", reader).filter(origin="").annotate(by_a_person=Exists(by_people))
    ended = list(
        own.exclude(state=Evaluation.State.RUNNING).order_by(F("finished_at").desc(nulls_last=True), "-pk")[
            :LATEST
        ]
    )
    found = evaluation_rows([*active, *ended], reader)
    rows = found[: len(active)]
    spent = spending(reader, timezone.now()) if operator else None
    context = {
        "section": "operate",
        "here": "home",
        "operator": operator,
        "rows": rows,
        "ended": found[len(active) :],
        "running": len(active),
        "more": max(0, running.count() - MAX_RUNNING) if active else 0,
        "done": sum(row.tally.done for row in rows),
        "total": sum(row.tally.total for row in rows),
        "concerns": concerns(reader) if operator else (),
        "spending": spent,
        "chart": spending_chart(spent) if spent else None,
        "workers": worker_status() if operator else None,
        "every": EVERY_SECONDS,
    }
    partial = request.headers.get("X-Partial")
    return render(request, "runs/operate/_home.html" if partial else "runs/operate/home.html", context)
