"""Single files of a run: screenshots, patch, test log, and the recording of its terminal with its page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from csp.constants import SELF, WASM_UNSAFE_EVAL
from csp.decorators import csp_update
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.shortcuts import render
from django.views.decorators.http import require_safe

from harness.pictures import picture_type
from harness.records import RunRecord
from runs.data.queries.filters import replay_or_404
from runs.data.queries.visibility import is_operator, sees_grading_output, visible
from runs.data.replay.terminal_recording import (
    RecordingRefused,
    RecordingSize,
    duration,
    recording_size,
    transcript,
)
from runs.models import Run, TrajectorySource
from runs.presentation.formatting.text import clean
from runs.transfer.run_archive import is_plain, opened

NOSNIFF = {"X-Content-Type-Options": "nosniff"}
_CHUNK = 64 * 1024
MAX_PLAYED = 10 * 1024**2
"""Bytes of a recording that the page plays. The player holds it in memory, and goes back by playing from the start."""
MAX_SHOWN = 100_000
"""Characters of the text that the page itself shows."""


@require_safe
def artifact(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """A picture in the result of a tool. What is sent is a picture by its content, and named as such."""
    content = _record(request, pk).artifact(name)
    if content is None:
        raise Http404(f"run {pk} has no such picture")
    return HttpResponse(
        content,
        content_type=picture_type(content),
        headers={
            **NOSNIFF,
            "Content-Disposition": "inline",
            "Content-Security-Policy": "default-src 'none'; sandbox",
        },
    )


@require_safe
def patch(request: HttpRequest, pk: int) -> HttpResponse:
    """The final patch, byte for byte, as plain text."""
    return inline_text(_record(request, pk).patch())


@require_safe
def log(request: HttpRequest, pk: int) -> HttpResponse:
    """The output of the hidden tests, for operators: a patch can make it quote the tests. 404 for other readers."""
    found = _record(request, pk)
    if not sees_grading_output(request.user):
        raise Http404("the output of a grading is for operators")
    return inline_text(clean(found.grading_log()))


@require_safe
def original(request: HttpRequest, pk: int) -> FileResponse:
    """The file of another tool from which the trajectory was read, as it came, or a zip file of several.

    For operators: it may hold secrets.
    """
    found = replay_or_404(request.user, pk)
    source = visible(TrajectorySource.objects.filter(run=found), request.user).first()
    if source is None or not is_operator(request.user) or not is_plain(source.path):
        raise Http404(f"run {pk} has no such file")
    response = FileResponse(opened(source.path), as_attachment=True, filename=source.download_name)
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def inline_text(text: str | bytes, kind: str = "plain") -> HttpResponse:
    """Text of the media type text/`kind`, which browsers must not interpret as anything else."""
    return HttpResponse(
        text,
        content_type=f"text/{kind}; charset=utf-8",
        headers={**NOSNIFF, "Content-Disposition": "inline"},
    )


def _record(request: HttpRequest, pk: int) -> RunRecord:
    return RunRecord(replay_or_404(request.user, pk).path)


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
        "room": _room(size),
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


def _room(size: RecordingSize) -> tuple[int, int]:
    """The least width of the player, with text of 12 pixels, and its height then; in pixels."""
    width = math.ceil(size.columns * 12 * 0.62) + 40
    letter = width / size.columns / 0.6  # its height; the player makes the text as wide as itself
    return width, math.ceil(size.rows * letter * 4 / 3) + 40


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
