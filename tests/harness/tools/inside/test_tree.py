"""Globs that select files, and directories that are left out."""

from __future__ import annotations

import pytest

from harness.tools.inside.tree import IGNORED, Globs
from tests.harness.tools.tool_server import ToolServer


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.py", "a/b/c.py", True),
        ("a/*.py", "a/b/c.py", False),
        ("a/**/*.py", "a/c.py", True),
        ("a/**", "a/b/c.py", True),
        ("./a/b/", "a/b/c.py", True),
        ("b", "a/b/c.py", True),
        ("[!a-b].py", "c.py", True),
        ("[!a-b].py", "a.py", False),
        ("[.py", "[.py", True),
        ("{a,b}.{py,c}", "b.c", True),
        ("{a", "{a", True),
        ("a?c", "a/c", False),
        ("x.py", "xapy", False),
    ],
)
def test_globs_mean_what_shells_mean(pattern: str, path: str, matches: bool) -> None:
    assert Globs([pattern]).match(path) is matches


def test_all_listings_and_searches_leave_out_the_same_directories(server: ToolServer) -> None:
    for name in [*IGNORED, "src"]:
        directory = server.workdir / "app" / name
        directory.mkdir(parents=True)
        (directory / "found.py").write_text("needle\n")
    assert {"target", "venv", ".venv", "vendor", "node_modules", "dist", "build", ".git"} <= IGNORED
    assert server.call("file_search", query="found.py").content == "app/src/found.py"
    assert server.call("list_dir", recursive=True).content == "app/\napp/src/\napp/src/found.py  7 bytes"
    searches = (server.call("codebase_search", query="needle"), server.call("grep_search", pattern="needle"))
    for reply in searches:
        assert reply.content == "1 matching line in 1 file\napp/src/found.py:1: needle"


def test_a_path_that_names_an_ignored_directory_is_read(server: ToolServer) -> None:
    for name in sorted(IGNORED):
        (server.workdir / name / "deep").mkdir(parents=True)
        (server.workdir / name / "deep" / "a.py").write_text("needle\n")
        assert server.call("list_dir", path=name).content == "deep/"
        for path in (name, f"{name}/deep"):
            found = server.call("grep_search", pattern="needle", path=path).content
            assert found == f"1 matching line in 1 file\n{name}/deep/a.py:1: needle"
