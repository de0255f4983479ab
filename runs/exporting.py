"""The finished runs of an evaluation as a zip file that `import_runs` takes back."""

from __future__ import annotations

import zipfile
from pathlib import Path

from runs.importing import FILES
from runs.models import Evaluation, Run

# The oldest date that a zip file can hold: equal runs give equal files, whenever they are packed.
_DATE = (1980, 1, 1, 0, 0, 0)


class ExportRefused(Exception):
    """Nothing was written. The message says why."""


def export_runs(evaluation: Evaluation, path: Path) -> int:
    """Writes the settled try of each finished run to `path`, in one move. Returns how many runs there are.

    Raises ExportRefused when an evaluation has none, or when a run's directory is not on this machine.
    """
    runs = list(evaluation.runs.filter(state=Run.State.FINISHED).order_by("key"))
    if not runs:
        raise ExportRefused(f"{evaluation.slug} has no finished run")
    missing = next((run for run in runs if not (run.path / "run_summary.json").is_file()), None)
    if missing is not None:
        raise ExportRefused(f"{missing.path} is not here or not complete: export where the run was made")
    partial = path.with_name(f"{path.name}.partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for run in runs:
            for name in FILES:
                file = run.path / name
                if file.is_file():
                    entry = zipfile.ZipInfo(f"{run.directory}/{name}", _DATE)
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    entry.external_attr = 0o644 << 16
                    archive.writestr(entry, file.read_bytes())
    partial.replace(path)
    return len(runs)
