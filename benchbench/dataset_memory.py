"""Remembers from which files the shipped datasets were loaded, so that a start reads only those that changed."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from django.conf import settings

from runs.data.cache.digests import source_digest
from tasks.loading import load
from tasks.models import Dataset

MEMORY = "loaded_datasets.json"  # in the data directory


def load_if_changed(directory: Path) -> bool:
    """Loads a dataset, unless the database has it from these files by this source code. Returns whether it did.

    Raises harness.dataset.DatasetError.
    """
    state = _state(directory)
    memory = _read()
    known = memory.get(str(directory), {})
    if known.get("files") == state and _is_stored(known):
        return False
    dataset = load(directory)
    known = {"files": state, "slug": dataset.slug, "loaded_at": dataset.loaded_at.isoformat()}
    _write({**memory, str(directory): known})
    return True


def _is_stored(known: dict[str, str]) -> bool:
    """Whether the last loading of the dataset, of whatever files and in whatever database, is the one that we know."""
    return Dataset.objects.filter(slug=known["slug"], loaded_at=known["loaded_at"]).exists()


def _state(directory: Path) -> str:
    """Changes with each file and the source code. Programs can set when a file was modified, not when it changed."""
    state = hashlib.sha256(source_digest().encode())
    for parent, directories, files in os.walk(directory):
        directories.sort()
        for path in (Path(parent, name) for name in sorted((*directories, *files))):
            found = path.lstat()
            state.update(os.fsencode(path) + f"\0{found.st_size} {found.st_ctime_ns}\0".encode())
    return state.hexdigest()


def _read() -> dict[str, dict[str, str]]:
    """What is remembered: nothing if the file is missing or damaged."""
    try:
        found: object = json.loads((Path(settings.DATA) / MEMORY).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(memory: dict[str, dict[str, str]]) -> None:
    path = Path(settings.DATA) / MEMORY
    half = path.with_suffix(".half")
    half.write_text(json.dumps(memory))
    half.replace(path)
