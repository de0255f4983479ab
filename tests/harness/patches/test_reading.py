from __future__ import annotations

from harness.patches import (
    Change,
    FileState,
    Hunk,
    LineCounts,
    added_lines,
    apply_patch,
    count_lines,
    make_patch,
    named_files,
    split_changes,
    split_files,
    split_hunks,
    touched_paths,
)
from tests.harness.patches.test_git import TEN, read_from, text


def test_hunks_carry_their_lines_with_context() -> None:
    diff = make_patch([text("a.py", "1\n2\n3\n4\n5")], [text("a.py", "1\n2\n3\n4\nfive\nsix")])
    assert split_hunks(diff) == [
        Hunk("a.py", 1, 2, ("2\n", "3\n", "4\n", "5"), ("2\n", "3\n", "4\n", "five\n", "six"))
    ]


def test_a_new_file_is_one_hunk_from_line_zero() -> None:
    assert split_hunks(make_patch([], [text("a", "1\n2\n")])) == [Hunk("a", 1, 0, (), ("1\n", "2\n"))]


def test_hunks_are_numbered_in_each_file() -> None:
    before = [text("a", TEN * 2), text("b", TEN)]
    after = [text("a", "0\n" + TEN * 2 + "21\n"), text("b", TEN + "11\n")]
    assert [(h.file, h.number, h.old_start) for h in split_hunks(make_patch(before, after))] == [
        ("a", 1, 1),
        ("a", 2, 18),
        ("b", 1, 8),
    ]


def test_its_files_are_named_by_its_headers_even_where_it_breaks_off() -> None:
    before = [text("a b", TEN), text("gone", "1\n"), text("ä.c", "1\n")]
    diff = make_patch(
        before, [text("a b", "diff --git a/x b/x\n" + TEN), text("new", "2\n"), text("ä.c", "")]
    )
    moved = b"diff --git a/old.py b/moved.py\nsimilarity index 100%\nrename from old.py\nrename to moved.py\n"
    assert named_files(diff + moved) == {"a b", "gone", "new", "ä.c", "old.py", "moved.py"}
    assert named_files(diff[: diff.index(b"+++ ")]) == {"a b"}
    assert named_files(b"") == frozenset()


def test_changes_are_where_the_lines_differ_whatever_context_is_shown() -> None:
    before, after = text("a", TEN), text("a", TEN.replace("line 3\n", "3\n").replace("line 6\n", "6\n\n"))
    assert split_changes(make_patch([before], [after])) == [
        Change("a", 3, ("line 3",), ("3",)),
        Change("a", 6, ("line 6",), ("6", "")),
    ]
    bare = b"--- a/a\n+++ b/a\n@@ -3,0 +4,1 @@\n+between\n@@ -6,1 +7,0 @@\n-line 6\n"
    assert split_changes(bare) == [Change("a", 4, (), ("between",)), Change("a", 6, ("line 6",), ())]


def test_a_new_file_is_one_change_before_line_one() -> None:
    assert split_changes(make_patch([], [text("a", "1\n2\n")])) == [Change("a", 1, (), ("1", "2"))]


def test_a_plain_unified_diff_is_understood() -> None:
    diff = b"--- a/x.c\t2024-01-01\n+++ b/x.c\t2024-01-02\n@@ -1 +1 @@\n-int a;\n+int b;\n"
    assert touched_paths(diff) == ["x.c"]
    assert apply_patch(diff, read_from([text("x.c", "int a;\n")])) == (text("x.c", "int b;\n"),)


def test_both_names_of_a_rename_are_touched() -> None:
    diff = b"diff --git a/a.py b/b.py\nsimilarity index 100%\nrename from a.py\nrename to b.py\n"
    assert touched_paths(diff) == ["a.py", "b.py"]
    assert apply_patch(diff, read_from([text("a.py", "1\n")])) == (
        FileState("a.py", None),
        text("b.py", "1\n"),
    )


def test_lines_are_counted_as_git_counts_them() -> None:
    before = [text("a", "1\n2\n3\n"), FileState("logo", b"\0\1")]
    after = [text("a", "1\ntwo\nmore\n3\n"), FileState("logo", b"\0\2"), text("new", "--- x\n+++ y\n")]
    diff = make_patch(before, after)
    assert count_lines(diff) == LineCounts(files=3, added=4, removed=1)
    assert list(added_lines(diff)) == [("a", "two"), ("a", "more"), ("new", "--- x"), ("new", "+++ y")]


def test_no_patch_counts_nothing() -> None:
    assert count_lines(b"") == LineCounts(0, 0, 0)


def test_a_patch_is_divided_into_one_part_for_each_file() -> None:
    before = [text("a", TEN), text("old", "-- x\n")]
    after = [text("a", TEN + "-- 11\n"), text("new", "n\n")]
    diff = make_patch(before, after)
    parts = split_files(b"From: somebody\n\n---\n" + diff)
    assert [(part.path, part.old) for part in parts] == [("a", "a"), ("new", None), ("old", "old")]
    assert b"".join(part.text for part in parts) == diff
    for part in parts:
        assert [state.path for state in apply_patch(part.text, read_from(before))] == [part.path]


def test_a_patch_without_headers_of_git_is_divided_too() -> None:
    quilt = b"".join(
        b"Index: %s\n===\n--- p.orig/%s\n+++ p/%s\n@@ -1 +1 @@\n-a\n+b\n" % (name, name, name)
        for name in (b"x", b"y")
    )
    assert [part.path for part in split_files(quilt)] == ["x", "y"]
    assert split_files(quilt)[0].text.startswith(b"--- p.orig/x\n")
