"""One function or class of a file, and what can be wrong with a file or with new source for a function."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from harness.errors import HarnessError

MAX_SOURCE_CHARACTERS = 2_000_000
Key = tuple[str, int]
"""A qualified name and its occurrence in a file."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class UnreadableSource(HarnessError):
    """A source file that cannot be parsed. `line` counts from 1; 0 for the whole file."""

    def __init__(self, path: str, line: int, reason: str) -> None:
        self.path = path
        self.line = line
        super().__init__(f"{path}{f', line {line}' if line else ''}: {reason}")


class FunctionNotFound(HarnessError):
    """A file has no function of a name."""


class InvalidReplacement(HarnessError):
    """New source that does not define exactly the function that it is to replace."""


@dataclass(frozen=True, slots=True)
class Function:
    """One function, method or class.

    `name` is qualified: `Class.method`, `outer.inner`. `occurrence`: 0 for the first definition of this name in its
    file. Lines count from 1. `start` is that of the first decorator, as in CPython's code objects; `end` is the last
    line. `header_end`: the line on which the signature ends. `body_start`: the first line of the body without the
    docstring; `end + 1` if there is only a docstring.
    """

    name: str
    occurrence: int
    kind: Literal["function", "class"]
    start: int
    end: int
    header_end: int
    body_start: int

    @property
    def key(self) -> Key:
        """What identifies it in its file."""
        return self.name, self.occurrence


def lines_of(text: str) -> list[str]:
    r"""The lines with their ends, as Python's parser counts them: only \n, \r\n and \r end a line."""
    return _LINE.findall(text)
