"""The recording of a run's terminal: a page that plays it, the file, and its text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from csp.constants import SELF, WASM_UNSAFE_EVAL
from csp.decorators import csp_update
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.shortcuts import render
from django.views.decorators.http import require_safe

from harness.records import RunRecord
from runs.data.queries.filters import replay_or_404
from runs.data.replay.terminal_recording import RecordingRefused, duration, recording_size, transcript
from runs.models import Run
from runs.views.replay_pages.run_files import NOSNIFF

_CHUNK = 64 * 1024
MAX_PLAYED = 10 * 1024**2
"""Bytes of a recording that the page plays. The player holds it in memory, and goes back by playing from the start."""
MAX_SHOWN = 100_000
"""Characters of the text that the page itself shows."""


@require_safe
@csp_update({"script-src": [SELF, WASM_UNSAFE_EVAL]})  # type: ignore[arg-type] # the player is WebAssembly
def terminal(request: HttpRequest, pk: int) -> HttpResponse:
    """Plays the recording, with its beginning as text beside it."""
    found, path = _recording(request, pk)
    try:
        size = recording_size(path)
        text, is_cut = _beginning(transcript(path))
    except RecordingRefused as error:
        raise Http404(f"the recording of run {pk} is damaged: {error}") from error
    length = path.stat().st_size
    context = {
        "run": found,
        "size": size,
        "seconds": duration(path),
        "bytes": length,
        "plays": length <= MAX_PLAYED,
        "most": MAX_PLAYED,
        "text": text,
        "is_cut": is_cut,
        "section": "runs",
    }
    return render(request, "runs/terminal.html", context)


@require_safe
def recording_file(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The recording, to download and for the player. It is sent in parts."""
    found, path = _recording(request, pk)
    return StreamingHttpResponse(
        _parts(path),
        content_type="application/x-asciicast",
        headers={
            **NOSNIFF,
            "Content-Disposition": f'attachment; filename="run-{found.pk}.cast"',
            "Content-Length": str(path.stat().st_size),
        },
    )


@require_safe
def transcript_file(request: HttpRequest, pk: int) -> HttpResponseBase:
    """What the terminal showed, as text. It is sent in parts."""
    _, path = _recording(request, pk)
    return StreamingHttpResponse(
        _readable(path),
        content_type="text/plain; charset=utf-8",
        headers={**NOSNIFF, "Content-Disposition": "inline"},
    )


def _parts(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while part := file.read(_CHUNK):
            yield part


def _readable(path: Path) -> Iterator[str]:
    try:
        yield from transcript(path)
    except RecordingRefused as error:
        yield f"\n[the rest of the recording is damaged: {error}]\n"


def _beginning(pieces: Iterator[str]) -> tuple[str, bool]:
    """The first characters, and whether there are more."""
    text = ""
    for piece in pieces:
        text += piece
        if len(text) > MAX_SHOWN:
            return text[:MAX_SHOWN], True
    return text, False


def _recording(request: HttpRequest, pk: int) -> tuple[Run, Path]:
    found = replay_or_404(request.user, pk)
    path = RunRecord(found.path).terminal() if found.directory else None
    if path is None:
        raise Http404(f"run {pk} has no recording of a terminal")
    return found, path
