"""Cancelling and retrying: a page that says what will happen, and the button that does it. For operators."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from runs.evaluations.lifecycle import cancel_evaluation, retry_infrastructure_failures
from runs.models import Evaluation, Run
from runs.queries.visibility import is_operator

View = Callable[..., HttpResponse]


def for_operators(view: View) -> View:
    """Sends strangers to sign in, and turns away who may not start evaluations."""

    @wraps(view)
    def guarded(request: HttpRequest, *arguments: object, **names: object) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not is_operator(request.user):
            raise PermissionDenied
        return view(request, *arguments, **names)

    return never_cache(require_http_methods(["GET", "HEAD", "POST"])(guarded))


@for_operators
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """GET says what a cancellation does; POST does it."""
    found = get_object_or_404(Evaluation, pk=pk)
    if request.method == "POST":
        count = cancel_evaluation(found)
        runs = "1 open run is" if count == 1 else f"{count} open runs are"
        messages.success(request, f"{found}: {runs} cancelled or asked to stop.")
        return HttpResponseRedirect(found.get_absolute_url())
    active = found.runs.filter(state__in=Run.ACTIVE).count()
    context = {
        "section": "evaluations",
        "evaluation": found,
        "queued": found.runs.filter(state=Run.State.QUEUED).count(),
        "active": active,
        "finished": found.runs.filter(state=Run.State.FINISHED).count(),
    }
    return render(request, "runs/evaluations/cancel.html", context)


@for_operators
def retry(request: HttpRequest, pk: int) -> HttpResponse:
    """GET says what a retry does; POST does it."""
    found = get_object_or_404(Evaluation, pk=pk)
    if request.method == "POST":
        count = retry_infrastructure_failures(found)
        runs = "1 run is" if count == 1 else f"{count} runs are"
        messages.success(request, f"{found}: {runs} tried again.")
        return HttpResponseRedirect(found.get_absolute_url())
    failed = found.runs.filter(state=Run.State.FINISHED, outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    context = {"section": "evaluations", "evaluation": found, "failed": failed.count()}
    return render(request, "runs/evaluations/retry.html", context)
