"""Two patches, file by file and line by line."""

from __future__ import annotations

from runs.views.compare_pages.patch_comparison import FilePair, file_pairs
from runs.views.source_display.diff_rows import FileDiff, file_diff
from runs.views.source_display.spans import text_of
from runs.views.source_display.syntax import Painter


def diff(path: str, body: str) -> FileDiff:
    return file_diff(body, path, Painter(most=0))


def lines(pair: FilePair) -> list[tuple[str, str, str]]:
    return [(line.owner, line.sign, text_of(line.pieces)) for line in pair.lines]


ONE = diff("a.py", "@@ -1,3 +1,4 @@\n def f():\n-    return 0\n+    x = 1\n+    return x\n end\n")
TWO = diff("a.py", "@@ -1,3 +1,3 @@\n def f():\n-    return 0\n+    return 2\n end\n")


def test_lines_of_both_patches_and_of_one_are_told_apart() -> None:
    pair = FilePair("a.py", ONE, TWO)

    assert lines(pair) == [
        ("both", "", "def f():"),
        ("both", "−", "    return 0"),
        ("A", "+", "    x = 1"),
        ("A", "+", "    return x"),
        ("B", "+", "    return 2"),
        ("both", "", "end"),
    ]
    assert pair.counts == (1, 2, 1)
    assert not pair.same


def test_unchanged_lines_that_only_one_patch_shows_are_left_out() -> None:
    far = diff(
        "a.py",
        "@@ -1,3 +1,3 @@\n def f():\n-    return 0\n+    return 2\n end\n@@ -90,2 +90,2 @@\n deep\n-a\n+b\n",
    )

    assert lines(FilePair("a.py", TWO, far)) == [
        ("both", "", "def f():"),
        ("both", "−", "    return 0"),
        ("both", "+", "    return 2"),
        ("both", "", "end"),
        ("B", "−", "a"),
        ("B", "+", "b"),
    ]


def test_many_lines_that_both_have_are_one_line() -> None:
    shared = "".join(f"+shared {number}\n" for number in range(10))
    one, two = (diff("a.py", f"@@ -1,1 +1,12 @@\n{shared}+only {end}\n") for end in "ab")

    assert lines(FilePair("a.py", one, two)) == [
        ("both", "", "7 lines that both have"),
        *(("both", "+", f"shared {number}") for number in (7, 8, 9)),
        ("A", "+", "only a"),
        ("B", "+", "only b"),
    ]
    assert FilePair("a.py", one, two).counts == (10, 1, 1)


def test_the_same_change_at_other_lines_is_the_same() -> None:
    moved = diff("a.py", "@@ -7,2 +7,3 @@\n-    return 0\n+    x = 1\n+    return x\n")
    assert FilePair("a.py", ONE, moved).same


def test_files_come_in_the_order_of_the_first_patch_and_keep_all_lines_of_their_own() -> None:
    first, second, third = (diff(name, "@@ -1,2 +1,2 @@\n same\n-a\n+b\n") for name in ("z", "b", "c"))
    pairs = file_pairs([first, second], [third, second])

    assert [(pair.path, pair.same) for pair in pairs] == [("z", False), ("b", True), ("c", False)]
    assert lines(pairs[2]) == [("B", "", "same"), ("B", "−", "a"), ("B", "+", "b")]
