"""The finished runs of an evaluation as one compressed file, which `import_runs` can read."""

from __future__ import annotations

import tarfile
from pathlib import Path

from harness.records import SUMMARY
from runs.models import Evaluation, Run
from runs.transfer.record_files import files_of


class ExportRefused(Exception):
    """Nothing was written. The message says why."""


def export_runs(evaluation: Evaluation, path: Path) -> int:
    """Writes the settled try of each finished run to `path`, in one move. Returns how many runs there are.

    Raises ExportRefused when an evaluation has none, or when a run's directory is not on this machine.
    """
    runs = list(evaluation.runs.filter(state=Run.State.FINISHED).order_by("key"))
    if not runs:
        raise ExportRefused(f"{evaluation.slug} has no finished run")
    missing = next((run for run in runs if not (run.path / SUMMARY).is_file()), None)
    if missing is not None:
        raise ExportRefused(
            f"{missing.path} is missing or incomplete: export on the machine that made the run"
        )
    partial = path.with_name(f"{path.name}.partial")
    # Runs of one task are similar: packed together they need a tenth of the space.
    with tarfile.open(partial, "w:xz") as archive:
        for run in runs:
            for name in files_of(run.path):
                archive.add(run.path / name, f"{run.directory}/{name}", filter=_anonymous)
    partial.replace(path)
    return len(runs)


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Without owner and date, so that equal runs give equal files."""
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o644
    return entry
