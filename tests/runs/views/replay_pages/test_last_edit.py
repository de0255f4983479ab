"""The last edit of a run: which step and file it is, and how it is shown."""

from __future__ import annotations

import json

import pytest

from harness.records import FileEdit
from runs.models import Run
from runs.views.replay_pages.last_edit import MAX_LINES, last_edit
from tests.runs.cast import Cast, act, recorder_of

pytestmark = pytest.mark.django_db


def record_edits(cast: Cast, *paths: str, diff: str = "@@ -1 +1 @@\n-a\n+b\n") -> Run:
    """A run with one step for each path, which changes it; '' changes nothing."""
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    recorder = recorder_of(run)
    for path in paths:
        edits = (
            [FileEdit(path, "modified", 1, 1, diff=diff), FileEdit("other.py", "added", 2, 0)] if path else []
        )
        act(recorder, "edit_file", {"path": path}, edits=edits)
    return run


def test_the_last_edit_is_the_last_step_that_changed_something(cast: Cast) -> None:
    found = last_edit(record_edits(cast, "a.py", "b\u202epy", "").path)

    assert found is not None
    assert (found.step, found.path, found.others, found.added) == (2, "b⟨U+202E⟩py", 1, 1)
    assert [row.kind for row in found.diff.rows] == ["heading", "removed", "added"]


def test_compiler_output_is_not_an_edit(cast: Cast) -> None:
    run = record_edits(cast, "src/a.c", "src/b.c", "build/b.o", "gone.c")
    patched(run, "src/a.c", "src/b.c")

    found = last_edit(run.path)

    assert found is not None
    assert (found.step, found.path, found.others) == (2, "src/b.c", 1)


def test_the_file_in_the_patch_is_named(cast: Cast) -> None:
    run = record_edits(cast, "src/a.c", "build/a.o")
    patched(run, "other.py")

    found = last_edit(run.path)

    assert found is not None
    assert (found.step, found.path, found.added) == (2, "other.py", 2)


def test_without_recorded_edits_of_patched_files_the_last_edit_is_used(
    cast: Cast,
) -> None:
    run = record_edits(cast, "a.py", "b.py")
    patched(run, "c.py")

    found = last_edit(run.path)

    assert found is not None
    assert (found.step, found.path) == (2, "b.py")


def patched(run: Run, *paths: str) -> None:
    """Gives a run a final patch of these files."""
    parts = (f"diff --git a/{p} b/{p}\n--- a/{p}\n+++ b/{p}\n@@ -1 +1 @@\n-a\n+b\n" for p in paths)
    (run.path / "patch.diff").write_text("".join(parts))


def test_invalid_lines_are_ignored(cast: Cast) -> None:
    run = record_edits(cast, "a.py")
    good = json.dumps(
        {"step_id": 9, "files": [{"path": "z.py", "change": "added", "added": 1, "removed": 0}]}
    )
    with (run.path / "edits.jsonl").open("a") as file:
        file.write(
            f'{good}\n[]\n{{"step_id": 1}}\nnot json\n{{"step_id": 10, "files": [{{"path": 7}}]}}\n{good[:20]}'
        )

    found = last_edit(run.path)

    assert found is not None
    assert (found.step, found.path, found.diff.rows) == (9, "z.py", ())


def test_a_long_record_is_read_from_its_end_and_a_long_diff_cut(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runs.views.replay_pages.last_edit.MAX_BYTES", 6_000)
    long = "@@ -1 +1 @@\n" + "+line\n" * (MAX_LINES + 20)
    run = record_edits(cast, *["a.py"] * 30, "b.py", diff=long)

    found = last_edit(run.path)

    assert found is not None
    assert (found.path, len(found.diff.rows), found.diff.is_cut) == ("b.py", MAX_LINES, True)


def test_a_run_without_a_record_has_no_last_edit(cast: Cast) -> None:
    assert last_edit(cast.add_run(cast.alice(), cast.add_tasks(1)[0]).path) is None
