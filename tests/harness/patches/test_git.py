from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.patches import (
    FileState,
    PatchError,
    ReadFile,
    apply_patch,
    check_applies,
    make_patch,
    touched_paths,
    tree_reader,
)

TEN = "".join(f"line {number}\n" for number in range(1, 11))


def text(path: str, content: str, mode: int = 0o644) -> FileState:
    return FileState(path, content.encode(), mode)


def applied(diff: bytes, *before: FileState) -> dict[str, FileState]:
    """The whole tree after the patch."""
    tree = {state.path: state for state in before}
    changed = apply_patch(diff, read_from(before))
    tree |= {state.path: state for state in changed}
    return {path: state for path, state in tree.items() if state.content is not None}


def read_from(states: Iterable[FileState]) -> ReadFile:
    known = {state.path: state for state in states}

    def read(path: str) -> FileState | None:
        return known.get(path)

    return read


def tree(root: Path, **files: str) -> Path:
    root.mkdir()
    for name, content in files.items():
        (root / name.replace("__", "/").replace("_py", ".py")).write_text(content)
    return root


class TestMakingAndApplying:
    def test_equal_trees_make_an_empty_patch(self) -> None:
        assert make_patch([text("a.py", "x\n")], [text("a.py", "x\n")]) == b""
        assert apply_patch(b"", read_from([])) == ()

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            pytest.param([text("a.py", "x = 1\n")], [text("a.py", "x = 2\n")], id="changed"),
            pytest.param([], [text("new/deep/a.py", "x\n")], id="added"),
            pytest.param([text("a.py", "x\n")], [], id="deleted"),
            pytest.param([], [text("empty", "")], id="empty file"),
            pytest.param([text("a.sh", "x\n")], [text("a.sh", "x\n", 0o755)], id="made executable"),
            pytest.param([text("old.py", TEN)], [text("new.py", TEN)], id="renamed"),
            pytest.param([text("a", "x")], [text("a", "x\n")], id="newline at the end added"),
            pytest.param([text("a", "x\r\ny\r\n")], [text("a", "x\r\nz\r\n")], id="CRLF"),
            pytest.param([text("a", "x \t\n")], [text("a", "x\n\n\n")], id="blanks at line ends"),
            pytest.param([], [FileState("logo.png", bytes(range(256)) * 9)], id="binary"),
            pytest.param([], [FileState("link", b"/etc/passwd", link=True)], id="link"),
            pytest.param([text("a", "b")], [FileState("a", b"b", link=True)], id="file becomes link"),
            pytest.param([text("a", "x\n")], [text("a/b", "x\n")], id="file becomes directory"),
            pytest.param([text("a/b", "x\n")], [text("a", "x\n")], id="directory becomes file"),
            pytest.param([], [text('odd "name"\t\n é .py', "x\n")], id="odd name"),
            pytest.param([], [FileState("\udcff\udcfe.txt", b"\xff\xfe\n")], id="name that is not UTF-8"),
            pytest.param([text("b b/a", "1\n")], [text("b b/a", "1\n", 0o755)], id="blank in a mode change"),
            pytest.param([text(".gitattributes", "* -diff\n"), text("a", "1\n")],
                         [text(".gitattributes", "* -diff\n"), text("a", "2\n")], id="attributes have no say"),
        ],
    )  # fmt: skip
    def test_applying_what_was_made_gives_the_tree_back(
        self, before: list[FileState], after: list[FileState]
    ) -> None:
        diff = make_patch(before, after)
        assert applied(diff, *before) == {state.path: state for state in after}

    names = st.lists(st.sampled_from(["a", "b", "c d", "é", '"', "x.py"]), min_size=1, max_size=3)
    contents = st.one_of(
        st.binary(max_size=60),
        st.lists(st.sampled_from(["a", "b", "", "-- x", "++ y", "@@ -1 +1 @@", "\\ No", "\r"])).map(
            lambda lines: "\n".join(lines).encode()
        ),
    )
    files = st.builds(
        FileState,
        path=names.map("/".join),
        content=contents,
        mode=st.sampled_from([0o644, 0o755]),
    )
    trees = st.lists(files, max_size=4)

    @settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(before=trees, after=trees)
    def test_any_tree_can_become_any_other(self, before: list[FileState], after: list[FileState]) -> None:
        old, new = sound(before), sound(after)
        diff = make_patch(old.values(), new.values())
        assert applied(diff, *old.values()) == new
        assert set(touched_paths(diff)) == {
            path for path in old.keys() | new.keys() if old.get(path) != new.get(path)
        }

    def test_only_named_paths_are_read(self) -> None:
        requested: list[str] = []

        def read(path: str) -> FileState | None:
            requested.append(path)
            return text(path, "1\n")

        diff = make_patch([text("a", "1\n"), text("b", "1\n")], [text("a", "1\n"), text("b", "2\n")])
        assert apply_patch(diff, read) == (text("b", "2\n"),)
        assert requested == ["b"]

    @pytest.mark.parametrize(
        "path", ["../a", "/etc/passwd", "a/../../b", ".git/config", "sub/.GIT/x", "a//b", ""]
    )
    def test_a_path_that_no_patch_may_name_is_refused(self, path: str) -> None:
        with pytest.raises(PatchError) as refused:
            make_patch([], [text(path, "x\n")])
        assert refused.value.where == path


