"""The replay of a run, step by step, during the run and after it."""

from __future__ import annotations

import hashlib

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from harness.records import RunRecord
from runs.data.queries import parameters
from runs.data.queries.filters import replay_or_404
from runs.data.queries.visibility import Reader, is_operator, sees_grading_output, visible
from runs.data.replay import record
from runs.data.replay.filter_choices import FilterChoices
from runs.data.replay.jsonl import MAX_SIZE
from runs.data.replay.open_index import outline
from runs.data.replay.outline import Outline, OutlineRow
from runs.data.replay.step_filter import StepCondition, StepFilter
from runs.data.replay.user_turns import Conversation, conversation_of
from runs.data.run_facts.public_grading import as_shown_to, public_detail
from runs.judging.reviews.run_reviews import quotes_at, reviews_of, reviews_version
from runs.models import Run, TrajectorySource, Try
from runs.models.agent import REPORTED
from runs.operations.evaluations.agent_settings import profile_of_run
from runs.presentation.formatting.text import one_line
from runs.views.replay_pages.outline_window import (
    WINDOW,
    select_steps,
    window_around,
    window_from,
)
from runs.views.replay_pages.replay_etag import (
    cache_response,
    cached_response,
    etag,
    not_modified,
    with_cache_headers,
)
from runs.views.replay_pages.run_end import end_of
from runs.views.replay_pages.step_view import step_view
from runs.views.replay_pages.strip_view import strip_view
from runs.views.replay_pages.suspected_exploits import ExploitMarks, exploit_marks_of
from runs.views.replay_pages.trouble_signs import SignsView, signs_of
from runs.views.source_display.diff_rows import is_split


@require_safe
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """The replay. `?step=N` chooses the step; the default is the first that matches the filter or calls a tool.

    With `X-Partial: outline`, only the outline.
    """
    found = _run(request, pk)
    filter_ = StepFilter.from_query(request.GET)
    number = parameters.whole(request.GET, "step", 0, least=1, most=MAX_SIZE)
    signs = signs_of(found)
    judged = reviews_version(found)
    tag = etag(request, found, (signs, judged))
    if unchanged := cached_response(request, tag):
        return unchanged
    if not found.directory and found.agent.kind == REPORTED:
        context = {"run": found, "section": "runs", "end": end_of(found, request.user)}
        return cache_response(request, render(request, "runs/replay/reported.html", context), tag)
    with outline(found.path) as steps:
        chosen = select_steps(steps, filter_)
        row = _row(steps, chosen, number)
        conversation = conversation_of(found, steps)
        place, marks = None if row is None else row.place, signs.marks if signs else ExploitMarks()
        context = {
            "run": found,
            "outline": window_around(request, steps, chosen, place, conversation=conversation, marks=marks),
            "current": None if row is None else str(row.number),
        }
        if request.headers.get("X-Partial") == "outline":
            return cache_response(request, render(request, "runs/replay/_outline.html", context), tag)
        reviews = reviews_of(found) if judged[0] else []
        context |= {
            **_head(found, steps, place, marks),
            **_pane(steps, chosen, row, conversation, marks),
            "reviews": reviews,
            "quotes": [] if row is None else quotes_at(reviews, row.number),
            "section": "runs",
            "split": is_split(request),
            **_filter_choices(steps.filter_choices),
            **_context_of(steps, signs),
            "hidden_fields": [pair for pair in request.GET.items() if pair[0] != "step"],
            "unreadable": steps.unreadable,
            "last": steps.last_number(),
            "terminal": RunRecord(found.path).terminal() is not None,
            "missing": number if number and (row is None or row.number != number) else None,
        }
    context |= {"end": end_of(found, request.user), "tries": _tries(found, request.user)}
    if found.agent.kind == REPORTED:
        source = visible(TrajectorySource.objects.filter(run=found), request.user).first()
        context |= {"source": source, "may_download": is_operator(request.user)}
    return cache_response(request, render(request, "runs/replay/run.html", context), tag)


