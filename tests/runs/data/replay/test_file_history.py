"""A file after a step: its last known content, and why later changes are missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from harness.records import FileEdit
from harness.tools.inside.files import read_file
from harness.tools.inside.snapshot import Version, describe
from harness.tools.inside.workspace import Workspace
from runs.data.replay.file_history import (
    CannotApply,
    Changed,
    FileState,
    ShownFile,
    apply_edit,
    state_after,
    whole_text,
)

DIFF = "--- a/t\n+++ b/t\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n"
LINES = ["one", "two", "", "@@ -1 +1 @@", "--- a/x", "+++", "\\ No", "é\r"]
TEXT = some.lists(some.sampled_from(LINES), max_size=12).map("\n".join)


def edit(
    diff: str = DIFF, change: str = "modified", added: int = 1, removed: int = 1, **more: bool
) -> FileEdit:
    return FileEdit("t", change, added, removed, diff=diff, **more)  # type: ignore[arg-type]


def recorded(before: str | None, after: str | None, limit: int = 10_000) -> FileEdit:
    """The change as the tool server records it."""
    old, new = (None if text is None else Version(0o100644, text.encode()) for text in (before, after))
    return FileEdit(**describe("t", old, new, limit))


@given(TEXT, TEXT)
def test_recorded_diffs_lead_from_before_to_after(before: str, after: str) -> None:
    assert apply_edit(before, recorded(before, after)) == after


@given(TEXT)
def test_an_added_file_is_completely_known(text: str) -> None:
    assert state_after(None, [Changed(4, recorded(None, text))]) == FileState(True, text, "added", 4, (4,))


@pytest.mark.parametrize(
    ("text", "change", "reason"),
    [
        ("one\nother\n", edit(), "the lines that it replaces are not in the file"),
        ("", edit(), "the lines that it replaces are not in the file"),
        ("one\ntwo\n", edit(binary=True), "the file is not text"),
        ("one\ntwo\n", edit("--- a/t\n+++ b/t\n[binary]\n", added=0, removed=0), "the file is not text"),
        ("one\ntwo\n", edit(f"{DIFF}[the diff is cut here: 9 more characters]\n"), "only a part"),
        ("one\ntwo\n", edit("[not compared: too large, or not readable]\n", added=0, removed=0), "only a part"),
        ("one\ntwo\n", edit("--- a/t\n+++ b/t\n@@ -1,2 +1,2 @@\n one\nxx\n", added=0), "the recorded diff is broken"),
        ("one\ntwo\n", edit(added=2), "the recorded line counts do not match the diff"),
        ("one\ntwo\n", edit("", added=3), "the recorded line counts do not match the diff"),
    ],
)  # fmt: skip
def test_a_change_that_does_not_fit_is_not_applied(text: str, change: FileEdit, reason: str) -> None:
    with pytest.raises(CannotApply, match=reason):
        apply_edit(text, change)


def test_hunks_out_of_order_are_refused() -> None:
    twice = "@@ -1 +1 @@\n-one\n+a\n@@ -1 +1 @@\n-one\n+b\n"

    with pytest.raises(CannotApply):
        apply_edit("one\n", edit(f"--- a/t\n+++ b/t\n{twice}", added=2, removed=2))


class TestAfterSeveralSteps:
    def test_the_text_comes_from_the_start_and_every_change(self) -> None:
        events = [Changed(3, recorded("one\n", "two\n")), Changed(7, recorded("two\n", "two\nthree\n"))]

        assert state_after("one\n", events) == FileState(True, "two\nthree\n", "start", 0, (3, 7))

    def test_an_uncertain_change_ends_the_known_text_with_a_reason(self) -> None:
        events = [
            Changed(3, recorded("one\n", "two\n")),
            Changed(5, edit(binary=True)),
            Changed(6, recorded("x", "y")),
        ]

        found = state_after("one\n", events)
        assert (found.text, found.steps, found.lost, found.trouble) == (
            "two\n",
            (3,),
            5,
            "the file is not text",
        )

    def test_a_complete_read_makes_the_text_known_again(self) -> None:
        again = Changed(8, recorded("new\n", "newer\n"))
        events: list[ShownFile | Changed] = [Changed(5, edit(binary=True)), ShownFile(6, "new\n"), again]

        assert state_after("one\n", events) == FileState(True, "newer\n", "shown", 6, (8,))

    def test_a_complete_read_overrides_the_computed_text(self) -> None:
        assert state_after("one\n", [ShownFile(2, "another\n")]) == FileState(True, "another\n", "shown", 2)
        assert state_after("one\n", [ShownFile(2, "one\n")]) == FileState(True, "one\n")

    def test_a_deleted_file_may_be_added_again(self) -> None:
        gone = Changed(4, recorded("one\n", None))

        assert state_after(None, [gone]) == FileState(True, None, "added", 4, (4,))
        assert state_after("one\n", [gone, Changed(5, recorded(None, "new\n"))]).text == "new\n"

    def test_an_unavailable_file_is_unknown(self) -> None:
        found = state_after(None, [Changed(4, edit())])

        assert (found.known, found.lost, found.trouble) == (
            False,
            4,
            "the content before it is unknown",
        )


class TestWhatAReadShows:
    def result(self, tmp_path: Path, content: bytes, **arguments: int) -> str:
        (tmp_path / "t").write_bytes(content)
        return read_file(Workspace(str(tmp_path)), "t", **arguments)

    @pytest.mark.parametrize("text", ["one\n", "one", "one\n\n", "\n", "a\tb\n  c\n", "[lines 1-2 of 3]\n"])
    def test_is_the_whole_file(self, tmp_path: Path, text: str) -> None:
        assert whole_text(self.result(tmp_path, text.encode())) == text

    def test_is_not_the_whole_file_if_partial_or_binary(self, tmp_path: Path) -> None:
        assert whole_text(self.result(tmp_path, b"one\ntwo\n", limit=1)) is None
        assert whole_text(self.result(tmp_path, b"one\r\ntwo\r\n")) is None
        assert whole_text(self.result(tmp_path, b"x" * 100_000)) is None
        assert whole_text(self.result(tmp_path, b"caf\xff\n")) is None
        assert whole_text(self.result(tmp_path, b"line\n" * 50_000)) is None

    @pytest.mark.parametrize("content", ["", "words", "     2\tone", "     1\tone\n     3\tthree", "[]"])
    def test_is_nothing_for_other_results(self, content: str) -> None:
        assert whole_text(content) is None
