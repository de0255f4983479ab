"""Files as the person has them on the screen, against what the tools make of real files."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.records import NOT_COMPARED, FileEdit, Step, ToolCall, ToolResult
from harness.tools.inside import edit, files, snapshot
from harness.tools.inside.workspace import Workspace
from runs.play.opened_file import (
    CRLF,
    OPEN_ENDED,
    OpenedFile,
    ReadFunction,
    last_read,
    opened_file,
    saving_call,
)
from runs.play.played_record import PlayedRecord

TOOLS: Mapping[str, Any] = {
    "read_file": files.read_file,
    "edit_file": edit.edit_file,
    "write_file": edit.write_file,
    "str_replace": edit.search_replace,
}


UNCOMPARED = FileEdit("a.txt", "modified", 0, 0, diff=f"{NOT_COMPARED}too large]\n")


class Desk:
    """A directory with one file, and the record of what the tools did to it."""

    def __init__(self, root: Path, content: bytes = b"") -> None:
        self.root, self.file = root, root / "a.txt"
        self.file.write_bytes(content)
        self.workspace = Workspace(str(root))
        self.steps: list[Step] = []
        self.edits: list[tuple[int, tuple[FileEdit, ...]]] = []

    def do(self, name: str, **arguments: Any) -> str:
        """One step with one call at the file."""
        before = self.file.read_bytes()
        content = TOOLS[name](self.workspace, "a.txt", **arguments)
        after = self.file.read_bytes()
        old, new = (snapshot.Version(0o100644, text) for text in (before, after))
        edit = FileEdit(**snapshot.describe("a.txt", old, new, 100_000))
        self.note(name, {"path": "a.txt", **arguments}, content, changed=after != before, edit=edit)
        return str(content)

    def note(
        self,
        name: str,
        arguments: dict[str, Any],
        content: str,
        *,
        changed: bool,
        edit: FileEdit = UNCOMPARED,
    ) -> None:
        number = len(self.steps) + 1
        call = ToolCall(f"call-{number}", name, arguments)
        result = ToolResult(call.id, content, True, 0.0)
        self.steps.append(Step(number, "", "agent", "", calls=(call,), results=(result,)))
        if changed:
            self.edits.append((number, (edit,)))

    def opened(self) -> OpenedFile:
        return opened_file(PlayedRecord(tuple(self.steps), tuple(self.edits)), "./a.txt")

    def save(self, text: str, *tools: str) -> None:
        call = saving_call(self.opened(), text, tools)
        if call is not None:
            arguments = dict(call["arguments"])
            assert arguments.pop("path") == "a.txt"
            self.do(call["name"], **arguments)


@pytest.mark.parametrize("content", [b"", b"one\n", b"one\ntwo", b"a\r\nb\r\n", b"\xef\xbb\xbfx\n", b"\n\n"])
def test_a_file_that_was_read_is_known_whole(tmp_path: Path, content: bytes) -> None:
    desk = Desk(tmp_path, content)
    desk.do("read_file")
    file = desk.opened()
    assert (file.is_whole, file.problem) == (True, "")
    assert file.text == content.decode("utf-8-sig").replace("\r\n", "\n")


texts = st.lists(st.sampled_from(["", "a", "b", "  c", "déjà", "[d]", "1\td"]), max_size=6).map("\n".join)
numbers = itertools.count()


@given(before=texts, after=texts, closed=st.booleans(), tool=st.sampled_from(["edit_file", "write_file"]))
def test_what_is_saved_is_on_disk_and_stays_known(
    tmp_path_factory: pytest.TempPathFactory, before: str, after: str, closed: bool, tool: str
) -> None:
    desk = Desk(tmp_path_factory.mktemp(f"desk-{next(numbers)}"), before.encode())
    desk.do("read_file")
    after += "\n" if closed else ""
    desk.save(after, tool)
    written = desk.file.read_text()
    # edit_file removes no newline at the end.
    assert written in ({after, after + "\n"} if tool == "edit_file" else {after})
    assert desk.opened().text == written
    assert desk.opened().problem == ""


def test_bytes_that_are_no_text_and_line_ends_stay_where_nothing_was_changed(tmp_path: Path) -> None:
    desk = Desk(tmp_path, b"caf\xe9\r\ntwo\r\n")
    desk.do("read_file")
    assert desk.opened().has(CRLF)
    desk.save(desk.opened().text.replace("two", "three"), "edit_file", "write_file")
    assert desk.file.read_bytes() == b"caf\xe9\r\nthree\r\n"
    with pytest.raises(ValueError, match="no text in UTF-8"):
        desk.save("x\n", "write_file")


def test_a_replaced_text_is_followed(tmp_path: Path) -> None:
    desk = Desk(tmp_path, b"one\ntwo")
    desk.do("read_file")
    desk.do("str_replace", old="two", new="2\n")
    assert desk.opened().text == "one\n2\n" == desk.file.read_text()


def test_a_long_file_is_read_in_parts_until_it_is_known(tmp_path: Path) -> None:
    content = "".join(f"line {number} {'x' * (number % 90)}\n" for number in range(2_000))
    desk = Desk(tmp_path, content.encode())
    desk.do("read_file")
    assert desk.opened().problem == "Not all of its lines were read."
    parts = desk.opened().missing()
    assert 1 < len(parts) <= 20
    for offset, limit in parts:
        desk.do("read_file", offset=offset, limit=limit)
    assert desk.opened().text == content
    assert desk.opened().missing() == []


def test_a_part_of_a_file_says_where_it_begins(tmp_path: Path) -> None:
    desk = Desk(tmp_path, b"1\n2\n3\n4\n")
    desk.do("read_file", offset=2, limit=2)
    file = desk.opened()
    assert (file.spans, file.text, file.total, file.is_whole) == ([(2, 3)], "2\n3\n", 4, False)
    assert file.extent == "lines 2–3 of 4"
    assert file.missing() == [(1, 1), (4, 1)]


def test_the_parts_of_a_file_that_are_known_have_their_own_numbers(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "".join(f"{number}\n" for number in range(1, 2_001)).encode())
    desk.do("read_file", offset=1, limit=2)
    desk.do("read_file", offset=1_999, limit=2)
    assert desk.opened().spans == [(1, 2), (1_999, 2_000)]
    assert desk.opened().extent == "lines 1–2, 1,999–2,000 of 2,000"
    desk.do("read_file")
    assert (desk.opened().spans, desk.opened().extent) == ([(1, 2_000)], "2,000 lines")


def test_after_a_change_by_something_else_the_file_has_to_be_read_again(tmp_path: Path) -> None:
    desk = Desk(tmp_path, b"1\n")
    desk.do("read_file")
    desk.file.write_bytes(b"2\n")
    desk.note("run_terminal_cmd", {"command": "fix"}, "", changed=True)
    assert desk.opened().problem == "Step 2 changed this file: read it again."
    with pytest.raises(ValueError, match="Step 2 changed this file"):
        desk.save("3\n", "edit_file")
    desk.do("read_file")
    assert (desk.opened().text, desk.opened().problem) == ("2\n", "")


def test_lines_that_no_editor_shows_whole_are_not_edited(tmp_path: Path) -> None:
    for content in (b"a\rb\n", b"x" * 5_000 + b"\n"):
        desk = Desk(tmp_path, content)
        desk.do("read_file")
        assert "cannot show whole" in desk.opened().problem


def test_a_list_of_functions_in_place_of_a_file_is_no_text(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.note(
        "read_file", {"path": "a.txt"}, "a.txt is too long for one result; x\n     1-2      f", changed=False
    )
    assert not desk.opened().lines


def test_an_edit_that_was_not_compared_makes_the_text_unknown(tmp_path: Path) -> None:
    desk = Desk(tmp_path, b"1\n")
    desk.do("read_file")
    desk.note("edit_file", {"path": "a.txt", "operations": "odd"}, "", changed=True)
    assert desk.opened().changed_in == 2


def test_a_file_without_a_last_newline_says_so(tmp_path: Path) -> None:
    desk = Desk(tmp_path, b"1")
    desk.do("read_file")
    assert desk.opened().has(OPEN_ENDED)
    desk.save("1\n2", "edit_file")
    assert desk.file.read_bytes() == b"1\n2"


LISTED = """a.txt is too long for one result; read_function shows one of them.
3 definitions in a.txt, with its lines:
     1-9      class A
     2-3        A.get
     5-6        A.get  [occurrence 1]
