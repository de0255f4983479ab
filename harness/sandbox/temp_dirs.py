"""Temporary directories of this host with the processes in them, found again after a crash."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import uuid4

from harness.sandbox.base import Owner

MARK_VARIABLE = "BENCHBENCH_PLACE"
_OWNER = "owner.json"
_GOING = "going-"
_KILL_SECONDS = 5.0
_log = logging.getLogger(__name__)


def temp_root() -> Path:
    """The parent of all these directories of this user; not readable by others."""
    root = Path(tempfile.gettempdir()) / f"benchbench-local-{os.getuid()}"
    root.mkdir(mode=0o700, exist_ok=True)
    if root.is_symlink() or root.stat().st_uid != os.getuid():
        raise OSError(f"{root} belongs to another user")
    return root


@dataclass(frozen=True, slots=True)
class TempDir:
    """A directory with an owner. Its processes have its name in their environment.

    Only root may read the environment of a tool server, so a tool server is found by its arguments.
    """

    path: Path

    @property
    def name(self) -> str:
        """Unique; unchanged during removal."""
        return self.path.name.removeprefix(_GOING)

    def owner(self) -> Owner | None:
        """The owner; None during creation and removal."""
        try:
            return Owner(**json.loads((self.path / _OWNER).read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def environment(self) -> dict[str, str]:
        """The environment of its processes: PATH, a home directory, and no keys."""
        path = os.environ.get("PATH", os.defpath)
        return {"PATH": path, "HOME": str(self.path / "home"), "LANG": "C.UTF-8", MARK_VARIABLE: self.name}

    def processes(self) -> list[int]:
        """Its processes."""
        variable = f"{MARK_VARIABLE}={self.name}".encode()
        argument = b"\0--workdir\0" + os.fsencode(self.path.with_name(self.name)) + b"/"
        return [
            int(entry.name)
            for entry in Path("/proc").iterdir()
            if entry.name.isdigit()
            and (variable in _read(entry / "environ").split(b"\0") or argument in _read(entry / "cmdline"))
        ]

    def signal(self, number: int) -> bool:
        """Sends a signal to all of them. Returns whether there was any."""
        found = self.processes()
        for pid in found:
            with suppress(OSError):  # it ended by itself
                os.kill(pid, number)
        return bool(found)

    def kill(self) -> None:
        """Ends all of them, including new ones."""
        deadline = time.monotonic() + _KILL_SECONDS
        while self.signal(signal.SIGKILL) and time.monotonic() < deadline:
            time.sleep(0.01)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stops all of them meanwhile, including new ones."""
        known: set[int] = set()
        try:
            while (found := set(self.processes())) - known:
                known |= found
                self.signal(signal.SIGSTOP)
            yield
        finally:
            self.signal(signal.SIGCONT)

    def size(self) -> int:
        """The size of all files, in bytes."""
        total = 0
        for top, _, names in os.walk(self.path):
            for name in names:
                with suppress(OSError):
                    total += Path(top, name).lstat().st_size
        return total

    def count(self) -> int:
        """How many files, directories and links it holds."""
        return sum(len(names) + len(directories) for _, directories, names in os.walk(self.path))

    def remove(self) -> None:
        """Renames the directory, ends its processes, then removes everything."""
        going = self.path.with_name(f"{_GOING}{self.name}")
        with suppress(OSError):  # it is gone, or going
            self.path.rename(going)
        self.kill()
        shutil.rmtree(going, ignore_errors=True)
        if going.exists():
            _log.warning("%s could not be removed", going)


@contextmanager
def temp_dir(role: str, owner: Owner) -> Iterator[TempDir]:
    """A directory of this owner with an empty home, always removed at the end."""
    directory = TempDir(temp_root() / f"benchbench-{role}-{uuid4().hex[:12]}")
    directory.path.mkdir(mode=0o700)
    try:
        (directory.path / _OWNER).write_text(json.dumps(asdict(owner)), encoding="utf-8")
        (directory.path / "home").mkdir()
        yield directory
    finally:
        directory.remove()


def _read(file: Path) -> bytes:
    """The content of a file of /proc; empty if its process has ended, or this user may not read it."""
    try:
        return file.read_bytes()
    except OSError:
        return b""


def temp_dirs_of(instance: str) -> list[TempDir]:
    """All directories of an instance."""
    found = [TempDir(path) for path in sorted(temp_root().iterdir())]
    return [
        directory
        for directory in found
        if (owner := directory.owner()) is not None and owner.instance == instance
    ]
