"""What a run left behind, file by file, as text and pictures and never as anything else."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from harness.records import RunRecord
from runs.formatting.text import clean
from runs.queries.filters import visible_runs
from runs.replay import record
from runs.views.replay_pages.step_view import full_texts


@require_safe
def step_raw(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """The whole of a step, or with `?part=` of one part of it, as plain text."""
    found = get_object_or_404(visible_runs(request.user), pk=pk)
    read = record.read_step(found.path, number)
    if read is None:
        raise Http404(f"run {pk} has no step {number}")
    texts = list(full_texts(*read))
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


def _plain(text: str | bytes) -> HttpResponse:
    """Never anything but text, whatever a browser would like to take it for."""
    return HttpResponse(
        text,
        content_type="text/plain; charset=utf-8",
        headers={"X-Content-Type-Options": "nosniff", "Content-Disposition": "inline"},
    )
