"""Archives that a stranger made: what is unpacked, and what is refused."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

from harness.archive_stream import ArchiveRefused
from runs.transfer import unpacking
from runs.transfer.unpacking import is_packed, unpack

Write = Callable[[Path, str, bytes], Path]


def as_zip(directory: Path, name: str, content: bytes) -> Path:
    path = directory / "archive.zip"
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr(name, content)
    return path


def as_tar(directory: Path, name: str, content: bytes) -> Path:
    path = directory / "archive.tar"
    with tarfile.open(path, "a") as packed:
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode, entry.uid = len(content), 0o6777, 12345
        packed.addfile(entry, io.BytesIO(content))
    return path


BOTH = pytest.mark.parametrize("write", [as_zip, as_tar])


@BOTH
def test_files_of_runs_are_unpacked_without_owner_and_mode_and_no_other_file_is(
    write: Write, tmp_path: Path
) -> None:
    write(tmp_path, "./run/tests.json", b"one")
    write(tmp_path, "run/setup.py", b"two")
    archive = write(tmp_path, "run/artifacts/step-1-1.png", b"three")
    unpack(archive, tmp_path / "out")
    found = {path.relative_to(tmp_path / "out").as_posix(): path for path in (tmp_path / "out").rglob("*.*")}
    assert {name: path.read_bytes() for name, path in found.items()} == {
        "run/tests.json": b"one",
        "run/artifacts/step-1-1.png": b"three",
    }
    status = found["run/tests.json"].stat()
    assert status.st_mode & 0o7111 == 0
    assert status.st_uid == tmp_path.stat().st_uid


@BOTH
@pytest.mark.parametrize(
    "name", ["../tests.json", "/tmp/tests.json", "a/../../tests.json", "a\\..\\tests.json"]
)
def test_a_name_that_points_out_is_refused_and_writes_nothing(
    write: Write, name: str, tmp_path: Path
) -> None:
    archive = write(tmp_path, name, b"")
    with pytest.raises(ArchiveRefused, match="points out of the archive"):
        unpack(archive, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@BOTH
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("run/\x1b[31m.txt", "control character"),
        ("run/\u202etxt.nur", "control character"),
        ("run/" + "a" * 300, "too long a name"),
        ("/".join("a" * 30), "too long a name"),
    ],
)
def test_odd_and_long_names_are_refused(write: Write, name: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ArchiveRefused, match=reason) as refused:
        unpack(write(tmp_path, name, b""), tmp_path / "out")
    assert str(refused.value).isprintable()


@BOTH
@pytest.mark.parametrize(("limit", "most"), [("MAX_FILES", 1), ("MAX_BYTES", 5)])
def test_archives_that_are_too_large_are_refused(
    write: Write, limit: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, limit, most)
    write(tmp_path, "a", b"four")
    archive = write(tmp_path, "b", b"four")
    with pytest.raises(ArchiveRefused, match=r"holds more than 1 files|an archive may hold 5 bytes"):
        unpack(archive, tmp_path / "out")


@BOTH
@pytest.mark.parametrize("names", [*permutations(["tests.json", "tests.json/tests.json"])])
def test_a_file_where_a_directory_must_be_is_refused(
    write: Write, names: tuple[str, str], tmp_path: Path
) -> None:
    write(tmp_path, names[0], b"a file")
    archive = write(tmp_path, names[1], b"")
    with pytest.raises(ArchiveRefused, match=r"^the member 'tests\.json' is a file and a directory$"):
        unpack(archive, tmp_path / "out")


def test_a_link_in_a_zip_file_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as packed:
        entry = zipfile.ZipInfo("link")
        entry.external_attr = 0o120777 << 16
        packed.writestr(entry, "/etc/passwd")
    with pytest.raises(ArchiveRefused, match="is neither a file nor a directory"):
        unpack(tmp_path / "link.zip", tmp_path / "out")


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [(b"#!/bin/sh\n", b"", "is neither"), (b"", b"more", "behind its end"), (b"PK\3\4", b"", "before its")],
)
def test_a_zip_file_is_nothing_else_at_the_same_time(
    before: bytes, after: bytes, reason: str, tmp_path: Path
) -> None:
    archive = as_zip(tmp_path, "run/tests.json", b"{}")
    archive.write_bytes(before + archive.read_bytes() + after)
    with pytest.raises(ArchiveRefused, match=reason):
        unpack(archive, tmp_path / "out")


def test_damaged_data_in_a_zip_file_are_refused_with_the_member(tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("run/tests.json", b"{}" * 100)
    content = bytearray(archive.read_bytes())
    start = 30 + len("run/tests.json")
    content[start : start + 5] = b"\xff" * 5
    archive.write_bytes(content)
    with pytest.raises(
        ArchiveRefused, match=r"the member 'run/tests\.json' cannot be unpacked: error: Error -3"
    ):
        unpack(archive, tmp_path / "out")


def test_a_name_that_goes_on_behind_a_nul_in_a_zip_file_is_refused(tmp_path: Path) -> None:
    archive = as_zip(tmp_path, "run/tests.json.", b"{}")
    archive.write_bytes(archive.read_bytes().replace(b"tests.json.", b"tests.json\0"))
    with pytest.raises(ArchiveRefused, match="control character in its name"):
        unpack(archive, tmp_path / "out")


@pytest.mark.parametrize(
    ("at", "reason"),
    [(4, "one part of several"), (8, "one part of several"), (10, "says that it has 2 members")],
)
def test_the_end_of_a_zip_file_says_what_it_has(at: int, reason: str, tmp_path: Path) -> None:
    archive = as_zip(tmp_path, "run/tests.json", b"{}")
    content = bytearray(archive.read_bytes())
    end = content.rindex(b"PK\5\6")
    content[end + at] += 1
    if at == 10:
        content[end + 8] += 1
    archive.write_bytes(content)
    with pytest.raises(ArchiveRefused, match=reason):
        unpack(archive, tmp_path / "out")


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ArchiveRefused, match="is neither a directory nor"):
        unpack(tmp_path / "pipe", tmp_path / "out")


def test_other_compression_in_a_zip_file_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_BZIP2) as packed:
        packed.writestr("run/tests.json", b"{}")
    with pytest.raises(ArchiveRefused, match="neither stored nor deflated"):
        unpack(tmp_path / "a.zip", tmp_path / "out")


def test_an_archive_that_changes_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = as_tar(tmp_path, "run/tests.json", b"{}")
    whole = unpacking._unpack

    def meanwhile(*arguments: object) -> None:
        whole(*arguments)  # type: ignore[arg-type]
        archive.write_bytes(archive.read_bytes() + b"more")

    monkeypatch.setattr(unpacking, "_unpack", meanwhile)
    with pytest.raises(ArchiveRefused, match="was changed while it was read"):
        unpack(archive, tmp_path / "out")


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no archive")
    for path in (tmp_path / "text", Path("/dev/null"), tmp_path / "missing"):
        with pytest.raises(ArchiveRefused, match=r"neither a directory nor|No such file"):
            unpack(path, tmp_path / "out")


@BOTH
def test_the_caller_says_which_files_are_written_and_how_long_they_may_be(
    write: Write, tmp_path: Path
) -> None:
    archive = write(tmp_path, "a/one.json", b"[1]")
    unpack(archive, tmp_path / "out", lambda path: 3 if path.suffix == ".json" else 0)
    assert (tmp_path / "out/a/one.json").read_bytes() == b"[1]"
    with pytest.raises(ArchiveRefused, match="has 3 bytes; at most 2 are allowed"):
        unpack(archive, tmp_path / "other", lambda _: 2)


@pytest.mark.parametrize(
    ("start", "packed"),
    [
        (b"PK\x03\x04", True),
        (b"\x1f\x8b", True),
        (b"BZh9", True),
        (b"\xfd7zXZ\x00", True),
        (b"{}", False),
        (b"", False),
    ],
)
def test_an_archive_is_recognized_by_its_beginning(start: bytes, packed: bool, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(start)
    assert is_packed(tmp_path / "file") is packed
    assert is_packed(as_tar(tmp_path, "a", b"")) is True
    assert is_packed(tmp_path / "missing") is False
