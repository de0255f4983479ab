"""The page that has the runs of an evaluation judged. For operators."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render

from runs.data.queries.visibility import visible, visible_evaluations
from runs.jobs import queue
from runs.judging.reviews.judge_form import JudgeForm
from runs.judging.reviews.judging_passes import PassRefused, judged_runs, start_pass
from runs.judging.reviews.pass_estimate import PassEstimate, estimate_pass
from runs.models import Evaluation, Run
from runs.operations.evaluations.lifecycle import new_mark
from runs.views.operator_pages.operators_only import operators_only


@operators_only
def start_judging(request: HttpRequest, pk: int) -> HttpResponse:
    """GET: the form with an estimate. POST estimates again, or starts with `start`; a start redirects to the pass.

    If it is refused, the response is the submitted form with status 409.
    """
    found = get_object_or_404(visible_evaluations(request.user), pk=pk)
    runs = list(judged_runs(visible(found.runs.all(), request.user)).order_by("pk"))
    if request.method != "POST":
        form = JudgeForm(initial={"title": f"Reviews of {found.title}"[:200], "mark": new_mark()})
        return _page(request, found, runs, form)
    form = JudgeForm(request.POST)
    if not form.is_valid() or "start" not in request.POST:
        return _page(request, found, runs, form)
    try:
        started = start_pass(
            title=form.cleaned_data["title"],
            panel=form.cleaned_data["panel"],
            runs=runs,
            budget_usd=form.cleaned_data["budget_usd"],
            evaluation=found,
            user=request.user,
            mark=form.cleaned_data["mark"],
        )
    except PassRefused as refused:
        return _page(request, found, runs, form, refused=str(refused), status=409)
    count = visible(started.reviews.all(), request.user).count()
    messages.success(request, f"{started} is started: {count} reviews.")
    if trouble := queue.problem():
        messages.warning(request, trouble)
    return HttpResponseRedirect(started.get_absolute_url())


def _page(
    request: HttpRequest,
    found: Evaluation,
    runs: list[Run],
    form: JudgeForm,
    *,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "section": "evaluations",
        "evaluation": found,
        "back": found.get_absolute_url(),
        "back_to": "the evaluation",
        "form": form,
        "runs": len(runs),
        "panels": form.panels().exists(),
        "estimate": _estimate(form, runs),
        "refused": refused,
    }
    return render(request, "runs/judging/start.html", context, status=status)


def _estimate(form: JudgeForm, runs: list[Run]) -> PassEstimate | None:
    """The estimate for the chosen panel, or for the newest one."""
    panel = form.cleaned_data.get("panel") if form.is_bound and form.is_valid() else None
    panel = panel or form.panels().first()
    return estimate_pass(panel, runs) if panel and runs else None
