"""The finished runs of an evaluation as one compressed file, which `import_runs` can read."""

from __future__ import annotations

from pathlib import Path

from harness.records import SUMMARY
from harness.records.packing import pack
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
    files = ((run.path / name, f"{run.directory}/{name}") for run in runs for name in files_of(run.path))
    pack(path, files)
    return len(runs)
