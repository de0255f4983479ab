from __future__ import annotations

import re
import subprocess
import sys
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
    count_lines,
    long_texts,
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

    @settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])
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


class TestHostilePatches:
    """What a small patch can demand, and what git would refuse elsewhere."""

    @pytest.mark.parametrize(
        "name",
        ["GIT~1", "git~2/x", ".git /x", ".git./x", ".g\u200cit/config", ".git::$INDEX_ALLOCATION/x", "a\\b", "aux",
         "a:b", "x ", "x.", "-rf", "@{-1}", ":(exclude)a", "two\nlines", "t\tb", 'q"q', "c\r", "n" * 255],
    )  # fmt: skip
    def test_any_name_of_a_file_is_carried_over(self, name: str) -> None:
        after = (FileState(name, b"x\n"), FileState("b", b"y\n"))
        assert set(apply_patch(make_patch([], after), read_from(()))) == set(after)

    @pytest.mark.parametrize("path", [".gitmodules", "sub/.GITMODULES", ".gitmodules/x"])
    def test_a_link_named_gitmodules_is_refused_by_name(self, path: str) -> None:
        with pytest.raises(PatchError) as refused:
            make_patch([], [FileState(path, b"x", link=True)])
        assert (refused.value.where, refused.value.reason) == (path, "git allows no link of this name")

    @pytest.mark.parametrize("path", [".gitattributes", ".gitignore", ".mailmap"])
    def test_other_files_of_git_may_be_links(self, path: str) -> None:
        link = FileState(path, b"/etc/passwd", link=True)
        assert apply_patch(make_patch([], [link]), read_from(())) == (link,)

    def test_a_submodule_is_refused_by_name(self) -> None:
        commit = "1" * 40
        diff = (
            f"diff --git a/sub b/sub\nnew file mode 160000\nindex {'0' * 40}..{commit}\n--- /dev/null\n+++ b/sub\n"
            f"@@ -0,0 +1 @@\n+Subproject commit {commit}\n"
        )
        with pytest.raises(PatchError) as refused:
            apply_patch(diff.encode(), read_from(()))
        assert str(refused.value) == "sub: is a submodule: patches hold files and links only"

    def test_content_beyond_the_limit_is_refused_before_it_is_unpacked(self) -> None:
        diff = make_patch([], [FileState("a", b"\0" * 1000)])
        literal = re.search(rb"^literal 1000$", diff, re.MULTILINE)
        assert literal
        with pytest.raises(PatchError, match=r"^is too big: patches may have 256 MB, packed and unpacked$"):
            apply_patch(diff.replace(b"literal 1000", b"literal 3000000000"), read_from(()))

    def test_a_patch_of_three_gigabytes_needs_little_memory(self) -> None:
        made = subprocess.run(
            [sys.executable, "-c", _BOMB], capture_output=True, text=True, timeout=120, check=True
        )
        reason, own, of_git = made.stdout.splitlines()
        assert "is too big" in reason
        assert int(own) < 300
        assert int(of_git) < 1500

    def test_texts_with_very_many_lines_are_compared_as_binary_files(self) -> None:
        after = [FileState("a", b"x\n" * 300_000), FileState('b*"', b"y\n" * 200_000), FileState("c", b"\0")]
        assert long_texts([], after) == ["a", 'b*"']
        diff = make_patch([], after)
        assert count_lines(diff) == (3, 0, 0)
        assert set(apply_patch(diff, read_from(()))) == set(after)


# A delta can copy one block many times: here the content of a file of 60 MB, 50 times.
_BOMB = """
import base64, hashlib, resource, zlib
from harness.patches import FileState, PatchError, apply_patch
size, times = 60_000_000, 50
def number(value):
    out = bytearray()
    while True:
        out.append((value & 0x7F) | (0x80 if value > 0x7F else 0))
        value >>= 7
        if not value:
            return bytes(out)
piece = 0xFFFFFF
delta = number(size) + number(piece * 3 * times) + b"".join(
    bytes([0x80 | 0x70]) + piece.to_bytes(3, "little") for _ in range(3 * times))
packed = zlib.compress(delta)
alphabet = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
lines = b""
for at in range(0, len(packed), 52):
    part = packed[at:at + 52]
    mark = bytes([64 + len(part)]) if len(part) <= 26 else bytes([96 + len(part) - 26])
    lines += mark + base64.b85encode(part + b"\\0" * (-len(part) % 4)) + b"\\n"
content = b"\\0" * size
blob = hashlib.sha1(b"blob %d\\0" % size + content).hexdigest()
head = f"diff --git a/a b/a\\nindex {blob}..{'1' * 40} 100644\\nGIT binary patch\\ndelta {len(delta)}\\n".encode()
try:
    apply_patch(head + lines + b"\\n", {"a": FileState("a", content)}.get)
except PatchError as error:
    print("is too big" if "memory" in str(error).lower() or "big" in str(error) else error)
# Not ru_maxrss, which a process inherits from the one that started it.
own = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(int(own.split()[1]) >> 10)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
"""


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
