"""The files of a run directory that leave this site and come back, and how long each may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.records import (
    ARTIFACTS,
    EDITS,
    LOG,
    MOST_BYTES,
    PATCH,
    SUMMARY,
    TESTS,
    TRAJECTORY,
    USER,
    RunRecord,
)
from runs.execution.run_signature import SIGNATURE

FILES = (SUMMARY, TRAJECTORY, EDITS, USER, PATCH, TESTS, LOG, SIGNATURE)
_SPARE = 1 << 20  # the last line of a record that is full

MOST_FILE_BYTES: Mapping[str, int] = {
    SUMMARY: 1 << 20,
    TRAJECTORY: MOST_BYTES + _SPARE,
    EDITS: MOST_BYTES + _SPARE,
    USER: 1 << 20,
    PATCH: 128 << 20,
    TESTS: 64 << 20,
    LOG: 64 << 20,
    SIGNATURE: 4096,
}


def files_of(directory: Path) -> Iterator[str]:
    """The files of a run directory that belong to the run, by relative path."""
    yield from (name for name in FILES if (directory / name).is_file())
    yield from (f"{ARTIFACTS}/{name}" for name in RunRecord(directory).artifacts())
