"""A reported run as a zip file for `import_trajectories`: its trajectory, and the recording of its terminal."""

from __future__ import annotations

import zipfile
from collections.abc import Generator, Iterator
from contextlib import suppress

from harness.records import ATIF_FILE, TERMINAL, RunRecord
from runs.models import Run
from runs.transfer.interchange import atif
from runs.transfer.run_archive import added, opened, parts_of
from runs.transfer.sink import Sink


def zipped(run: Run) -> Generator[bytes]:
    """The zip file, chunk by chunk. The run has a step. The recording is as it is stored: without secrets and input."""
    sink = Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for _ in _all_added(archive, run):
            if content := sink.take():
                yield content
    yield sink.take()


def _all_added(archive: zipfile.ZipFile, run: Run) -> Iterator[None]:
    # The document has more bytes than the records: 64-bit sizes always fit.
    yield from added(archive, f"run-{run.pk}/{ATIF_FILE}", atif.document(run), zipfile.ZIP64_LIMIT)
    path = RunRecord(run.path).terminal()
    if path is not None:
        with suppress(FileNotFoundError), opened(path) as file:
            size = path.stat().st_size
            yield from added(archive, f"run-{run.pk}/{TERMINAL}", parts_of(file), size)
