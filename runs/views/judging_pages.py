"""Pages for operators on judges: their panels, a pass of reviews, and the form that starts one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from harness.judges.dimensions import dimensions
from harness.judges.faults.catalogue import decoys, faults
from runs.data.cache.digests import text_digest
from runs.data.queries import parameters
from runs.data.queries.filters import agents_by_id
from runs.data.queries.visibility import is_operator, visible, visible_evaluations
from runs.jobs import queue
from runs.judging.reviews.comparison_pairs import RunPair
from runs.judging.reviews.fault_runs import FaultRunsRefused, fault_evaluation, load_fault_runs
from runs.judging.reviews.judge_form import JudgeForm
from runs.judging.reviews.judge_reliability import judge_reliability
from runs.judging.reviews.judging_passes import (
    PassRefused,
    cancel_pass,
    judged_runs,
    retry_failed,
    start_pass,
)
from runs.judging.reviews.measured_reviews import reviews_version
from runs.judging.reviews.pass_estimate import estimate_pass
from runs.judging.reviews.pass_progress import WITHOUT_SCORE, pass_progress
from runs.models import Agent, Evaluation, JudgeReview, JudgingPass, Run, RunComparison
from runs.models.open_rows import with_fault_catalogue
from runs.operations.evaluations.lifecycle import new_mark
from runs.views.operator_pages.operators_only import operators_only

PAGE = 50
EVERY_SECONDS = 3


@require_safe
def judges(request: HttpRequest) -> HttpResponse:
    """Every judge with a review: the verdict, the meters, and the cases in which it was wrong. The same for all."""
    injected = sum(one.injected for one in decoys())
    context = {
        "section": "insights",
        "found": judge_reliability(),
        "titles": {name: each.title for name, each in dimensions().items()},
        "replays": _replays(),
        "operator": is_operator(request.user),
        "catalogue": fault_evaluation(),
        "faults": len(faults()),
        "decoys": len(decoys()) - injected,
        "injections": injected,
    }
    return render(request, "runs/judging/judges.html", context)


def judges_version() -> str:
    """Changes with everything that the page shows."""
    return text_digest(reviews_version(), repr(_replays()))


@require_POST
@operators_only
def load_faults(request: HttpRequest) -> HttpResponse:
    """Loads the runs of the fault catalogue; then the page of judges. For operators."""
    try:
        loaded = load_fault_runs()
    except FaultRunsRefused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"The fault catalogue is loaded: {loaded.new} runs are new.")
    return HttpResponseRedirect(reverse("judges"))


def _replays() -> dict[str, str]:
    """The replays of the catalogue's runs by their keys."""
    catalogue = fault_evaluation()
    if catalogue is None:
        return {}
    runs = with_fault_catalogue(Run.objects.filter(evaluation=catalogue)).only("pk", "key")
    return {run.key: run.get_absolute_url() for run in runs.order_by("pk")}


@require_http_methods(["GET", "HEAD", "POST"])
@vary_on_headers("X-Partial")
def judging_pass(request: HttpRequest, pk: int) -> HttpResponse:
    """One pass; with an X-Partial header, only the part that changes. POST with `act` cancel or retry: operators."""
    found = get_object_or_404(
        visible(JudgingPass.objects.select_related("panel", "evaluation"), request.user), pk=pk
    )
    if request.method == "POST":
        return _change(request, found)
    state = parameters.choice(request.GET, "state", JudgeReview.State.values)
    dimension = parameters.choice(request.GET, "dimension", found.panel.dimensions)
    reviews = visible(found.reviews.all(), request.user)
    if state:
        reviews = reviews.filter(state=state)
    if dimension:
        reviews = reviews.filter(dimension=dimension)
    # Numbers alone: to sort 30,000 rows with the names of their runs and judges takes seconds.
    numbers = reviews.order_by("pk").values_list("pk", flat=True)
    page = parameters.page_of(request, numbers, PAGE)
    comparisons = visible(found.comparisons.all(), request.user)
    unscored = comparisons.filter(state__in=WITHOUT_SCORE).select_related("run_one__task")
    context = {
        "section": "insights",
        "judging_pass": found,
        "compared": _compared(comparisons),
        "unscored": unscored[:PAGE],
        "titles": {name: each.title for name, each in dimensions().items()},
        "progress": pass_progress(found, request.user),
        "page": page,
        # Run by run, as they were made.
        "reviews": visible(JudgeReview.objects.filter(pk__in=list(page)), request.user)
        .order_by("pk")
        .select_related("run__agent", "run__task", "judge"),
        "state": state,
        "dimension": dimension,
        "query": urlencode({"state": state, "dimension": dimension}) if state or dimension else "",
        "operator": is_operator(request.user),
        "is_running": found.state == JudgingPass.State.RUNNING,
        "every": EVERY_SECONDS,
    }
    template = "_progress.html" if request.headers.get("X-Partial") else "pass.html"
    return render(request, f"runs/judging/{template}", context)


