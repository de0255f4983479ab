"""Downloads: rows of many runs as JSON Lines or Parquet, one run directory as a zip, one trajectory as ATIF."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Generator
from dataclasses import fields
from typing import Self

from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404

from runs.api.problems import problem
from runs.cache.results import data_version
from runs.models import Run
from runs.queries.filters import RunFilter, visible_runs
from runs.queries.parameters import BadParameter
from runs.queries.run_list import RunListQuery
from runs.queries.visibility import ANONYMOUS
from runs.replay.jsonl import TRAJECTORY
from runs.transfer import atif, row_formats, run_archive
from runs.transfer.run_rows import batches

# In one process: slow downloads must not occupy all threads.
MOST_AT_ONCE = 3
RETRY_SECONDS = 30
# The parameters of the list of runs, without its order.
PARAMETERS = (*sorted(field.name for field in fields(RunFilter)), "q", "sign")
_slots = threading.BoundedSemaphore(MOST_AT_ONCE)
_SLUG = re.compile(r"[-\w]{1,50}", re.ASCII)


class Stream:
    """The chunks of an export. Holds a slot until it is closed."""

    def __init__(self, chunks: Generator[bytes]) -> None:
        self._chunks = chunks
        self._holds = True

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        return next(self._chunks)

    def close(self) -> None:
        """Releases the slot, once."""
        self._chunks.close()
        if self._holds:
            self._holds = False
            _slots.release()


def runs_jsonl(request: HttpRequest) -> HttpResponseBase:
    """The runs that match the filters of the URL, newest first, one JSON object per line."""
    chosen = _run_query(request)
    return _streamed(
        lambda: row_formats.lines(batches(chosen.runs(ANONYMOUS))),
        row_formats.NDJSON,
        _name(chosen, "jsonl"),
    )


def runs_parquet(request: HttpRequest) -> HttpResponseBase:
    """The same as one Parquet file."""
    chosen = _run_query(request)
    metadata = {
        "benchbench.source": request.build_absolute_uri(),
        "benchbench.data_version": data_version(),
        "benchbench.filter": chosen.query(),
    }
    return _streamed(
        lambda: row_formats.parquet(batches(chosen.runs(ANONYMOUS)), metadata),
        row_formats.PARQUET,
        _name(chosen, "parquet"),
    )


def run_zip(_request: HttpRequest, pk: int) -> HttpResponseBase:
    """The run directory of a run that is over."""
    run = _run(pk)
    try:
        names = run_archive.files_to_export(run)
    except run_archive.NotExportable as error:
        raise Http404(str(error)) from error
    return _streamed(lambda: run_archive.zipped(run.path, names), "application/zip", f"run-{pk}.zip")


def run_atif(_request: HttpRequest, pk: int) -> HttpResponseBase:
    """The trajectory as one ATIF document; of an unfinished run, the steps so far."""
    run = _run(pk)
    if not run_archive.is_plain(run.path / TRAJECTORY):
        raise Http404("This run has no trajectory on this machine.")
    return _streamed(lambda: atif.document(run), "application/json", f"run-{pk}.atif.json")


def _run_query(request: HttpRequest) -> RunListQuery:
    for name in request.GET:
        if name not in PARAMETERS:
            raise BadParameter("parameter", name, "one of " + ", ".join(PARAMETERS))
    return RunListQuery.from_query(request.GET)


def _run(pk: int) -> Run:
    return get_object_or_404(visible_runs(ANONYMOUS), pk=pk)


def _name(chosen: RunListQuery, ending: str) -> str:
    return (
        f"runs-{chosen.filter.evaluation}.{ending}"
        if _SLUG.fullmatch(chosen.filter.evaluation)
        else f"runs.{ending}"
    )


def _streamed(chunks: Callable[[], Generator[bytes]], media_type: str, name: str) -> HttpResponseBase:
    if not _slots.acquire(blocking=False):
        busy = problem(503, f"Too many exports are running: try again in {RETRY_SECONDS} s.")
        busy.headers["Retry-After"] = str(RETRY_SECONDS)
        return busy
    return StreamingHttpResponse(
        Stream(chunks()),
        content_type=media_type,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "X-Content-Type-Options": "nosniff",
        },
    )
