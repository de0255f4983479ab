"""Tar files, plain and compressed, are read from front to end in bounded memory."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from harness import archive_stream
from harness.archive_stream import ArchiveRefused, ArchiveStream, padding, shown, tar_entries

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda content: content,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}


def tar(*names: str, form: int = tarfile.PAX_FORMAT) -> bytes:
    """A tar file; each file holds its name."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=form) as file:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size = len(name.encode())
            file.addfile(entry, io.BytesIO(name.encode()))
    return target.getvalue()


def read(content: bytes) -> dict[str, bytes]:
    """Names and contents."""
    stream = ArchiveStream(io.BytesIO(content))
    found = {}
    for entry in tar_entries(stream):
        found[entry.name] = b"".join(stream.chunks(entry.size, "a member"))
        stream.exactly(padding(entry.size), "a member")
    return found


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("kind", COMPRESS)
def test_every_format_and_compression_is_read(kind: str, form: int) -> None:
    names = ["run/tests.json", f"{'deep/' * 25}tests.json", "a" * 98]
    assert read(COMPRESS[kind](tar(*names, form=form))) == {name: name.encode() for name in names}


@pytest.mark.parametrize("kind", COMPRESS)
@pytest.mark.parametrize("piece", [1, 3, 64])
def test_it_is_read_in_pieces_of_any_size(kind: str, piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_stream, "CHUNK", piece)
    names = [hashlib.sha512(bytes([number])).hexdigest()[:99] for number in range(20)]
    assert read(COMPRESS[kind](tar(*names))) == {name: name.encode() for name in names}


@pytest.mark.parametrize("kind", COMPRESS)
def test_every_cut_of_an_archive_is_refused(kind: str) -> None:
    content = COMPRESS[kind](tar("run/tests.json").rstrip(b"\0") + bytes(1024))
    whole = len(content) - (512 if kind == "plain" else 0)
    for length in range(512 if kind == "plain" else 6, whole, 37):
        with pytest.raises(ArchiveRefused):
            read(content[:length])


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz"])
def test_a_second_stream_behind_the_first_is_refused(kind: str) -> None:
    with pytest.raises(ArchiveRefused, match="other bytes behind"):
        read(COMPRESS[kind](tar("a")) + COMPRESS[kind](tar("b")))


def test_damaged_headers_are_refused() -> None:
    content = tar("first", "second")
    with pytest.raises(ArchiveRefused, match="a header is not one of tar"):
        read(content[:1024] + b"\xff" * 512 + content[1536:])


def test_names_are_shown_in_ascii_and_cut() -> None:
    assert shown("a\u202eb\n") == r"'a\u202eb\n'"
    assert len(shown("x" * 5000)) == 102


def test_a_file_of_another_kind_is_no_archive(tmp_path: Path) -> None:
    with pytest.raises(ArchiveRefused, match="is neither"):
        ArchiveStream(io.BytesIO(b"{}"))


def test_headers_without_members_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_stream, "MAX_HEADERS", 100 * 1024)
    header = tarfile.TarInfo("pax")
    header.type, header.size = tarfile.XHDTYPE, 9
    block = header.tobuf(tarfile.GNU_FORMAT) + b"9 a=bcde\n".ljust(512, b"\0")
    assert read(100 * block + bytes(1024)) == {}
    with pytest.raises(ArchiveRefused, match="its extended headers have more than 102400 bytes"):
        read(101 * block + bytes(1024))