def _compared(comparisons: QuerySet[RunComparison]) -> list[tuple[Agent, Agent]]:
    """The pairs of agents whose runs are compared, without those of one agent with itself."""
    pairs = set(comparisons.order_by().values_list("run_one__agent", "run_two__agent").distinct()[:PAGE])
    agents = agents_by_id({agent for pair in pairs for agent in pair})
    found = [(agents[one], agents[two]) for one, two in pairs if one != two]
    return sorted(found, key=lambda pair: (pair[0].slug, pair[1].slug))


@operators_only
def _change(request: HttpRequest, found: JudgingPass) -> HttpResponse:
    """Cancels the pass, or queues its failed reviews again; then its page."""
    if parameters.required(request.POST, "act", ("cancel", "retry"), "cancel or retry") == "cancel":
        messages.success(request, f"{found}: {cancel_pass(found)} queued answers are cancelled.")
    else:
        messages.success(request, f"{found}: {retry_failed(found)} answers are queued again.")
    return HttpResponseRedirect(found.get_absolute_url())


@operators_only
def start_judging(request: HttpRequest, pk: int) -> HttpResponse:
    """The form that has the runs of an evaluation judged; see `start_or_show`."""
    evaluation = get_object_or_404(visible_evaluations(request.user), pk=pk)
    runs = list(judged_runs(visible(evaluation.runs.all(), request.user)).order_by("pk"))
    context = {
        "section": "insights",
        "evaluation": evaluation,
        "back": evaluation.get_absolute_url(),
        "back_to": "the evaluation",
    }
    return start_or_show(
        request,
        "runs/judging/start.html",
        context,
        title=f"Reviews of {evaluation.title}",
        runs=runs,
        evaluation=evaluation,
    )


def start_or_show(
    request: HttpRequest,
    template: str,
    context: Mapping[str, object],
    *,
    title: str,
    runs: Sequence[Run],
    pairs: Sequence[RunPair] = (),
    evaluation: Evaluation | None = None,
) -> HttpResponse:
    """The form of a judging pass over these runs, or pairs of them. GET: the form with an estimate.

    POST estimates again, or starts with `start`; a start redirects to the pass. If it is refused, the response is the
    submitted form with status 409.
    """
    form = JudgeForm(initial={"title": title[:200], "mark": new_mark()})
    refused = ""
    if request.method == "POST":
        form = JudgeForm(request.POST)
        if form.is_valid() and "start" in request.POST:
            try:
                return _started(request, form, runs, pairs, evaluation)
            except PassRefused as error:
                refused = str(error)
    # The estimate is that for the chosen panel, or for the newest one.
    panel = form.cleaned_data.get("panel") if form.is_bound and form.is_valid() else None
    panel = panel or form.panels().first()
    context = {
        **context,
        "form": form,
        "runs": len(runs),
        "panels": form.panels().exists(),
        "estimate": estimate_pass(panel, runs, pairs) if panel and runs else None,
        "refused": refused,
    }
    return render(request, template, context, status=409 if refused else 200)


def _started(
    request: HttpRequest,
    form: JudgeForm,
    runs: Sequence[Run],
    pairs: Sequence[RunPair],
    evaluation: Evaluation | None,
) -> HttpResponse:
    """Starts the pass, and redirects to it. Raises PassRefused."""
    values = {name: form.cleaned_data[name] for name in ("title", "panel", "budget_usd", "mark")}
    started = start_pass(**values, runs=runs, pairs=pairs, evaluation=evaluation, user=request.user)
    count = len(pairs) if pairs else visible(started.reviews.all(), request.user).count()
    messages.success(request, f"{started} is started: {count} {'pairs of runs' if pairs else 'reviews'}.")
    if trouble := queue.problem():
        messages.warning(request, trouble)
    return HttpResponseRedirect(started.get_absolute_url())
