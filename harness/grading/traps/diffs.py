"""Traps that the author of a task has written, for tests in languages without a tool; see `placing`.

Each is a diff of the hidden tests that adds lines with one test, which every correct solution fails. TRAP_NAME
stands for the test's name. Several diffs may add lines at the same place.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import Path
from random import Random

from harness.dataset import Trap
from harness.dataset.reading import TRAP_NAME
from harness.grading.traps.names import recombined
from harness.patches import FileState, PatchError, apply_patch

_Insertion = tuple[int, list[bytes]]
# Names of several words, by the placeholder's style.
_STYLES = {
    b"_t": re.compile(r"\b[A-Za-z]+(?:_[A-Za-z]+)+\b"),
    b"T": re.compile(r"\b[a-z]+(?:[A-Z][a-z]+)+\b"),
    b" t": re.compile(r"(?<=[\"'])[A-Za-z]+(?: [A-Za-z]+)+(?=[\"'])"),
}


def written_traps(diffs: Sequence[Path]) -> list[Trap]:
    """The traps of these diffs, by file name."""
    return [Trap(path.name, "", sha256(path.read_bytes()).hexdigest()[:12]) for path in diffs]


def with_written(
    files: Sequence[FileState], chosen: Sequence[Trap], diffs: Sequence[Path], random: Random
) -> tuple[list[FileState], Mapping[str, Trap]]:
    """The files with these traps, and the traps by their new names. Raises KeyError and PatchError."""
    contents = {path.name: path.read_bytes() for path in diffs}
    before = {file.path: file for file in files}
    text = "\n".join((file.content or b"").decode("utf-8", "ignore") for file in files if not file.link)
    named: dict[str, Trap] = {}
    added: defaultdict[str, list[_Insertion]] = defaultdict(list)
    for trap in chosen:
        diff, name = _named(contents[trap.file], text, named, random)
        named[name] = trap
        for state in apply_patch(diff, before.get):
            added[state.path] += _insertions(before.get(state.path), state)
    after = dict(before)
    for path, insertions in added.items():
        random.shuffle(insertions)
        after[path] = _with_insertions(before.get(path, FileState(path, b"")), insertions)
    return list(after.values()), named


def _named(diff: bytes, text: str, taken: Iterable[str], random: Random) -> tuple[bytes, str]:
    """The diff with a new name for its test, in the style of its placeholder and of the names in the hidden `text`."""
    match = TRAP_NAME.search(diff)
    style = _STYLES[match[1] if match else b"_t"]
    found = sorted({*style.findall(text), *taken})
    (name,) = recombined(found, frozenset(found), 1, random)
    return TRAP_NAME.sub(name.encode(), diff), name


def _insertions(before: FileState | None, after: FileState) -> list[_Insertion]:
    """The added lines, with the number of the line behind them. Raises PatchError for other changes."""
    old = ((before and before.content) or b"").splitlines(keepends=True)
    new = (after.content or b"").splitlines(keepends=True)
    changes = [
        code for code in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if code[0] != "equal"
    ]
    if any(kind != "insert" for kind, *_ in changes):
        raise PatchError(after.path, "a trap only adds lines")
    return [(place, new[start:end]) for _, place, _, start, end in changes]


def _with_insertions(file: FileState, insertions: Sequence[_Insertion]) -> FileState:
    lines = (file.content or b"").splitlines(keepends=True)
    for place, added in sorted(insertions, key=lambda insertion: -insertion[0]):
        lines[place:place] = added
    return replace(file, content=b"".join(lines))
