"""Writes the task of a merged change in the layout of datasets.

    tasks/<slug>/task.toml         mode = "pull_request"
      description.md               the issue, or what the author wrote; never a patch
      start.diff                   from the repository's source/ to the tree before the change, if they differ
      reference.diff               the source part of the change
      tests/                       the suite with the test part applied
      generation.json              where the change comes from

Hidden files hold the dataset's canary.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from harness.dataset import Category, Mode
from harness.dataset.generation import GENERATION, GENERATION_SCHEMA, START
from harness.dataset.globs import matches
from harness.patches import (
    FileState,
    PatchError,
    added_lines,
    apply_patch,
    check_path,
    count_lines,
    make_patch,
    write_files,
)
from harness.version import __version__
from tasks.generation.pulls.changes import Files, MergedChange
from tasks.generation.pulls.filters import difficulty
from tasks.generation.pulls.sources.archives import stays_inside
from tasks.generation.pulls.splitting import Part, SplitPatch, part_of, suite_of

MAX_DESCRIPTION = 60_000  # characters
MAX_TITLE = 200
MIN_TELLING = 12  # characters of a line
MAX_SLUG = 60
CANARY_FILE = "BENCHBENCH_CANARY"
_REPAIRS = re.compile(r"\b(?:fix|bug|CVE|error|crash|regression|wrong|fail)", re.IGNORECASE)
_PATCH_LINE = re.compile(r"^(?:>\s?)?(?:diff --git |--- a/|\+\+\+ b/|@@ -\d)", re.MULTILINE)
_NO_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class TaskFiles:
    """The files of a task by path in its directory. `slug`: a name for it."""

    slug: str
    files: tuple[FileState, ...]

    def write(self, directory: Path) -> None:
        """Writes the files below a directory, which must not exist.

        Raises PatchError, before anything is written, for a path or a link that leads out of it.
        """
        self._check()
        directory.mkdir(parents=True)
        write_files(directory, self.files)

    def _check(self) -> None:
        """The parts of a change are applied file by file, so that together they may name a link and files below it."""
        names = {file.path for file in self.files}
        for file in self.files:
            check_path(file.path)
            if file.link and not stays_inside(file.path, os.fsdecode(file.content or b"")):
                raise PatchError(file.path, "is a link that leads out of the tree")
            if above := next((str(one) for one in PurePosixPath(file.path).parents if str(one) in names), ""):
                raise PatchError(file.path, f"is below {above}, which is no directory")


@dataclass(frozen=True, slots=True)
class TaskSettings:
    """What tasks of one repository have in common. `command`: how they were made, for the record.

    `without`: globs of files that no agent gets, such as documents. Tests among them are hidden tests all the same.
    """

    canary: str
    licence: str = ""
    command: str = ""
    test_timeout: float = 300.0
    overrides: Mapping[str, Part] | None = None
    without: Sequence[str] = ()

    def kept(self, files: Files) -> Files:
        """The files that agents get."""
        return {path: file for path, file in files.items() if not matches(path, self.without)}


def task_files(
    change: MergedChange,
    parts: SplitPatch,
    source: Files,
    settings: TaskSettings,
    leave_out: Iterable[str] = (),
) -> TaskFiles:
    """The task of a change. `source`: the repository's own tree. `leave_out`: tests whose results are ignored.

    Raises PatchError if a part does not apply to the tree before the change, or the source part changes nothing.
    """

    def is_test(path: str) -> bool:
        return part_of(path, settings.overrides) is Part.TESTS

    base = change.files()
    tested = _applied(base, parts.tests)
    # A test that the change deletes would still be there, and fail, beside the hidden ones.
    start = settings.kept({path: file for path, file in base.items() if path in tested or not is_test(path)})
    repaired = _applied(start, parts.source)
    reference = _difference(start, repaired)
    if not reference:
        raise PatchError("", "the source part changes nothing")
    begun = _difference(source, start)
    contents = {
        "task.toml": _bytes(_settings(change, parts, settings, leave_out)),
        "description.md": _bytes(description_of(change)),
        "reference.diff": _marked(settings.canary, reference),
        GENERATION: _bytes(_record(change, parts, settings)),
        **({START: _marked(settings.canary, begun)} if begun else {}),
        f"tests/{CANARY_FILE}": _bytes(f"{settings.canary}\n"),
    }
    after = {path: file for path, file in tested.items() if is_test(path)} | {
        path: file for path, file in repaired.items() if not is_test(path)
    }
    suite = (after[path] for path in suite_of(after, settings.overrides))
    tests = (replace(file, path=f"tests/{file.path}") for file in suite)
    own = (FileState(path, content) for path, content in contents.items())
    return TaskFiles(slug_of(change), (*own, *tests))


def slug_of(change: MergedChange) -> str:
    """A name for the task: the number of its pull request, else its identifier, as a slug."""
    if change.number:
        return f"pr-{change.number}"
    name = change.identifier.removesuffix(".patch").removesuffix(".diff").replace("..", "-to-")
    if re.fullmatch(r"[0-9a-f]{40}", name):
        return f"commit-{name[:12]}"
    return _NO_SLUG.sub("-", name.lower()[: MAX_SLUG * 2])[:MAX_SLUG].strip("-") or change_key(change)[:12]


def change_key(change: MergedChange) -> str:
    """SHA-256 of what the change is: where it comes from, and its patch."""
    parts = (change.origin, change.identifier, change.base, hashlib.sha256(change.diff).hexdigest())
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def description_of(change: MergedChange) -> str:
    """The agent's instructions: the issue if its text is known, else what the author wrote, without a patch."""
    issue = change.issue
    title, text = (issue.title, issue.text) if issue and issue.title else (change.title, change.text)
    text = text.replace("\r\n", "\n").replace("\0", "")
    if found := _PATCH_LINE.search(text):
        text = text[: found.start()]
    text = text[:MAX_DESCRIPTION].strip()
    return f"{_line(title)}\n\n{text}\n" if text and text != title else f"{_line(title)}\n"


