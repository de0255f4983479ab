"""Two agents by judges that compared their runs, with what both used and their settings; and the start of that."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from runs.data.queries import parameters
from runs.data.queries.blind_sessions import refuse_while_playing
from runs.data.queries.visibility import Reader, is_operator, visible
from runs.jobs import queue
from runs.judging.reviews.comparison_pairs import RunPair, agent_pairs, runs_of
from runs.judging.reviews.judge_form import JudgeForm
from runs.judging.reviews.judging_passes import PassRefused, start_pass
from runs.judging.reviews.pass_estimate import PassEstimate, estimate_pass
from runs.models import Agent, Run
from runs.operations.evaluations.lifecycle import new_mark
from runs.rankings.comparison.ablation import changed_settings
from runs.rankings.comparison.agent_use import TITLES, agent_use
from runs.rankings.comparison.judged_agents import judged_agents, panels_of
from runs.views.operator_pages.operators_only import operators_only


@require_safe
def judged(request: HttpRequest) -> HttpResponse:
    """`?a=` and `?b=`: slugs of agents; `panel`: of which panel, the one of the latest pass by default."""
    one, two = _agents(request, request.user)
    refuse_while_playing(request.user, visible(Run.objects.filter(agent__in=(one, two)), request.user))
    panels = panels_of(one, two)
    wanted = parameters.choice(request.GET, "panel", [panel.slug for panel in panels])
    panel = next((each for each in panels if each.slug == wanted), panels[0] if panels else None)
    context = {
        "section": "compare",
        "one": one,
        "two": two,
        "query": _query(one, two),
        "panels": panels,
        "judged": judged_agents(one, two, panel) if panel else None,
        "use": agent_use(one, two),
        "titles": TITLES,
        "changed": changed_settings(one, two),
        "operator": is_operator(request.user),
    }
    return render(request, "runs/compare/judged.html", context)


@operators_only
def start_comparing(request: HttpRequest) -> HttpResponse:
    """GET: the form with an estimate. POST estimates again, or starts with `start`; a start redirects to the pass.

    If it is refused, the response is the submitted form with status 409.
    """
    one, two = _agents(request, request.user)
    pairs = agent_pairs(one, two, visible(Run.objects.all(), request.user))
    if request.method != "POST":
        form = JudgeForm(initial={"title": f"{one} against {two}"[:200], "mark": new_mark()})
        return _page(request, one, two, pairs, form)
    form = JudgeForm(request.POST)
    if not form.is_valid() or "start" not in request.POST:
        return _page(request, one, two, pairs, form)
    try:
        started = start_pass(
            title=form.cleaned_data["title"],
            panel=form.cleaned_data["panel"],
            runs=runs_of(pairs),
            budget_usd=form.cleaned_data["budget_usd"],
            user=request.user,
            mark=form.cleaned_data["mark"],
            pairs=pairs,
        )
    except PassRefused as refused:
        return _page(request, one, two, pairs, form, refused=str(refused), status=409)
    messages.success(request, f"{started} is started: {len(pairs)} pairs of runs.")
    if trouble := queue.problem():
        messages.warning(request, trouble)
    return HttpResponseRedirect(started.get_absolute_url())


def _page(
    request: HttpRequest,
    one: Agent,
    two: Agent,
    pairs: list[RunPair],
    form: JudgeForm,
    *,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "section": "compare",
        "one": one,
        "two": two,
        "back": f"{reverse('judged_agents')}?{_query(one, two)}",
        "back_to": "the comparison",
        "form": form,
        "pairs": len(pairs),
        "runs": len(runs_of(pairs)),
        "panels": form.panels().exists(),
        "estimate": _estimate(form, pairs),
        "refused": refused,
    }
    return render(request, "runs/judging/compare.html", context, status=status)


def _estimate(form: JudgeForm, pairs: list[RunPair]) -> PassEstimate | None:
    """The estimate for the chosen panel, or for the newest one."""
    panel = form.cleaned_data.get("panel") if form.is_bound and form.is_valid() else None
    panel = panel or form.panels().first()
    return estimate_pass(panel, runs_of(pairs), pairs) if panel and pairs else None


def _agents(request: HttpRequest, reader: Reader) -> tuple[Agent, Agent]:
    """The two agents of the address. Raises Http404, and BadParameter if they are the same."""
    slugs = [parameters.text(request.GET, name) for name in ("a", "b")]
    offered = visible(Agent.objects.select_related("model"), reader).filter(slug__in=slugs)
    found = {agent.slug: agent for agent in offered}
    for name, slug in zip("ab", slugs, strict=True):
        if slug not in found:
            raise Http404(f"there is no agent {slug!r} to be {name}")
    if slugs[0] == slugs[1]:
        raise parameters.BadParameter("b", slugs[1], "another agent than a")
    return found[slugs[0]], found[slugs[1]]


def _query(one: Agent, two: Agent) -> str:
    return urlencode({"a": one.slug, "b": two.slug})
