"""Agents compared over the tasks that they share, and two agents by judges that compared their runs."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from runs.data.cells.boards import all_boards
from runs.data.cells.open_cells import board_standings
from runs.data.queries import parameters
from runs.data.queries.blind_sessions import refuse_while_playing
from runs.data.queries.compare_filter import MAX_COUNT, compare_query
from runs.data.queries.competitors import competitors
from runs.data.queries.filters import leaderboard_choices
from runs.data.queries.visibility import Reader, is_operator, visible
from runs.judging.reviews.comparison_pairs import agent_pairs, runs_of
from runs.models import Agent, Run
from runs.rankings.comparison.ablation import changed_settings
from runs.rankings.comparison.agent_pairs import judged_pair, matrix, pairing
from runs.rankings.comparison.judged_agents import TITLES, agent_use, judged_agents, panels_of
from runs.views.judging_pages import start_or_show
from runs.views.operator_pages.operators_only import operators_only

PART = "runs/compare/_compare.html"


@require_safe
@vary_on_headers("X-Partial")
def compare(request: HttpRequest) -> HttpResponse:
    """Two agents in detail, more in a matrix; without any, the form to choose them."""
    query = compare_query(request.GET)
    if request.GET.getlist("agent") and len(query.agents) <= 2:
        return redirect(f"{reverse('compare')}?{query.address()}")
    boards = all_boards()
    query = query.on(boards.name(query.chosen.dataset or boards.common(query.agents)))
    # The agents that have results in the dataset, in the order of its board.
    standings = board_standings(query.chosen.dataset)
    order = [row.agent for row in (*standings.rows, *standings.unplaced)]
    known = competitors(order)
    offered = {pk: known[pk] for pk in order if pk in known}
    by_slug = {agent.slug: (pk, agent) for pk, agent in offered.items()}
    here = [by_slug[slug] for slug in query.agents if slug in by_slug]
    choices = leaderboard_choices(query.chosen.dataset)
    context: dict[str, object] = {
        "section": "insights",
        "selection": query,
        "offered": [(agent.slug, agent.name) for agent in offered.values()],
        "unknown": [slug for slug in query.agents if slug not in by_slug],
        "boards": boards,
        "board": boards.of(query.chosen.dataset),
        "choices": choices,
        "filters": query.filters_in_words(choices),
        "most": MAX_COUNT,
        "title": "Which of two agents is better?",
    }
    if len(query.agents) == len(here) == 2:
        context["pair"] = pairing(here[0], here[1], query.chosen)
        context["title"] = f"{here[0][1].name} against {here[1][1].name}"
        context["judged"] = judged_pair(here[0][0], here[1][0], query.chosen)
    elif len(here) > 2:
        context["title"] = f"{len(here)} agents against each other"
        context["matrix"] = matrix(here, query)
    part = request.headers.get("X-Partial")
    return render(request, PART if part else "runs/compare/compare.html", context)


@require_safe
def judged(request: HttpRequest) -> HttpResponse:
    """`?a=` and `?b=`: slugs of agents; `panel`: of which panel, the one of the latest pass by default."""
    one, two = _agents(request, request.user)
    refuse_while_playing(request.user, visible(Run.objects.filter(agent__in=(one, two)), request.user))
    panels = panels_of(one, two)
    wanted = parameters.choice(request.GET, "panel", [panel.slug for panel in panels])
    panel = next((each for each in panels if each.slug == wanted), panels[0] if panels else None)
    context = {
        "section": "insights",
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
    """The form that has the runs of two agents compared; see `start_or_show`."""
    one, two = _agents(request, request.user)
    pairs = agent_pairs(one, two, visible(Run.objects.all(), request.user))
    context = {
        "section": "insights",
        "one": one,
        "two": two,
        "back": f"{reverse('judged_agents')}?{_query(one, two)}",
        "back_to": "the comparison",
        "pairs": len(pairs),
    }
    return start_or_show(
        request,
        "runs/judging/compare.html",
        context,
        title=f"{one} against {two}",
        runs=runs_of(pairs),
        pairs=pairs,
    )


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
