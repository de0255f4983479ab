"""write_file, delete_file and create_directory through a real server."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

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


class TestWriteFile:
    def test_creates_a_file_and_its_directories(self, app: Path, server: ToolServer) -> None:
        reply = server.call("write_file", path="x/y/a.txt", content="ä\nb")
        assert reply.content == "x/y/a.txt: created, 2 lines, 4 bytes"
        assert (app / "x/y/a.txt").read_bytes() == "ä\nb".encode()

    def test_overwrites_in_place_without_changing_the_mode(self, app: Path, server: ToolServer) -> None:
        script = app / "run.sh"
        script.write_text("old")
        script.chmod(0o755)
        assert (
            server.call("write_file", path="run.sh", content="").content
            == "run.sh: overwritten, 0 lines, 0 bytes"
        )
        assert script.read_bytes() == b""
        assert stat.S_IMODE(script.stat().st_mode) == 0o755

    def test_line_ends_are_written_as_they_are(self, app: Path, server: ToolServer) -> None:
        server.call("write_file", path="a", content="1\r\n2\n")
        assert (app / "a").read_bytes() == b"1\r\n2\n"

    def test_a_syntax_error_in_python_is_reported(self, app: Path, server: ToolServer) -> None:
        reply = server.call("write_file", path="a.py", content="x = 1\ndef f(:\n")
        assert reply.ok
        assert "; syntax error in line 2: " in reply.content

    @pytest.mark.parametrize("path", ["../a", "/tmp/benchbench-a", "d/../../a", "out/a", ".", "out-file"])
    def test_nothing_is_written_outside_the_workdir(self, app: Path, server: ToolServer, path: str) -> None:
        (app / "out").symlink_to(app.parent)
        (app / "out-file").symlink_to(app.parent / "outside.txt")
        reply = server.call("write_file", path=path, content="x")
        assert not reply.ok
        assert f"is not below {app}: file tools write there only" in reply.content
        assert sorted(entry.name for entry in app.parent.iterdir()) == ["app", "outside.txt"]
        assert (app.parent / "outside.txt").read_text() == "outside\n"

    def test_the_target_of_a_link_inside_is_unchanged(self, app: Path, server: ToolServer) -> None:
        (app / "a").write_text("old")
        (app / "link").symlink_to("a")
        assert server.call("write_file", path="link", content="new").ok
        assert (app / "link").is_symlink()
        assert (app / "a").read_text() == "new"

    def test_directories_and_files_in_the_way_are_named(self, app: Path, server: ToolServer) -> None:
        (app / "d").mkdir()
        (app / "f").touch()
        assert server.call("write_file", path="d", content="").content == "'d' is a directory"
        assert "something above it is a file" in server.call("write_file", path="f/a", content="").content

    def test_half_a_surrogate_pair_is_refused(self, app: Path, server: ToolServer) -> None:
        reply = server.call("write_file", path="a", content="x\ud800")
        assert (reply.ok, (app / "a").exists()) == (False, False)
        assert "character 1 is half of a surrogate pair" in reply.content


class TestDeleteAndCreate:
    def test_deletes_a_file_and_a_link_but_not_its_target(self, app: Path, server: ToolServer) -> None:
        (app / "a").touch()
        (app / "link").symlink_to(app.parent / "outside.txt")
        assert server.call("delete_file", path="a").content == "a: deleted"
        assert server.call("delete_file", path="link").ok
        assert list(app.iterdir()) == []
        assert (app.parent / "outside.txt").exists()

    def test_refuses_a_directory_a_missing_file_and_paths_outside(
        self, app: Path, server: ToolServer
    ) -> None:
        (app / "d").mkdir()
        assert "'d' is a directory" in server.call("delete_file", path="d").content
        assert server.call("delete_file", path="x").content == "there is no file 'x'"
        assert "is not below" in server.call("delete_file", path="../outside.txt").content
        assert (app.parent / "outside.txt").exists()

    def test_creates_directories(self, app: Path, server: ToolServer) -> None:
        assert server.call("create_directory", path="a/b").content == "a/b: created"
        assert server.call("create_directory", path="a/b").content == "a/b: is there already"
        (app / "f").touch()
        assert not server.call("create_directory", path="f").ok
        assert not server.call("create_directory", path="f/x").ok
        assert not server.call("create_directory", path="../x").ok
        assert sorted(entry.name for entry in app.iterdir()) == ["a", "f"]
