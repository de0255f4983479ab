"""What happened to one file, in the words of a unified diff."""

from __future__ import annotations

import stat
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, List, Tuple

from .syntax import syntax_error
from .text import is_binary, presentable

_CONTEXT = 3
# Above so many pairs of lines, SequenceMatcher could take seconds: the middle is then one replacement.
_PAIRS = 4_000_000

Opcodes = List[Tuple[str, int, int, int, int]]


@dataclass(frozen=True)
class Version:
    """A file or link at one moment. `content` None: too large or not readable. A link's content is its target."""

    mode: int
    content: bytes | None


def describe(path: str, old: Version | None, new: Version | None, limit: int) -> dict[str, Any]:
    """The fields of a FileEdit. A version that is None: no file then. The diff is cut at `limit` characters."""
    present = [version for version in (old, new) if version]
    assert present
    change = "modified" if old and new else "added" if new else "deleted"
    edit: dict[str, Any] = {"path": presentable(path), "change": change, "added": 0, "removed": 0}
    edit["binary"] = any(version.content is not None and is_binary(version.content) for version in present)
    edit["syntax_ok"] = None
    if new and new.content is not None and path.endswith(".py") and stat.S_ISREG(new.mode):
        edit["syntax_ok"] = syntax_error(new.content) is None
    header = _header(edit["path"], old, new)
    if any(version.content is None for version in present):
        edit["diff"] = header + "[not compared: too large, or not readable]\n"
    elif edit["binary"]:
        edit["diff"] = header + "[binary]\n"
    else:
        hunks, edit["added"], edit["removed"] = _hunks(_lines(old), _lines(new))
        edit["diff"] = presentable(_cut(header + hunks, limit))
    return edit


def _header(path: str, old: Version | None, new: Version | None) -> str:
    modes = ""
    if old and new and old.mode != new.mode:
        modes = f"old mode {old.mode:o}\nnew mode {new.mode:o}\n"
        if old.content == new.content:
            return modes
    before = f"a/{path}" if old else "/dev/null"
    after = f"b/{path}" if new else "/dev/null"
    return f"{modes}--- {before}\n+++ {after}\n"


def _lines(version: Version | None) -> list[str]:
    text = (version.content or b"").decode("utf-8", "replace") if version else ""
    pieces = text.split("\n")
    lines = [piece + "\n" for piece in pieces[:-1]]
    return [*lines, pieces[-1]] if pieces[-1] else lines


def _hunks(old: list[str], new: list[str]) -> tuple[str, int, int]:
    """The hunks as text, and how many lines they add and remove."""
    matcher: SequenceMatcher[str] = SequenceMatcher(None, (), ())
    matcher.opcodes = _opcodes(old, new)  # type: ignore[attr-defined]
    parts = []
    added = removed = 0
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        _, old_start, _, new_start, _ = group[0]
        _, _, old_end, _, new_end = group[-1]
        parts.append(f"@@ -{_range(old_start, old_end)} +{_range(new_start, new_end)} @@\n")
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                parts += [_line(" ", line) for line in old[i1:i2]]
                continue
            parts += [_line("-", line) for line in old[i1:i2]]
            parts += [_line("+", line) for line in new[j1:j2]]
            removed += i2 - i1
            added += j2 - j1
    return "".join(parts), added, removed


def _opcodes(old: list[str], new: list[str]) -> Opcodes:
    """Like SequenceMatcher's, but only the middle is compared, where the two differ."""
    shorter = min(len(old), len(new))
    start = 0
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old_end, new_end = len(old) - end, len(new) - end
    middle: Opcodes = [("replace", start, old_end, start, new_end)]
    if (old_end - start) * (new_end - start) <= _PAIRS:
        inner = SequenceMatcher(None, old[start:old_end], new[start:new_end], autojunk=False)
        middle = [
            (tag, i1 + start, i2 + start, j1 + start, j2 + start)
            for tag, i1, i2, j1, j2 in inner.get_opcodes()
        ]
    head: Opcodes = [("equal", 0, start, 0, start)] if start else []
    tail: Opcodes = [("equal", old_end, len(old), new_end, len(new))] if end else []
    return head + middle + tail


def _range(start: int, end: int) -> str:
    length = end - start
    return str(start + 1) if length == 1 else f"{start + 1 if length else start},{length}"


def _line(sign: str, line: str) -> str:
    return sign + line if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"


def _cut(diff: str, limit: int) -> str:
    if len(diff) <= limit:
        return diff
    border = diff.rfind("\n", 0, max(limit, 0)) + 1
    return f"{diff[:border]}[the diff is cut here: {len(diff) - border:,} more characters]\n"
