"""A run to read from top to bottom, some steps on each page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from runs.data.queries import parameters
from runs.data.queries.filters import replay_or_404
from runs.data.replay.jsonl import MAX_SIZE
from runs.data.replay.open_index import outline
from runs.data.replay.outline import Outline
from runs.data.replay.step_filter import StepCondition
from runs.data.replay.user_turns import Conversation, conversation_of
from runs.data.run_facts.public_grading import as_shown_to
from runs.models import Run
from runs.views.replay_pages.replay_etag import cache_response, cached_response, etag
from runs.views.replay_pages.step_view import StepView, step_view
from runs.views.source_display.syntax import Painter

MAX_STEPS = 200
MAX_BYTES = 500_000  # of the record, for one page; a longer step has a page of its own, and its texts are cut


@dataclass(frozen=True, slots=True)
class TranscriptStep:
    """One step of a transcript. `by_user`: a simulated user said it."""

    step: StepView
    by_user: bool


@dataclass(frozen=True, slots=True)
class TranscriptPage:
    """Some steps of a run. `number` counts the pages from 1; `first` and `last` are numbers of steps, 0 without any."""

    steps: tuple[TranscriptStep, ...]
    number: int
    pages: tuple[tuple[int, int], ...]

    @property
    def first(self) -> int:
        """The number of its first step."""
        return self.pages[self.number - 1][0] if self.pages else 0

    @property
    def last(self) -> int:
        """The number of its last step."""
        return self.pages[self.number - 1][1] if self.pages else 0


@require_safe
def transcript(request: HttpRequest, pk: int) -> HttpResponse:
    """`?page=N`, or `?step=N` for the page with this step. A page that does not exist is refused."""
    run = as_shown_to(replay_or_404(request.user, pk), request.user)
    number = parameters.whole(request.GET, "step", 0, least=1, most=MAX_SIZE)
    page = parameters.page_number(request.GET)
    tag = etag(request, run)
    if unchanged := cached_response(request, tag):
        return unchanged
    with outline(run.path) as steps:
        pages = pages_of(steps.lengths())
        if number:
            page = next((place for place, part in enumerate(pages, 1) if number in part), page)
        if page > max(1, len(pages)):
            raise parameters.BadParameter("page", str(page), f"a whole number from 1 to {max(1, len(pages))}")
        first = sum(len(part) for part in pages[: page - 1])
        shown = _steps(steps, first, len(pages[page - 1]), conversation_of(run, steps)) if pages else ()
        context = {
            "run": run,
            "section": "runs",
            "view": "transcript",
            "here": run.get_absolute_url(),
            "live": run.state in Run.OPEN,
            "count": steps.count(),
            "transcript": TranscriptPage(shown, page, tuple((part[0], part[-1]) for part in pages)),
        }
    return cache_response(request, render(request, "runs/replay/transcript.html", context), tag)


def pages_of(lengths: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The numbers of the steps on each page, from number and bytes of every step."""
    pages: list[list[int]] = []
    room = 0
    for number, length in lengths:
        if not pages or len(pages[-1]) == MAX_STEPS or length > room:
            pages.append([])
            room = MAX_BYTES
        pages[-1].append(number)
        room -= length
    return pages


def _steps(
    steps: Outline, first: int, most: int, conversation: Conversation | None
) -> tuple[TranscriptStep, ...]:
    """The steps at these places, without syntax colours: a page has many."""
    painter = Painter(most=0)
    return tuple(
        TranscriptStep(
            step_view(read, steps.edits(row.number), painter),
            conversation is not None and conversation.is_users(row.number),
        )
        for row in steps.rows(StepCondition(), first, most)
        if (read := steps.step(row)) is not None
    )
