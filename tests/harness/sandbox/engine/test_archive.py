"""What is packed is what a container has afterwards, and what is read from it."""

from __future__ import annotations

import io
import tarfile
import time
from dataclasses import replace
from pathlib import PurePosixPath

import pytest
from docker import APIClient

from harness.errors import AgentError, InfrastructureError
from harness.patches import FileState
from harness.sandbox.engine import archive
from harness.sandbox.engine.archive import FIXED_TIME, member_at, members, pack, put
from harness.sandbox.engine.containers import Container
from harness.sandbox.stream import AttachedStream, StreamEnded

TREE = PurePosixPath("/tree")


def unpacked(archive: bytes) -> list[tarfile.TarInfo]:
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        return tar.getmembers()


def found(api: APIClient, container: Container) -> list[tuple[FileState, int]]:
    """Each file and link below TREE, and its size, in the order of the engine."""
    return [(member.read(), member.size) for member in members(api, container.name, TREE)]


class TestPack:
    def test_files_links_and_directories_belong_to_root_and_have_their_modes(self) -> None:
        files = [FileState("a.sh", b"x\n", 0o755), FileState("b", b"yy"), FileState("c", b"../b", link=True)]
        entries = unpacked(pack(files, ["empty"]))
        assert [(entry.name, entry.type, entry.mode, entry.size, entry.linkname) for entry in entries] == [
            ("empty", tarfile.DIRTYPE, 0o755, 0, ""),
            ("a.sh", tarfile.REGTYPE, 0o755, 2, ""),
            ("b", tarfile.REGTYPE, 0o644, 2, ""),
            ("c", tarfile.SYMTYPE, 0o777, 0, "../b"),
        ]
        assert {(entry.uid, entry.gid) for entry in entries} == {(0, 0)}

    def test_equal_files_give_equal_archives(self) -> None:
        archives = {pack([FileState("a", b"x")], ["d"]) for _ in range(2)}
        assert len(archives) == 1
        assert {entry.mtime for entry in unpacked(archives.pop())} == {FIXED_TIME}

    def test_the_time_of_modification_is_that_of_every_entry(self) -> None:
        entries = unpacked(pack([FileState("a", b"x"), FileState("l", b"a", link=True)], ["d"], modified=12))
        assert [entry.mtime for entry in entries] == [12, 12, 12]

    def test_owner_and_mode_may_be_changed_for_each_entry(self) -> None:
        def access(header: tarfile.TarInfo) -> None:
            if header.name != "b":
                header.uid, header.gid, header.mode = 1, 2, header.mode & 0o700

        entries = unpacked(pack([FileState("a", b"x"), FileState("b", b"y")], ["d"], access=access))
        assert [(entry.name, entry.uid, entry.gid, entry.mode) for entry in entries] == [
            ("d", 1, 2, 0o700),
            ("a", 1, 2, 0o600),
            ("b", 0, 0, 0o644),
        ]

    def test_missing_files_are_left_out(self) -> None:
        entries = unpacked(pack([FileState("gone", None), FileState("empty", b"")]))
        assert [(entry.name, entry.size) for entry in entries] == [("empty", 0)]

    def test_the_last_of_two_files_with_the_same_path_counts(self) -> None:
        with tarfile.open(fileobj=io.BytesIO(pack([FileState("a", b"1"), FileState("a", b"22")]))) as tar:
            content = tar.extractfile("a")
            assert content is not None
            assert content.read() == b"22"

    def test_long_and_odd_names_are_unchanged(self) -> None:
        names = ["deep/" * 60 + "a", "two\nlines", "\udcff"]
        assert [entry.name for entry in unpacked(pack([FileState(name, b"") for name in names]))] == names


