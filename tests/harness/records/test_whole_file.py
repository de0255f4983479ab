"""Files that are written at once or not at all."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from harness.errors import DiskFull
from harness.records import write_json


def test_an_object_is_written_with_the_directory_that_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "notes" / "a.json"
    write_json(path, {"text": "tide \N{WATER WAVE}, half of a pair \ud83c"})

    assert json.loads(path.read_text()) == {"text": "tide \N{WATER WAVE}, half of a pair ?"}
    assert list(path.parent.iterdir()) == [path]


def test_on_a_full_disk_the_older_file_stays_and_no_part_of_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    write_json(path, {"number": 1})

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFull, match=r"no space is left for .*: No space left on device"):
        write_json(path, {"number": 2})
    assert json.loads(path.read_text()) == {"number": 1}
    assert list(tmp_path.iterdir()) == [path]
