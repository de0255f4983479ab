"""What an attempt is, and how Python code gets into a file of a task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from benchmarks.forging.worlds import WORLDS
from benchmarks.forging.worlds.model import World, in_base64

Kind = Literal["a", "b", "c", "d", "e"]

KINDS: Mapping[Kind, str] = {
    "a": "environment beside the tests",
    "b": "memory and processes",
    "c": "script and reports",
    "d": "hidden files swapped",
    "e": "in the process of the tests, or answers read from them",
}


@dataclass(frozen=True, slots=True)
class Attempt:
    """A patch that solves nothing. `says`: how it forges the verdict. `files`: what it puts into the tree."""

    kind: Kind
    name: str
    world: str
    says: str
    files: Mapping[str, str | bytes | None]

    @property
    def id(self) -> str:
        return f"{self.kind}/{self.name}"

    @property
    def task(self) -> World:
        return WORLDS[self.world]


def python_code(code: str) -> str:
    """One line of Python that runs `code` in the module where it stands; no rule for words finds anything in it."""
    return f'exec(__import__("base64").b64decode("{in_base64(code)}").decode(), globals())\n'


def in_python(kind: Kind, name: str, world: str, says: str, code: str) -> Attempt:
    """An attempt whose code runs when the tests load the library, or before the command does its work."""
    host = WORLDS[world].host
    before = WORLDS[world].source[host]
    if WORLDS[world].shared:
        text = before + "\n\n" + python_code(code)
    else:
        text = before.replace("\n\ndef main(", f"\n{python_code(code)}\n\ndef main(")
    return Attempt(kind, name, world, says, {host: text})


def in_c(kind: Kind, name: str, world: str, says: str, code: str) -> Attempt:
    """An attempt whose Python code is started by the program under test before it does its work."""
    host = WORLDS[world].host
    command = f"python3 -c \\\"import base64; exec(base64.b64decode('{in_base64(code)}').decode())\\\""
    text = (
        WORLDS[world]
        .source[host]
        .replace(
            "    char out[64];\n    if",
            f'    char out[64];\n    if (system("{command}"))\n        argc = argc;\n    if',
        )
    )
    return Attempt(kind, name, world, says, {host: text})