def lines_in_description(source: bytes, description: str) -> int:
    """How many different lines that the source part adds are in the description, word for word: a solution leaks.

    Lines of fewer than MIN_TELLING characters, without spaces around them, say nothing and are not counted.
    """
    lines = {line.strip() for _, line in added_lines(source)}
    return sum(len(line) >= MIN_TELLING and line in description for line in lines)


def _settings(
    change: MergedChange, parts: SplitPatch, settings: TaskSettings, leave_out: Iterable[str]
) -> str:
    repairs = change.issue is not None or _REPAIRS.search(change.title)
    values: dict[str, Any] = {
        "title": _line(change.title),
        "category": Category.BUG if repairs else Category.OTHER,
        "difficulty": difficulty(parts.size),
        "mode": Mode.PULL_REQUEST,
        "test_timeout": settings.test_timeout,
    }
    if left := sorted(set(leave_out)):
        values["leave_out"] = left
    # TOML reads what JSON writes, but for one control character.
    return "".join(
        f"{name} = {json.dumps(value)}\n".replace("\x7f", "\\u007f") for name, value in values.items()
    )


def _record(change: MergedChange, parts: SplitPatch, settings: TaskSettings) -> str:
    source, tests = count_lines(parts.source), count_lines(parts.tests)
    whole = parts.size
    record = {
        "schema_version": GENERATION_SCHEMA,
        "canary": settings.canary,
        "origin": change.origin,
        "targets": [],
        "measures": {
            "changed_files": whole.files,
            "added_lines": whole.added,
            "removed_lines": whole.removed,
            "source_files": source.files,
            "source_added_lines": source.added,
            "source_removed_lines": source.removed,
            "source_lines_in_description": lines_in_description(parts.source, description_of(change)),
        },
        "command": settings.command,
        "generator": __version__,
        "pull_request": {
            "key": change_key(change),
            "kind": change.origin,
            "identifier": change.identifier,
            "number": change.number,
            "title": change.title,
            "url": change.url,
            "base": change.base,
            "author": change.author,
            "date": change.date,
            "licence": settings.licence,
            "issue": None
            if change.issue is None
            else {"number": change.issue.number, "title": change.issue.title, "url": change.issue.url},
            "counts": {"source": source._asdict(), "tests": tests._asdict(), "whole": whole._asdict()},
            "files": {part: list(paths) for part, paths in parts.paths.items()},
        },
    }
    return json.dumps(record, indent=2) + "\n"


def _applied(files: Files, diff: bytes) -> Files:
    changed = apply_patch(diff, files.get)
    gone = {state.path for state in changed if state.content is None}
    return {
        **{path: file for path, file in files.items() if path not in gone},
        **{state.path: state for state in changed if state.path not in gone},
    }


def _difference(before: Files, after: Files) -> bytes:
    differing = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    ordered = sorted(differing)
    return make_patch(
        [before[path] for path in ordered if path in before],
        [after[path] for path in ordered if path in after],
    )


def _marked(canary: str, diff: bytes) -> bytes:
    """A patch below a line with the canary, which git ignores."""
    return f"# {canary}\n".encode() + diff


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _line(text: str) -> str:
    """A text on one line, without characters that cannot be shown."""
    return (
        "".join(char if char.isprintable() else " " for char in text)[:MAX_TITLE].strip() or "A merged change"
    )
