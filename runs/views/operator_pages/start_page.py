"""The page that starts an evaluation: the form, its estimate, and the start itself."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.views.decorators.vary import vary_on_headers

from harness.limits import LIMIT_PROFILES
from runs.data.queries import parameters
from runs.data.queries.visibility import visible, visible_agents, visible_evaluations
from runs.jobs import queue
from runs.jobs.disk_space import free_bytes, no_space
from runs.judging.reviews.judging_passes import PassRefused, check_panel, judges_of
from runs.operations.agent_setup.model_doubts import ModelDoubt, model_doubts
from runs.operations.evaluations.lifecycle import AlreadyStarted, EvaluationRefused, start_evaluation
from runs.operations.evaluations.start_estimate import StartEstimate, estimate
from runs.operations.evaluations.start_form import (
    PUBLISH,
    StartForm,
    agent_groups,
    blank,
    filled_from,
    task_sets,
    with_group,
    with_limits,
)
from runs.operations.monitoring.health import engine_status
from runs.operations.monitoring.live_workers import worker_status
from runs.views.operator_pages.operators_only import operators_only

MAX_NUMBER = 2**31 - 1


@operators_only
@vary_on_headers("X-Partial")
def start(request: HttpRequest) -> HttpResponse:
    """GET: the form, filled from an earlier evaluation with `?from=`. POST: estimates, sets named limits, picks all or
    none of a group, or starts.

    A start redirects to the evaluation. If it is refused, the response is the submitted form with status 409.
    """
    if request.method != "POST" or {"limits", "pick"} & set(request.POST):
        return _page(request, _unchecked(request), status=200)
    form = StartForm(request.POST)
    valid = form.is_valid() and _may_judge(form)
    if request.headers.get("X-Partial"):
        context = {"form": form, "estimate": _estimate(form), "doubts": _doubts(form)}
        return render(request, "runs/evaluations/_estimate.html", context)
    if not valid or "start" not in request.POST:
        return _page(request, form, status=200)
    engine = engine_status()
    try:
        evaluation = start_evaluation(
            title=form.cleaned_data["title"],
            agents=form.chosen_agents(),
            tasks=form.chosen_tasks(),
            attempts=form.cleaned_data["attempts"],
            budget_usd=form.cleaned_data["budget_usd"],
            limits=form.limits(),
            user=request.user,
            engine=engine,
            mark=form.cleaned_data["mark"],
            publish_when_finished=form.cleaned_data["publication"] == PUBLISH,
            user_model=form.cleaned_data["user_model"],
            panel=form.cleaned_data["panel"],
            judging_budget_usd=form.cleaned_data["judging_budget_usd"],
        )
    except EvaluationRefused as refused:
        return _page(request, form, status=409, refused=refused)
    except AlreadyStarted as before:
        messages.warning(
            request,
            "This form was sent before and started this evaluation; nothing more was started. To start another, load "
            "the form again.",
        )
        return HttpResponseRedirect(before.evaluation.get_absolute_url())
    count = visible(evaluation.runs.all(), request.user).count()
    messages.success(request, f"{evaluation} is started: {count} {'run' if count == 1 else 'runs'}.")
    if trouble := queue.problem():
        messages.warning(request, trouble)
    return HttpResponseRedirect(evaluation.get_absolute_url())


def _may_judge(form: StartForm) -> bool:
    """Whether the chosen panel can be used; else its field says why not. True without one."""
    panel, budget_usd = form.cleaned_data["panel"], form.cleaned_data["judging_budget_usd"]
    if panel is None and budget_usd is not None:
        form.add_error("panel", "Choose a panel, or leave its budget empty.")
    elif panel is not None:
        try:
            check_panel(panel, judges_of(panel), budget_usd)
        except PassRefused as refused:
            form.add_error("panel", str(refused))
    return not form.errors


def _unchecked(request: HttpRequest) -> StartForm:
    """The form for a GET, or with what was entered and the named limits or the picked group."""
    if profile := parameters.choice(request.POST, "limits", LIMIT_PROFILES):
        return StartForm(initial=with_limits(request.POST, profile))
    if pick := parameters.text(request.POST, "pick"):
        return StartForm(initial=with_group(request.POST, pick))
    number = parameters.whole(request.GET, "from", 0, least=1, most=MAX_NUMBER)
    return StartForm(
        initial=filled_from(get_object_or_404(visible_evaluations(request.user), pk=number))
        if number
        else blank()
    )


def _page(
    request: HttpRequest, form: StartForm, *, status: int, refused: EvaluationRefused | None = None
) -> HttpResponse:
    context = {
        "section": "operate",
        "here": "start",
        "form": form,
        "agents": agent_groups(form),
        "tasks": task_sets(form),
        "estimate": _estimate(form),
        "doubts": _doubts(form),
        "engine": engine_status(),
        "queue_problem": queue.problem(),
        "space_problem": no_space(),
        "free_bytes": free_bytes(),
        "worker_status": worker_status(),
        "refused": refused,
        "profiles": LIMIT_PROFILES,
        "disabled": visible_agents(request.user).filter(enabled=False, origin="").count(),
    }
    return render(request, "runs/evaluations/start.html", context, status=status)


def _estimate(form: StartForm) -> StartEstimate | None:
    """The estimate of the entered values, if they make any run."""
    if not form.is_bound or not form.count():
        return None
    return estimate(
        form.chosen_agents(),
        form.chosen_tasks(),
        form.cleaned_data["attempts"],
        form.cleaned_data.get("budget_usd"),
        form.cleaned_data.get("user_model"),
    )


def _doubts(form: StartForm) -> list[ModelDoubt]:
    """What speaks against the models of the chosen agents and of the simulated user."""
    if not form.is_bound or not form.count():
        return []
    chosen = [agent.model for agent in form.chosen_agents()] + [form.cleaned_data.get("user_model")]
    return model_doubts([model for model in chosen if model])
