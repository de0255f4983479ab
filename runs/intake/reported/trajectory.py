"""A trajectory in a file of another tool, before it is stored."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from harness.records import FileEdit, Step
from harness.redaction import Redactor

MAX_STEPS = 200_000
MAX_SESSION_LENGTH = 300  # characters of its name
_CHUNK = 1024**2


WriteFile = Callable[[Path, Redactor], None]
"""Writes a file to a path, without secrets. Raises ResultsRefused."""


class ReadStep(NamedTuple):
    """A step of a file. `edits` None: the file does not say what the step changed."""

    step: Step
    edits: tuple[FileEdit, ...] | None = None


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One trajectory. Two with equal contents are equal, wherever their files are.

    `form` names the tool that wrote it; `place` is its file for messages, below what is imported, and `part` which
    part of that file it is; '' if all. `digest` is that of the file. `files`: what is stored as it came, by place.
    `steps` reads the steps one by one, numbered from 1; it raises ResultsRefused.
    `workdir`: the directory of the workspace; '' if unknown. `patch`: the final patch, in git's format.
    `version`: of the agent, as the file says. `title`: what the tool calls the conversation. `extras`: what writes
    further files of the run directory, by their name. `session`: the tool's own name for it, which stays the same while
    its file grows; '' if the file does not grow. `is_free`: whether the file says that its model costs nothing, so that
    a price of 0 is one. `calls_unknown`: the file does not have the calls that the agent made.
    """

    form: str
    part: str
    digest: str
    place: str = field(compare=False, repr=False)
    files: Mapping[str, Path] = field(compare=False, repr=False)
    steps: Callable[[], Iterator[ReadStep]] = field(compare=False, repr=False)
    workdir: str = field(default="", compare=False, repr=False)
    patch: str = field(default="", compare=False, repr=False)
    version: str = field(default="", compare=False, repr=False)
    extras: Mapping[str, WriteFile] = field(default_factory=dict, compare=False, repr=False)
    title: str = field(default="", compare=False, repr=False)
    session: str = field(default="", compare=False, repr=False)
    is_free: bool = field(default=False, compare=False, repr=False)
    calls_unknown: bool = field(default=False, compare=False, repr=False)

    @classmethod
    def of_file(
        cls, form: str, path: Path, place: str, steps: Callable[[], Iterator[ReadStep]], **more: Any
    ) -> Trajectory:
        """A trajectory that was read from one file. `more`: further fields."""
        fields = {"part": "", "digest": file_digest(path), "files": {place: path}, **more}
        return cls(form=form, place=place, steps=steps, **fields)

    @property
    def stored_session(self) -> str:
        """The name of the session, if it is one that can be stored and found again; else ''."""
        return self.session if self.session.isprintable() and len(self.session) <= MAX_SESSION_LENGTH else ""

    @property
    def key(self) -> str:
        """A digest that two trajectories share only if their contents are equal."""
        content = f"{self.digest}\0{self.part}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(content).hexdigest()


def files_digest(files: Mapping[str, Path]) -> str:
    """A digest of the contents of files, and of which is which; of one file, that of its content."""
    if len(files) == 1:
        return file_digest(*files.values())
    digests = [_sha256(path) for _, path in sorted(files.items())]
    return hashlib.sha256("".join(digests).encode()).hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256 of a file's content."""
    found = path.stat()
    return _digest(path, (found.st_mtime_ns, found.st_size, found.st_ino))


@lru_cache(maxsize=8)
def _digest(path: Path, _stamp: tuple[int, int, int]) -> str:
    return _sha256(path)


def _sha256(path: Path) -> str:
    state = hashlib.sha256()
    with path.open("rb", buffering=0) as file:
        while part := file.read(_CHUNK):
            state.update(part)
    return state.hexdigest()
