"""Downloads: rows of many runs as JSON Lines or Parquet, one run as a zip or as ATIF, runs as a log of Inspect."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import fields
from typing import Self
from weakref import finalize

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404

from runs.access.client_address import address_of
from runs.api.problems import problem
from runs.data.cache.results import data_version
from runs.data.queries.blind_sessions import refuse_while_playing, without_hidden_while_playing
from runs.data.queries.filters import RunFilter, visible_runs
from runs.data.queries.parameters import BadParameter
from runs.data.queries.run_list import RunListQuery
from runs.data.queries.visibility import ANONYMOUS
from runs.models import Run
from runs.models.agent import REPORTED
from runs.transfer import row_formats, run_archive
from runs.transfer.export_tables.export_table import ExportTable
from runs.transfer.interchange import atif, inspect_archive, reported_archive
from runs.transfer.run_rows import Row

# In one process: slow downloads must not occupy all threads, nor those of one address all places.
MAX_AT_ONCE, MAX_OF_ADDRESS = 3, 2
RETRY_SECONDS = 30
# The parameters of the list of runs, without its order.
PARAMETERS = (*sorted(field.name for field in fields(RunFilter)), "exploit", "q", "sign")
_SLUG = re.compile(r"[-\w]{1,50}", re.ASCII)


class Places:
    """The places of exports that run at the same time, each taken by an address."""

    def __init__(self, most: int = MAX_AT_ONCE, most_of_address: int = MAX_OF_ADDRESS) -> None:
        self._most, self._most_of_address = most, most_of_address
        self._taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self, address: str) -> bool:
        """Takes a place. False if there is none for this address."""
        with self._lock:
            free = self._taken.total() < self._most and self._taken[address] < self._most_of_address
            if free:
                self._taken[address] += 1
            return free

    def give_back(self, address: str) -> None:
        """Gives a place back."""
        with self._lock:
            self._taken -= Counter([address])


_places = Places()


class Stream:
    """The chunks of an export. Holds a place of its address until it is closed."""

    def __init__(self, chunks: Generator[bytes], address: str) -> None:
        self._chunks = chunks
        # Also when the stream is deleted without being closed.
        self._leave = finalize(self, _places.give_back, address)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        return next(self._chunks)

    def close(self) -> None:
        """Gives the place back, once."""
        self._chunks.close()
        self._leave()


def jsonl(table: ExportTable) -> Callable[[HttpRequest], HttpResponseBase]:
    """The view of a table of the runs that match the filters of the URL, one JSON object per line."""

    def export(request: HttpRequest) -> HttpResponseBase:
        return _table(
            request, table, "jsonl", lambda batches, _chosen: row_formats.lines(batches, table.columns)
        )

    return export


def parquet(table: ExportTable) -> Callable[[HttpRequest], HttpResponseBase]:
    """The same as one Parquet file."""

    def export(request: HttpRequest) -> HttpResponseBase:
        def written(batches: Iterator[list[Row]], chosen: RunListQuery) -> Generator[bytes]:
            metadata = {
                "benchbench.source": request.build_absolute_uri(),
                "benchbench.data_version": data_version(),
                "benchbench.filter": chosen.query(),
            }
            return row_formats.parquet(batches, metadata, table.columns)

        return _table(request, table, "parquet", written)

    return export


def _table(
    request: HttpRequest,
    table: ExportTable,
    ending: str,
    written: Callable[[Iterator[list[Row]], RunListQuery], Generator[bytes]],
) -> HttpResponseBase:
    for name in request.GET:
        if name not in PARAMETERS:
            raise BadParameter("parameter", name, "one of " + ", ".join(PARAMETERS))
    chosen = RunListQuery.from_query(request.GET)
    runs = without_hidden_while_playing(chosen.runs(ANONYMOUS), request.user)
    if reason := table.refusal(runs):
        return problem(400, reason)
    media_type = row_formats.NDJSON if ending == "jsonl" else row_formats.PARQUET
    evaluation = chosen.filter.evaluation
    name = f"{table.name}-{evaluation}" if _SLUG.fullmatch(evaluation) else table.name
    return _streamed(request, lambda: written(table.batches(runs), chosen), media_type, f"{name}.{ending}")


def run_zip(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The run directory of a run that is over; of a reported run, its trajectory and the recording of its terminal."""
    run = _run(request, pk)
    if run.agent.kind == REPORTED and atif.has_steps(run):
        return _streamed(request, lambda: reported_archive.zipped(run), "application/zip", f"run-{pk}.zip")
    try:
        names = run_archive.files_to_export(run)
    except run_archive.NotExportable as error:
        raise Http404(str(error)) from error
    return _streamed(request, lambda: run_archive.zipped(run.path, names), "application/zip", f"run-{pk}.zip")


def run_atif(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The trajectory as one ATIF document; of an unfinished run, the steps so far."""
    run = _run(request, pk)
    if not atif.has_steps(run):
        raise Http404("This run has no trajectory on this machine, or no step yet.")
    return _streamed(request, lambda: atif.document(run), "application/json", f"run-{pk}.atif.json")


def run_inspect(request: HttpRequest, pk: int) -> HttpResponseBase:
    """A run that has ended as a log of Inspect with one sample."""
    run = _run(request, pk)
    return _log(request, visible_runs(ANONYMOUS).filter(pk=run.pk), f"run-{pk}.eval")


def evaluation_inspect(request: HttpRequest, pk: int, agent: str) -> HttpResponseBase:
    """All runs of an agent in an evaluation that have ended as one log of Inspect."""
    runs = visible_runs(ANONYMOUS).filter(evaluation=pk, agent__slug=agent)
    shown = without_hidden_while_playing(runs, request.user)
    slug = shown.order_by().values_list("evaluation__slug", flat=True).first()
    return _log(request, shown, f"{slug}-{agent}.eval")


def _log(request: HttpRequest, runs: QuerySet[Run], name: str) -> HttpResponseBase:
    try:
        log = inspect_archive.log_of(runs)
    except inspect_archive.NotALog as error:
        raise Http404(str(error)) from error
    return _streamed(request, log.chunks, "application/zip", name)


def _run(request: HttpRequest, pk: int) -> Run:
    found = get_object_or_404(visible_runs(ANONYMOUS), pk=pk)
    refuse_while_playing(request.user, [found])
    return found


def _streamed(
    request: HttpRequest, chunks: Callable[[], Generator[bytes]], media_type: str, name: str
) -> HttpResponseBase:
    address = address_of(request)
    if not _places.take(address):
        busy = problem(503, f"Too many exports are running: try again in {RETRY_SECONDS} s.")
        busy.headers["Retry-After"] = str(RETRY_SECONDS)
        return busy
    return StreamingHttpResponse(
        Stream(chunks(), address),
        content_type=media_type,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "X-Content-Type-Options": "nosniff",
        },
    )
