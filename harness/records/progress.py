"""The state of a run that several processes execute one after the other: what the next one needs to go on."""

from __future__ import annotations

import base64
import fcntl
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import ResumeRefused
from harness.patches import FileState
from harness.records.reader import ARTIFACTS, EDITS, PROGRESS, SUBMISSIONS, SUMMARY, TRAJECTORY, USER

DRAFTS = "draft-*.json"
_LOCK = "lock"
_OF_STEPS = (EDITS, SUBMISSIONS, USER)


@dataclass(frozen=True, slots=True)
class Progress:
    """What a run has used when its last request was answered. Seconds as in `harness.session.Counts`.

    `step_id`: the last step. `finished`: the agent ended its work, so that only the grade is missing. `draft`: the file
    with the changes of the workspace, '' for none; `digest`: that of its content.
    """

    step_id: int
    iterations: int
    tool_calls: int
    failed_calls: int
    tool_uses: int
    submissions: int
    acted_seconds: float
    tested_seconds: float
    paused_seconds: float
    finished: bool = False
    draft: str = ""
    digest: str = ""


class RunLock:
    """The right to execute the run of a directory. No other process has it until this one ends or calls `release`.

    Raises ResumeRefused if another process has it.
    """

    def __init__(self, directory: Path) -> None:
        self._file = (directory / _LOCK).open("w")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise ResumeRefused(f"another process executes this run: {directory}") from None

    def release(self) -> None:
        """Ends the right."""
        self._file.close()

    def remove(self) -> None:
        """Removes its file, which a run that has ended does not need."""
        Path(self._file.name).unlink(missing_ok=True)


def is_locked(directory: Path) -> bool:
    """Whether a process executes the run of this directory."""
    try:
        with (directory / _LOCK).open("r") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def progress_of(directory: Path) -> Progress | None:
    """The stored state; None if no request was answered yet. Raises ResumeRefused if the run has ended."""
    if (directory / SUMMARY).exists():
        raise ResumeRefused(f"this run has ended: {directory}")
    try:
        stored = (directory / PROGRESS).read_bytes()
    except FileNotFoundError:
        return None
    return Progress(**json.loads(stored))


def cut_after(directory: Path, step_id: int | None) -> int:
    """Removes the records of later steps, which were not answered, and lines that were cut off. None: of all steps.

    Returns how many bytes are left, pictures included.
    """
    header = step_id is not None
    last = step_id or 0
    left = _cut(directory / TRAJECTORY, last, keep_header=header)
    left += sum(_cut(directory / name, last) for name in _OF_STEPS)
    for picture in (directory / ARTIFACTS).glob("step-*-*.png"):
        if int(picture.name.split("-")[1]) > last:
            picture.unlink()
        else:
            left += picture.stat().st_size
    return left


def drafted(files: Iterable[FileState]) -> bytes:
    """The content of a draft: whole files, so that it needs no other version of them. Equal files give equal bytes."""
    return json.dumps([packed(file) for file in files]).encode()


def draft_of(directory: Path, progress: Progress) -> tuple[FileState, ...]:
    """The files of a draft. Raises ResumeRefused for one that is missing or broken."""
    if not progress.draft:
        return ()
    try:
        stored = json.loads((directory / progress.draft).read_bytes())
        return tuple(_unpacked(file) for file in stored)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ResumeRefused(f"{progress.draft} is not readable: {error}") from error


def packed(file: FileState) -> dict[str, Any]:
    """A file as JSON holds it, and as the tool server restores it."""
    content = None if file.content is None else base64.b64encode(file.content).decode("ascii")
    return {"path": file.path, "content": content, "mode": file.mode, "link": file.link}


def _unpacked(stored: Mapping[str, Any]) -> FileState:
    content = stored["content"]
    return FileState(
        stored["path"], None if content is None else base64.b64decode(content), stored["mode"], stored["link"]
    )


def _cut(path: Path, last: int, *, keep_header: bool = False) -> int:
    """Shortens a file to its whole lines of steps up to `last`. Returns its size."""
    size = 0
    try:
        with path.open("r+b") as file:
            for number, line in enumerate(file):
                if not line.endswith(b"\n"):
                    break
                is_header = keep_header and not number
                if not is_header and not 0 <= json.loads(line).get("step_id", last + 1) <= last:
                    break
                size += len(line)
            file.truncate(size)
            os.fsync(file.fileno())
    except FileNotFoundError:
        return 0
    return size
