"""Diffs as table rows: numbered, side by side, with changes within lines."""

from __future__ import annotations

import time

from runs.views.source_display.diff_rows import MAX_ROWS, DiffRow, file_diff, patch_diffs
from runs.views.source_display.spans import text_of
from runs.views.source_display.syntax import Painter

TIDE = """\
--- a/tide.txt
+++ b/tide.txt
@@ -7,4 +7,5 @@ tides
 one
-two low
-three
+two high
+three
+more
 four
"""


def rows(diff: str) -> list[tuple[str, str, str, str]]:
    return [
        (row.sign, row.old, row.new, text_of(row.pieces)) for row in file_diff(diff, "t.txt", Painter()).rows
    ]


def changed(row: DiffRow) -> list[str]:
    return [piece.marked for piece in row.pieces if "changed" in piece.classes]


def test_lines_have_their_numbers_before_and_after() -> None:
    assert rows(TIDE) == [
        ("", "", "", "@@ -7,4 +7,5 @@ tides"),
        ("", "7", "7", "one"),
        ("−", "8", "", "two low"),
        ("−", "9", "", "three"),
        ("+", "", "8", "two high"),
        ("+", "", "9", "three"),
        ("+", "", "10", "more"),
        ("", "10", "11", "four"),
    ]


def test_side_by_side_shows_a_line_beside_its_replacement() -> None:
    pairs = file_diff(TIDE, "t.txt", Painter()).pairs
    sides = [(left and text_of(left.pieces), text_of(right.pieces)) for left, right in pairs if right]

    assert sides == [
        ("one", "one"),
        ("two low", "two high"),
        ("three", "three"),
        (None, "more"),
        ("four", "four"),
    ]


def test_changes_within_similar_lines_are_marked() -> None:
    found = file_diff(TIDE, "t.txt", Painter()).rows

    assert [changed(row) for row in found if row.sign] == [["low"], [], ["high"], [], []]


def test_different_lines_are_not_compared() -> None:
    found = file_diff("@@ -1 +1 @@\n-return nothing at all\n+x\n", "t.txt", Painter()).rows

    assert [changed(row) for row in found] == [[], [], []]


def test_each_side_is_highlighted_as_source() -> None:
    diff = "@@ -1,2 +1,2 @@\n-x = 1\n+x = '''two\n+lines'''\n y = 3\n"
    found = file_diff(diff, "a.py", Painter()).rows

    classes = {text_of(row.pieces): {p.classes for p in row.pieces if p.classes} for row in found}
    assert classes["lines'''"] == {"t-str"}
    assert classes["y = 3"] == {"t-num"}


def test_a_hunk_may_hold_lines_that_look_like_headings() -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n--- removed dashes\n kept\n"

    assert rows(diff) == [
        ("", "", "", "@@ -1,2 +1 @@"),
        ("−", "1", "", "-- removed dashes"),
        ("", "2", "1", "kept"),
    ]


def test_a_missing_last_newline_is_shown_once_and_splits_no_pair() -> None:
    note = "\\ No newline at end of file"
    found = file_diff(f"@@ -1 +1 @@\n-a b c\n{note}\n+a b d\n{note}\n", "t.txt", Painter())

    assert [text_of(row.pieces) for row in found.rows].count(note) == 2
    assert [changed(row) for row in found.rows if row.sign] == [["c"], ["d"]]
    last = [(left and text_of(left.pieces), right and text_of(right.pieces)) for left, right in found.pairs]
    assert last[1:] == [("a b c", "a b d"), (note, None)]


def test_a_patch_is_cut_into_its_files() -> None:
    patch = (
        "diff --git a/one.txt b/one.txt\nindex 1..2 100644\n" + TIDE.replace("tide.txt", "one.txt")
        + "diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n"
        + "@@ -1 +0,0 @@\n-diff --git a/x b/x\n"
        + "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n"
    )  # fmt: skip
    files, is_cut = patch_diffs(patch, Painter())

    assert [(file.path, file.added, file.removed) for file in files] == [
        ("one.txt", 3, 2),
        ("gone", 0, 1),
        ("run", 0, 0),
    ]
    assert [text_of(row.pieces) for row in files[2].rows] == ["old mode 100644", "new mode 100755"]
    assert not is_cut


def test_long_diffs_are_cut_and_marked() -> None:
    diff = "@@ -0,0 +1,500 @@\n" + "+x\n" * 500
    found = file_diff(diff, "t.txt", Painter())

    assert (len(found.rows), found.is_cut) == (MAX_ROWS, True)
    files, is_cut = patch_diffs(f"diff --git a/a b/a\n{diff}diff --git a/b b/b\n{diff}", Painter())
    assert (len(files), is_cut) == (1, True)


def test_tall_diffs_are_known() -> None:
    short, long = ("@@ -0,0 +1 @@\n+" + "x" * length + "\n" for length in (100, 2_000))

    assert not file_diff(short, "t.txt", Painter()).tall
    assert file_diff(long, "t.txt", Painter()).tall
    assert file_diff("@@ -0,0 +1,30 @@\n" + "+x\n" * 30, "t.txt", Painter()).tall


def test_invalid_diffs_are_shown_unchanged() -> None:
    for diff in [
        "",
        "\n",
        "@@",
        "@@ -1 +1 @@",
        "@@ -x @@\n+a",
        "+++",
        "\\",
        "diff --git \n",
        "@@ -9999999999 +1 @@\n+a\n",
    ]:
        assert all(text in diff for _, _, _, text in rows(diff))
        patch_diffs(diff, Painter())
    assert rows("@@ nonsense\n+a\n b\n") == [
        ("", "", "", "@@ nonsense"),
        ("+", "", "", "a"),
        ("", "", "", "b"),
    ]


def test_crafted_lines_are_not_slow() -> None:
    lines = "".join(f"-{'a b ' * 90}{n}\n" for n in range(200)) + "".join(
        f"+{'b a ' * 90}{n}\n" for n in range(200)
    )
    began = time.monotonic()
    file_diff(f"@@ -1,200 +1,200 @@\n{lines}", "t.py", Painter())

    assert time.monotonic() - began < 2