@require_safe
def step(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """One step alone, as on the page, with its neighbours."""
    found = _run(request, pk)
    filter_ = StepFilter.from_query(request.GET)
    version, marks = reviews_version(found), exploit_marks_of(found, request.user)
    tag = etag(request, found, (version, marks))
    if unchanged := not_modified(request, tag):
        return unchanged
    with outline(found.path) as steps:
        row = steps.row(number) if number <= MAX_SIZE else None
        if row is None:
            raise Http404(f"run {pk} has no step {number}")
        context = {
            "run": found,
            "split": is_split(request),
            **_pane(steps, select_steps(steps, filter_), row, conversation_of(found, steps), marks),
            "quotes": quotes_at(reviews_of(found), number) if version[0] else [],
        }
    return with_cache_headers(render(request, "runs/replay/_pane.html", context), tag)


@require_safe
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """The end of a run: a page, or with an X-Partial header the part that the replay shows."""
    found = _run(request, pk)
    context = {"run": found, "split": is_split(request)}
    tag = etag(request, found)
    if unchanged := cached_response(request, tag):
        return unchanged
    context |= {"live": found.state in Run.OPEN, "end": end_of(found, request.user)}
    template = "runs/_run_end.html" if request.headers.get("X-Partial") else "runs/end.html"
    return cache_response(request, render(request, template, {**context, "section": "runs"}), tag)


@require_safe
def rows(request: HttpRequest, pk: int) -> HttpResponse:
    """A window of the outline: `?most=` filtered steps, after skipping `?first=` of them."""
    found = _run(request, pk)
    filter_ = StepFilter.from_query(request.GET)
    first = parameters.whole(request.GET, "first", 0, least=0, most=MAX_SIZE)
    most = parameters.whole(request.GET, "most", WINDOW, least=1, most=WINDOW)
    marks = exploit_marks_of(found, request.user)
    tag = etag(request, found, marks)
    if unchanged := cached_response(request, tag):
        return unchanged
    with outline(found.path) as steps:
        chosen = select_steps(steps, filter_)
        conversation = conversation_of(found, steps)
        window = window_from(request, steps, chosen, first, most, conversation=conversation, marks=marks)
    context = {"run": found, "outline": window}
    return cache_response(request, render(request, "runs/replay/_rows.html", context), tag)


@require_safe
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """The parts of the page that change during a run, and the number of steps, all and filtered.

    An unchanged state gives 304. `chosen` is None with a search, which is not repeated for each step.
    """
    found = _run(request, pk)
    filter_ = StepFilter.from_query(request.GET)
    tag = _live_tag(found, filter_, request.user)
    if unchanged := get_conditional_response(request, etag=tag):
        return unchanged
    open_ = found.state in Run.OPEN
    with outline(found.path) as steps:
        signs = signs_of(found)
        context = _head(found, steps, None, signs.marks if signs else ExploitMarks())
        news: dict[str, object] = {
            "live": open_,
            "try": found.tries,
            "last": steps.last_number(),
            "steps": steps.count(),
            "chosen": None if filter_.q else steps.count(select_steps(steps, filter_)),
        }
        beside = {**context, **_context_of(steps, signs), "unreadable": steps.unreadable}
        news["around"] = render_to_string("runs/replay/_around.html", beside)
    news["head"] = render_to_string("runs/replay/_head.html", context)
    news["strip"] = render_to_string("runs/replay/_strip.html", context)
    news["end"] = (
        None
        if open_
        else render_to_string("runs/_run_end.html", {**context, "end": end_of(found, request.user)}, request)
    )
    return JsonResponse(news, headers={"Cache-Control": "no-cache", "ETag": tag})


def _run(request: HttpRequest, pk: int) -> Run:
    """The run as this reader may see it. Raises Http404."""
    return as_shown_to(replay_or_404(request.user, pk), request.user)


def _live_tag(found: Run, filter_: StepFilter, reader: Reader) -> str:
    shown = f"{found.detail}\0{filter_.query()}\0{sees_grading_output(reader)}"
    digest = hashlib.sha256(shown.encode()).hexdigest()[:12]
    return f'"{found.state}-{found.outcome}-{found.tries}-{digest}-{record.version(found.path)}"'


def _head(found: Run, steps: Outline, place: int | None, marks: ExploitMarks) -> dict[str, object]:
    count = steps.count()
    suspected = steps.places_at((), marks.by_step) if marks.by_step else ()
    return {
        "run": found,
        "live": found.state in Run.OPEN,
        "count": count,
        "steps": max(found.steps or 0, count),
        "strip": strip_view(steps.strip, place, suspected),
        "profile": profile_of_run(found.agent, record.effective_settings(found.path)),
        "conversation": conversation_of(found, steps),
    }


def _context_of(steps: Outline, signs: SignsView | None) -> dict[str, object]:
    """Signs of trouble and model calls, for the template."""
    iteration = signs.right_file if signs else None
    return {
        "signs": signs,
        "right_step": steps.step_of_iteration(iteration) if iteration else None,
        "model_calls": steps.count_model_calls(),
    }


def _filter_choices(choices: FilterChoices) -> dict[str, object]:
    """Tools and files that a URL can name, tools with a clean label."""
    tools, files = choices
    return {
        "tools": [(tool, one_line(tool, 40), n) for tool, n in tools if _is_parameter(tool)],
        "files": [path for path in files if _is_parameter(path)],
    }


def _is_parameter(name: str) -> bool:
    return name.isprintable() and name == name.strip() and 0 < len(name) <= parameters.MAX_LENGTH


def _tries(found: Run, reader: Reader) -> list[Try]:
    """The tries of a run as this reader may see them."""
    tries = list(visible(found.executions.order_by("number"), reader))
    for one in tries:
        one.reason = one.reason if sees_grading_output(reader) else public_detail(one.reason)
    return tries


def _row(steps: Outline, chosen: StepCondition, number: int) -> OutlineRow | None:
    """The step to show: the one with this number, else the first match of the filter, else a default."""
    if number and (row := steps.row(number)):
        return row
    if not chosen.filter.empty and (matching := steps.rows(chosen, 0, 1)):
        return matching[0]
    return steps.first_with_call()


def _pane(
    steps: Outline,
    chosen: StepCondition,
    row: OutlineRow | None,
    conversation: Conversation | None,
    marks: ExploitMarks,
) -> dict[str, object]:
    """One step and its neighbours."""
    read = None if row is None else steps.step(row)
    if row is None or read is None:
        return {"step": None}
    return {
        "step": step_view(read, steps.edits(row.number)),
        "by_user": conversation is not None and conversation.is_users(row.number),
        "turn": conversation and conversation.turn(row.number),
        "row": row,
        "near": steps.neighbours(row.place, chosen, marks.by_step),
        "suspected": marks.by_step.get(row.number, ()),
        "rank": steps.before(row.place, chosen),
    }
