"""Traps that the author of a task has written, for tests in languages without a tool; see `placing`.

Each is a diff of the hidden tests that adds one test, which every correct solution fails. The word TRAP_NAME stands
for the test's name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random

from harness.dataset import Trap
from harness.dataset.reading import TRAP_NAME
from harness.grading.traps.names import recombined
from harness.patches import FileState, apply_patch

_IDENTIFIER = re.compile(r"[A-Za-z]+(?:_[A-Za-z]+)+|[a-z]+(?:[A-Z][a-z]+)+")


def written_traps(diffs: Sequence[Path]) -> list[Trap]:
    """The traps of these diffs, by file name."""
    return [Trap(path.name, "", sha256(path.read_bytes()).hexdigest()[:12]) for path in diffs]


def with_written(
    files: Sequence[FileState], chosen: Sequence[Trap], diffs: Sequence[Path], random: Random
) -> tuple[list[FileState], Mapping[str, Trap]]:
    """The files with these traps, and the traps by their new names. Raises KeyError and PatchError."""
    contents = {path.name: path.read_bytes() for path in diffs}
    now = {file.path: file for file in files}
    text = "\n".join((file.content or b"").decode("utf-8", "ignore") for file in files if not file.link)
    found = sorted(set(_IDENTIFIER.findall(text)))
    names = recombined(found, frozenset(found), len(chosen), random)
    for name, trap in zip(names, chosen, strict=True):
        diff = contents[trap.file].replace(TRAP_NAME.encode(), name.encode())
        for state in apply_patch(diff, now.get):
            now[state.path] = state
    return list(now.values()), dict(zip(names, chosen, strict=True))
