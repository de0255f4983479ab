"""Agents: those of this site, whether they are offered at the start, and the form of one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from runs.data.queries import parameters
from runs.data.queries.visibility import visible, visible_agents, visible_related
from runs.models import Agent, LanguageModel, Run
from runs.operations.agent_setup.agent_form import IDE, AgentSetupForm
from runs.views.operator_pages.operators_only import permitted

PAGE = 50
MAX_NUMBER = 2**31 - 1
VIEW = ("runs.view_agent", "runs.change_agent")
ADD = "runs.add_agent"
CHANGE = "runs.change_agent"
ENABLED, DISABLED = "enabled", "disabled"


@permitted(*VIEW)
def agents(request: HttpRequest) -> HttpResponse:
    """The agents of this site. POST with `enable` or `disable`: changes whether one is offered at the start."""
    if request.method == "POST":
        return _switch(request)
    state = parameters.choice(request.GET, "state", (ENABLED, DISABLED))
    own = visible_agents(request.user).filter(origin="")
    shown = visible_related("runs", Run.objects.all(), request.user)
    found = own.annotate(run_count=Count("runs", filter=shown)).order_by("name", "pk")
    if state:
        found = found.filter(enabled=state == ENABLED)
    enabled = own.filter(enabled=True).count()
    context = {
        "section": "operate",
        "here": "agents",
        "page": parameters.page_of(request, found, PAGE),
        "state": state,
        "states": ((ENABLED, enabled), (DISABLED, own.count() - enabled)),
        "query": f"state={state}" if state else "",
        "reported": visible(Agent.objects.exclude(origin=""), request.user).count(),
    }
    return render(request, "runs/operate/agents.html", context)


def _switch(request: HttpRequest) -> HttpResponse:
    """Enables or disables one agent, and goes back to the list."""
    if not request.user.has_perm(CHANGE):
        raise PermissionDenied
    word = parameters.required(request.POST, "act", ("enable", "disable"), "enable, disable")
    number = parameters.whole(request.POST, "agent", 0, least=0, most=MAX_NUMBER)
    found = get_object_or_404(visible_agents(request.user).filter(origin=""), pk=number)
    found.enabled = word == "enable"
    found.save(update_fields=["enabled"])
    said = "is offered when an evaluation is started" if found.enabled else "is offered no more"
    messages.success(request, f"{found} {said}.")
    return HttpResponseRedirect(reverse("operate_agents"))


@permitted(ADD)
def agent_add(request: HttpRequest) -> HttpResponse:
    """GET: the form of a new agent, filled from a model with `?model=`. POST stores it."""
    number = parameters.whole(request.GET, "model", 0, least=0, most=MAX_NUMBER)
    initial: dict[str, Any] = {"program": IDE, "settings": {}}
    if number:
        chosen = get_object_or_404(_models(request), pk=number)
        initial |= {"model": chosen.pk, "name": chosen.name}
    form = AgentSetupForm(request.POST or None, initial=initial, models=_models(request))
    if request.method == "POST" and form.is_valid():
        return _stored(request, form)
    return _form(request, form, None)


@permitted(*VIEW)
def agent(request: HttpRequest, pk: int) -> HttpResponse:
    """The form of an agent of this site. POST stores changes."""
    found = get_object_or_404(visible_agents(request.user).filter(origin=""), pk=pk)
    if request.method == "POST":
        if not request.user.has_perm(CHANGE):
            raise PermissionDenied
        form = AgentSetupForm(request.POST, instance=found, models=_models(request))
        if form.is_valid():
            return _stored(request, form)
        found.refresh_from_db()
        return _form(request, form, found)
    return _form(request, AgentSetupForm(instance=found, models=_models(request)), found)


def _models(request: HttpRequest) -> QuerySet[LanguageModel]:
    """The models that this reader may give to an agent."""
    return visible(LanguageModel.objects.all(), request.user)


def _stored(request: HttpRequest, form: AgentSetupForm) -> HttpResponse:
    stored = form.save()
    messages.success(request, f"{stored} is stored.")
    sees_list = any(request.user.has_perm(name) for name in VIEW)
    return HttpResponseRedirect(reverse("operate_agents" if sees_list else "operate"))


def _form(request: HttpRequest, form: AgentSetupForm, found: Agent | None) -> HttpResponse:
    context = {"section": "operate", "here": "agents", "form": form, "agent": found}
    return render(request, "runs/operate/agent.html", context)
