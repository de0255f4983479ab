"""Files of a run directory that are written at once or not at all."""

from __future__ import annotations

import errno
import json
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness.errors import DiskFull

NO_SPACE = (errno.ENOSPC, errno.EDQUOT)


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Writes an object to a file, and makes its directory if there is none. Two writers never mix their content.

    Raises DiskFull if no space is left, and OSError.
    """
    text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    partial = path.with_suffix(f".{uuid.uuid4().hex}.partial")
    with space_for(path):
        path.parent.mkdir(exist_ok=True)
        try:
            with partial.open("xb") as file:
                file.write(text.encode("utf-8", "replace"))
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)


@contextmanager
def space_for(path: Path) -> Iterator[None]:
    """Raises DiskFull with the path when no space is left."""
    try:
        yield
    except OSError as error:
        if error.errno not in NO_SPACE:
            raise
        raise DiskFull(f"no space is left for {path}: {error.strerror}") from error
