"""Without space for files no work begins, and the reason is a sentence for operators."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runs.jobs.disk_space import free_bytes, no_space


def test_a_disk_without_space_or_inodes_or_rights_says_what_it_lacks(settings: Any, tmp_path: Path) -> None:
    no_directory = tmp_path / "a file"
    no_directory.touch()
    assert no_space() == ""
    assert (free_bytes() or 0) > 0
    for name, value, reason in (
        ("MIN_FREE_MB", 1 << 40, "fewer than BENCHBENCH_LEAST_FREE_MB"),
        ("MIN_FREE_FILES", 1 << 60, "its file system has no more inodes"),
        ("RUNS_ROOT", no_directory, f"{no_directory} cannot be written to"),
    ):
        before = getattr(settings, name)
        setattr(settings, name, value)
        assert reason in no_space()
        setattr(settings, name, before)
