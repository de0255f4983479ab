"""IDE-Bench's `task_description.txt`: almost YAML, so it is read line by line.

    task_description: |
      Task: Round down: never up
      ...prose, with blank lines, colons and any indentation...
    difficulty: medium
    category: bug fixing
    tags: [money, rounding]
    parser_name: pytest

The prose is everything between `task_description:` and the fields at the end of the file. A line that looks like a
field but has prose after it belongs to the prose.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

KNOWN = ("difficulty", "category", "tags", "parser_name")
MAX_TITLE = 120

_OPENING = re.compile(r"task_description:[ \t]*(?:[|>][-+0-9]*[ \t]*(?:#.*)?$)?(?P<rest>.*)")
_FIELD = re.compile(r"(?P<name>[A-Za-z_]\w*):(?:[ \t]+(?P<value>.*))?$")
_ITEM = re.compile(r"[ \t]*-[ \t]+(?P<value>.*)")
_TITLE = re.compile(r"[ \t]*task[ \t]*:[ \t]*(?P<title>.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Description:
    """`text`: the prose without its common indentation. `fields`: the other fields, each with a list of values."""

    text: str
    fields: Mapping[str, tuple[str, ...]]

    def field(self, name: str) -> str:
        """The first value of a field, or '' if it has none."""
        return next(iter(self.fields.get(name, ())), "")

    def title(self) -> str:
        """The text after `Task:`, or the first line of prose; at most MAX_TITLE characters."""
        lines = [line.strip() for line in self.text.splitlines() if line.strip()]
        for number, line in enumerate(lines):
            if found := _TITLE.match(line):
                lines = [found["title"].strip(), *lines[number + 1 :]]
                break
        return textwrap.shorten(next(filter(None, lines), ""), MAX_TITLE, placeholder=" …")


def parse_description(text: str) -> Description:
    """Parses the file's text. Without `task_description:`, all lines before the final fields are the prose."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    start = next((number for number, line in enumerate(lines) if line.startswith("task_description:")), None)
    before: Sequence[str] = ()
    if start is not None:
        opening = _OPENING.match(lines[start])
        assert opening is not None  # it starts that way
        before = lines[:start]
        lines = [*([opening["rest"]] if opening["rest"].strip() else []), *lines[start + 1 :]]
    fields, end = _fields(before), _closing(lines)
    closing = lines[end:]
    if end == len(lines) and fields.keys().isdisjoint(KNOWN):
        # The fields are indented like the prose.
        closing = textwrap.dedent("\n".join(lines)).split("\n")
        end = _closing(closing)
        closing = closing[end:]
    prose = textwrap.dedent("\n".join(lines[:end])).strip("\n").rstrip()
    return Description(f"{prose}\n" if prose else "", fields | _fields(closing))


def _closing(lines: Sequence[str]) -> int:
    """The line at which the final fields begin: the first known field that is followed by fields only."""
    end = len(lines)
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        field = _FIELD.match(line)
        if field and field["name"] in KNOWN:
            end = number
        elif line.strip() and not field and not line.startswith("#") and not _ITEM.match(line):
            break
    return end


def _fields(lines: Sequence[str]) -> dict[str, tuple[str, ...]]:
    fields: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in lines:
        if field := _FIELD.match(line):
            name = field["name"]
            fields[name] = _values(field["value"] or "")
        elif name and (item := _ITEM.match(line)):
            fields[name] += _values(item["value"])
    return fields


def _values(written: str) -> tuple[str, ...]:
    """`[a, "b"]`, `'a'` and `a  # remark` as their values."""
    written = re.sub(r"(^|\s)#.*$", "", written).strip()
    parts = written[1:-1].split(",") if written.startswith("[") and written.endswith("]") else [written]
    return tuple(value for part in parts if (value := part.strip().strip("\"'").strip()))
