"""Small source archives for tests."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path


def pack(path: Path, files: Mapping[str, str], top: str = "", links: Mapping[str, str] | None = None) -> Path:
    """Writes a tar archive of these texts, and links to these targets, below the directory `top`."""
    mode = {".gz": "w:gz", ".xz": "w:xz", ".bz2": "w:bz2"}.get(path.suffix, "w")
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, text in files.items():
            header = tarfile.TarInfo(f"{top}/{name}" if top else name)
            header.size, header.mode = len(text.encode()), 0o755 if name.endswith(".sh") else 0o644
            archive.addfile(header, io.BytesIO(text.encode()))
        for name, target in (links or {}).items():
            header = tarfile.TarInfo(f"{top}/{name}" if top else name)
            header.type, header.linkname = tarfile.SYMTYPE, target
            archive.addfile(header)
    return path


def texts(files: Mapping[str, object]) -> dict[str, str]:
    """The contents of files by path."""
    return {path: getattr(file, "content", b"").decode() for path, file in files.items()}


def names(found: Iterable[object]) -> list[str]:
    """The identifiers of changes and refusals."""
    return [str(getattr(one, "identifier", "")) for one in found]