[... 70 characters left out here; search for a name]"""


def functions(file: OpenedFile) -> list[tuple[str, int, int, int]]:
    return [(one.name, one.occurrence, one.first, one.last) for one in file.functions]


def test_the_functions_of_a_file_that_is_too_long_are_known(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.note("read_file", {"path": "a.txt"}, LISTED, changed=False)
    file = desk.opened()
    assert functions(file) == [("A", 0, 1, 9), ("A.get", 0, 2, 3), ("A.get", 1, 5, 6)]
    assert [one.is_class for one in file.functions] == [True, False, False]
    assert (file.is_long, file.lines, file.step) == (True, {}, 1)
    assert file.problem == "Its functions were listed, its lines were not read."


def test_a_function_that_is_read_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.note("list_file_functions", {"path": "a.txt"}, LISTED, changed=False)
    desk.note("read_function", {"path": "a.txt", "name": "A"}, "     1\tclass A:", changed=False)
    desk.note("read_function", {"path": "a.txt", "name": "A.get"}, "     2\tget\n     3\tend", changed=False)
    file = desk.opened()
    assert (file.text, file.spans, file.only, file.step) == ("get\nend\n", [(2, 3)], "A.get", 3)
    assert file.problem == "These are the lines of A.get: the file was not read."
    assert (file.is_long, len(file.functions)) == (False, 3)


def test_a_file_that_was_read_stays_when_a_function_is_read(tmp_path: Path) -> None:
    desk = Desk(tmp_path, b"one\ntwo\n")
    desk.do("read_file")
    desk.note("read_function", {"path": "a.txt", "name": "two"}, "     2\ttwo", changed=False)
    file = desk.opened()
    assert (file.text, file.only, file.problem) == ("one\ntwo\n", "", "")


def test_the_lines_of_a_file_take_the_place_of_those_of_a_function(tmp_path: Path) -> None:
    desk = Desk(tmp_path, b"one\ntwo\n")
    desk.note("read_function", {"path": "a.txt", "name": "far"}, "     9\tfar", changed=False)
    desk.do("read_file")
    assert (desk.opened().text, desk.opened().problem) == ("one\ntwo\n", "")


def test_a_function_is_old_after_a_change_of_its_file(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.note("read_file", {"path": "a.txt"}, LISTED, changed=False)
    desk.note("read_function", {"path": "a.txt", "name": "A.get"}, "     2\tget", changed=False)
    desk.note("replace_function", {"path": "a.txt", "name": "A.get"}, "1 of 2 tests pass", changed=True)
    assert desk.opened().problem == "Step 3 changed this file: read it again."
    desk.note("read_function", {"path": "a.txt", "name": "A.get"}, "     2\tnew", changed=False)
    assert (desk.opened().text, desk.opened().changed_in, len(desk.opened().functions)) == ("new\n", 0, 3)


def function_read(number: int, content: str, *, ok: bool = True, **arguments: object) -> Step:
    call = ToolCall(f"call-{number}", "read_function", dict(arguments))
    results = (ToolResult(call.id, content, ok, 0.0),)
    return Step(number, "", "agent", "", calls=(call,), results=results)


def test_the_function_that_was_read_last_is_the_last_one_that_was_found() -> None:
    record = PlayedRecord(
        (
            function_read(3, "     7\tdef f():\n     8\t    return 1", path="a.py", name="f"),
            function_read(4, "     9\tdef g():\n    10\t    return 2", path="a.py", name="g", occurrence=1),
            function_read(5, "a.py defines no h", ok=False, path="a.py", name="h"),
        )
    )
    found = last_read(record)
    assert found == ReadFunction(4, "a.py", "g", 1, "def g():\n    return 2\n")
    assert [found.value(name) for name in ("path", "name", "occurrence", "code", "explanation")] == [
        "a.py",
        "g",
        "1",
        "def g():\n    return 2\n",
        "",
    ]


def test_without_all_of_its_lines_a_function_has_no_code() -> None:
    gap = (
        "     7\tdef f():\n     8\t    x\n\n[... 9,000 characters left out here; read them]\n\n    99\t    y"
    )
    long = "     7\tdef f(): pass # [... 5,000 more characters in this line]"
    for content in (gap, long):
        found = last_read(PlayedRecord((function_read(3, content, path="a.py", name="f"),)))
        assert found is not None
        assert found.code == ""


def test_odd_arguments_are_no_function() -> None:
    assert (
        last_read(
            PlayedRecord((function_read(3, "     1\tx", path=["a"], name="f"), function_read(4, "     1\tx")))
        )
        is None
    )
