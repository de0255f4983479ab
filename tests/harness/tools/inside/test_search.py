"""Searching for text and for files, through a real server, with ripgrep and without."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.tools.inside.search import RIPGREP_FROM
from tests.harness.tools.tool_server import INSIDE, ToolServer

FILES = {
    "README.md": b"# Alpha\n\nalpha beta\n",
    "src/main.c": b"int alpha(void)\n{\n    return 42;\n}\n",
    "src/win.c": b"int beta;\r\nint alpha;\r\n",
    "src/deep/er/x.py": "def größe():\n    return 'alpha'  # (a|b)*\n".encode(),
    "latin.txt": b"caf\xe9 alpha\n",
    "data.bin": b"alpha\0\n",
    "no-newline": b"last alpha",
    "empty": b"",
    ".hidden/conf": b"alpha=1\n",
    "build/out.c": b"alpha\n",
    "node_modules/m/index.js": b"alpha\n",
    ".git/config": b"alpha\n",
    "src/build": b"a file called build, alpha\n",
    "with space/odd;name.txt": b"alpha\n",
}


def lay(root: Path) -> None:
    for name, content in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (root / "link.c").symlink_to("src/main.c")
    (root / "src" / "loop").symlink_to("..")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ToolServer]:
    lay(tmp_path)
    with ToolServer(tmp_path) as running:
        yield running


def lines(server: ToolServer, tool: str, **arguments: Any) -> list[str]:
    reply = server.call(tool, **arguments)
    assert reply.ok, reply.content
    return reply.content.splitlines()


class TestCodebaseSearch:
    def test_every_text_file_is_searched_and_nothing_else(self, server: ToolServer) -> None:
        assert lines(server, "codebase_search", query="ALPHA") == [
            "10 matching lines in 9 files",
            ".hidden/conf:1: alpha=1",
            "README.md:1: # Alpha",
            "README.md:3: alpha beta",
            "latin.txt:1: caf\N{REPLACEMENT CHARACTER} alpha",
            "no-newline:1: last alpha",
            "src/build:1: a file called build, alpha",
            "src/deep/er/x.py:2:     return 'alpha'  # (a|b)*",
            "src/main.c:1: int alpha(void)",
            "src/win.c:2: int alpha;",
            "with space/odd;name.txt:1: alpha",
        ]

    def test_upper_and_lower_case_can_be_distinguished(self, server: ToolServer) -> None:
        found = lines(server, "codebase_search", query="Alpha", case_sensitive=True)
        assert found == ["1 matching line in 1 file", "README.md:1: # Alpha"]

    def test_the_query_is_literal(self, server: ToolServer) -> None:
        found = lines(server, "codebase_search", query="(a|b)*")
        assert found[1:] == ["src/deep/er/x.py:2:     return 'alpha'  # (a|b)*"]

    def test_types_limit_the_files(self, server: ToolServer) -> None:
        found = lines(server, "codebase_search", query="alpha", file_types=["c", ".py", "*.md"])
        assert [line.split(":")[0] for line in found[1:]] == [
            "README.md",
            "README.md",
            "src/deep/er/x.py",
            "src/main.c",
            "src/win.c",
        ]

    def test_context_is_marked_and_groups_are_apart(self, server: ToolServer) -> None:
        (server.workdir / "t.txt").write_text("1\nhit\n3\n4\n5\nhit\nhit\n8\n")
        assert lines(server, "codebase_search", query="hit", context_lines=1, file_types=["txt"]) == [
            "3 matching lines in 1 file",
            "t.txt-1- 1",
            "t.txt:2: hit",
            "t.txt-3- 3",
            "--",
            "t.txt-5- 5",
            "t.txt:6: hit",
            "t.txt:7: hit",
            "t.txt-8- 8",
        ]

    def test_no_hit_is_a_result(self, server: ToolServer) -> None:
        reply = server.call("codebase_search", query="omega", file_types=["c"])
        assert (reply.ok, reply.content) == (True, "no match for 'omega' in 2 files")

    def test_a_query_of_two_lines_is_found(self, server: ToolServer) -> None:
        assert lines(server, "codebase_search", query="beta;\nint")[1:] == [
            "src/win.c:1: int beta;",
            "src/win.c:2: int alpha;",
        ]


EASING = """\
// Curves for animations.
export function easeInOut(t) {
  return t * t;
}
export const linear_ease = (t) => t;
"""


class TestKeywords:
    @pytest.fixture(autouse=True)
    def _easing(self, server: ToolServer) -> None:
        (server.workdir / "anim").mkdir()
        (server.workdir / "anim" / "easing.js").write_text(EASING)
        (server.workdir / "anim" / "frame.js").write_text("function frame() {}\n" * 50)
        (server.workdir / "NOTES").write_text("The implementation is incomplete.\n")

    def test_a_query_of_words_finds_the_code_that_it_describes(self, server: ToolServer) -> None:
        assert lines(server, "codebase_search", query="easing function implementation")[:5] == [
            "no line contains 'easing function implementation'",
            "3 files with any of: easing, function, implementation; best first",
            "anim/easing.js [easing, function]",
            "anim/easing.js:2: export function easeInOut(t) {",
            "anim/easing.js:5: export const linear_ease = (t) => t;",
        ]

    def test_the_starter_dataset_is_searched_by_words(self) -> None:
        source = Path(__file__).parents[4] / "datasets" / "starter" / "esim" / "source"
        with ToolServer(source) as server:
            found = lines(
                server, "codebase_search", query="where are activation codes validated", mode="keywords"
            )
        assert found[:3] == [
            "18 files with any of: activation, codes, validated; best first, the best 10 shown",
            "src/activation.c [activation, codes, validated]",
            "src/activation.c:40: Status activation_parse(const char *text, ActivationCode *code, Error *error)",
        ]

    def test_a_mode_that_is_given_is_kept(self, server: ToolServer) -> None:
        found = lines(server, "codebase_search", query="function easing", mode="literal")
        assert found == ["no match for 'function easing' in 14 files"]
        found = lines(server, "codebase_search", query="The implementation", mode="keywords")
        assert found[0] == "1 file with any of: implementation; best first"
        assert lines(server, "codebase_search", query="easeOut")[0] == "no match for 'easeOut' in 14 files"

    def test_context_and_types_apply_to_words_too(self, server: ToolServer) -> None:
        found = lines(
            server, "codebase_search", query="linear", mode="keywords", context_lines=1, file_types=["js"]
        )
        assert found == [
            "1 file with any of: linear; best first",
            "anim/easing.js [linear]",
            "anim/easing.js-4- }",
            "anim/easing.js:5: export const linear_ease = (t) => t;",
        ]

    def test_no_hit_is_a_result_and_a_query_without_a_word_is_refused(self, server: ToolServer) -> None:
        assert lines(server, "codebase_search", query="omega zeta") == [
            "no line contains 'omega zeta'",
            "no file holds any of: omega, zeta",
        ]
        reply = server.call("codebase_search", query="+ -", mode="keywords")
        assert (reply.ok, reply.content) == (
            False,
            "'+ -' holds no word to look for; mode literal finds any text",
        )

    def test_large_files_are_left_out_and_named(self, server: ToolServer) -> None:
        (server.workdir / "big.txt").write_text("easing\n" * 200_000)
        found = lines(server, "codebase_search", query="linear", mode="keywords")
        assert found[:2] == [
            "1 file with any of: linear; best first",
            "[too large to rank, use run_terminal_cmd with grep: big.txt]",
        ]

    def test_more_text_than_can_be_ranked_is_counted(self, server: ToolServer) -> None:
        for number in range(70):
            (server.workdir / f"z{number:02}.txt").write_text("words \n" * 145_000)
        found = lines(server, "codebase_search", query="linear", mode="keywords")
        assert found[1] == "[3 files not ranked: too much text; narrow the search with directories]"


class TestDirectories:
    def test_they_restrict_both_modes(self, server: ToolServer) -> None:
        for mode in ("literal", "keywords"):
            found = lines(
                server,
                "codebase_search",
                query="alpha",
                mode=mode,
                directories=["src/deep", "build", "build/"],
            )
            assert [line for line in found if line.startswith("build/out.c:")] == ["build/out.c:1: alpha"]
            assert {line.split(":")[0].split(" ")[0] for line in found[1:]} == {
                "build/out.c",
                "src/deep/er/x.py",
            }

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("src/main.c", "directories: there is no directory 'src/main.c'"),
            ("none", "directories: there is no directory 'none'"),
            ("/usr", "directories: '/usr' is not below"),
        ],
    )
    def test_what_is_no_directory_of_the_workspace_is_refused(
        self, server: ToolServer, name: str, reason: str
    ) -> None:
        reply = server.call("codebase_search", query="alpha", directories=["src", name])
        assert not reply.ok
        assert reply.content.startswith(reason)


class TestGrepSearch:
    def test_a_regular_expression_matches_lines(self, server: ToolServer) -> None:
        assert lines(server, "grep_search", pattern=r"^int \w+;$", include=["*.c"]) == [
            "2 matching lines in 1 file",
            "src/win.c:1: int beta;",
            "src/win.c:2: int alpha;",
        ]

    def test_one_directory_or_one_file(self, server: ToolServer) -> None:
        assert lines(server, "grep_search", pattern="alpha", path="src/deep")[1:] == [
            "src/deep/er/x.py:2:     return 'alpha'  # (a|b)*"
        ]
        assert lines(server, "grep_search", pattern="alpha", path="link.c")[1:] == [
            "link.c:1: int alpha(void)"
        ]
        assert lines(server, "grep_search", pattern="alpha", path="build/out.c")[1:] == [
            "build/out.c:1: alpha"
        ]

    def test_include_and_exclude(self, server: ToolServer) -> None:
        found = lines(
            server, "grep_search", pattern="alpha", include=["src/**"], exclude=["deep", "src/w*.c"]
        )
        assert [line.split(":")[0] for line in found[1:]] == ["src/build", "src/main.c"]

    def test_a_match_may_span_lines(self, server: ToolServer) -> None:
        found = lines(server, "grep_search", pattern=r"alpha\(.*?return", multiline=True)
        assert found == [
            "3 matching lines in 1 file",
            "src/main.c:1: int alpha(void)",
            "src/main.c:2: {",
            "src/main.c:3:     return 42;",
        ]

    def test_python_syntax_is_understood(self, server: ToolServer) -> None:
        found = lines(server, "grep_search", pattern=r"(?<=def )(?P<name>\w+)", case_sensitive=False)
        assert found[1:] == ["src/deep/er/x.py:1: def größe():"]

    def test_a_broken_pattern_and_a_missing_place_are_named(self, server: ToolServer) -> None:
        reply = server.call("grep_search", pattern="(a")
        assert (reply.ok, reply.content) == (
            False,
            "the pattern '(a' is no regular expression for Python: "
            "missing ), unterminated subpattern at position 0",
        )
        assert (
            server.call("grep_search", pattern="a", path="x").content == "there is no file or directory 'x'"
        )

    @pytest.mark.parametrize(
        ("pattern", "ok", "advice"),
        [
            ("[[:alpha:]]+", False, "would not match what it seems to: Python has no [:alpha:] and the like"),
            (r"\p{L}", False, "bad escape \\p at position 0; Python has no \\p{L}"),
            ("(?<name>x)", False, "a named group is written (?P<name>...)"),
            ("foo(?i)bar", False, "flags such as (?i) stand at the very start"),
            (r"omega\|nothing", True, r"[`\|` is a bar as it stands; for one or the other write `|`]"),
            (r"[[(]|x", True, ""),
        ],
    )
    def test_other_dialects_get_advice(self, server: ToolServer, pattern: str, ok: bool, advice: str) -> None:
        reply = server.call("grep_search", pattern=pattern)
        assert reply.ok is ok
        assert advice in reply.content

    def test_a_byte_order_mark_is_no_part_of_the_first_line(self, server: ToolServer) -> None:
        (server.workdir / "a.cs").write_bytes(b"\xef\xbb\xbfusing System;\r\n")
        assert lines(server, "grep_search", pattern="^using")[1:] == ["a.cs:1: using System;"]

    def test_a_single_file_that_is_not_searched_is_reported(self, server: ToolServer) -> None:
        found = lines(server, "grep_search", pattern="alpha", path="data.bin")
        assert found == ["no match for 'alpha' in 1 file", "[binary, not searched: data.bin]"]
        with (server.workdir / "huge").open("wb") as file:
            file.truncate(17_000_000)
        found = lines(server, "grep_search", pattern="omega", path="huge")
        assert found[1] == "[too large to search, use run_terminal_cmd with grep: huge]"

    def test_many_matches_are_counted_and_cut(self, server: ToolServer) -> None:
        (server.workdir / "many").write_text("hit\n" * 700)
        found = lines(server, "grep_search", pattern="hit", path="many")
        assert found[0] == "700 matching lines in 1 file, the first 500 shown"
        assert len(found) == 501

    def test_a_very_long_line_is_shown_around_its_match(self, server: ToolServer) -> None:
        (server.workdir / "long").write_text("x" * 5_000_000 + "needle" + "y" * 5_000)
        (found,) = lines(server, "grep_search", pattern="needle", path="long")[1:]
        assert found == f"long:1: [...] {'x' * 100}needle{'y' * 294} [...]"

    def test_a_pattern_that_explodes_is_stopped(self, server: ToolServer) -> None:
        (server.workdir / "a").write_text("a" * 40 + "b")
        reply = server.call("grep_search", pattern="(a+)+$", path="a", within=0.5)
        assert (reply.ok, reply.content) == (False, "stopped after 0.5 s; narrow the call")
        assert server.call("list_dir").ok


def test_search_code_takes_a_text_or_a_regular_expression(server: ToolServer) -> None:
    as_text, as_regex = (
        server.call("search_code", pattern="(a|b)*", regex=regex).content for regex in (False, True)
    )
    assert ("x.py" in as_text, "main.c" in as_text, "main.c" in as_regex) == (True, False, True)
    given: dict[str, Any] = {"pattern": "alpha", "path": "src/win.c"}
    assert server.call("search_code", **given).content == server.call("grep_search", **given).content


class TestFileSearch:
    def test_the_closest_come_first(self, server: ToolServer) -> None:
        (server.workdir / "src" / "main_test.c").touch()
        (server.workdir / "domain.txt").touch()
        assert lines(server, "file_search", query="main.c") == ["src/main.c"]
        assert lines(server, "file_search", query="main") == ["src/main.c", "src/main_test.c", "domain.txt"]
        assert lines(server, "file_search", query="deep/er") == ["src/deep/er/x.py"]

    def test_scattered_letters_are_enough(self, server: ToolServer) -> None:
        assert lines(server, "file_search", query="rdme") == ["README.md"]

    def test_globs(self, server: ToolServer) -> None:
        assert lines(server, "file_search", query="*.c") == ["link.c", "src/main.c", "src/win.c"]
        assert lines(server, "file_search", query="src/*.{c,py}") == ["src/main.c", "src/win.c"]
        assert lines(server, "file_search", query="**/x.??") == ["src/deep/er/x.py"]

    def test_no_hit_is_a_result(self, server: ToolServer) -> None:
        reply = server.call("file_search", query="*.rs")
        assert (reply.ok, reply.content) == (True, "no file matches '*.rs'")

    def test_long_results_are_cut(self, server: ToolServer) -> None:
        for number in range(105):
            (server.workdir / f"n{number:03}.dat").touch()
        found = lines(server, "file_search", query="*.dat")
        assert found[99:] == ["n099.dat", "[5 more; use a longer query]"]


def test_a_web_search_is_refused_with_what_to_do_instead(server: ToolServer) -> None:
    reply = server.call("web_search", query="how to exit vim")
    assert (reply.ok, reply.edits) == (False, [])
    assert reply.content.startswith("this evaluation has no web: 'how to exit vim' was not searched")
    assert "search the code base" in reply.content


QUERIES: list[tuple[str, dict[str, Any]]] = [
    ("codebase_search", {"query": "alpha"}),
    ("codebase_search", {"query": "ALPHA", "case_sensitive": True}),
    ("codebase_search", {"query": "GRÖSSE"}),
    ("codebase_search", {"query": "größe"}),
    ("codebase_search", {"query": "(a|b)*", "context_lines": 2}),
    ("codebase_search", {"query": "omega"}),
    ("codebase_search", {"query": "alpha", "directories": ["build", "src/deep"]}),
    ("codebase_search", {"query": "-e"}),
    ("grep_search", {"pattern": r"^int \w+;$"}),
    ("grep_search", {"pattern": r"alpha$", "include": ["*.c", "*.txt"]}),
    ("grep_search", {"pattern": r"ALPHA", "case_sensitive": False, "exclude": ["src"]}),
    ("grep_search", {"pattern": r"caf. alpha"}),
    ("grep_search", {"pattern": r"f\W\Salpha|f\S\salpha"}),
    ("grep_search", {"pattern": r"(?<!t )alpha"}),
    ("grep_search", {"pattern": r"alpha\Z"}),
    ("grep_search", {"pattern": r"\{|\}"}),
    ("grep_search", {"pattern": r"^$"}),
    ("grep_search", {"pattern": r"gr\w+e"}),
    ("grep_search", {"pattern": r"x{2}"}),
    ("grep_search", {"pattern": r"alpha", "path": "src"}),
]


# What the two disagree about when each is left to itself: encodings, white space, letters, line ends, names.
ODD = {
    "utf8-mark.txt": b"\xef\xbb\xbfalpha\n",
    "mark-and-space.txt": b"\xef\xbb\xbf  x = 1\r\n",
    "mark-and-nothing.txt": b"\xef\xbb\xbf\nalpha\n",
    "two-marks.txt": b"\xef\xbb\xbf\xef\xbb\xbfalpha",
    "utf16.txt": b"\xff\xfea\0l\0p\0h\0a\0",
    "utf16-mark-alone.txt": b"\xff\xfe alpha \x80\n",
    "late-zero.txt": b"alpha\n" + b"x" * 9000 + b"\0\n",
    "long.txt": b"y" * 300_000 + b" alpha\n",
    "lone-cr.txt": b"alpha\rbeta\nalpha\r",
    "only-cr.txt": b"\r",
    "crlf-end.txt": b"alpha\r\n\r\n \r\nbeta",
    "separators.txt": "a\x1cb\na\x0bb\na\x85b\na\xa0b\na\u2028b\n".encode(),
    "letters.txt": "\u0130stanbul\n\u0131stanbul\n\u212aelvin\n\u017ftrasse\nSTRAẞE\nstraße\n".encode(),
    "marks.txt": "cafe\u0301 x\ncaf\u00e9 x\n½ x\n日本語 x\n".encode(),
    "-e": b"alpha\n",
    "new\nline.py": b"alpha\n",
    "größe.py": b"alpha\n",
    "[x].py": b"alpha\n",
    "UPPER.PY": b"alpha\n",
    ".gitignore": b"*.py\n*.txt\n",
    ".ignore": b"*.c\n",
    "a/dist": b"alpha\n",
    "a/dist-2/x.py": b"alpha\n",
    "a/__pycache__/x.py": b"alpha\n",
    "too-large.bin.txt": b"alpha\n" * 2_800_000,
}
PATTERNS = [
    *(
        "alpha",
        "^alpha",
        "alpha$",
        "^$",
        r"^\s*$",
        ".",
        "..$",
        ".*",
        "a.b",
        r"a\sb",
        r"a\Sb",
        r"\w+",
        r"\W",
        r"^\W",
    ),
    *(
        r"caf\w+ x",
        r"caf. x",
        r"\bx",
        r"e\b",
        r"^\w x",
        r"^\S+$",
        r"\d",
        r"^\D+$",
        "(alpha|beta)",
        "(?:x|y)+",
        "a*",
    ),
    *(
        "i",
        "istanbul",
        "kelvin",
        "strasse",
        "s",
        "K",
        "a+?l",
        "a||b",
        "|",
        "^.$",
        "^..$",
        "-e",
        "#",
        r"\.",
        r"\/",
        "@",
    ),
    *(
        r"alpha\s*$",
        r"\-",
        "\t",
        "x{2}",
        "[a-c]l",
        r"(?i)ALPHA",
        r"alpha\r",
        r"\x61lpha",
        "größe",
        "ß",
        r"^\s+x",
        r"x|^$",
    ),
]


@pytest.mark.engine
def test_results_are_the_same_with_and_without_ripgrep(tmp_path: Path) -> None:
    """In the base image, which has ripgrep; the second server's PATH leads nowhere near it."""
    lay(tmp_path)
    for name, content in ODD.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / "outside").symlink_to("/etc/passwd")
    (tmp_path / "dangling").symlink_to("nowhere")
    os.mkfifo(tmp_path / "fifo")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt")).write_bytes(b"alpha\n")
    queries = [
        *QUERIES,
        *(
            ("grep_search", {"pattern": pattern, "case_sensitive": sensitive})
            for pattern in PATTERNS
            for sensitive in (True, False)
        ),
        *(
            ("codebase_search", {"query": query, "context_lines": 1})
            for query in ("alpha", "i", "k", "s", ".", "a.b", "-e", " x", "$", "\t", "\\", "STRASSE")
        ),
    ]
    for number in range(RIPGREP_FROM):
        (tmp_path / f"filler-{number}.txt").write_text("nothing\n")
    hidden = tmp_path / "bin"
    hidden.mkdir()
    (hidden / "python3").symlink_to("/usr/bin/python3")
    docker = [
        "docker",
        "run",
        "--rm",
        "-i",
        "--network=none",
        "-v",
        f"{INSIDE}:/inside:ro",
        "-v",
        f"{tmp_path}:/app",
    ]
    serve = ["benchbench/base:bookworm", "python3", "-I", "/inside", "--workdir", "/app"]
    with (
        ToolServer(tmp_path, command=[*docker, *serve]) as with_ripgrep,
        ToolServer(tmp_path, command=[*docker, "--env", "PATH=/app/bin", *serve]) as without,
    ):
        assert with_ripgrep.run("command -v rg").content.splitlines()[1] == "/usr/bin/rg"
        assert without.run("command -v rg").content.splitlines()[1] == "[no output]"
        for tool, arguments in queries:
            assert with_ripgrep.call(tool, **arguments).content == without.call(tool, **arguments).content, (
                arguments
            )


def test_results_are_the_same_if_ripgrep_fails(tmp_path: Path) -> None:
    """Whatever stands on the PATH as rg, Python has the last word."""
    lay(tmp_path)
    for number in range(RIPGREP_FROM):
        (tmp_path / f"filler-{number}.txt").write_text("nothing\n")
    tools = tmp_path / ".git" / "bin"
    tools.mkdir()
    broken = tools / "rg"
    broken.write_text("#!/bin/sh\nexit 2\n")
    broken.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
    with ToolServer(tmp_path, environment=environment) as server:
        assert lines(server, "codebase_search", query="alpha")[0] == "10 matching lines in 9 files"
