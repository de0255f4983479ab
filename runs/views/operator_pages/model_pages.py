"""Language models: those that can be called, the form of one, and its test."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_POST
from django.views.decorators.vary import vary_on_headers

from harness.llm.model_check import BUDGET_USD
from harness.llm.price_map import doubt_about
from runs.data.queries import parameters
from runs.data.queries.visibility import visible, visible_related
from runs.models import Agent, LanguageModel
from runs.operations.agent_setup.model_checks import (
    CheckNotAsked,
    StoredCheck,
    ask_for_check,
    likely_cost,
    stored_checks,
)
from runs.operations.agent_setup.model_form import ModelSetupForm
from runs.operations.agent_setup.provider_kinds import KINDS, kind_of
from runs.operations.evaluations.paused_models import go_on, waiting_runs
from runs.views.operator_pages.operators_only import permitted

PAGE = 50
EVERY_SECONDS = 2
VIEW = ("runs.view_languagemodel", "runs.change_languagemodel")
ADD = "runs.add_languagemodel"
CHANGE = "runs.change_languagemodel"
# What a test blames, and the field of the form with it. Other blamed fields are settings of agents.
FIELDS = {
    "litellm_id": "model_name",
    "api_base": "api_base",
    "api_key_variable": "api_key_variable",
    "context_window": "context_window",
}
SETTINGS_OF_AGENTS = ("temperature", "max_output_tokens", "reasoning_effort", "seed", "pictures")


@permitted(*VIEW)
def models(request: HttpRequest) -> HttpResponse:
    """The models that can be called, with their last tests. Models of reported results are counted."""
    known = visible(LanguageModel.objects.all(), request.user)
    seen = visible_related("agent", Agent.objects.all(), request.user)
    callable_ones = known.exclude(litellm_id="").order_by("name", "pk")
    callable_ones = callable_ones.annotate(
        agents=Count("agent", filter=Q(agent__enabled=True, agent__origin="") & seen)
    )
    page = parameters.page_of(request, callable_ones, PAGE)
    shown = list(page.object_list)
    checks = stored_checks(shown)
    context = {
        "section": "operate",
        "here": "models",
        "page": page,
        "rows": [(model, kind_of(model), checks.get(model.pk)) for model in shown],
        "reported": known.filter(litellm_id="").count(),
        "budget": BUDGET_USD,
    }
    return render(request, "runs/operate/models.html", context)


@permitted(ADD)
def model_add(request: HttpRequest) -> HttpResponse:
    """GET: the form of a new model. POST stores it; with `test`, a worker tests it, too."""
    form = ModelSetupForm(request.POST or None, initial={"kind": KINDS[0].name})
    if request.method == "POST" and form.is_valid():
        return _stored(request, form)
    return _form(request, form, None)


@permitted(*VIEW)
@vary_on_headers("X-Partial")
def model(request: HttpRequest, pk: int) -> HttpResponse:
    """A model: its form and its last test; with an X-Partial header, the test alone. POST stores changes."""
    found = get_object_or_404(visible(LanguageModel.objects.all(), request.user), pk=pk)
    if request.method == "POST":
        if not request.user.has_perm(CHANGE):
            raise PermissionDenied
        form = ModelSetupForm(request.POST, instance=found)
        if form.is_valid():
            return _stored(request, form)
        found.refresh_from_db()
        return _form(request, form, found)
    return _form(request, ModelSetupForm(instance=found), found)


@require_POST
@permitted(CHANGE)
def model_test(request: HttpRequest, pk: int) -> HttpResponse:
    """Has a worker test the model as it is stored; then its page, which shows the result."""
    found = get_object_or_404(visible(LanguageModel.objects.all(), request.user), pk=pk)
    _ask(request, found)
    return HttpResponseRedirect(reverse("operate_model", args=[found.pk]))


@require_POST
@permitted(CHANGE)
def model_go_on(request: HttpRequest, pk: int) -> HttpResponse:
    """Lets the runs of a paused model go on; then its page."""
    found = get_object_or_404(visible(LanguageModel.objects.all(), request.user), pk=pk)
    if found.paused_at is not None:
        count = go_on(found)
        messages.success(request, f"{found}: {count} {'run goes' if count == 1 else 'runs go'} on.")
    return HttpResponseRedirect(reverse("operate_model", args=[found.pk]))


def _stored(request: HttpRequest, form: ModelSetupForm) -> HttpResponse:
    """Stores the model, and asks for its test if that was wanted."""
    stored = form.save()
    messages.success(request, f"{stored} is stored.")
    if doubt := doubt_about(stored.litellm_id, own_server=bool(stored.api_base)):
        messages.warning(request, doubt)
    if "test" in request.POST:
        _ask(request, stored)
    if not any(request.user.has_perm(name) for name in VIEW):
        return HttpResponseRedirect(reverse("operate"))
    return HttpResponseRedirect(reverse("operate_model", args=[stored.pk]))


def _ask(request: HttpRequest, found: LanguageModel) -> None:
    try:
        ask_for_check(found)
    except CheckNotAsked as error:
        messages.error(request, str(error))


def _form(request: HttpRequest, form: ModelSetupForm, found: LanguageModel | None) -> HttpResponse:
    check = stored_checks([found]).get(found.pk) if found else None
    context = {
        "section": "operate",
        "here": "models",
        "form": form,
        "model": found,
        "kinds": KINDS,
        "check": check,
        "waiting": waiting_runs([found]).count() if found and found.paused_at else 0,
        "blamed": form[name] if (name := _blamed(check)) else None,
        "likely_cost": likely_cost(found) if found else None,
        "budget": BUDGET_USD,
        "settings_of_agents": SETTINGS_OF_AGENTS,
        "every": EVERY_SECONDS,
    }
    template = "_model_check.html" if request.headers.get("X-Partial") else "model.html"
    return render(request, f"runs/operate/{template}", context)


def _blamed(check: StoredCheck | None) -> str:
    """The field of the form that the last test blames; '' for none, and once the model was changed."""
    if check is None or check.result is None or check.outdated:
        return ""
    return FIELDS.get(check.result.blamed, "")
