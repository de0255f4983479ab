"""The page that publishes an evaluation or takes it off the leaderboard, after showing what would change."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render

from runs.data.queries import parameters
from runs.data.queries.visibility import visible, visible_evaluations
from runs.models import Evaluation, Run
from runs.operations.evaluations.lifecycle import lacks_consent, set_listed
from runs.rankings.leaderboard.publish_preview import preview
from runs.views.operator_pages.operators_only import operators_only
from runs.work.execution.publishing import after_publishing

YES, NO = "yes", "no"


@operators_only
def publish(request: HttpRequest, pk: int) -> HttpResponse:
    """GET shows how the leaderboard would change; POST with `publish` yes or no changes it."""
    found = get_object_or_404(visible_evaluations(request.user), pk=pk)
    if request.method == "POST":
        chosen = parameters.choice(request.POST, "publish", (YES, NO))
        if not chosen:
            raise parameters.BadParameter("publish", "", f"{YES} or {NO}")
        if chosen == YES and lacks_consent(found):
            messages.error(request, f"{found}: not published, because the person does not agree to it.")
            return HttpResponseRedirect(found.get_absolute_url())
        with transaction.atomic():
            set_listed(found, chosen == YES)
            if found.listed:
                after_publishing(found)
        messages.success(request, f"{found}: {_result(found)}.")
        return HttpResponseRedirect(found.get_absolute_url())
    published = found.listed or found.publish_when_finished
    runs = visible(found.runs.all(), request.user)
    context = {
        "section": "evaluations",
        "evaluation": found,
        "published": published,
        "waits": found.state == Evaluation.State.RUNNING and not found.listed,
        "previews": preview(found, listed=not found.listed),
        "total": runs.count(),
        "finished": runs.filter(state=Run.State.FINISHED).count(),
        "lacks_consent": lacks_consent(found),
        "answer": NO if published else YES,
    }
    return render(request, "runs/evaluations/publish.html", context)


def _result(evaluation: Evaluation) -> str:
    if evaluation.listed:
        return "its runs count on the leaderboard"
    if evaluation.publish_when_finished:
        return "its runs will count on the leaderboard when it finishes"
    return "a trial, whose runs do not count on the leaderboard"
