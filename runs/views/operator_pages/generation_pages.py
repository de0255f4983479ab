"""Pages for operators that generate tasks: the start, the progress and yield of a job, and its publication."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.views.decorators.vary import vary_on_headers

from runs.data.queries import parameters
from runs.data.queries.visibility import visible, visible_datasets, visible_tasks
from runs.jobs import queue
from runs.models import GenerationJob
from runs.operations.monitoring.health import engine_status
from runs.views.operator_pages.operators_only import operators_only
from runs.work.generation.generation_form import HIDDEN, OPEN, GenerationForm
from runs.work.generation.generation_jobs import (
    GenerationRefused,
    continue_generation,
    output_of,
    places,
    publish_output,
    start_generation,
    stop_generation,
)
from runs.work.generation.generation_progress import generation_progress

PAGE = 50
EVERY_SECONDS = 3
ACTS = ("stop", "continue", "publish")


@operators_only
def generations(request: HttpRequest) -> HttpResponse:
    """GET: the form and all jobs. POST starts a job and redirects to it; a refused one is the form with status 409."""
    found = list(places(visible_datasets(request.user)))
    if request.method != "POST":
        return _list(request, GenerationForm(found), places_found=bool(found))
    form = GenerationForm(found, request.POST)
    if not form.is_valid():
        return _list(request, form, places_found=bool(found))
    try:
        job = start_generation(
            form.chosen_place(),
            output=form.cleaned_data["output"],
            title=form.cleaned_data["title"],
            hidden=form.cleaned_data["audience"] == HIDDEN,
            plan=form.plan(),
            thresholds=form.thresholds(),
            model=form.cleaned_data["model"],
            budget_usd=form.cleaned_data["budget_usd"],
            user=request.user,
        )
    except GenerationRefused as refused:
        form.add_error(refused.field or None, str(refused))
        return _list(request, form, places_found=bool(found), status=409)
    messages.success(request, f"The generation for {job} is started.")
    if trouble := queue.problem():
        messages.warning(request, trouble)
    return HttpResponseRedirect(job.get_absolute_url())


def _list(
    request: HttpRequest, form: GenerationForm, *, places_found: bool, status: int = 200
) -> HttpResponse:
    jobs = visible(GenerationJob.objects.select_related("dataset", "created_by"), request.user)
    context = {
        "section": "operate",
        "form": form,
        "places_found": places_found,
        "page": parameters.page_of(request, jobs, PAGE),
        "engine": engine_status(),
        "queue_problem": queue.problem(),
    }
    return render(request, "runs/generation/list.html", context, status=status)


@operators_only
@vary_on_headers("X-Partial")
def generation_job(request: HttpRequest, pk: int) -> HttpResponse:
    """One job; with an X-Partial header, only the part that changes. POST with `act` stops, continues or publishes."""
    jobs = visible(GenerationJob.objects.select_related("dataset", "created_by", "model"), request.user)
    job = get_object_or_404(jobs, pk=pk)
    if request.method == "POST":
        return _change(request, job)
    tasks = visible_tasks(request.user).filter(
        repository__slug=job.target, repository__dataset__slug=job.output
    )
    context = {
        "section": "operate",
        "job": job,
        "progress": generation_progress(job, {task.slug: task for task in tasks}),
        "output": visible_datasets(request.user).filter(slug=job.output).first(),
        "directory": output_of(job.output),
        "every": EVERY_SECONDS,
    }
    template = "_progress.html" if request.headers.get("X-Partial") else "job.html"
    return render(request, f"runs/generation/{template}", context)


def _change(request: HttpRequest, job: GenerationJob) -> HttpResponse:
    act = parameters.required(request.POST, "act", ACTS, ", ".join(ACTS))
    try:
        message = _publish(request, job) if act == "publish" else _stop_or_continue(job, act)
        messages.success(request, message)
    except GenerationRefused as refused:
        messages.error(request, str(refused))
    return HttpResponseRedirect(job.get_absolute_url())


def _stop_or_continue(job: GenerationJob, act: str) -> str:
    if act == "continue":
        continue_generation(job)
        return "The generation goes on where it stopped."
    if not stop_generation(job):
        return "The generation has ended already, or stops already."
    return "The generation stops after its current step." if job.is_open else "The generation is stopped."


def _publish(request: HttpRequest, job: GenerationJob) -> str:
    audience = parameters.required(request.POST, "audience", (HIDDEN, OPEN), f"{HIDDEN} or {OPEN}")
    dataset = publish_output(job, hidden=audience == HIDDEN)
    who = "operators only" if dataset.hidden else "everybody"
    count = visible_tasks(request.user).filter(repository__dataset=dataset).count()
    return f"{dataset} is published for {who}, with {count} task{'' if count == 1 else 's'}."
