"""Packs run directories into one compressed file, and unpacks them."""

from __future__ import annotations

import tarfile
from collections.abc import Iterable
from pathlib import Path


def pack(archive: Path, files: Iterable[tuple[Path, str]]) -> None:
    """Writes a .tar.xz file of `files`, each with its name in the archive, in one move.

    Equal files give equal bytes.
    """
    partial = archive.with_name(f"{archive.name}.partial")
    # Runs of one task are similar: packed together they need a tenth of the space.
    with tarfile.open(partial, "w:xz") as packed:
        for path, name in files:
            packed.add(path, name, filter=_anonymous)
    partial.replace(archive)


def unpack(archive: Path, directory: Path) -> None:
    """Unpacks an archive of `pack` that ships with the project. Archives of others need `runs.transfer.unpacking`."""
    with tarfile.open(archive) as packed:
        # Python before 3.11.4 has no filters, and takes no argument of this name.
        packed.extraction_filter = getattr(tarfile, "data_filter", None)
        packed.extractall(directory)  # noqa: S202 - with the filter above


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Without owner and date."""
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o644
    return entry
