"""read_file and list_dir through a real server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.tools.inside.protocol import WHOLE_FILE
from tests.harness.tools.tool_server import ToolServer


@pytest.fixture
def app(tmp_path: Path) -> Path:
    directory = tmp_path / "app"
    directory.mkdir()
    (tmp_path / "outside.txt").write_text("outside\n")
    return directory


@pytest.fixture
def server(app: Path) -> Iterator[ToolServer]:
    with ToolServer(app) as running:
        yield running


class TestWholeFile:
    """What the host reads for tools that work on functions."""

    def test_the_text_is_exact(self, app: Path, server: ToolServer) -> None:
        text = "\ufeffx = 'ü'\r\n\n\ty"
        (app / "a.py").write_bytes(text.encode())
        reply = server.call(WHOLE_FILE, path="a.py", most=100)
        assert (reply.ok, reply.content, reply.edits) == (True, text, [])

    @pytest.mark.parametrize(
        ("path", "problem"),
        [
            ("long.py", "'long.py' has 101 bytes: functions are looked for in at most 100"),
            ("latin.py", "'latin.py' is no text in UTF-8: no functions are looked for in it"),
            ("zero.py", "'zero.py' is no text in UTF-8: no functions are looked for in it"),
            ("pipe", "'pipe' is not a regular file"),
            ("gone", "there is no file 'gone'"),
        ],
    )
    def test_anything_else_is_refused(self, app: Path, server: ToolServer, path: str, problem: str) -> None:
        (app / "long.py").write_text("#" * 101)
        (app / "latin.py").write_bytes(b"x = '\xfc'")
        (app / "zero.py").write_bytes(b"x = '\0'")
        os.mkfifo(app / "pipe")
        reply = server.call(WHOLE_FILE, path=path, most=100)
        assert (reply.ok, reply.content) == (False, problem)


class TestReadFile:
    def test_lines_are_numbered(self, app: Path, server: ToolServer) -> None:
        (app / "a.py").write_text("x = 1\n\ny = 'ü'\n")
        reply = server.call("read_file", path="a.py", explanation="look")
        assert (reply.ok, reply.content) == (True, "     1\tx = 1\n     2\t\n     3\ty = 'ü'")

    def test_a_part_says_which_part_it_is(self, app: Path, server: ToolServer) -> None:
        (app / "a").write_text("1\n2\n3\n4\n5\n")
        reply = server.call("read_file", path="a", offset=2, limit=2)
        assert reply.content == "     2\t2\n     3\t3\n[lines 2-3 of 5]"
        assert server.call("read_file", path="a", offset=5, limit=9).content == "     5\t5\n[lines 5-5 of 5]"

    def test_an_offset_past_the_end_is_refused_with_the_length(self, app: Path, server: ToolServer) -> None:
        (app / "a").write_text("1\n2\n")
        reply = server.call("read_file", path="a", offset=3)
        assert (reply.ok, reply.content) == (False, "a has 2 lines; offset 3 is past its end")

    @pytest.mark.parametrize(
        ("data", "shown"),
        [
            (b"", "[a is empty]"),
            (b"x", "     1\tx\n[no newline at the end of the file]"),
            (b"x\r\ny\r\n", "     1\tx\n     2\ty\n[lines end in CRLF]"),
            (
                b"a\xffb\n",
                "     1\ta\N{REPLACEMENT CHARACTER}b\n[bytes that are not UTF-8 are shown as "
                "\N{REPLACEMENT CHARACTER}; edits keep those of other lines]",
            ),
            (b"\xef\xbb\xbfx\n", "     1\tx\n[begins with a byte order mark, which edits keep]"),
            (b"a\x0cb\xe2\x80\xa8c\n", "     1\ta\x0cb\u2028c"),
        ],
    )
    def test_unusual_texts_are_shown(self, app: Path, server: ToolServer, data: bytes, shown: str) -> None:
        (app / "a").write_bytes(data)
        assert server.call("read_file", path="a").content == shown

    def test_a_long_text_is_shown_by_its_beginning_and_end(self, app: Path, server: ToolServer) -> None:
        (app / "a").write_text("".join(f"line {number}\n" for number in range(1, 10_001)))
        content = server.call("read_file", path="a").content
        assert 29_000 < len(content) < 30_200
        assert content.startswith("     1\tline 1\n")
        assert content.endswith(" 10000\tline 10000")
        assert "characters left out here: read them with offset and limit ...]" in content

    def test_a_line_of_five_megabytes_is_cut_and_says_so(self, app: Path, server: ToolServer) -> None:
        (app / "a").write_text("x" * 5_000_000 + "\nend\n")
        content = server.call("read_file", path="a").content
        assert content == (
            f"     1\t{'x' * 4000} [... 4,996,000 more characters in this line]\n     2\tend"
            "\n[for the rest of a cut line use run_terminal_cmd with cut -c]"
        )

    def test_any_part_of_a_very_large_file_is_shown(self, app: Path, server: ToolServer) -> None:
        with (app / "a.log").open("wb") as file:
            for start in range(0, 700_000, 10_000):
                file.writelines(b"%099d\n" % number for number in range(start, start + 10_000))
            file.write(b"y" * 3_000_000 + b"\nlast")
        assert (
            "read_file shows a part of it with offset and limit"
            in server.call("read_file", path="a.log").content
        )
        part = server.call("read_file", path="a.log", offset=700_000, limit=9).content.split("\n")
        assert part[0] == f"700000\t{699_999:099d}"
        assert part[1] == f"700001\t{'y' * 4000} [... 2,996,000 more characters in this line]"
        assert part[2] == "700002\tlast"
        assert part[3].startswith("[lines 700000-700002 of a file of 73,000,005 bytes; ")
        much = server.call("read_file", path="a.log", offset=5).content
        assert (len(much) < 31_000, much.split("\n")[-1]) == (
            True,
            "[lines 5-285 of a file of 73,000,005 bytes]",
        )
        past = server.call("read_file", path="a.log", offset=800_000)
        assert (past.ok, past.content) == (False, "a.log has 700,002 lines; offset 800000 is past its end")

    def test_text_in_utf16_is_refused_with_a_way_to_see_it(self, app: Path, server: ToolServer) -> None:
        (app / "a.txt").write_bytes("grüße\n".encode("utf-16"))
        reply = server.call("read_file", path="a.txt")
        assert (reply.ok, reply.content) == (
            False,
            "'a.txt' is text in UTF-16, which file tools do not take; see it with run_terminal_cmd and "
            "iconv -f UTF-16 -t UTF-8",
        )

    def test_a_binary_file_is_refused_with_its_size(self, app: Path, server: ToolServer) -> None:
        (app / "a.png").write_bytes(b"\x89PNG\0\0")
        reply = server.call("read_file", path="a.png")
        assert (reply.ok, reply.content) == (
            False,
            "'a.png' is a binary file of 6 bytes; it has no text to work on",
        )

    def test_a_missing_file_is_refused_with_similar_names(self, app: Path, server: ToolServer) -> None:
        (app / "reader.py").touch()
        reply = server.call("read_file", path="readr.py")
        assert (reply.ok, reply.content) == (False, "there is no file 'readr.py'; did you mean 'reader.py'?")

    def test_a_file_that_is_not_regular_is_refused_without_waiting(
        self, app: Path, server: ToolServer
    ) -> None:
        os.mkfifo(app / "pipe")
        (app / "loop").symlink_to("loop")
        assert server.call("read_file", path="pipe").content == "'pipe' is not a regular file"
        assert server.call("read_file", path="/dev/zero").content == "'/dev/zero' is not a regular file"
        assert "is a directory" in server.call("read_file", path=".").content
        assert "Too many levels of symbolic links" in server.call("read_file", path="loop").content
        assert "zero byte" in server.call("read_file", path="a\0b").content

    def test_files_outside_the_workdir_may_be_read(self, app: Path, server: ToolServer) -> None:
        assert server.call("read_file", path="../outside.txt").content == "     1\toutside"
        assert server.call("read_file", path=str(app.parent / "outside.txt")).ok


class TestListDir:
    def test_entries_in_order_with_sizes_and_targets(self, app: Path, server: ToolServer) -> None:
        (app / "src").mkdir()
        (app / "src" / "b.c").write_text("int x;\n")
        (app / "a.txt").write_text("1")
        (app / "link").symlink_to("a.txt")
        (app / ".git").mkdir()
        (app / "node_modules").mkdir()
        assert server.call("list_dir").content == (
            "a.txt  1 byte\nlink -> a.txt\nsrc/\n[left out: .git, node_modules]"
        )
        assert server.call("list_dir", recursive=True).content == (
            "a.txt  1 byte\nlink -> a.txt\nsrc/\nsrc/b.c  7 bytes\n[left out: .git, node_modules]"
        )

    def test_links_in_a_circle_are_not_followed(self, app: Path, server: ToolServer) -> None:
        (app / "d").mkdir()
        (app / "d" / "up").symlink_to("..")
        assert server.call("list_dir", recursive=True).content == "d/\nd/up -> .."

    def test_long_lists_are_cut_and_say_so(self, app: Path, server: ToolServer) -> None:
        for number in range(1_002):
            (app / f"{number:04}").touch()
        lines = server.call("list_dir").content.splitlines()
        assert lines[999:] == [
            "0999  0 bytes",
            "[2 more are not shown; use file_search]",
        ]

    def test_a_large_tree_is_shown_down_to_a_level(self, app: Path, server: ToolServer) -> None:
        for number in range(20):
            (app / f"p{number:02}" / "deep").mkdir(parents=True)
            for file in range(60):
                (app / f"p{number:02}" / "deep" / f"{file}.c").touch()
        (app / "README").write_text("x")
        lines = server.call("list_dir", recursive=True).content.splitlines()
        assert lines[:3] == ["README  1 byte", "p00/", "p00/deep/  [60 files below]"]
        assert (len(lines), lines[-1]) == (41, "p19/deep/  [60 files below]")

    def test_names_with_line_breaks_and_special_files_are_marked(self, app: Path, server: ToolServer) -> None:
        (app / "a\nb").touch()
        (app / "c\x1b[1m").touch()
        os.mkfifo(app / "pipe")
        assert server.call("list_dir").content == (
            '"a\\nb"  0 bytes\n"c\\u001b[1m"  0 bytes\npipe  [not a regular file]'
        )
        assert server.call("file_search", query="a*").content == '"a\\nb"'

    def test_an_empty_directory_a_file_and_nothing(self, app: Path, server: ToolServer) -> None:
        (app / "a").touch()
        (app / "d").mkdir()
        assert server.call("list_dir", path="d").content == "[d is empty]"
        assert server.call("list_dir", path="a").content == "'a' is a file; read_file shows it"
        assert server.call("list_dir", path="b").content == "'b' does not exist"


def test_the_papers_name_for_a_listing_lists_the_same(app: Path, server: ToolServer) -> None:
    (app / "src").mkdir()
    (app / "a.py").write_text("x")
    own, theirs = (server.call(name, path=".", explanation="look") for name in ("list_dir", "list_directory"))
    assert own.content == theirs.content == "a.py  1 byte\nsrc/"
