"""The record of a session as its page reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.records import FileEdit, Step, ToolCall, ToolResult
from runs.play.played_record import PlayedRecord, known_paths, plain_path


def step(number: int, name: str, content: str, *, ok: bool = True, **arguments: object) -> Step:
    call = ToolCall("1", name, arguments)
    return Step(number, "", "agent", "", calls=(call,), results=(ToolResult("1", content, ok, 0.0),))


def test_known_files_are_those_that_were_listed_opened_or_changed() -> None:
    listing = (
        'lib/\nx.py  12 bytes\n"odd\\nname.py"  1 byte\n'
        "link -> x.py\nlib/deep/\nlib/a b.c  2 bytes\n[left out: dist]"
    )
    steps = (
        step(1, "list_dir", listing, recursive=True),
        step(2, "list_directory", "gone.py  3 bytes\nsub/", path="src"),
        step(3, "read_file", "     1\tx", path="./docs/../README.md"),
        step(4, "list_dir", "'nowhere' does not exist", ok=False, path="nowhere"),
    )
    edits = ((5, (FileEdit("new.py", "added", 1, 0), FileEdit("src/gone.py", "deleted", 0, 1))),)
    files, folders = known_paths(PlayedRecord(steps, edits))
    assert files == ("README.md", "lib/a b.c", "new.py", "odd\nname.py", "x.py")
    assert folders == ("lib/deep", "src/sub")


def test_a_record_that_is_missing_or_broken_is_empty(tmp_path: Path) -> None:
    assert PlayedRecord.read(tmp_path / "none") == PlayedRecord()
    (tmp_path / "trajectory.jsonl").write_text('{}\n{"step_id": "x"}\n')
    assert PlayedRecord.read(tmp_path) == PlayedRecord()
    assert (PlayedRecord().last, PlayedRecord().changes(3), PlayedRecord().shown_to_person(3)) == (0, (), "")


@pytest.mark.parametrize(("path", "plain"), [("./a//b", "a/b"), (3, ""), ("", ""), ("a/../b", "b")])
def test_paths_are_compared_as_patches_name_them(path: object, plain: str) -> None:
    assert plain_path(path) == plain