@pytest.mark.engine
class TestInAContainer:
    def test_files_and_links_are_read_as_they_were_put(self, api: APIClient, container: Container) -> None:
        files = [
            FileState("run.sh", b"#!/bin/sh\n", 0o755),
            FileState("sub/binary", bytes(range(256))),
            FileState("link", b"/etc/passwd", link=True),
            FileState("two\nlines", b""),
        ]
        placed = [FileState(f"tree/{file.path}", file.content, file.mode, file.link) for file in files]
        put(api, container.name, pack(placed, ["tree", "tree/sub"]))
        assert sorted(found(api, container), key=lambda item: item[0].path) == [
            (files[2], len("/etc/passwd")),
            (files[0], 10),
            (files[1], 256),
            (files[3], 0),
        ]

    def test_files_replace_directories_and_the_reverse(self, api: APIClient, container: Container) -> None:
        put(api, container.name, pack([FileState("tree/a/deep", b"1"), FileState("tree/b", b"2")], ["tree"]))
        put(
            api, container.name, pack([FileState("tree/a", b"3"), FileState("tree/b/deep", b"4")], ["tree/b"])
        )
        assert [file for file, _ in found(api, container)] == [
            FileState("a", b"3"),
            FileState("b/deep", b"4"),
        ]

    def test_further_names_of_a_file_come_last_with_its_content(
        self, api: APIClient, container: Container
    ) -> None:
        buffer = io.BytesIO(pack([FileState("tree/a", b"same", 0o755), FileState("tree/z", b"other")]))
        with tarfile.open(fileobj=buffer, mode="a") as tar:
            twin = tarfile.TarInfo("tree/b")
            twin.type, twin.linkname, twin.mode = tarfile.LNKTYPE, "tree/a", 0o755
            tar.addfile(twin)
        put(api, container.name, buffer.getvalue())
        assert found(api, container) == [
            (FileState("a", b"same", 0o755), 4),
            (FileState("z", b"other"), 5),
            (FileState("b", b"same", 0o755), 4),
        ]

    def test_anything_but_files_and_links_is_skipped(self, api: APIClient, container: Container) -> None:
        buffer = io.BytesIO(pack([FileState("tree/a", b"1")], ["tree/empty"]))
        with tarfile.open(fileobj=buffer, mode="a") as tar:
            pipe = tarfile.TarInfo("tree/pipe")
            pipe.type = tarfile.FIFOTYPE
            tar.addfile(pipe)
        put(api, container.name, buffer.getvalue())
        assert found(api, container) == [(FileState("a", b"1"), 1)]

    def test_a_directory_that_does_not_exist_has_no_members(
        self, api: APIClient, container: Container
    ) -> None:
        assert found(api, container) == []

    def test_one_file_or_link_is_read_by_its_path(self, api: APIClient, container: Container) -> None:
        files = [FileState("tree/a", b"1", 0o755), FileState("tree/l", b"a", link=True)]
        put(api, container.name, pack(files, ["tree"]))
        paths = [TREE / name for name in ("a", "l", "missing")]
        assert [member_at(api, container.name, path) for path in paths] == [*files, None]
        assert member_at(api, container.name, TREE) is None

    @pytest.mark.parametrize("path", ["a/below", "a/far/below", "loop", "loop/below"])
    def test_nothing_is_at_a_path_below_a_file_or_behind_links_without_an_end(
        self, api: APIClient, container: Container, path: str
    ) -> None:
        put(
            api, container.name, pack([FileState("tree/a", b"1"), FileState("tree/loop", b"loop", link=True)])
        )
        assert member_at(api, container.name, TREE / path) is None
        assert list(members(api, container.name, TREE / path)) == []

    def test_a_container_that_does_not_exist_is_an_error(self, api: APIClient) -> None:
        with pytest.raises(InfrastructureError, match="No such container: benchbench-none"):
            member_at(api, "benchbench-none", TREE)
        with pytest.raises(InfrastructureError, match="copying files into a container: the engine refused"):
            put(api, "benchbench-none", pack([]))

    def test_ignored_files_that_are_too_long_are_deleted_and_the_rest_is_read(
        self, api: APIClient, container: Container, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(archive, "MAX_IGNORED_BYTES", 100)
        names = ["a", "big/deep/1", "big/deep/2", "big/small", "c", "few/1", "\udcff", "z/1"]
        files = [FileState(name, b"x" * 60) for name in names]
        buffer = io.BytesIO(pack([replace(file, path=f"tree/{file.path}") for file in files]))
        with tarfile.open(fileobj=buffer, mode="a", errors="surrogateescape") as tar:
            twin = tarfile.TarInfo("tree/twin")
            twin.type, twin.linkname, twin.mode = tarfile.LNKTYPE, "tree/big/deep/1", 0o644
            tar.addfile(twin)
        put(api, container.name, buffer.getvalue())
        tops = {
            "big/deep/1": "big",
            "big/deep/2": "big",
            "big/small": "big",
            "few/1": "few",
            "\udcff": "\udcff",
        }
        read = [
            member.path if member.path in tops else member.read()
            for member in members(api, container.name, TREE, tops.get)
        ]
        assert read == [
            FileState("a", b"x" * 60),
            "big/deep/1",
            "big/deep/2",  # here they are too long: `big` is deleted
            FileState("c", b"x" * 60),
            "few/1",
            FileState("twin", b"x" * 60),
            FileState("z/1", b"x" * 60),
            "\udcff",
        ]
        assert {member.path: member.size for member in members(api, container.name, TREE)} == {
            "a": 60, "big": 0, "c": 60, "few": 0, "twin": 60, "z/1": 60, "\udcff": 0,
        }  # fmt: skip

    def test_files_that_take_too_long_to_read_are_the_agents_fault(
        self, api: APIClient, container: Container, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        container.start()
        stream = AttachedStream.to_program(
            api, container.program(["/usr/bin/truncate", "-s", "3G", "/srv/long"], PurePosixPath("/"))
        )
        with pytest.raises(StreamEnded):
            stream.frame(deadline=time.monotonic() + 10)
        stream.close()
        monkeypatch.setattr(archive, "READ_SECONDS", 0.3)
        began = time.monotonic()
        with pytest.raises(AgentError, match=r"^/srv took too long to read, more than 0 s: it has too many"):
            list(members(api, container.name, PurePosixPath("/srv")))
        assert time.monotonic() - began < 10
        monkeypatch.undo()
        assert container.state() is not None  # and the engine goes on
