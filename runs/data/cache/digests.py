"""Digests that cached values are found by: of texts, and of the source code."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.conf import settings

SOURCES = ("benchbench", "harness", "runs", "tasks", "templates")
LOCK_FILE = "requirements.txt"


def text_digest(*texts: str) -> str:
    """32 hexadecimal digits of these texts in this order."""
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


@cache
def source_digest() -> str:
    """The digest of this process's source code: 16 hexadecimal digits.

    `RunsConfig.ready` computes it, before anyone can change a file whose code is already loaded.
    """
    return tree_digest(Path(settings.BASE_DIR))


def tree_digest(root: Path) -> str:
    """Changes with every file that code, templates or installed packages come from, below the project's root.

    All files but hidden ones count, not a list of those that results need: such a list would miss the next import.
    Reading 780 files takes 20 ms of CPU time.
    """
    total = hashlib.sha256()
    for path in _files(root):
        name = os.fsencode(path.relative_to(root))
        total.update(name + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]


def _files(root: Path) -> Iterator[Path]:
    for source in SOURCES:
        for directory, names, files in os.walk(root / source):
            names[:] = sorted(name for name in names if name != "__pycache__" and not name.startswith("."))
            yield from (Path(directory, name) for name in sorted(files) if not name.startswith("."))
    if (root / LOCK_FILE).is_file():
        yield root / LOCK_FILE
