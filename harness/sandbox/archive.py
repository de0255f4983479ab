"""Files on their way into images and containers, and out of them: tar archives, made and read in memory."""

from __future__ import annotations

import base64
import io
import json
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from docker import APIClient

from harness.dataset import files_below
from harness.errors import InfrastructureError
from harness.sandbox.base import FileState
from harness.sandbox.client import engine_errors

# Everything that we put anywhere carries this time, so that equal content gives equal archives.
FIXED_TIME = 1_700_000_000

# How Go's os.FileMode, which the engine speaks, marks what is no regular file.
_GO_DIRECTORY = 1 << 31
_GO_LINK = 1 << 27
_GO_SPECIAL = 1 << 26 | 1 << 25 | 1 << 24 | 1 << 21 | 1 << 19


@dataclass(frozen=True, slots=True)
class Entry:
    """What the engine says about one path in a container. `size` in bytes."""

    size: int
    directory: bool
    link: bool
    special: bool


def tree(root: Path) -> Iterator[FileState]:
    """The files and links below `root`, without git's and Python's own directories."""
    for path in files_below(root):
        name = path.relative_to(root).as_posix()
        if ".git" not in path.relative_to(root).parts:
            yield file_state(path, name)


def file_state(path: Path, name: str) -> FileState:
    """The file at `path` as it is now, under the name `name`; a gap when there is none."""
    if path.is_symlink():
        return FileState(name, str(path.readlink()).encode(), link=True)
    if not path.is_file():
        return FileState(name, None)
    mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
    return FileState(name, path.read_bytes(), mode)


def pack(files: Iterable[FileState], directories: Iterable[str] = ()) -> bytes:
    """A tar archive of these files and directories, root's, at a fixed time. Gaps are left out; later ones win."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in directories:
            archive.addfile(_header(name, tarfile.DIRTYPE, 0o755))
        for file in files:
            if file.content is None:
                continue
            if file.link:
                header = _header(file.path, tarfile.SYMTYPE, 0o777)
                header.linkname = file.content.decode("utf-8", "surrogateescape")
                archive.addfile(header)
            else:
                header = _header(file.path, tarfile.REGTYPE, file.mode)
                header.size = len(file.content)
                archive.addfile(header, io.BytesIO(file.content))
    return buffer.getvalue()


def put(api: APIClient, container: str, archive: bytes) -> None:
    """Unpacks `archive` over the root of a container, started or not. Files replace directories and the reverse."""
    with engine_errors("copying files into a container"):
        api.put_archive(container, "/", archive)


@contextmanager
def opened(
    api: APIClient, container: str, path: PurePosixPath
) -> Iterator[tuple[Entry, Iterator[FileState]] | None]:
    """What is at `path`, and what is below it, read as it is asked for; None where there is nothing.

    Paths of the files are relative to the parent of `path`. Links are not followed; what is neither file nor link is
    passed over.
    """
    url = f"{api.base_url}/v{api.api_version}/containers/{quote(container, safe='')}/archive"
    with (
        engine_errors(f"reading {path} in a container"),
        api.get(
            url,
            params={"path": str(path)},
            headers={"Accept-Encoding": "identity"},
            stream=True,
            timeout=api.timeout,
        ) as response,
    ):
        if response.status_code == 404 and "No such container" not in _message(response):
            yield None
            return
        if not response.ok:
            raise InfrastructureError(f"reading {path} in a container: {_message(response)}")
        yield _entry(response.headers["X-Docker-Container-Path-Stat"]), _unpack(response.raw)


def _message(response: Any) -> str:
    """The engine's words; asked for more than once, read once (the response keeps its content)."""
    return str(response.text)


def _entry(header: str) -> Entry:
    stat = json.loads(base64.b64decode(header))
    mode = stat["mode"]
    return Entry(
        size=stat["size"],
        directory=bool(mode & _GO_DIRECTORY),
        link=bool(mode & _GO_LINK),
        special=bool(mode & _GO_SPECIAL),
    )


def _unpack(raw: Any) -> Iterator[FileState]:
    try:
        with tarfile.open(fileobj=raw, mode="r|", errors="surrogateescape") as archive:
            for member in archive:
                if member.issym():
                    target = member.linkname.encode("utf-8", "surrogateescape")
                    yield FileState(member.name, target, link=True)
                elif member.isreg():
                    content = archive.extractfile(member)
                    assert content is not None  # a regular member always has one
                    yield FileState(member.name, content.read(), 0o755 if member.mode & 0o100 else 0o644)
    except tarfile.TarError as error:
        raise InfrastructureError(f"reading files of a container: {error}") from error


def _header(name: str, kind: bytes, mode: int) -> tarfile.TarInfo:
    header = tarfile.TarInfo(name)
    header.type = kind
    header.mode = mode
    header.mtime = FIXED_TIME
    return header
