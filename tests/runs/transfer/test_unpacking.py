"""Archives that a stranger made: what is unpacked, and what is refused."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from runs.transfer import unpacking
from runs.transfer.unpacking import ArchiveRefused, unpack

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


def tar_of(directory: Path, name: str, kind: bytes, target: str = "") -> Path:
    path = directory / "archive.tar"
    with tarfile.open(path, "a") as packed:
        entry = tarfile.TarInfo(name)
        entry.type, entry.linkname = kind, target
        packed.addfile(entry)
    return path


BOTH = pytest.mark.parametrize("write", [as_zip, as_tar])


@BOTH
def test_files_are_unpacked_without_owner_and_mode(write: Write, tmp_path: Path) -> None:
    write(tmp_path, "run/a.txt", b"one")
    archive = write(tmp_path, "run/deep/b.txt", b"two")
    unpack(archive, tmp_path / "out")
    assert (tmp_path / "out/run/a.txt").read_bytes() == b"one"
    assert (tmp_path / "out/run/deep/b.txt").read_bytes() == b"two"
    status = (tmp_path / "out/run/a.txt").stat()
    assert status.st_mode & 0o7111 == 0
    assert status.st_uid == tmp_path.stat().st_uid


@BOTH
@pytest.mark.parametrize("name", ["../out.txt", "/tmp/out.txt", "a/../../out.txt", "a\\..\\out.txt"])
def test_a_name_that_points_out_is_refused_before_anything_is_written(
    write: Write, name: str, tmp_path: Path
) -> None:
    write(tmp_path, "first.txt", b"")
    archive = write(tmp_path, name, b"")
    with pytest.raises(ArchiveRefused, match="points out of the archive"):
        unpack(archive, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "archive.tar"
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as packed:
        entry = tarfile.TarInfo("run.txt")
        entry.pax_headers = {"path": "run\0.txt"}
        packed.addfile(entry)
    with pytest.raises(ArchiveRefused, match="cannot be unpacked"):
        unpack(path, tmp_path / "out")


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_are_refused(kind: bytes, tmp_path: Path) -> None:
    archive = tar_of(tmp_path, "run/trajectory.jsonl", kind, "/etc/passwd")
    with pytest.raises(ArchiveRefused, match="is neither a file nor a directory"):
        unpack(archive, tmp_path / "out")


def test_a_link_in_a_zip_file_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as packed:
        entry = zipfile.ZipInfo("link")
        entry.external_attr = 0o120777 << 16
        packed.writestr(entry, "/etc/passwd")
    with pytest.raises(ArchiveRefused, match="is neither a file nor a directory"):
        unpack(tmp_path / "link.zip", tmp_path / "out")


@BOTH
@pytest.mark.parametrize(("limit", "most"), [("MOST_FILES", 1), ("MOST_BYTES", 5)])
def test_archives_that_are_too_large_are_refused(
    write: Write, limit: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, limit, most)
    write(tmp_path, "a", b"four")
    archive = write(tmp_path, "b", b"four")
    with pytest.raises(ArchiveRefused, match="holds more than"):
        unpack(archive, tmp_path / "out")


def test_a_file_where_a_directory_must_be_is_refused(tmp_path: Path) -> None:
    as_tar(tmp_path, "run", b"a file")
    archive = as_tar(tmp_path, "run/a.txt", b"")
    with pytest.raises(ArchiveRefused, match="cannot be unpacked"):
        unpack(archive, tmp_path / "out")


def test_other_and_broken_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no archive")
    with pytest.raises(ArchiveRefused, match="neither a directory nor a tar or zip file"):
        unpack(tmp_path / "text", tmp_path / "out")
    with tarfile.open(tmp_path / "cut.tar.xz", "w:xz") as packed:
        packed.add(__file__, "file")
    whole = (tmp_path / "cut.tar.xz").read_bytes()
    (tmp_path / "cut.tar.xz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ArchiveRefused):
        unpack(tmp_path / "cut.tar.xz", tmp_path / "out")
