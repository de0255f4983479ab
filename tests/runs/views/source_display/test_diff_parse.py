"""Unified diffs as numbered lines, with the changed parts of replaced lines."""

from __future__ import annotations

import pytest

from runs.views.source_display.diff_parse import (
    MAX_COMPARED,
    MAX_COMPARED_LENGTH,
    DiffLine,
    mark_changes,
    numbered,
)


def changes(diff: str) -> list[list[str]]:
    """The changed parts of each line that has some."""
    read = numbered(diff)
    mark_changes(read)
    return [[line.text[start:end] for start, end in line.changed] for line in read if line.changed]


def test_lines_have_their_numbers_before_and_after() -> None:
    assert numbered("--- a/x\n+++ b/x\n@@ -7,2 +9,3 @@ def f():\n one\n-two\n+2\n+3\n") == [
        DiffLine("heading", "--- a/x"),
        DiffLine("heading", "+++ b/x"),
        DiffLine("heading", "@@ -7,2 +9,3 @@ def f():"),
        DiffLine("same", "one", 7, 9),
        DiffLine("removed", "two", old=8),
        DiffLine("added", "2", new=10),
        DiffLine("added", "3", new=11),
    ]


def test_a_hunk_ends_after_its_lines() -> None:
    read = numbered("@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -0,0 +1 @@\n+c")
    assert [line.kind for line in read] == [
        "heading",
        "removed",
        "added",
        "heading",
        "heading",
        "heading",
        "added",
    ]
    assert read[-1].new == 1


def test_within_a_hunk_dashes_are_a_removed_line() -> None:
    assert numbered("@@ -1,2 +1 @@\n--- dashes\n kept")[1:] == [
        DiffLine("removed", "-- dashes", old=1),
        DiffLine("same", "kept", 2, 1),
    ]


def test_an_empty_line_of_a_hunk_is_unchanged() -> None:
    assert numbered("@@ -1,2 +1,2 @@\n\n b\n")[1] == DiffLine("same", "", 1, 1)


def test_a_note_on_a_missing_newline_does_not_end_the_hunk() -> None:
    read = numbered("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n")
    assert [line.kind for line in read] == ["heading", "removed", "heading", "added"]


def test_lines_of_a_hunk_without_numbers_have_none() -> None:
    assert numbered("@@ nonsense\n-a\n+b\n@@ more\n c") == [
        DiffLine("heading", "@@ nonsense"),
        DiffLine("removed", "a"),
        DiffLine("added", "b"),
        DiffLine("heading", "@@ more"),
        DiffLine("same", "c"),
    ]


@pytest.mark.parametrize("text", ["", "\n"])
def test_an_empty_diff_has_at_most_an_empty_heading(text: str) -> None:
    assert [(line.kind, line.text) for line in numbered(text)] == [("heading", "")] * len(text)


def test_changed_words_of_similar_lines_are_marked() -> None:
    assert changes("@@ -1,2 +1,2 @@\n-let tide = 1;\n-two\n+let moon = 1;\n+two\n") == [["tide"], ["moon"]]


def test_inserted_words_are_marked_on_their_side_only_with_text() -> None:
    assert changes("@@ -1 +1 @@\n-f(a)\n+f(a, b)\n") == [[""], [", b"]]


def test_lines_that_are_too_different_or_too_long_are_not_compared() -> None:
    assert changes("@@ -1 +1 @@\n-return nothing\n+x\n") == []
    most = "a " * (MAX_COMPARED_LENGTH // 2 - 1)
    assert changes(f"@@ -1 +1 @@\n-{most}b\n+{most}c\n") == [["b"], ["c"]]
    assert changes(f"@@ -1 +1 @@\n-{most}bbb\n+{most}c\n") == []


def test_only_added_lines_that_follow_removed_ones_directly_replace_them() -> None:
    assert changes("@@ -1,2 +1,2 @@\n-a b c\n same\n+a b d\n") == []


def test_the_number_of_comparisons_is_limited() -> None:
    count = MAX_COMPARED + 1
    diff = f"@@ -1,{count} +1,{count} @@\n" + "-a b c\n" * count + "+a b d\n" * count
    assert len(changes(diff)) == 2 * MAX_COMPARED
