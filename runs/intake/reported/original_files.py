"""The files of an import as they came, beside the directories of its runs.

A file from which one trajectory was read, or several, is below ORIGINALS under its own place. The files of a
trajectory that was read from several are in a zip file of its own.
"""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import BinaryIO

from runs.intake.reported.reported_result import readable
from runs.models.result_report import ORIGINALS, packed_originals
from runs.transfer.run_archive import added, opened, parts_of

_IN_MEMORY = 8 * 1024**2  # bytes of a zip file that is written at once


def store_originals(files: Mapping[str, Path], directory: Path) -> None:
    """Stores the files of the trajectory with this run directory, by place. Raises ResultsRefused, also for a link.

    Several are packed: making 80 files in 40 directories takes 6 to 49 ms on a disk, and one zip file of them 4 ms.
    A small one is made in memory, from files that are read without a buffer: that takes 0.65 times as long.
    """
    if len(files) == 1:
        ((place, path),) = files.items()
        target = directory.parent / ORIGINALS / place
        target.parent.mkdir(parents=True, exist_ok=True)
        with _opened(path, place) as file, target.open("wb") as copy:
            shutil.copyfileobj(file, copy)
    elif files:
        target = packed_originals(directory)
        target.parent.mkdir(parents=True, exist_ok=True)
        with (
            SpooledTemporaryFile(max_size=_IN_MEMORY, dir=str(target.parent)) as packed,
            target.open("wb") as copy,
        ):
            with zipfile.ZipFile(packed, "w") as archive:
                for place, path in sorted(files.items()):
                    with _opened(path, place) as file:
                        for _ in added(archive, place, parts_of(file), os.fstat(file.fileno()).st_size):
                            pass
            packed.seek(0)
            shutil.copyfileobj(packed, copy)


def _opened(path: Path, place: str) -> BinaryIO:
    with readable(place):
        return opened(path, buffering=0)


def remove_originals(home: Path, runs: Collection[str], places: Collection[str]) -> None:
    """Removes all files as they came from the directory of an import, except those of these runs.

    `runs`: the names of their directories; `places`: those of the files that they were read from.
    """
    for path in (home / ORIGINALS).rglob("*"):
        if path.is_file() and str(path.relative_to(home / ORIGINALS)) not in places:
            path.unlink(missing_ok=True)
    wanted = {packed_originals(home / run) for run in runs}
    for path in packed_originals(home / "run").parent.glob("*"):
        if path not in wanted:
            path.unlink(missing_ok=True)
