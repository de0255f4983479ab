"""Traps that the author of a task has written, for tests in languages without a tool; see `placing`.

Each is a diff of the hidden tests that adds lines with one test, which every correct solution fails. TRAP_NAME
stands for the test's name. Several diffs may add lines at the same place. Where the added lines are a copy of a test
with other values, half of the time the copy is the right one, as with traps that tools make.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import Path
from random import Random

from harness.dataset import Trap
from harness.dataset.reading import TRAP_NAME
from harness.grading.traps.names import recombined
from harness.patches import FileState, PatchError, apply_patch

_Insertion = tuple[int, list[bytes]]
_TOKEN = re.compile(rb"\w+|[^\w\s]")
_MAX_ALTERED = 6  # words of a copy that differ from its original's, without its name
# Names of several words, by the placeholder's style.
_STYLES = {
    b"_t": re.compile(r"\b[A-Za-z]+(?:_[A-Za-z]+)+\b"),
    b"T": re.compile(r"\b[a-z]+(?:[A-Z][a-z]+)+\b"),
    b" t": re.compile(r"(?<=[\"'])[A-Za-z]+(?: [A-Za-z]+)+(?=[\"'])"),
}


def written_traps(diffs: Sequence[Path]) -> list[Trap]:
    """The traps of these diffs, by file name."""
    return [Trap(path.name, "", sha256(path.read_bytes()).hexdigest()[:12]) for path in diffs]


@dataclass(frozen=True, slots=True)
class _Copied:
    """The test in these lines of a file, of which a trap is a copy: the code before its name, the name, the rest."""

    lines: slice
    head: bytes
    original: bytes
    tail: bytes


def with_written(
    files: Sequence[FileState], chosen: Sequence[Trap], diffs: Sequence[Path], random: Random
) -> tuple[list[FileState], Mapping[str, Trap], Mapping[str, str]]:
    """The files with these traps, the traps by their new names, and by those the names of tests swapped with them.

    Raises KeyError and PatchError.
    """
    contents = {path.name: path.read_bytes() for path in diffs}
    before = {file.path: file for file in files}
    hidden = b"\n".join(file.content or b"" for file in files if not file.link)
    named: dict[str, Trap] = {}
    swapped: dict[str, str] = {}
    after = dict(before)
    added: defaultdict[str, list[_Insertion]] = defaultdict(list)
    for trap in chosen:
        diff, name = _named(contents[trap.file], hidden.decode("utf-8", "ignore"), named, random)
        named[name] = trap
        insertions: dict[str, list[_Insertion]] = {}
        for state in apply_patch(diff, before.get):
            insertions[state.path] = _insertions(before.get(state.path), state)
            after.setdefault(state.path, FileState(state.path, b""))
        if random.random() < 0.5:
            original = _swapped(after, insertions, name.encode(), hidden, swapped.values())
            if original:
                swapped[name] = original
        for path, here in insertions.items():
            added[path].extend(here)
    for path, here in added.items():
        random.shuffle(here)
        after[path] = _with_insertions(after[path], here)
    return list(after.values()), named, swapped


def _swapped(
    files: dict[str, FileState],
    insertions: Mapping[str, list[_Insertion]],
    name: bytes,
    hidden: bytes,
    taken: Collection[str],
) -> str:
    """Puts the trap's code under its original's name, and the original's code under the trap's name, in both mappings.

    The original's name; "" where nothing changes: the trap is no copy, is a copy at several places, or of a test in
    `taken`, or its name stands in the hidden files at more or fewer places than the trap's in these lines.
    """
    found = [
        (path, number, copied)
        for path, here in insertions.items()
        for number, (_, added) in enumerate(here)
        if (copied := _copied(files[path], added, name))
    ]
    if len(found) != 1:
        return ""
    ((path, number, copied),) = found
    original = copied.original.decode()
    times = sum(b"".join(added).count(name) for here in insertions.values() for _, added in here)
    if original in taken or _times(hidden, copied.original) != times:
        return ""
    place, added = insertions[path][number]
    lines = (files[path].content or b"").splitlines(keepends=True)
    lines[copied.lines] = [line.replace(name, copied.original) for line in added]
    files[path] = replace(files[path], content=b"".join(lines))
    insertions[path][number] = place, (copied.head + name + copied.tail).splitlines(keepends=True)
    return original


def _copied(file: FileState, added: Sequence[bytes], name: bytes) -> _Copied | None:
    """The only test of the file that is most like the added lines; None if there is none.

    Like them is what differs in the name and a few other words, such as numbers. The name has to be there once.
    """
    head, _, tail = b"".join(added).partition(name)
    before, behind = _TOKEN.findall(head), _TOKEN.findall(tail)
    if not before or not behind or name in tail:
        return None
    lines = (file.content or b"").splitlines(keepends=True)
    form = re.compile(re.escape(before[-1]) + rb"\s*(?P<name>\w+(?: \w+)*)\s*" + re.escape(behind[0]))
    tokens = [*before, *behind]
    found: list[tuple[int, int, _Copied]] = []
    for start in range(len(lines) - len(added) + 1):
        span = slice(start, start + len(added))
        text = b"".join(lines[span])
        for match in form.finditer(text):
            start_of_name, end_of_name = match.span("name")
            copied = _Copied(span, text[:start_of_name], match["name"], text[end_of_name:])
            other = [*_TOKEN.findall(copied.head), *_TOKEN.findall(copied.tail)]
            differences = sum(one != two for one, two in zip(tokens, other, strict=False))
            if len(other) == len(tokens) and 0 < differences <= _MAX_ALTERED:
                found.append((differences, len(found), copied))
    found.sort(key=lambda one: one[:2])
    return found[0][2] if found and (len(found) == 1 or found[0][0] < found[1][0]) else None


def _times(text: bytes, name: bytes) -> int:
    return len(re.findall(rb"(?<!\w)" + re.escape(name) + rb"(?!\w)", text))


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