class TestCheckingAReferencePatch:
    def test_a_patch_that_applies_is_accepted(self, tmp_path: Path) -> None:
        source = tree(tmp_path / "source", a_py="x = 1\n")
        check_applies(make_patch([text("a.py", "x = 1\n")], [text("a.py", "x = 2\n")]), tree_reader(source))

    def test_the_hunk_that_does_not_apply_is_named(self, tmp_path: Path) -> None:
        source = tree(tmp_path / "source", a_py=TEN.replace("line 10", "line ten") * 2)
        diff = make_patch(
            [text("a.py", TEN * 2)],
            [text("a.py", "first\n" + TEN + TEN.replace("line 9", "line nine"))],
        )
        with pytest.raises(PatchError) as refused:
            check_applies(diff, tree_reader(source))
        assert refused.value.where == "a.py, hunk 2, line 16"
        assert refused.value.reason == "does not apply: the file has other lines there"

    def test_a_patch_of_a_missing_file_names_it(self, tmp_path: Path) -> None:
        diff = make_patch([text("gone.py", "1\n")], [text("gone.py", "2\n")])
        with pytest.raises(PatchError, match=r"gone\.py: does not exist"):
            check_applies(diff, tree_reader(tree(tmp_path / "source", a_py="1\n")))

    def test_a_truncated_patch_names_its_line(self, tmp_path: Path) -> None:
        diff = make_patch([text("a.py", TEN)], [text("a.py", TEN + "more\n")])
        with pytest.raises(PatchError) as refused:
            check_applies(diff[: diff.index(b"+more")], tree_reader(tree(tmp_path / "source", a_py=TEN)))
        assert refused.value.where == "line 9"

    @pytest.mark.parametrize("diff", [b"", b"just words\n"])
    def test_a_patch_that_changes_nothing_is_refused(self, tmp_path: Path, diff: bytes) -> None:
        with pytest.raises(PatchError, match="changes no file"):
            check_applies(diff, tree_reader(tree(tmp_path / "source", a_py="1\n")))

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("../evil.py", "without '..'"),
            ("/etc/passwd", "must be a relative path"),
            (".git/hooks/pre-commit", "belongs to git"),
        ],
    )
    def test_a_patch_that_leads_out_of_the_tree_is_refused(
        self, tmp_path: Path, name: str, reason: str
    ) -> None:
        diff = f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1 @@\n+x\n".replace("b//", "//").encode()
        with pytest.raises(PatchError, match=reason):
            check_applies(diff, tree_reader(tree(tmp_path / "source", a_py="1\n")))

    @pytest.mark.parametrize("target", [b"/etc/passwd", b"../x", b"a/../../x", b"../../source/a.py"])
    def test_a_link_that_leads_out_of_the_tree_is_refused(self, tmp_path: Path, target: bytes) -> None:
        diff = make_patch([], [FileState("link", target, link=True)])
        with pytest.raises(PatchError, match="leads out of the tree"):
            check_applies(diff, tree_reader(tree(tmp_path / "source", a_py="1\n")))

    @pytest.mark.parametrize(("path", "target"), [("link", b"a.py"), ("sub/link", b"../a.py")])
    def test_a_link_that_stays_inside_is_accepted(self, tmp_path: Path, path: str, target: bytes) -> None:
        diff = make_patch([], [FileState(path, target, link=True)])
        check_applies(diff, tree_reader(tree(tmp_path / "source", a_py="1\n")))

    def test_nothing_is_read_through_a_link(self, tmp_path: Path) -> None:
        source = tree(tmp_path / "source", a_py="1\n")
        tree(tmp_path / "outside", b_py="1\n")
        (source / "out").symlink_to(tmp_path / "outside")
        diff = make_patch([text("out/b.py", "1\n")], [text("out/b.py", "2\n")])
        with pytest.raises(PatchError, match="below the symbolic link out"):
            check_applies(diff, tree_reader(source))


def sound(states: list[FileState]) -> dict[str, FileState]:
    """A tree that can exist: no path twice, no file where another needs a directory."""
    known: dict[str, FileState] = {}
    for state in states:
        clash = any(
            state.path == other or state.path.startswith(f"{other}/") or other.startswith(f"{state.path}/")
            for other in known
        )
        if not clash:
            known[state.path] = state
    return known
