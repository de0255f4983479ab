"""Changes of files that a record states: hunks, diffs, or texts before and after."""

from __future__ import annotations

from typing import Any

import pytest

from harness.records import FileEdit, Step, ToolCall, ToolResult
from runs.intake.reported.step_readers.stated_edits import (
    edit_of_diff,
    edit_of_hunks,
    edit_of_texts,
    with_edits,
)

HOME = "/w"
HUNK = {"oldStart": 3, "oldLines": 1, "newStart": 3, "newLines": 2, "lines": ["-a", "+b", "+c"]}


def test_hunks_keep_their_line_numbers() -> None:
    (edit,) = edit_of_hunks("/w/a.py", [HUNK, HUNK], HOME)
    assert (edit.path, edit.change, edit.added, edit.removed) == ("a.py", "modified", 4, 2)
    assert edit.diff == "--- a/a.py\n+++ b/a.py\n" + "@@ -3,1 +3,2 @@\n-a\n+b\n+c\n" * 2


@pytest.mark.parametrize(
    "hunks",
    [None, [], {}, [1], [{**HUNK, "lines": "+a"}], [{**HUNK, "lines": [1]}], [{**HUNK, "oldStart": "3"}]],
)
def test_hunks_of_another_form_state_nothing(hunks: Any) -> None:
    assert list(edit_of_hunks("/w/a.py", hunks, HOME)) == []


def test_a_diff_is_read_with_and_without_its_header() -> None:
    for head in ("", "diff --git a/a b/a\n--- a/a\n+++ b/a\n"):
        (edit,) = edit_of_diff("a.py", f"{head}@@ -1 +1 @@\n-a\n+b\n", HOME)
        assert edit.diff == "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\n"
    assert list(edit_of_diff("a.py", None, HOME)) == []


def test_texts_are_compared() -> None:
    (changed,) = edit_of_texts("a.py", "x\na\n", "x\nb\n", HOME)
    assert changed == FileEdit(
        "a.py", "modified", 1, 1, diff="--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n x\n-a\n+b\n"
    )
    (added,) = edit_of_texts("a.py", None, "a\nb", HOME)
    assert (added.change, added.added, added.diff) == (
        "added",
        2,
        "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1,2 @@\n+a\n+b\n",
    )
    (deleted,) = edit_of_texts("a.py", "a\n", None, HOME)
    assert (deleted.change, deleted.removed, deleted.diff) == (
        "deleted",
        1,
        "--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
    )
    assert list(edit_of_texts("a.py", "a", "a", HOME)) == []


def test_a_large_change_is_named_without_its_lines() -> None:
    many = "".join(f"{number}\n" for number in range(10_001))
    for found in (
        edit_of_texts("a.py", None, many, HOME),
        edit_of_diff("a.py", f"@@ -1 +1 @@\n{many}", HOME),
    ):
        (edit,) = found
        assert (edit.path, edit.added, edit.is_compared) == ("a.py", 0, False)


@pytest.mark.parametrize("path", [None, "", 1, "/etc/hosts", "../a", "/w", "a\u202eb"])
def test_files_elsewhere_are_no_changes_of_the_workspace(path: Any) -> None:
    assert list(edit_of_hunks(path, [HUNK], HOME)) == []


def test_the_other_calls_of_a_step_have_the_changes_that_they_name() -> None:
    given = {"path": "b.py", "old_str": "a", "new_str": "b"}
    calls = (ToolCall("1", "Edit", {"file_path": "a.py"}), ToolCall("2", "Edit", given))
    results = tuple(ToolResult(call.id, "ok", True, None) for call in calls)
    step = Step(1, "", "agent", "", "", calls, results)
    stated = {"1": list(edit_of_hunks("a.py", [HUNK], HOME))}
    assert [edit.path for edit in with_edits(step, stated, HOME).edits or ()] == ["a.py", "b.py"]
    assert not stated  # a later call may have the same id
    assert with_edits(step, {"1": []}, HOME).edits is not None
    assert with_edits(step, {"3": []}, HOME).edits is None
