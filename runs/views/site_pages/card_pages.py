"""Cards of boards, agents, comparisons and runs, which other sites show beside a link to their pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.standings import Standing
from runs.data.cells.boards import BoardEntry, agent_version, all_boards, board_version
from runs.data.cells.open_cells import board_standings
from runs.data.queries import parameters
from runs.data.queries.compare_filter import compare_query
from runs.data.queries.competitors import competitors
from runs.data.queries.filters import leaderboard_choices, replay_or_404
from runs.data.queries.visibility import visible_agents
from runs.data.replay import overview_strip
from runs.data.replay.open_index import outline
from runs.data.run_facts.public_grading import as_shown_to
from runs.models import Agent, Run
from runs.models.agent import signed_name
from runs.presentation.cards.card_image import MAX_ROWS, CardRow, CardStrip, LinkCard, Tone, draw_card
from runs.presentation.formatting.numbers import counted, dollars, duration, percent
from runs.rankings.comparison.agent_pairs import Pairing, pairing
from runs.rankings.leaderboard.board import Board, board
from runs.rankings.leaderboard.board_answer import board_answer, board_size
from runs.rankings.leaderboard.board_source import BoardSource
from runs.views.replay_pages.replay_etag import cache_response, cached_response, etag
from runs.views.site_pages.page_metadata import standing_words

CONTENT_TYPE = "image/png"
RATES = "solved per attempt, with 95 % intervals"
TONES: Mapping[str, Tone] = {Run.Outcome.RESOLVED: "good", Run.Outcome.UNRESOLVED: "bad"}


def board_card_version(request: HttpRequest) -> str:
    """The version of the results that this card shows."""
    return board_version(request.GET.get("dataset", ""))


@require_safe
def board_card(request: HttpRequest) -> HttpResponse:
    """The best agents of the board of `?dataset=`; of the first board without it."""
    name = parameters.text(request.GET, "dataset")
    shown = board({"dataset": name} if name else {}, BoardSource())
    if shown.entry is None:
        raise Http404(f"there is no board {name}")
    return _response(card_of_board(shown, shown.entry))


def card_of_board(shown: Board, entry: BoardEntry) -> LinkCard:
    """The answer of a board, and its best agents."""
    return LinkCard(
        about=f"Leaderboard · {entry.origin}",
        title=entry.title,
        answer=board_answer(shown) or "No agent has a rank yet",
        rows=tuple(_row(signed_name(row.agent.name), row.standing) for row in shown.shown),
        foot=f"{board_size(shown)} · {RATES}",
    )


def agent_card_version(request: HttpRequest) -> str:
    """The version of the results that this card shows."""
    slug = request.resolver_match.kwargs["slug"] if request.resolver_match else ""
    return agent_version(slug, request.GET.get("dataset", ""))


@require_safe
def agent_card(request: HttpRequest, slug: str) -> HttpResponse:
    """The rank and the rate of an agent among its neighbours on the board of `?dataset=`, or on its first one."""
    agent = get_object_or_404(visible_agents(request.user), slug=slug)
    theirs = all_boards().of_agent(slug)
    entry = theirs.of(parameters.text(request.GET, "dataset") or theirs.default)
    if entry is None:
        raise Http404(f"{slug} has no results there")
    return _response(_card_of_agent(agent, entry))


def _card_of_agent(agent: Agent, entry: BoardEntry) -> LinkCard:
    own = standing_of(agent, entry.dataset)
    words = standing_words(own) if own else "no graded attempt yet"
    near = _neighbours(agent, entry.dataset)
    named = competitors(row.agent for row in near)
    return LinkCard(
        about=f"Agent · {entry.title}, {entry.origin}",
        title=signed_name(agent.name),
        answer=f"{words[:1].upper()}{words[1:]}",
        rows=tuple(_row(signed_name(named[row.agent].name), row, row.agent != agent.pk) for row in near),
        foot=f"Among its neighbours of {counted(entry.competitors, 'agent')} · {RATES}"
        if near[1:]
        else RATES,
    )


def _neighbours(agent: Agent, dataset: str) -> list[Standing]:
    """The agent with those before and after it by pass@1, as many as a card shows; alone, where it has no rank."""
    found = board_standings(dataset)
    own = [place for place, row in enumerate(found.rows) if row.agent == agent.pk]
    if not own:
        return [row for row in found.unplaced if row.agent == agent.pk]
    first = max(0, min(own[0] - MAX_ROWS // 2, len(found.rows) - MAX_ROWS))
    return list(found.rows[first : first + MAX_ROWS])


def standing_of(agent: Agent, dataset: str) -> Standing | None:
    """The row of an agent on a board; None without one."""
    found = board_standings(dataset)
    return next((row for row in (*found.rows, *found.unplaced) if row.agent == agent.pk), None)


@require_safe
def comparison_card(request: HttpRequest) -> HttpResponse:
    """The agents `?a=` and `?b=` over the tasks that both tried, on the board of `?dataset=` or the first with both.

    With the filters of the page of the comparison, which its answer names.
    """
    query = compare_query(request.GET)
    boards = all_boards()
    entry = boards.of(boards.name(query.chosen.dataset or boards.common(query.agents)))
    if entry is None or len(query.agents) != 2:
        raise Http404("a comparison is of two agents on a board")
    board_of = board_standings(entry.dataset)
    named = competitors(row.agent for row in (*board_of.rows, *board_of.unplaced))
    by_slug = {agent.slug: (pk, agent) for pk, agent in named.items()}
    if missing := [slug for slug in query.agents if slug not in by_slug]:
        raise Http404(f"{missing[0]} has no results there")
    one, other = (by_slug[slug] for slug in query.agents)
    filters = query.on("").filters_in_words(leaderboard_choices(entry.dataset))
    return _response(_card_of_pair(pairing(one, other, query.on(entry.dataset).chosen), entry, filters))


def _card_of_pair(pair: Pairing, entry: BoardEntry, filters: Sequence[str]) -> LinkCard:
    rates = [(agent, side.pass_1) for side, agent in pair.sides]
    return LinkCard(
        about=", ".join([entry.title, entry.origin, *filters]),
        title=" against ".join(signed_name(agent.name) for agent, _ in rates),
        answer=pair.answer,
        rows=tuple(_bar(signed_name(agent.name), rate) for agent, rate in rates if rate.value is not None),
        foot=f"On {counted(len(pair.found.tasks), 'task')} that both tried · {RATES}",
    )


@require_safe
def run_card(request: HttpRequest, pk: int) -> HttpResponse:
    """The outcome of a run, and its steps."""
    run = as_shown_to(replay_or_404(request.user, pk), request.user)
    tag = etag(request, run)
    if unchanged := cached_response(request, tag):
        return unchanged
    return cache_response(request, _response(_card_of_run(run)), tag)


def _card_of_run(run: Run) -> LinkCard:
    outcome = (
        run.get_outcome_display() if run.outcome else "outcome unknown" if run.finished_at else run.state
    )
    passed = f"{run.tests_passed} of {run.tests_total} tests passed" if run.tests_total else ""
    took = f"{duration(run.act_seconds)}" if run.act_seconds else ""
    cost = dollars(run.cost_usd) if run.cost_usd is not None else ""
    words = ", ".join(part for part in (outcome, passed, took, cost) if part)
    strip = _strip_of(run)
    share = run.tests_passed / run.tests_total if run.tests_total and run.tests_passed is not None else None
    return LinkCard(
        about=f"Run #{run.pk} · {signed_name(run.agent.name)}",
        title=run.task.title,
        answer=f"{words[:1].upper()}{words[1:]}",
        rows=() if share is None else (CardRow("Tests passed", share, percent(share, 0)),),
        strip=strip,
        foot=f"{counted(run.steps, 'step')}, by kind and time"
        if strip and run.steps
        else run.task.repository.title,
        tone=TONES.get(run.outcome, "plain"),
    )


def _strip_of(run: Run) -> CardStrip | None:
    """The strip above the replay; None for a run without steps here."""
    if not run.directory:
        return None
    with outline(run.path) as steps:
        paths = steps.strip.paths
        used = min(overview_strip.WIDTH, steps.strip.slot_width * steps.strip.slots)
    return CardStrip(paths, used, overview_strip.HEIGHT) if paths else None


def _row(name: str, standing: Standing, other: bool = False) -> CardRow:
    rate = standing.pass_1
    return CardRow(name, rate.value, percent(rate.value), rate.interval.low, rate.interval.high, other)


def _bar(name: str, rate: Estimate) -> CardRow:
    """The row of a rate that has a value."""
    ends = (rate.interval.low, rate.interval.high) if rate.interval else ()
    return CardRow(name, rate.value or 0.0, percent(rate.value), *ends)


def _response(card: LinkCard) -> HttpResponse:
    return HttpResponse(draw_card(card), content_type=CONTENT_TYPE)
