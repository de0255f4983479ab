"""A run, step by step, while it goes on and ever after."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.views.decorators.http import condition, require_safe

from harness.records import RunRecord, Step, TestStatus
from runs.models import Run
from runs.profiles import profile_of_run
from runs.queries import visible_runs
from runs.views import trajectory
from runs.views.diffs import FileDiff, is_split, patch_diffs
from runs.views.highlight import Painter
from runs.views.near_misses import FailedTest, failed_tests
from runs.views.steps import StepView, full_texts, step_view
from runs.views.strip import Bar, bars
from runs.views.text import clean, cut
from runs.views.trajectory import Outline, OutlineRow

MOST_ROWS = 500
WINDOW = 300


@dataclass(frozen=True, slots=True)
class Window:
    """The rows of the outline around one step. `before` and `after`: the nearest steps left out, None without."""

    rows: tuple[OutlineRow, ...]
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class End:
    """What a run left behind: its tests, failed ones first, and its patch."""

    failed: tuple[FailedTest, ...]
    passed: tuple[str, ...]
    patch: tuple[FileDiff, ...]
    patch_is_cut: bool


@require_safe
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """The replay. `?step=N` chooses the step; without it, the first one that calls a tool."""
    found = get_object_or_404(visible_runs(request.user), pk=pk)
    outline = trajectory.outline(found.path)
    current = _current(outline, request.GET.get("step", ""))
    context = {
        **_head(found, outline, current),
        "section": "runs",
        "window": window(outline, current),
        "step": _step(found, outline, current),
        "end": end_of(found),
        "split": is_split(request),
        "tries": found.executions.order_by("number"),
    }
    return render(request, "runs/run.html", {**context, **_neighbours(outline, current)})


@require_safe
def step(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """One step alone, as the page itself shows it."""
    found = get_object_or_404(visible_runs(request.user), pk=pk)
    outline = trajectory.outline(found.path)
    shown = _step(found, outline, number)
    if shown is None:
        raise Http404(f"run {pk} has no step {number}")
    context = {"run": found, "step": shown, "split": is_split(request), **_neighbours(outline, number)}
    return render(request, "runs/_step.html", context)


@require_safe
def step_raw(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The whole of a step, or with `?part=` of one part of it, as plain text."""
    found = get_object_or_404(visible_runs(request.user), pk=pk)
    read = _read(found, trajectory.outline(found.path), number)
    if read is None:
        raise Http404(f"run {pk} has no step {number}")
    texts = list(full_texts(read, trajectory.edits(found.path).get(number)))
    part = request.GET.get("part")
    if not part:
        return _plain("\n\n".join(f"=== {clean(label)} ===\n{text}" for _, label, text in texts))
    for key, _label, text in texts:
        if key == part:
            return _plain(text)
    raise Http404(f"step {number} has no such part")


