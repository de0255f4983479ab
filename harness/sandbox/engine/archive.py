"""Tar archives that copy files into and out of images and containers, in memory."""

from __future__ import annotations

import io
import re
import tarfile
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import PurePosixPath
from urllib.parse import quote

import requests
from docker import APIClient

from harness.errors import AgentError, EngineSlow, InfrastructureError
from harness.patches import FileState
from harness.sandbox.engine.client import engine_errors
from harness.sandbox.engine.engine_watch import LONG_SECONDS

# The modification time of files in build contexts, so that equal content gives equal archives.
FIXED_TIME = 1_700_000_000
# A container may hold more files, and longer ones, than can be read.
READ_SECONDS = 120.0
# What is read of ignored files takes about two seconds.
MAX_IGNORED_BYTES = 512 << 20
_MAX_DELETED = 1_000
_SILENT_SECONDS = 30.0
# The words of the engine for a path below a file, and for links without an end: code in a container can make both.
_LEADS_NOWHERE = re.compile(r"not a directory|too many (?:links|levels of symbolic links)")


@dataclass(frozen=True, slots=True)
class Member:
    """A file or link in a container's tree. `size` in bytes; `read` works only before the next member is taken."""

    path: str
    size: int
    read: Callable[[], FileState] = field(repr=False)


def pack(
    files: Iterable[FileState],
    directories: Iterable[str] = (),
    *,
    modified: float = FIXED_TIME,
    access: Callable[[tarfile.TarInfo], None] | None = None,
) -> bytes:
    """A tar archive of these files and directories, owned by root.

    Missing files are left out; of several files with the same path, the last one counts.
    `modified` is the modification time of all of them, in seconds since 1970. `access` may change owner and mode.
    """
    buffer = io.BytesIO()

    def add(name: str, kind: bytes, mode: int, content: bytes = b"", link: str = "") -> None:
        header = tarfile.TarInfo(name)
        header.type = kind
        header.mode = mode
        header.mtime = modified
        header.linkname, header.size = link, len(content)
        if access:
            access(header)
        archive.addfile(header, io.BytesIO(content))

    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in directories:
            add(name, tarfile.DIRTYPE, 0o755)
        for file in files:
            if file.content is None:
                continue
            if file.link:
                add(file.path, tarfile.SYMTYPE, 0o777, link=file.content.decode("utf-8", "surrogateescape"))
            else:
                add(file.path, tarfile.REGTYPE, file.mode, file.content)
    return buffer.getvalue()


def put(api: APIClient, container: str, archive: bytes) -> None:
    """Unpacks `archive` over the root of a container, started or not. Files replace directories and the reverse."""
    with engine_errors("copying files into a container"):
        api.put_archive(container, "/", archive)


def members(
    api: APIClient, container: str, root: PurePosixPath, ignored: Callable[[str], str | None] = lambda _: None
) -> Generator[Member, None, None]:
    """Every file and link below `root`, by path relative to it, as the engine sends them. Links are not followed.

    The container need not run. Empty if `root` does not exist. Anything but files and links is skipped. Further names
    of a file come last, after a second reading. Close the generator when you leave it early.

    `ignored` returns the file or directory with nothing but ignored files that contains a path, or None. If they are
    longer than MAX_IGNORED_BYTES together, they are *deleted in the container* instead of read: the engine only sends
    whole trees. With 3.5 GB in `.git`, this takes 9 s instead of 17 s.

    Raises AgentError when a reading takes more than READ_SECONDS although the engine responds.
    """
    seen, excess = set[str](), _Excess(ignored)
    names: dict[str, list[str]] = {}
    while True:
        for member in _first_names(api, container, root, names, excess):
            if member.path not in seen:
                seen.add(member.path)
                yield member
        if not excess.found:
            break
        seen.update(excess.found)
        # Code in the container can make paths that the engine cannot replace. Then everything is read.
        with suppress(InfrastructureError):
            put(api, container, pack(FileState(str(root / top).lstrip("/"), b"") for top in excess.found))
        excess.found, names = frozenset(), {}
    if names:
        yield from _further_names(api, container, root, names)


class _Excess:
    """Sums up ignored files. `found`: what to delete, once they are too long; empty before."""

    def __init__(self, ignored: Callable[[str], str | None]) -> None:
        self.found: frozenset[str] = frozenset()
        self._ignored = ignored
        self._deleted = set[str]()
        self._tops = set[str]()
        self._size = 0

    def add(self, path: str, size: int) -> bool:
        """Counts a file. Returns whether there is something to delete."""
        top = self._ignored(path)
        if top is None or top in self._deleted:
            return False
        self._tops.add(top)
        self._size += size
        if self._size > MAX_IGNORED_BYTES and len(self._tops) <= _MAX_DELETED:
            self.found = frozenset(self._tops)
            self._deleted |= self._tops
            self._tops, self._size = set(), 0
        return bool(self.found)


