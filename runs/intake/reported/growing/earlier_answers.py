"""What judges said about a run before it grew: files in a directory for each earlier state, below that of the run."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from runs.judging.raters.rating_file import RATINGS
from runs.transfer.record_files import judged_files

_EARLIER = "earlier"


def carry_answers(older: Path, longer: Path, answered: int) -> None:
    """Copies what judges and people said from the directory of an older state into that of the longer one.

    `answered`: the try that the older state is, if it has answers, so that its files go into a directory of its own; 0
    without any. Ratings by people name their try themselves, and stay together.
    """
    if (older / _EARLIER).is_dir():
        shutil.copytree(older / _EARLIER, longer / _EARLIER, symlinks=True)
    for name in judged_files(older):
        home = (
            longer / _EARLIER / str(answered) if answered and not name.startswith(f"{RATINGS}/") else longer
        )
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(older / name, home / name, follow_symlinks=False)


def earlier_answers(directory: Path) -> Iterator[tuple[int, Path]]:
    """The earlier states of a run with answers: the number of the try, and the directory with its files."""
    for path in sorted((directory / _EARLIER).glob("*")):
        if path.name.isascii() and path.name.isdigit() and path.is_dir():
            yield int(path.name), path
