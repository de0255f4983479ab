"""The files of an archive, unpacked for the time in which they are read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from harness.archive_stream import ArchiveRefused
from harness.scratch import scratch
from runs.intake.reported.forms.eval_archive import is_log
from runs.intake.reported.reported_result import ResultsRefused
from runs.transfer.unpacking import any_file, is_packed, unpack


@contextmanager
def unpacked_files(path: Path) -> Iterator[Path]:
    """What to read: a directory with the files of a zip or tar file, or `path` itself if it is none.

    Logs of Inspect are zip files that their form reads itself.

    The limits are those of `transfer.unpacking`. Raises ResultsRefused, whose places are inside the archive.
    """
    if path.is_dir() or not is_packed(path) or is_log(path):
        yield path
        return
    root = Path(settings.RUNS_ROOT).parent
    root.mkdir(parents=True, exist_ok=True)
    with scratch("unpack", root=root) as home:
        directory = home / "files"
        directory.mkdir()
        try:
            unpack(path, directory, any_file)
            yield directory
        except ArchiveRefused as error:
            raise ResultsRefused(path.name, str(error)) from error
        except ResultsRefused as error:
            raise error.below(directory, path.name) from error
