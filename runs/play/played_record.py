"""What a session has done so far: its record, read as a whole. It is that of one person, a few hundred steps long."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from posixpath import normpath

from harness.records import FileEdit, RunRecord, Step, Submission, ToolCall, ToolResult


@dataclass(frozen=True, slots=True)
class PlayedRecord:
    """The steps, what they changed, and what they submitted. Unreadable records count as empty."""

    steps: tuple[Step, ...] = ()
    edits: tuple[tuple[int, tuple[FileEdit, ...]], ...] = ()
    submissions: tuple[Submission, ...] = ()

    @classmethod
    def read(cls, directory: Path) -> PlayedRecord:
        """The record of a run directory, which a process may be writing."""
        record = RunRecord(directory)
        try:
            edits = tuple((number, found.files) for number, found in record.edits_by_step())
            return cls(tuple(record.steps()), edits, tuple(record.submissions()))
        except (OSError, ValueError, KeyError, TypeError):
            return cls()

    @property
    def last(self) -> int:
        """The number of the last step; 0 without any."""
        return self.steps[-1].step_id if self.steps else 0

    def changes(self, step: int) -> tuple[FileEdit, ...]:
        """What a step changed."""
        return next((files for number, files in self.edits if number == step), ())

    def shown_to_person(self, step: int) -> str:
        """What the hidden tests wrote for the submission of a step; '' if there is none."""
        return next((one.first_failure for one in self.submissions if one.step_id == step), "")

    def made_calls(self) -> Iterator[tuple[Step, ToolCall, ToolResult]]:
        """Every call with a result, in order."""
        for step in self.steps:
            for call in step.calls:
                if (result := step.result(call)) is not None:
                    yield step, call, result


def plain_path(path: object) -> str:
    """A path as patches name it, if it is relative; '' for what is no text."""
    return normpath(path) if isinstance(path, str) and path else ""


def known_paths(record: PlayedRecord) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files, and the directories that were not listed, which the person has seen: in lists, opened or changed."""
    files: set[str] = set()
    folders: set[str] = set()
    listed: set[str] = set()
    for _, call, result in record.made_calls():
        if not result.ok:
            continue
        path = plain_path(call.arguments.get("path", "."))
        if call.name in {"list_dir", "list_directory"}:
            listed.add(path)
            for name, is_folder in _entries(result.content):
                (folders if is_folder else files).add(plain_path(f"{path}/{name}"))
        elif call.name in {"read_file", "list_file_functions", "read_function"} and path:
            files.add(path)
    for _, edits in record.edits:
        for edit in edits:
            (files.discard if edit.change == "deleted" else files.add)(plain_path(edit.path))
    # Of a recursive list, every directory is listed, whose files are there.
    unlisted = {one for one in folders - listed if not any(file.startswith(f"{one}/") for file in files)}
    return tuple(sorted(files)), tuple(sorted(unlisted))


def _entries(listing: str) -> Iterator[tuple[str, bool]]:
    """The names in a result of list_dir, and whether each is a directory. Names come from the workspace: hostile."""
    for line in listing.split("\n"):
        head, found, _ = line.rpartition("  ")
        if line.startswith("[") and not found:
            continue
        name = head if found else line
        if not name.endswith("/") and not (found and line.endswith(("byte", "bytes"))):
            continue
        if name.startswith('"'):
            try:
                name = str(json.loads(name.removesuffix("/"))) + ("/" if name.endswith("/") else "")
            except ValueError:
                continue
        yield name, name.endswith("/")