@require_safe
def artifact(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """A picture that a tool took, and never anything but a picture, whatever the file holds."""
    content = RunRecord(get_object_or_404(visible_runs(request.user), pk=pk).path).artifact(name)
    if content is None:
        raise Http404(f"run {pk} has no such picture")
    return HttpResponse(
        content,
        content_type="image/png",
        headers={
            "X-Content-Type-Options": "nosniff",
            "Content-Disposition": "inline",
            "Content-Security-Policy": "default-src 'none'; sandbox",
        },
    )


@require_safe
def patch(request: HttpRequest, pk: int) -> HttpResponse:
    """The final patch, byte for byte, as plain text."""
    return _plain(RunRecord(get_object_or_404(visible_runs(request.user), pk=pk).path).patch())


@require_safe
def log(request: HttpRequest, pk: int) -> HttpResponse:
    """What the hidden tests printed."""
    return _plain(clean(RunRecord(get_object_or_404(visible_runs(request.user), pk=pk).path).grading_log()))


def _live_version(request: HttpRequest, pk: int) -> str | None:
    found = visible_runs(request.user).filter(pk=pk).first()
    if found is None:
        return None
    last = request.GET.get("after", "")[:10]
    told = hashlib.sha256(found.detail.encode()).hexdigest()[:8]
    state = f"{found.state}-{found.outcome}-{found.tries}-{told}-{last if last.isdigit() else ''}"
    return f'"{state}-{trajectory.version(found.path)}"'


@require_safe
@condition(etag_func=_live_version)
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """What is new since step `?after=N`: rows for the outline, and the parts of the head that change."""
    found = get_object_or_404(visible_runs(request.user), pk=pk)
    outline = trajectory.outline(found.path)
    after = int(text) if (text := request.GET.get("after", "0")).isdigit() and len(text) < 10 else 0
    context = {**_head(found, outline, None), "run": found}
    fresh = [row for row in outline.rows if row.number > after][-WINDOW:]
    open_ = found.state in Run.OPEN
    return JsonResponse(
        {
            "live": open_,
            "try": found.tries,
            "last": outline.rows[-1].number if outline.rows else 0,
            "rows": render_to_string(
                "runs/_outline_rows.html", {"run": found, "rows": fresh, "current": None}
            ),
            "head": render_to_string("runs/_run_head.html", context),
            "strip": render_to_string("runs/_run_strip.html", context),
            "end": None
            if open_
            else render_to_string("runs/_run_end.html", {**context, "end": end_of(found)}),
        },
        headers={"Cache-Control": "no-cache"},
    )


def window(outline: Outline, current: int | None) -> Window:
    """All rows when there are 500 or fewer, else 300 around the current step."""
    rows = outline.rows
    if len(rows) <= MOST_ROWS:
        return Window(rows, None, None)
    place = outline.place(current or 0) or 0
    first = max(0, min(place - WINDOW // 2, len(rows) - WINDOW))
    last = first + WINDOW
    return Window(
        rows[first:last],
        rows[first - 1].number if first else None,
        rows[last].number if last < len(rows) else None,
    )


def end_of(found: Run) -> End | None:
    """The tests and the patch; None before there are any."""
    tests = trajectory.cached_tests(found.path)
    diff = RunRecord(found.path).patch()
    if not tests and not diff:
        return None
    files, is_cut = patch_diffs(diff.decode("utf-8", "replace"), Painter())
    passed = tuple(cut(test.id, 300).shown for test in tests if test.status is TestStatus.PASSED)
    return End(failed_tests(tests), passed, files, is_cut)


def _head(found: Run, outline: Outline, current: int | None) -> dict[str, object]:
    strip: tuple[Bar, ...] = bars(outline.rows)
    return {
        "run": found,
        "live": found.state in Run.OPEN,
        "outline": outline,
        "steps": max(found.steps, len(outline.rows)),
        "bars": strip,
        "current": current,
        "profile": profile_of_run(found.agent, trajectory.effective_settings(found.path)),
    }


def _current(outline: Outline, asked: str) -> int | None:
    if asked.isdigit() and len(asked) < 10 and outline.place(int(asked)) is not None:
        return int(asked)
    acting = (row.number for row in outline.rows if row.tool)
    return next(acting, outline.rows[0].number if outline.rows else None)


def _neighbours(outline: Outline, number: int | None) -> dict[str, int | None]:
    place = None if number is None else outline.place(number)
    if place is None:
        return {"previous": None, "next": None}
    rows = outline.rows
    return {
        "previous": rows[place - 1].number if place else None,
        "next": rows[place + 1].number if place + 1 < len(rows) else None,
    }


def _read(found: Run, outline: Outline, number: int | None) -> Step | None:
    place = None if number is None else outline.place(number)
    return None if place is None else trajectory.step_at(found.path, outline.rows[place])


def _step(found: Run, outline: Outline, number: int | None) -> StepView | None:
    read = _read(found, outline, number)
    return None if read is None else step_view(read, trajectory.edits(found.path).get(read.step_id))


def _plain(text: str | bytes) -> HttpResponse:
    """Never anything but text, whatever a browser would like to take it for."""
    return HttpResponse(
        text,
        content_type="text/plain; charset=utf-8",
        headers={"X-Content-Type-Options": "nosniff", "Content-Disposition": "inline"},
    )