def _first_names(
    api: APIClient, container: str, root: PurePosixPath, names: dict[str, list[str]], excess: _Excess
) -> Iterator[Member]:
    """Members under the first name of each file, until there is an `excess`; adds further names to `names`."""
    with _fetched(api, container, root) as archive:
        for header in archive or ():
            _, _, path = header.name.partition("/")
            if archive and path and (header.isreg() or header.issym()):
                yield Member(
                    path, len(_target(header)) or header.size, partial(_state, archive, header, path)
                )
                if excess.add(path, header.size):
                    return
            elif path and header.islnk():
                names.setdefault(header.linkname.partition("/")[2], []).append(path)


def _further_names(
    api: APIClient, container: str, root: PurePosixPath, names: Mapping[str, Iterable[str]]
) -> Iterator[Member]:
    """Members for further `names` of each path: the archive holds a hard-linked file once, under its first name."""
    with _fetched(api, container, root) as archive:
        for header in archive or ():
            _, _, path = header.name.partition("/")
            if archive and header.isreg() and path in names:
                read = cache(partial(_state, archive, header, path))
                for name in names[path]:
                    yield Member(name, header.size, partial(_renamed, read, name))


def _renamed(read: Callable[[], FileState], name: str) -> FileState:
    return replace(read(), path=name)


@contextmanager
def _fetched(api: APIClient, container: str, path: PurePosixPath) -> Iterator[tarfile.TarFile | None]:
    """The engine's archive of `path`, as a stream; None if `path` does not exist, or leads nowhere."""
    url = f"{api.base_url}/v{api.api_version}/containers/{quote(container, safe='')}/archive"
    with (
        _patient(api, path),
        engine_errors(f"reading {path} in container {container}"),
        api.get(
            url,
            params={"path": str(path)},
            headers={"Accept-Encoding": "identity"},
            stream=True,
            timeout=_SILENT_SECONDS,
        ) as response,
        _ended_in_time(response),
    ):
        if not response.ok:
            missing = response.status_code == 404 and "No such container" not in response.text
            if missing or _LEADS_NOWHERE.search(response.text):
                yield None
                return
            raise InfrastructureError(f"reading {path} in container {container}: {response.text}")
        with tarfile.open(fileobj=response.raw, mode="r|", errors="surrogateescape") as archive:
            yield archive


@contextmanager
def _patient(api: APIClient, path: PurePosixPath) -> Iterator[None]:
    """Blames the files if reading them takes too long while the engine responds to a ping."""
    try:
        yield
    except EngineSlow as error:
        try:
            with engine_errors("pinging the engine"):
                api.get(f"{api.base_url}/_ping", timeout=LONG_SECONDS).close()
        except InfrastructureError:
            raise error from None
        raise AgentError(
            f"{path} took too long to read, more than {READ_SECONDS:.0f} s: it has too many or too long files"
        ) from None


@contextmanager
def _ended_in_time(response: requests.Response) -> Iterator[None]:
    """Ends the response after READ_SECONDS; then raises EngineSlow."""
    late = threading.Event()

    def end() -> None:
        late.set()
        with suppress(OSError, RuntimeError, ValueError):  # it has just ended
            response.raw.shutdown()

    timer = threading.Timer(READ_SECONDS, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    except Exception:
        if not late.is_set():
            raise
    finally:
        timer.cancel()
    if late.is_set():
        raise EngineSlow(f"the archive did not end within {READ_SECONDS:.0f} s")


def _state(archive: tarfile.TarFile, header: tarfile.TarInfo, path: str) -> FileState:
    if header.issym():
        return FileState(path, _target(header), link=True)
    with engine_errors(f"reading {path} in a container"):
        content = archive.extractfile(header)
        assert content is not None  # a regular member always has one
        return FileState(path, content.read(), 0o755 if header.mode & 0o100 else 0o644)


def member_at(api: APIClient, container: str, path: PurePosixPath) -> FileState | None:
    """The file or link at the absolute `path`, not followed; None if there is neither, or a link to itself."""
    with _fetched(api, container, path) as archive:
        header = archive.next() if archive else None
        if archive and header and (header.isreg() or header.issym()):
            return _state(archive, header, str(path).lstrip("/"))
    return None


def _target(header: tarfile.TarInfo) -> bytes:
    return header.linkname.encode("utf-8", "surrogateescape") if header.issym() else b""
