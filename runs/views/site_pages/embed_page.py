"""What other sites show of this one: a board in a frame, the badge of an agent, and what to paste for them."""

from __future__ import annotations

from urllib.parse import urlencode

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from runs.data.cache.page_cache import View
from runs.data.cells.boards import agent_version, all_boards
from runs.data.queries import parameters
from runs.data.queries.visibility import visible_agents
from runs.models.agent import signed_name
from runs.presentation.cards.badge_svg import badge
from runs.presentation.charts.axis import near_share_axis
from runs.presentation.formatting.numbers import percent
from runs.rankings.leaderboard.board import board
from runs.rankings.leaderboard.board_answer import board_answer, board_size
from runs.rankings.leaderboard.board_source import BoardSource
from runs.views.site_pages.card_pages import standing_of
from runs.views.site_pages.page_metadata import site_address, standing_words

DEFAULT_ROWS, MAX_ROWS = 10, 50
FRAME_HEIGHT, ROW_HEIGHT = 190, 51  # pixels of a frame of usual width: without rows, and of a row
THEMES = ("light", "dark")


def framed(view: View) -> View:
    """Lets other sites show the page in a frame. It has links only, so a hidden frame can make nobody do anything.

    Around a cached view: what Django's decorators mark is not part of a stored response.
    """
    allowing: View = csp_replace({"frame-ancestors": ["*"]})(view)
    return xframe_options_exempt(allowing)


@require_safe
def embed(request: HttpRequest) -> HttpResponse:
    """The first rows of a board: `?dataset=`, `rows=`, and `theme=` where it should not be the reader's.

    Where there is no such board, the frame says so: another site may still show one that is gone.
    """
    rows = parameters.whole(request.GET, "rows", DEFAULT_ROWS, least=1, most=MAX_ROWS)
    theme = parameters.choice(request.GET, "theme", THEMES)
    name = parameters.text(request.GET, "dataset")
    shown = board({"dataset": name} if name else {}, BoardSource())
    if shown.entry is None:
        return render(request, "runs/embed/board.html", {"theme": theme}, status=404)
    first = shown.shown[:rows]
    intervals = [row.standing.pass_1.interval for row in first]
    context = {
        "board": shown,
        "entry": shown.entry,
        "answer": board_answer(shown),
        "size": board_size(shown),
        "rows": first,
        "axis": near_share_axis("", [end for one in intervals for end in (one.low, one.high)]),
        "theme": theme,
    }
    return render(request, "runs/embed/board.html", context)


def agent_badge_version(request: HttpRequest) -> str:
    """The version of the results that this badge shows."""
    slug = request.resolver_match.kwargs["slug"] if request.resolver_match else ""
    return agent_version(slug, request.GET.get("board", ""))


@require_safe
def agent_badge(request: HttpRequest, slug: str) -> HttpResponse:
    """pass@1 of an agent on the board of `?board=`, or its first one, as SVG.

    The rate ± the wider side of its interval; without a graded attempt there the badge says so.
    """
    agent = get_object_or_404(visible_agents(request.user), slug=slug)
    theirs = all_boards().of_agent(slug)
    asked = parameters.text(request.GET, "board")
    entry = theirs.of(asked or theirs.default)
    standing = standing_of(agent, entry.dataset) if entry else None
    name = signed_name(agent.name)
    if entry is None or standing is None:
        value, title = "no result", f"{name} has no result on this board"
    else:
        rate = standing.pass_1
        side = max(rate.interval.high - rate.value, rate.value - rate.interval.low)
        value = f"{percent(rate.value)} ±{side * 100:.1f}"
        title = f"{name} on {entry.title}: {standing_words(standing)}"
    return HttpResponse(badge("BenchBench", value, title), content_type="image/svg+xml")


@require_safe
def share(request: HttpRequest) -> HttpResponse:
    """What to paste into another page: of the board of `?dataset=`, or of the agent of `?agent=` on it."""
    boards = all_boards()
    slug = parameters.text(request.GET, "agent")
    agent = get_object_or_404(visible_agents(request.user), slug=slug) if slug else None
    theirs = boards.of_agent(slug) if slug else boards
    name = parameters.text(request.GET, "dataset")
    entry = theirs.of(name or theirs.default)
    if entry is None:
        raise Http404(f"there is no board {name}")
    site, query = site_address(request), urlencode({"dataset": entry.dataset})
    context: dict[str, object] = {"section": "leaderboard", "entry": entry}
    if agent is None:
        context |= {
            "shown": entry.title,
            "page": f"{site}{reverse('leaderboard')}?{query}",
            "embed": f"{site}{reverse('embed')}?{query}",
            "height": FRAME_HEIGHT + ROW_HEIGHT * min(entry.competitors or len(entry.agents), DEFAULT_ROWS),
            "card": f"{site}{reverse('board_card')}?{query}",
        }
    else:
        board_of = urlencode({"board": entry.dataset})
        context |= {
            "shown": signed_name(agent.name),
            "page": f"{site}{agent.get_absolute_url()}?{query}",
            "badge": f"{site}{reverse('agent_badge', args=[slug])}?{board_of}",
            "card": f"{site}{reverse('agent_card', args=[slug])}?{query}",
        }
    return render(request, "runs/embed/share.html", context)
