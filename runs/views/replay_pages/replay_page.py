"""The replay of a run, step by step, during the run and after it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from harness.records import SUMMARY, RunRecord
from runs.data.queries import parameters
from runs.data.queries.closest_run import ClosestRun, closest_resolved_run
from runs.data.queries.filters import replay_or_404
from runs.data.queries.visibility import Reader, is_operator, sees_grading_output, visible
from runs.data.replay import record
from runs.data.replay.jsonl import MAX_SIZE
from runs.data.replay.open_index import outline
from runs.data.replay.outline import Outline, OutlineRow
from runs.data.replay.step_filter import StepCondition, StepFilter
from runs.data.replay.user_turns import Conversation, conversation_of
from runs.data.run_facts.public_grading import as_shown_to, public_detail
from runs.judging.raters.step_notes import notes_version
from runs.judging.reviews.run_reviews import quotes_at, reviews_of, reviews_version
from runs.models import Run, TrajectorySource
from runs.models.agent import REPORTED
from runs.operations.evaluations.agent_settings import profile_of_run
from runs.presentation.formatting.text import one_line
from runs.transfer.interchange.atif import has_steps
from runs.transfer.run_archive import is_plain
from runs.views.replay_pages.outline_window import (
    WINDOW,
    select_steps,
    strip_view,
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
from runs.views.replay_pages.reproduction import reproduction_of
from runs.views.replay_pages.run_end import end_of
from runs.views.replay_pages.stated_sums import contradictions
from runs.views.replay_pages.step_file_page import known_files
from runs.views.replay_pages.step_view import step_view
from runs.views.replay_pages.trouble_signs import ExploitMarks, SignsView, exploit_marks_of, signs_of
from runs.views.replay_pages.verdict_card import same_reason, verdict_card
from runs.views.source_display.diff_rows import is_split


@require_safe
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """The replay. `?step=N` chooses the step; the default is the first that matches the filter or calls a tool.

    With `X-Partial: outline`, only the outline.
    """
    shown = _run(request, pk)
    filter_ = StepFilter.from_query(request.GET)
    number = parameters.whole(request.GET, "step", 0, least=1, most=MAX_SIZE)
    signs, version = signs_of(shown), reviews_version(shown)
    closest = _closest(shown, request.user)
    seen = closest and (closest.run.pk, closest.run.agent.name, closest.run.attempt)
    tag = etag(request, shown, (signs, version, seen, notes_version(shown)))
    if unchanged := cached_response(request, tag):
        return unchanged
    context: dict[str, Any] = {"run": shown, "section": "runs"}
    if not shown.directory and shown.agent.kind == REPORTED:
        end = end_of(shown, request.user)
        context |= {
            "end": end,
            "card": verdict_card(shown, end, signs, closest),
            "reproduction": reproduction_of(shown, request.user),
        }
        return cache_response(request, render(request, "runs/replay/reported.html", context), tag)
    marks = signs.marks if signs else ExploitMarks()
    with outline(shown.path) as steps:
        chosen = select_steps(steps, filter_)
        row = _row(steps, chosen, number)
        place = None if row is None else row.place
        conversation = conversation_of(shown, steps)
        context["current"] = None if row is None else str(row.number)
        context["outline"] = window_around(
            request, steps, chosen, place, conversation=conversation, marks=marks
        )
        if request.headers.get("X-Partial") == "outline":
            return cache_response(request, render(request, "runs/replay/_outline.html", context), tag)
        context |= _head(shown, steps, place, marks)
        context |= _pane(steps, chosen, row, conversation, marks, shown=shown)
        context |= _reviews(shown, version, row)
        context |= _around(steps, signs)
        context |= _filter_form(request, steps)
        context["terminal"] = RunRecord(shown.path).terminal() is not None
        context["missing"] = number if number and (row is None or row.number != number) else None
        context |= _end(shown, request.user)
        context["card"] = verdict_card(shown, context["end"], signs, closest, context["tries"])
        context["reproduction"] = reproduction_of(shown, request.user)
        if source := context.get("source"):
            context["contradictions"] = contradictions(shown, source.form, steps)
    return cache_response(request, render(request, "runs/replay/run.html", context), tag)


@require_safe
def step(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """One step alone, as on the page, with its neighbours."""
    shown = _run(request, pk)
    filter_ = StepFilter.from_query(request.GET)
    version, marks = reviews_version(shown), exploit_marks_of(shown, request.user)
    tag = etag(request, shown, (version, marks, notes_version(shown)))
    if unchanged := not_modified(request, tag):
        return unchanged
    with outline(shown.path) as steps:
        row = steps.row(number) if number <= MAX_SIZE else None
        if row is None:
            raise Http404(f"run {pk} has no step {number}")
        context = {
            "run": shown,
            "split": is_split(request),
            **_pane(
                steps, select_steps(steps, filter_), row, conversation_of(shown, steps), marks, shown=shown
            ),
            **_reviews(shown, version, row),
        }
    return with_cache_headers(render(request, "runs/replay/_pane.html", context), tag)


@require_safe
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """The end of a run: a page, or with an X-Partial header the part that the replay shows."""
    shown = _run(request, pk)
    split = is_split(request)
    tag = etag(request, shown)
    if unchanged := cached_response(request, tag):
        return unchanged
    live = shown.state in Run.OPEN
    context = {
        "run": shown,
        "split": split,
        "live": live,
        "end": end_of(shown, request.user),
        "downloads": _downloads(shown),
    }
    template = "runs/_run_end.html" if request.headers.get("X-Partial") else "runs/end.html"
    return cache_response(request, render(request, template, {**context, "section": "runs"}), tag)


@require_safe
def rows(request: HttpRequest, pk: int) -> HttpResponse:
    """A window of the outline: `?most=` filtered steps, after skipping `?first=` of them."""
    shown = _run(request, pk)
    filter_ = StepFilter.from_query(request.GET)
    first = parameters.whole(request.GET, "first", 0, least=0, most=MAX_SIZE)
    most = parameters.whole(request.GET, "most", WINDOW, least=1, most=WINDOW)
    marks = exploit_marks_of(shown, request.user)
    tag = etag(request, shown, marks)
    if unchanged := cached_response(request, tag):
        return unchanged
    with outline(shown.path) as steps:
        chosen = select_steps(steps, filter_)
        conversation = conversation_of(shown, steps)
        window = window_from(request, steps, chosen, first, most, conversation=conversation, marks=marks)
    context = {"run": shown, "outline": window}
    return cache_response(request, render(request, "runs/replay/_rows.html", context), tag)


@require_safe
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """The parts of the page that change during a run, and the number of steps, all and filtered.

    An unchanged state gives 304. `chosen` is None with a search, which is not repeated for each step.
    """
    shown = _run(request, pk)
    filter_ = StepFilter.from_query(request.GET)
    seen = f"{shown.detail}\0{filter_.query()}\0{sees_grading_output(request.user)}"
    digest = hashlib.sha256(seen.encode()).hexdigest()[:12]
    tag = f'"{shown.state}-{shown.outcome}-{shown.tries}-{digest}-{record.version(shown.path)}"'
    if unchanged := get_conditional_response(request, etag=tag):
        return unchanged
    is_open = shown.state in Run.OPEN
    with outline(shown.path) as steps:
        signs = signs_of(shown)
        head = _head(shown, steps, None, signs.marks if signs else ExploitMarks())
        news: dict[str, object] = {
            "live": is_open,
            "try": shown.tries,
            "last": steps.last_number(),
            "steps": steps.count(),
            "chosen": None if filter_.q else steps.count(select_steps(steps, filter_)),
        }
        news["around"] = render_to_string("runs/replay/_around.html", {**head, **_around(steps, signs)})
    news["head"] = render_to_string("runs/replay/_head.html", head)
    news["strip"] = render_to_string("runs/replay/_strip.html", head)
    ended: dict[str, Any] = {"end": None, "tries": ()} if is_open else _end(shown, request.user)
    card = verdict_card(shown, ended["end"], signs, _closest(shown, request.user), ended["tries"])
    head |= {**ended, "card": card, "signs": signs}
    news["verdict"] = render_to_string("runs/replay/_verdict.html", head)
    news["end"] = None if is_open else render_to_string("runs/_run_end.html", head, request)
    return JsonResponse(news, headers={"Cache-Control": "no-cache", "ETag": tag})


def _run(request: HttpRequest, pk: int) -> Run:
    """The run as this reader may see it. Raises Http404."""
    return as_shown_to(replay_or_404(request.user, pk), request.user)


def _closest(shown: Run, reader: Reader) -> ClosestRun | None:
    """The resolved run to compare a run with that failed or was lost; None for those of the fault catalogue."""
    failed = shown.outcome in {Run.Outcome.UNRESOLVED, Run.Outcome.INFRASTRUCTURE_FAILED}
    if not failed or shown.evaluation.is_fault_catalogue:
        return None
    return closest_resolved_run(shown, reader)


def _head(shown: Run, steps: Outline, place: int | None, marks: ExploitMarks) -> dict[str, object]:
    """The head of the page, with the strip above the steps."""
    count = steps.count()
    suspected = steps.places_at((), marks.by_step) if marks.by_step else ()
    return {
        "run": shown,
        "live": shown.state in Run.OPEN,
        "count": count,
        "steps": max(shown.steps or 0, count),
        "strip": strip_view(steps.strip, place, suspected),
        "profile": profile_of_run(shown.agent, record.effective_settings(shown.path)),
        "conversation": conversation_of(shown, steps),
    }


def _around(steps: Outline, signs: SignsView | None) -> dict[str, object]:
    """Signs of trouble, model calls and what could not be read."""
    iteration = signs.right_file if signs else None
    return {
        "signs": signs,
        "right_step": steps.step_of_iteration(iteration) if iteration else None,
        "model_calls": steps.count_model_calls(),
        "unreadable": steps.unreadable,
    }


def _filter_form(request: HttpRequest, steps: Outline) -> dict[str, object]:
    """The form that filters steps, with the tools and files that an address can name; tools with a clean label."""

    def can_be_named(name: str) -> bool:
        return name.isprintable() and name == name.strip() and 0 < len(name) <= parameters.MAX_LENGTH

    tools, files = steps.filter_choices
    return {
        "tools": [(tool, one_line(tool, 40), n) for tool, n in tools if can_be_named(tool)],
        "files": [path for path in files if can_be_named(path)],
        "hidden_fields": [pair for pair in request.GET.items() if pair[0] != "step"],
        "split": is_split(request),
        "last": steps.last_number(),
    }


def _reviews(shown: Run, version: Sequence[object], row: OutlineRow | None) -> dict[str, object]:
    """The reviews of a run that has some, and their quotes from the step."""
    reviews = reviews_of(shown) if version[0] else []
    return {"reviews": reviews, "quotes": [] if row is None else quotes_at(reviews, row.number)}


def _end(shown: Run, reader: Reader) -> dict[str, Any]:
    """The end of a run, its tries as this reader may see them, and the source of a reported one."""
    tries = list(visible(shown.executions.order_by("number"), reader))
    for each in tries:
        each.reason = each.reason if sees_grading_output(reader) else public_detail(each.reason)
    # Where the verdict has the one reason of all tries, the table of tries does not repeat it.
    said = shown.outcome == Run.Outcome.INFRASTRUCTURE_FAILED and same_reason(tries)
    context: dict[str, Any] = {
        "end": end_of(shown, reader),
        "tries": tries,
        "reason_is_said": said,
        "downloads": _downloads(shown),
    }
    if shown.agent.kind == REPORTED:
        context["source"] = visible(TrajectorySource.objects.filter(run=shown), reader).first()
        context["may_download"] = is_operator(reader)
    return context


def _downloads(shown: Run) -> dict[str, bool]:
    """In which forms a run that is over can be downloaded, besides a log of Inspect."""
    steps = has_steps(shown)
    return {"atif": steps, "zip": is_plain(shown.path / SUMMARY) or (steps and shown.agent.kind == REPORTED)}


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
    *,
    shown: Run,
) -> dict[str, object]:
    """One step and its neighbours."""
    read = None if row is None else steps.step(row)
    if row is None or read is None:
        return {"step": None}
    view = step_view(read, steps.edits(row.number))
    paths = [call.read for call in view.calls] + [file.path for file in view.files]
    return {
        "step": view,
        "known_files": known_files(shown, steps, read, paths),
        "by_user": conversation is not None and conversation.is_users(row.number),
        "turn": conversation and conversation.turn(row.number),
        "row": row,
        "near": steps.neighbours(row.place, chosen, marks.by_step),
        "suspected": marks.by_step.get(row.number, ()),
        "rank": steps.before(row.place, chosen),
    }
