"""Runs to take along: rows of many as JSON lines or Parquet, one run's directory as a zip, its trajectory as ATIF."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Generator
from dataclasses import fields
from typing import Self

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404

from runs.api.problems import problem
from runs.cache.results import data_version
from runs.models import Run
from runs.queries.filters import RunFilter, visible_runs
from runs.queries.parameters import BadParameter
from runs.queries.run_list import RunListQuery
from runs.transfer import atif, row_formats, run_archive
from runs.transfer.run_rows import batches

# Of a process: others must find a thread free, however slowly these are read.
MOST_AT_ONCE = 3
RETRY_SECONDS = 30
# Those of the list of runs, but for its order.
PARAMETERS = (*sorted(field.name for field in fields(RunFilter)), "q", "sign")
_places = threading.BoundedSemaphore(MOST_AT_ONCE)
_ANYBODY = AnonymousUser()
_SLUG = re.compile(r"[-\w]{1,50}", re.ASCII)


class Stream:
    """Chunks of an export that hold a place until they are read, or until nobody reads on."""

    def __init__(self, chunks: Generator[bytes]) -> None:
        self._chunks = chunks
        self._holds = True

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        return next(self._chunks)

    def close(self) -> None:
        """Gives the place back, once."""
        self._chunks.close()
        if self._holds:
            self._holds = False
            _places.release()


def runs_jsonl(request: HttpRequest) -> HttpResponseBase:
    """The runs of the filters in the address, newest first, one JSON object a line."""
    chosen = _chosen(request)
    return _streamed(
        lambda: row_formats.lines(batches(chosen.runs(_ANYBODY))), row_formats.NDJSON, _name(chosen, "jsonl")
    )


def runs_parquet(request: HttpRequest) -> HttpResponseBase:
    """The same as one Parquet file."""
    chosen = _chosen(request)
    told = {
        "benchbench.source": request.build_absolute_uri(),
        "benchbench.data_version": data_version(),
        "benchbench.filter": chosen.query(),
    }
    return _streamed(
        lambda: row_formats.parquet(batches(chosen.runs(_ANYBODY)), told),
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
    """The trajectory as one ATIF document, as far as it goes."""
    run = _run(pk)
    if not run_archive.is_plain(run.path / atif.FILE):
        raise Http404("This run has no trajectory on this machine.")
    return _streamed(lambda: atif.document(run), "application/json", f"run-{pk}.atif.json")


def _chosen(request: HttpRequest) -> RunListQuery:
    for name in request.GET:
        if name not in PARAMETERS:
            raise BadParameter("parameter", name, "one of " + ", ".join(PARAMETERS))
    return RunListQuery.from_query(request.GET)


def _run(pk: int) -> Run:
    return get_object_or_404(visible_runs(_ANYBODY), pk=pk)


def _name(chosen: RunListQuery, ending: str) -> str:
    return (
        f"runs-{chosen.filter.evaluation}.{ending}"
        if _SLUG.fullmatch(chosen.filter.evaluation)
        else f"runs.{ending}"
    )


def _streamed(chunks: Callable[[], Generator[bytes]], media_type: str, name: str) -> HttpResponseBase:
    if not _places.acquire(blocking=False):
        busy = problem(503, f"Too much is being exported now: again in {RETRY_SECONDS} s.")
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
