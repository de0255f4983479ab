"""edit_file and search_replace, through a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.tools.inside.protocol import SYNTAX_REFUSAL
from tests.harness.tools.tool_server import INSIDE, Reply, ToolServer

FIVE = b"1\n2\n3\n4\n5\n"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ToolServer]:
    with ToolServer(tmp_path) as running:
        yield running


def edit(server: ToolServer, before: bytes, *operations: dict[str, Any]) -> tuple[Reply, bytes]:
    file = server.workdir / "a"
    file.write_bytes(before)
    reply = server.call("edit_file", path="a", operations=list(operations))
    return reply, file.read_bytes()


def replace(start: int, end: int | None, content: str) -> dict[str, Any]:
    return {"type": "REPLACE", "start_line": start, "end_line": end, "content": content}


def insert(line: int, content: str) -> dict[str, Any]:
    return {"type": "INSERT", "start_line": line, "content": content}


def delete(start: int, end: int | None = None) -> dict[str, Any]:
    return {"type": "DELETE", "start_line": start, "end_line": end}


def test_a_full_disk_leaves_every_file_unchanged(tmp_path: Path) -> None:
    """The limit on file sizes stands for the disk: the kernel refuses to go on at the same place."""
    limited = ["bash", "-c", f"ulimit -f 64; exec python3 -I -B {INSIDE} --workdir {tmp_path}"]
    (tmp_path / "a").write_bytes(FIVE)
    with ToolServer(tmp_path, command=limited) as server:
        for path in ("a", "new"):
            reply = server.call("write_file", path=path, content="x" * 100_000)
            assert (reply.ok, reply.content.split(":")[0]) == (False, "File too large")
        reply = server.call("search_replace", path="a", old="3", new="y" * 100_000)
        assert not reply.ok
        assert server.call("write_file", path="small", content="x" * 60_000).ok
    assert (tmp_path / "a").read_bytes() == FIVE
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("before", "operations", "after"),
    [
        (FIVE, [replace(2, 3, "x")], b"1\nx\n4\n5\n"),
        (FIVE, [replace(2, None, "x\ny\n")], b"1\nx\ny\n3\n4\n5\n"),
        (FIVE, [replace(2, 2, "")], b"1\n3\n4\n5\n"),
        (FIVE, [insert(1, "0")], b"0\n1\n2\n3\n4\n5\n"),
        (FIVE, [insert(6, "6")], b"1\n2\n3\n4\n5\n6\n"),
        (FIVE, [insert(3, "\n")], b"1\n2\n\n3\n4\n5\n"),
        (FIVE, [delete(2, 4)], b"1\n5\n"),
        (FIVE, [delete(1, 5)], b""),
        # The numbers mean the file as it was, in whatever order the operations come.
        (FIVE, [delete(5), insert(2, "a"), replace(1, 1, "b\nc")], b"b\nc\na\n2\n3\n4\n"),
        # Insertions at one place stay in order, and come before a change of that line.
        (FIVE, [replace(2, 2, "x"), insert(2, "a"), insert(2, "b")], b"1\na\nb\nx\n3\n4\n5\n"),
        (FIVE, [delete(2), insert(3, "a")], b"1\na\n3\n4\n5\n"),
        # An empty file has no line to replace, but a place to insert.
        (b"", [insert(1, "x")], b"x\n"),
        # A file without a last newline stays so, unless the new text ends with one.
        (b"1\n2", [replace(2, 2, "x")], b"1\nx"),
        (b"1\n2", [replace(2, 2, "x\n")], b"1\nx\n"),
        (b"1\n2", [insert(3, "x")], b"1\n2\nx"),
        (b"1\n2", [insert(1, "x")], b"x\n1\n2"),
        # The line ends of the file stay, whatever the new text has.
        (b"1\r\n2\r\n", [replace(1, 1, "a\nb")], b"a\r\nb\r\n2\r\n"),
        (b"1\r\n2\r\n", [insert(3, "a\r\n")], b"1\r\n2\r\na\r\n"),
        (b"1\n2\n", [replace(1, 1, "a\r\n")], b"a\n2\n"),
        # So does a byte order mark, which is not shown.
        (b"\xef\xbb\xbf1\n2\n", [replace(1, 1, "a")], b"\xef\xbb\xbfa\n2\n"),
        (b"\xef\xbb\xbf1\n", [insert(1, "\ufeffa")], b"\xef\xbb\xbfa\n1\n"),
        # Bytes that are not UTF-8 survive; only \n ends a line.
        (
            b"\xff\n2\x0c\xe2\x80\xa8\n3\n",
            [replace(3, 3, "\N{SNOWMAN}")],
            b"\xff\n2\x0c\xe2\x80\xa8\n\xe2\x98\x83\n",
        ),
    ],
)
def test_lines_are_changed_exactly(
    server: ToolServer, before: bytes, operations: list[dict[str, Any]], after: bytes
) -> None:
    reply, found = edit(server, before, *operations)
    assert (reply.ok, found) == (True, after)


@pytest.mark.parametrize(
    ("operations", "reason"),
    [
        (
            [replace(1, 3, "x"), delete(3)],
            "nothing was changed: operation 1 (REPLACE at line 1) and operation 2",
        ),
        (
            [delete(3), replace(2, 4, "x")],
            "operation 2 (REPLACE at line 2) and operation 1 (DELETE at line 3) overlap",
        ),
        ([replace(1, 3, "x"), insert(2, "y")], "overlap"),
        (
            [insert(1, "x"), replace(4, 6, "y")],
            "operation 2 (REPLACE at line 4): lines 4-6 are not in the file",
        ),
        ([insert(7, "x")], "which has 5 lines; to append, insert at 6"),
        ([insert(1, "")], 'there is nothing to insert; an empty line is "\\n"'),
        ([delete(0)], "lines 0-0 are not in the file"),
        ([{"type": "MOVE", "start_line": 1}], "type must be REPLACE, INSERT or DELETE"),
        ([], "there are no operations"),
        ([replace(2, 3, "2\n3")], "nothing would change: a already has the lines that these operations give"),
        ([delete(1), insert(2, "1")], "nothing would change"),
    ],
)
def test_all_or_nothing(server: ToolServer, operations: list[dict[str, Any]], reason: str) -> None:
    reply, found = edit(server, FIVE, *operations)
    assert (reply.ok, found) == (False, FIVE)
    assert reason in reply.content


LINE = st.text("ab \t\u2028\x0c\xfc", max_size=3)


def expected(lines: list[str], operations: list[dict[str, Any]]) -> list[str] | None:
    """What edit_file promises, in ten lines; None: to be refused."""
    result: list[str] = []
    taken: dict[int, dict[str, Any]] = {}
    for one in operations:
        for number in range(one["start_line"], one["end_line"] + 1) if one["type"] != "INSERT" else ():
            if number > len(lines) or number in taken:
                return None
            taken[number] = one
    for number in range(1, len(lines) + 2):
        for one in operations:
            if one["type"] == "INSERT" and one["start_line"] == number:
                if number > 1 and number in taken and taken.get(number - 1) is taken[number]:
                    return None
                result += one["content"].split("\n")
        if number in taken and taken[number]["start_line"] == number and taken[number]["type"] == "REPLACE":
            result += taken[number]["content"].split("\n")
        elif number not in taken and number <= len(lines):
            result.append(lines[number - 1])
    return None if any(one["start_line"] > len(lines) + 1 for one in operations) else result


@st.composite
def some_operations(draw: st.DrawFn) -> list[dict[str, Any]]:
    operations = []
    for kind in draw(st.lists(st.sampled_from(["REPLACE", "INSERT", "DELETE"]), min_size=1, max_size=4)):
        start = draw(st.integers(1, 9))
        content = "\n".join([*draw(st.lists(LINE, max_size=2)), draw(LINE) + "."])
        end = start if kind == "INSERT" else start + draw(st.integers(0, 2))
        operations.append(
            {
                "type": kind,
                "start_line": start,
                "end_line": end,
                **({} if kind == "DELETE" else {"content": content}),
            }
        )
    return operations


@settings(
    max_examples=150,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    lines=st.lists(LINE, max_size=7), operations=some_operations(), newline=st.sampled_from(["\n", "\r\n"])
)
def test_any_operations_agree_with_a_simple_implementation(
    server: ToolServer, lines: list[str], operations: list[dict[str, Any]], newline: str
) -> None:
    before = "".join(line + newline for line in lines).encode()
    wanted = expected(lines, operations)
    reply, after = edit(server, before, *operations)
    if wanted == lines:  # nothing would change
        wanted = None
    ends = newline if lines else "\n"
    assert (reply.ok, after) == (
        wanted is not None,
        before if wanted is None else "".join(line + ends for line in wanted).encode(),
    ), reply.content


@settings(
    max_examples=100,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    before=st.text("a.(\n", max_size=9), old=st.text("a.(\n", min_size=1, max_size=3), new=st.text("\\1&a\n")
)
def test_any_text_is_replaced_literally(server: ToolServer, before: str, old: str, new: str) -> None:
    file = server.workdir / "a"
    places = [start for start in range(len(before)) if before.startswith(old, start)]
    file.write_bytes(before.encode())
    once = server.call("search_replace", path="a", old=old, new=new)
    assert once.ok == (len(places) == 1 and old != new)
    assert file.read_bytes().decode() == (before.replace(old, new) if once.ok else before)
    file.write_bytes(before.encode())
    server.call("search_replace", path="a", old=old, new=new, replace_all=True)
    assert file.read_bytes().decode() == before.replace(old, new)


def test_the_result_shows_the_changed_places(server: ToolServer) -> None:
    before = b"".join(b"%d\n" % number for number in range(1, 21))
    reply, _ = edit(server, before, replace(2, 2, "x\ny"), delete(15))
    assert reply.content == (
        "a: 2 operations made; it now has 20 lines\n"
        "     1\t1\n     2\tx\n     3\ty\n     4\t3\n     5\t4\n"
        "   ...\n"
        "    14\t13\n    15\t14\n    16\t16\n    17\t17"
    )


def test_a_syntax_error_is_reported_and_the_edit_stays(server: ToolServer) -> None:
    file = server.workdir / "a.py"
    file.write_text("def f():\n    return 1\n")
    reply = server.call("edit_file", path="a.py", operations=[replace(2, 2, "    return (")])
    assert reply.ok
    assert "; syntax error in line 2: " in reply.content
    assert file.read_text() == "def f():\n    return (\n"
    reply = server.call("edit_file", path="a.py", operations=[replace(2, 2, "    return 2")])
    assert "; Python syntax is fine" in reply.content


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("edit_file", {"operations": [replace(2, 2, "    return (")]}),
        ("search_replace", {"old": "return 1", "new": "return ("}),
        ("write_file", {"content": "def f():\n    return (\n"}),
    ],
)
class TestRejectedSyntaxErrors:
    SOUND = "def f():\n    return 1\n"

    def test_an_edit_that_adds_one_is_refused_and_nothing_is_written(
        self, server: ToolServer, tool: str, arguments: dict[str, Any]
    ) -> None:
        file = server.workdir / "a.py"
        file.write_text(self.SOUND)
        reply = server.call(tool, path="a.py", reject_syntax_errors=True, **arguments)
        assert (reply.ok, file.read_text()) == (False, self.SOUND)
        assert reply.content.startswith(f"{SYNTAX_REFUSAL} to a.py: line 2: ")
        assert reply.content.endswith(". Correct the edit and repeat it")

    def test_files_of_other_languages_are_not_checked(
        self, server: ToolServer, tool: str, arguments: dict[str, Any]
    ) -> None:
        (server.workdir / "a.txt").write_text(self.SOUND)
        assert server.call(tool, path="a.txt", reject_syntax_errors=True, **arguments).ok


def test_a_file_with_syntax_errors_can_be_corrected_step_by_step(server: ToolServer) -> None:
    (server.workdir / "a.py").write_text("x = (\ny = [\n")
    strict: dict[str, Any] = {"path": "a.py", "reject_syntax_errors": True}
    assert "; syntax error" in server.call("search_replace", old="[", new="[]", **strict).content
    assert server.call("search_replace", old="(", new="()", **strict).ok
    assert not server.call("search_replace", old="()", new="(", **strict).ok
    assert not server.call("write_file", path="new.py", content="(", reject_syntax_errors=True).ok
    assert not (server.workdir / "new.py").exists()


def test_files_that_are_no_text_are_refused(server: ToolServer) -> None:
    (server.workdir / "b").write_bytes(b"\0\1")
    for path, reason in (
        ("b", "binary"),
        ("x", "there is no file"),
        (".", "not below"),
        ("/etc/hosts", "not below"),
    ):
        for tool, arguments in (
            ("edit_file", {"operations": [insert(1, "x")]}),
            ("search_replace", {"old": "a", "new": "b"}),
        ):
            reply = server.call(tool, path=path, **arguments)
            assert not reply.ok
            assert reason in reply.content


class TestSearchReplace:
    def replace(
        self, server: ToolServer, before: bytes, old: str, new: str, **more: bool
    ) -> tuple[Reply, bytes]:
        file = server.workdir / "a"
        file.write_bytes(before)
        reply = server.call("search_replace", path="a", old=old, new=new, **more)
        return reply, file.read_bytes()

    def test_the_one_occurrence_is_replaced(self, server: ToolServer) -> None:
        reply, after = self.replace(server, b"a\nfoo(1)\nb", "foo(1)\nb", "bar\\1")
        assert (reply.ok, after) == (True, b"a\nbar\\1")
        assert reply.content == "a: 1 match replaced (line 2)"

    def test_several_need_replace_all(self, server: ToolServer) -> None:
        reply, after = self.replace(server, b"x\ny\nx x\n", "x", "z")
        assert (reply.ok, after) == (False, b"x\ny\nx x\n")
        assert reply.content == (
            "3 matches in a (lines 1, 3, 3): nothing was changed. "
            "Add surrounding text to `old` until it is unique, or set replace_all"
        )
        reply, after = self.replace(server, b"x\ny\nx x\n", "x", "z", replace_all=True)
        assert (reply.content, after) == ("a: 3 matches replaced (line 1, 3, 3)", b"z\ny\nz z\n")

    def test_no_occurrence_is_refused(self, server: ToolServer) -> None:
        reply, after = self.replace(server, b"abc\n", "abd", "x", replace_all=True)
        assert (reply.ok, after) == (False, b"abc\n")
        assert reply.content == "0 matches in a: nothing was changed. Read the file and copy the text exactly"

    @pytest.mark.parametrize(
        ("before", "old", "advice"),
        [
            (
                b"if x:\n\ty = 1\n\tz = 2\n",
                "    y = 1\n    z = 2",
                "With other white space it is at line 2: copy it exactly\n     2\t\ty = 1\n     3\t\tz = 2",
            ),
            (
                b"a\nf(x,  y)\n",
                "f(x, y)",
                "With other white space it is at line 2: copy it exactly\n     2\tf(x,  y)",
            ),
            (
                b"def f():\n    a = 1\n    return b\n",
                "    a = 1\n    return a\n",
                "Read the file and copy the text exactly; what comes closest begins at line 2\n"
                "     2\t    a = 1\n     3\t    return b",
            ),
            (
                b"import os\nprint(os.getcwd())\n",
                "print(os.getcdw())",
                "Read the file and copy the text exactly; what comes closest begins at line 2\n"
                "     2\tprint(os.getcwd())",
            ),
            (
                b"a\nb\n",
                "a\\nb",
                "`old` has a backslash and an n where the file has line ends: send real ones",
            ),
            (b"(a|b)* $1\n", "[ab]+", "Read the file and copy the text exactly"),
        ],
    )
    def test_without_a_match_the_most_similar_place_is_shown(
        self, server: ToolServer, before: bytes, old: str, advice: str
    ) -> None:
        reply, after = self.replace(server, before, old, "pass")
        assert (reply.ok, after) == (False, before)
        assert reply.content == f"0 matches in a: nothing was changed. {advice}"

    def test_overlapping_matches_are_not_one_match(self, server: ToolServer) -> None:
        reply, after = self.replace(server, b"x aaa\n", "aa", "b")
        assert (reply.ok, after) == (False, b"x aaa\n")
        assert reply.content.startswith(
            "a holds `old` twice, in pieces that overlap (line 1): nothing was changed"
        )
        _, after = self.replace(server, b"x aaa\n", "aa", "b", replace_all=True)
        assert after == b"x ba\n"

    def test_a_search_without_a_match_in_a_large_file_is_fast(self, server: ToolServer) -> None:
        before = b"".join(b"value_%d = compute(%d)\n" % (number, number) for number in range(100_000))
        reply, _ = self.replace(server, before, "valeu_7 = compute(7)\n" * 200, "x")
        assert reply.content.startswith("0 matches in a")
        assert reply.seconds < 10

    def test_nothing_to_do_is_refused(self, server: ToolServer) -> None:
        assert "old is empty" in self.replace(server, b"a", "", "x")[0].content
        assert "old and new are the same" in self.replace(server, b"a", "a", "a")[0].content

    def test_several_lines_are_found_in_a_file_with_crlf_which_stays(self, server: ToolServer) -> None:
        reply, after = self.replace(server, b"a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\nz\n")
        assert (reply.ok, after) == (True, b"x\r\ny\r\nz\r\nc\r\n")
        _, after = self.replace(server, b"a\r\nb\r\n", "a", "x\ny")
        assert after == b"x\r\ny\r\nb\r\n"

    def test_bytes_that_are_not_utf8_survive(self, server: ToolServer) -> None:
        _, after = self.replace(server, b"\xff\xfe ab\n", "ab", "\N{SNOWMAN}")
        assert after == b"\xff\xfe \xe2\x98\x83\n"
