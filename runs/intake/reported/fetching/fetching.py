"""Gets the trajectories of a public source, or of a copy of it, and attaches them to their board."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from runs.intake.reported.fetching.clones import cloned_directory
from runs.intake.reported.fetching.downloads import Download, check_public
from runs.intake.reported.fetching.public_source import PublicSource
from runs.intake.reported.importing_files import ImportedFiles, import_files
from runs.intake.reported.joining.board_rows import rows_of
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.staged_records import Progress
from runs.intake.reported.trajectory import file_digest
from runs.intake.reported.unpacked_files import unpacked_files

REGISTER = "sources"  # below DATASETS_ROOT
FETCHED = "sources"  # below DATA: what has arrived, until it is attached
_PORTS = {"https": 443, "http": 80}


@dataclass(frozen=True, slots=True)
class Fetching:
    """How a source is fetched. `copy`: a directory, a file or an address instead of its own; '' for its own.

    `progress` gets how far the download is, in words; `reading_progress`, how many trajectories are read.
    """

    source: PublicSource
    copy: str = ""
    progress: Callable[[str], None] = lambda _: None
    reading_progress: Progress | None = None

    def run(self) -> ImportedFiles:
        """Fetches, checks and attaches. What has arrived stays until all of it is attached. Raises ResultsRefused."""
        rows_of(self.source.board, self.source.agent)  # before anything is downloaded
        with unpacked_files(self._arrived()) as files:
            done = import_files(
                files, {"board": self.source.board, "agent": self.source.agent}, self.reading_progress
            )
        shutil.rmtree(self._home, ignore_errors=True)
        return done

    @property
    def _home(self) -> Path:
        return Path(settings.RUNS_ROOT).parent / FETCHED / self.source.name

    def _arrived(self) -> Path:
        """The file or directory with the trajectories."""
        copy = Path(self.copy)
        if self.copy and not self._is_address() and not copy.exists():
            raise ResultsRefused(self.copy, "there is no such file or directory")
        if not self.copy or self._is_address() or (self.source.git and _is_repository(copy)):
            return self._cloned() if self.source.git else self._downloaded()
        if copy.is_file() and self.source.sha256 and file_digest(copy) != self.source.sha256:
            raise ResultsRefused(
                copy, f"its SHA-256 is not {self.source.sha256}: it is another file, or damaged"
            )
        return copy

    def _is_address(self) -> bool:
        return self.copy.startswith(("https://", "http://"))

    def _address(self, own: str) -> str:
        """The source's address, which has to be public, or that of the copy, which its user chose."""
        if self.copy:
            return self.copy if self._is_address() else str(Path(self.copy).resolve())
        parts = urlsplit(own)
        check_public(own, parts.hostname or "", parts.port or _PORTS["https"])
        return own

    def _cloned(self) -> Path:
        return cloned_directory(self.source, self._address(self.source.git), self._home, self.progress)

    def _downloaded(self) -> Path:
        address = self._address(self.source.archive)
        target = self._home / "archive"
        return Download(address, target, self.source.max_bytes, self.source.sha256, self._show).run()

    def _show(self, done: int, total: int | None) -> None:
        of_all = f" of {total / 1e6:.1f}" if total else ""
        self.progress(f"{done / 1e6:.1f}{of_all} MB")


def _is_repository(path: Path) -> bool:
    return (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir())
