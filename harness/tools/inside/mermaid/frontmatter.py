"""Front matter as far as people get it wrong: not all of YAML, but its fields, their indentation and their quotes."""

from __future__ import annotations

import re

_FIELD = re.compile(r"(\"[^\"]*\"|'[^']*'|[^\s#:{}\[\]&*!|>'\"%@`,-][^#:]*?)\s*:(?:\s+(.*))?$")
_CLOSERS = {"[": "]", "{": "}", '"': '"', "'": "'"}


def problem(body: str) -> tuple[int, str] | None:
    """The first thing that is wrong: in which line (from 0), and what. None when nothing was found."""
    reader = _Reader()
    lines = body.split("\n")
    for number, line in enumerate(lines):
        content = line.strip()
        if content and not content.startswith("#"):
            wrong = reader.read(len(line) - len(line.lstrip()), line, lines[number + 1 :])
            if wrong:
                return number, "front matter: " + wrong
    return None


class _Reader:
    """Where in the tree of fields the reading stands."""

    def __init__(self) -> None:
        self._levels: list[tuple[int, set[str]]] = []
        self._has_value = False
        self._block: int | None = None  # the indentation of the field whose text, below | or >, goes on
        self._closer = ""  # what ends a list or an object that goes on

    def read(self, indent: int, line: str, rest: list[str]) -> str:
        """What is wrong with a line, or ''."""
        content = line.strip()
        if self._closer:
            self._closer = "" if content.endswith(self._closer) else self._closer
            return ""
        if self._block is not None and indent > self._block:
            return ""
        self._block = None
        if content.startswith("- ") or content in ("-", "---"):
            self._has_value = content != "---"
            return ""
        field = _FIELD.match(content)
        if field is None or "\t" in line[:indent]:
            return self._carry_on(indent, line)
        return self._enter(indent, field.group(1)) or self._take(indent, field.group(2) or "", rest)

    def _carry_on(self, indent: int, line: str) -> str:
        if "\t" in line[:indent]:
            return "YAML does not take a tab for indentation"
        if self._levels and indent > self._levels[-1][0]:
            self._has_value = True  # a value goes on, or stands below its key
            return ""
        return f"expected `key: value`, found {line.strip()[:60]!r}"

    def _enter(self, indent: int, name: str) -> str:
        levels = self._levels
        outermost = not levels
        while levels and indent < levels[-1][0]:
            levels.pop()
        if levels and indent > levels[-1][0] and self._has_value:
            return "this line is indented below one that has a value already"
        if not levels and not outermost:
            return "this line stands left of the first field"
        if not levels or indent > levels[-1][0]:
            levels.append((indent, set()))
        if name in levels[-1][1]:
            return f"there are two fields {name}"
        levels[-1][1].add(name)
        return ""

    def _take(self, indent: int, value: str, rest: list[str]) -> str:
        self._has_value = bool(value) and not value.startswith("#")
        if value[:1] in ("|", ">"):
            self._block = indent
        elif value[:1] in _CLOSERS:
            closer = _CLOSERS[value[0]]
            if closer not in value[1:]:
                if value[0] in "\"'" or not any(closer in line for line in rest):
                    return f"expected {closer} to close {value[0]}"
                self._closer = closer
        elif re.search(r":(\s|$)", value):
            return f"a value that holds a colon goes into quotes: {value[:60]!r}"
        return ""
