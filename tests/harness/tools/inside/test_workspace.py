"""Which paths file tools read and write."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.tools.inside.text import ToolError
from harness.tools.inside.workspace import FILE_LIMIT, Workspace, refuse_binary


@pytest.fixture
def app(tmp_path: Path) -> Path:
    app = tmp_path.resolve() / "app"
    (app / "sub").mkdir(parents=True)
    (app / "sub" / "a.py").write_bytes(b"x = 1\n")
    return app


@pytest.fixture
def workspace(app: Path) -> Workspace:
    return Workspace(str(app))


def outside(path: str, app: Path) -> str:
    return (
        f"{path!r} is not below {app}: file tools write there only. For anything else use run_terminal_cmd."
    )


class TestPlaces:
    def test_relative_paths_begin_at_the_workdir_and_absolute_ones_stay(
        self, workspace: Workspace, app: Path
    ) -> None:
        assert workspace.locate("sub/../b.py") == str(app / "b.py")
        assert workspace.locate("/etc//hosts") == "/etc/hosts"
        assert workspace.locate("") == str(app)

    def test_a_zero_byte_is_refused(self, workspace: Workspace) -> None:
        with pytest.raises(ToolError, match=r"^the path holds a zero byte$"):
            workspace.locate("a\0b")

    def test_a_path_below_is_shown_relative(self, workspace: Workspace, app: Path) -> None:
        assert workspace.name(f"{app}/sub/a.py") == "sub/a.py"
        assert workspace.name(str(app)) == "."
        assert workspace.name(f"{app}-2/a.py") == f"{app}-2/a.py"

    def test_a_workdir_behind_a_link_is_its_target(self, app: Path) -> None:
        app.with_name("link").symlink_to(app)
        assert Workspace(str(app.with_name("link"))).root == str(app)

    def test_the_root_directory_can_be_a_workdir(self) -> None:
        workspace = Workspace("/")
        assert workspace.locate_writable("etc/hosts") == "/etc/hosts"
        assert workspace.name("/etc/hosts") == "etc/hosts"


class TestWriting:
    @pytest.mark.parametrize("path", ["", ".", "sub/..", "..", "../app-2/x", "/etc/hosts", "sub/../../x"])
    def test_the_workdir_itself_and_what_is_not_below_it_are_refused(
        self, workspace: Workspace, app: Path, path: str
    ) -> None:
        with pytest.raises(ToolError) as refused:
            workspace.locate_writable(path)
        assert str(refused.value) == outside(path, app)

    def test_a_link_on_the_way_is_followed(self, workspace: Workspace, app: Path) -> None:
        (app / "inner").symlink_to("sub")
        (app / "outer").symlink_to(app.parent)
        assert workspace.locate_writable("inner/b.py") == str(app / "sub/b.py")
        with pytest.raises(ToolError) as refused:
            workspace.locate_writable("outer/b.py")
        assert str(refused.value) == outside("outer/b.py", app)

    def test_a_link_may_be_replaced_but_not_written_through(self, workspace: Workspace, app: Path) -> None:
        (app / "out").symlink_to("/etc/hosts")
        (app / "in").symlink_to("sub/a.py")
        assert workspace.locate_writable("out") == str(app / "out")
        assert workspace.locate_content("in") == str(app / "in")
        with pytest.raises(ToolError, match=r"^'/etc/hosts' is not below"):
            workspace.locate_content("out")


class TestReading:
    def test_a_text_file_is_read_as_it_is(self, workspace: Workspace) -> None:
        assert workspace.read("sub/a.py") == b"x = 1\n"
        assert workspace.locate_file("sub/a.py") == (workspace.locate("sub/a.py"), 6)

    @pytest.mark.parametrize(
        ("path", "reason"),
        [
            ("sub", "'sub' is a directory; list_dir shows what is in it"),
            ("sub/b.py", "there is no file 'sub/b.py'; did you mean 'a.py'?"),
            ("sub/README", "there is no file 'sub/README'"),
            ("no/a.py", "there is no file 'no/a.py': there is no directory 'no' either"),
            ("/dev/null", "'/dev/null' is not a regular file"),
            ("pipe", "'pipe' is not a regular file"),
            ("binary", "'binary' is a binary file of 2 bytes; it has no text to work on"),
        ],
    )
    def test_anything_else_is_refused_with_a_reason(
        self, workspace: Workspace, app: Path, path: str, reason: str
    ) -> None:
        os.mkfifo(app / "pipe")
        (app / "binary").write_bytes(b"a\0")
        with pytest.raises(ToolError) as refused:
            workspace.read(path)
        assert str(refused.value) == reason

    def test_a_giant_file_is_refused_unread(self, workspace: Workspace, app: Path) -> None:
        os.truncate(app / "sub" / "a.py", FILE_LIMIT + 1)
        with pytest.raises(ToolError, match=r"^'sub/a\.py' has 67,108,865 bytes, more than is read at once"):
            workspace.read("sub/a.py")

    @pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
    def test_utf_16_is_named(self, mark: bytes) -> None:
        with pytest.raises(ToolError, match=r"iconv -f UTF-16 -t UTF-8$"):
            refuse_binary("a", mark + b"a\0", 4)
        refuse_binary("a", mark + b"no zero byte", 14)
