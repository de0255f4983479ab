"""Pages to cancel an evaluation or to retry its failed runs. For operators."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render

from runs.data.queries.visibility import visible, visible_evaluations
from runs.models import Run
from runs.operations.evaluations.lifecycle import cancel_evaluation, retry_infrastructure_failures
from runs.views.operator_pages.operators_only import operators_only


@operators_only
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """GET explains the cancellation; POST performs it."""
    found = get_object_or_404(visible_evaluations(request.user), pk=pk)
    if request.method == "POST":
        count = cancel_evaluation(found)
        what = "1 open run is" if count == 1 else f"{count} open runs are"
        messages.success(request, f"{found}: {what} cancelled or will stop soon.")
        return HttpResponseRedirect(found.get_absolute_url())
    runs = visible(found.runs.all(), request.user)
    context = {
        "section": "evaluations",
        "evaluation": found,
        "queued": runs.filter(state=Run.State.QUEUED).count(),
        "active": runs.filter(state__in=Run.ACTIVE).count(),
        "finished": runs.filter(state=Run.State.FINISHED).count(),
    }
    return render(request, "runs/evaluations/cancel.html", context)


@operators_only
def retry(request: HttpRequest, pk: int) -> HttpResponse:
    """GET explains the retry; POST performs it."""
    found = get_object_or_404(visible_evaluations(request.user), pk=pk)
    if request.method == "POST":
        count = retry_infrastructure_failures(found)
        what = "1 run is" if count == 1 else f"{count} runs are"
        messages.success(request, f"{found}: {what} tried again.")
        return HttpResponseRedirect(found.get_absolute_url())
    runs = visible(found.runs.all(), request.user)
    lost = runs.filter(state=Run.State.FINISHED, outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    failed = 0 if found.is_played else lost.count()
    context = {"section": "evaluations", "evaluation": found, "failed": failed}
    return render(request, "runs/evaluations/retry.html", context)
