"""The pages on which people rate runs, and how far they agree."""

from __future__ import annotations

import logging
from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from harness.errors import DiskFull
from harness.judges.dimensions import dimensions
from harness.judges.rendering import Rendered
from runs.data.queries.blind_sessions import refuse_while_playing
from runs.data.queries.parameters import BadParameter
from runs.data.queries.visibility import visible
from runs.judging.raters.agreement_context import agreement_context
from runs.judging.raters.next_rating import next_rating, text_of
from runs.judging.raters.rater_names import is_own
from runs.judging.raters.rating_form import Opened, RatingForm
from runs.judging.raters.saving_ratings import save_rating
from runs.judging.raters.shown_transcript import shown_steps
from runs.judging.reviews.judging_passes import judged_runs
from runs.judging.reviews.run_reviews import reviews_of
from runs.models import Rating, Run
from runs.views.operator_pages.operators_only import raters_only

_log = logging.getLogger(__name__)


@raters_only
def rate(request: HttpRequest) -> HttpResponse:
    """GET: the next run with the form. POST: saves the rating and shows it, or returns the form with what is wrong."""
    if request.method == "POST":
        return _save(request)
    user = cast(User, request.user)
    found = next_rating(user)
    if found is None:
        return render(request, "runs/rating/nothing.html", {"rated": _own(request).exists()})
    opened = Opened.now(request.session, found.run, found.round)
    return _page(request, RatingForm(found.rendered, initial={"opened": opened}), found.rendered)


@raters_only
def rated(request: HttpRequest, pk: int) -> HttpResponse:
    """One's own ratings of a run beside the judges' reviews. 404 before the rating is saved."""
    run = get_object_or_404(visible(Run.objects.select_related("agent", "task"), request.user), pk=pk)
    refuse_while_playing(request.user, [run])
    own = list(_own(request).filter(run=run).order_by("round", "pk"))
    if not own:
        raise Http404("You have not rated this run.")
    context = {
        "section": "rate",
        "run": run,
        "own": own,
        "titles": {name: each.title for name, each in dimensions().items()},
        "rounds": sorted({rating.round for rating in own}),
        "reviews": reviews_of(run),
    }
    return render(request, "runs/rating/rated.html", context)


def _save(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    opened = Opened.named(request.session, request.POST.get("opened", ""))
    if opened is None:
        raise BadParameter("opened", "", "the value in a form that this site sent to you since you signed in")
    run = judged_runs(visible(Run.objects.all(), user)).filter(pk=opened.run, tries=opened.run_try).first()
    refuse_while_playing(user, [run] if run else [])
    rendered = text_of(run) if run else None
    if run is None or rendered is None:
        messages.error(
            request,
            "Your rating is not saved: the run has changed since you opened it, or cannot be rated any more.",
        )
        return redirect("rate")
    form = RatingForm(rendered, request.POST)
    if not form.is_valid():
        return _page(request, form, rendered)
    try:
        saved = save_rating(
            user, run, opened.round, form.dimensions(), rendered=rendered, seconds=opened.seconds
        )
    except (DiskFull, OSError):
        _log.exception("the rating of run %s could not be written", run.pk)
        form.add_error(None, "The site cannot write files now. Ask its operator, then press Save again.")
        return _page(request, form, rendered)
    if saved:
        messages.success(request, "Your rating is saved.")
    else:
        messages.warning(request, "You had saved this rating already; the first one counts.")
    return HttpResponseRedirect(reverse("rated", args=[run.pk]))


def _own(request: HttpRequest) -> QuerySet[Rating]:
    return visible(Rating.objects.filter(is_own(cast(User, request.user))), request.user)


def _page(request: HttpRequest, form: RatingForm, rendered: Rendered) -> HttpResponse:
    context = {
        "section": "rate",
        "form": form,
        "steps": shown_steps(rendered),
        "shown_share": rendered.shown_share,
        "last_step": rendered.last_step,
    }
    return render(request, "runs/rating/rate.html", context)


@raters_only
def rate_agreement(request: HttpRequest) -> HttpResponse:
    """The tables of agreement, for people who rate."""
    return render(
        request, "runs/rating/agreement.html", {"section": "rate", **agreement_context(request.user)}
    )
