"""Reads and replaces functions in the text of an agent's file, in a process with limits of time and memory.

The text is hostile: a parser may need minutes for a file of a megabyte, and no exception interrupts it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.errors import HarnessError
from harness.functions import Key

MAX_SECONDS = 20.0
_MEMORY_MB = 2048
_LIMITED = ("/bin/sh", "-c", f'ulimit -v {_MEMORY_MB << 10} 2>/dev/null; exec "$@"', "sh")
_ROOT = Path(__file__).resolve().parents[2]


class FunctionsRefused(HarnessError):
    """The operation is not possible. The message is for the model."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How new source of a function compares with the old one.

    `similarity` of the bodies: `harness.functions.code_similarity`; None if both are empty. `equal`: the same code with
    the same signature, see `harness.functions.contents`. `tokens`: of the old body.
    """

    similarity: float | None
    equal: bool
    tokens: int


def listed(path: str, text: str) -> str:
    """The functions of a file, for a model. Raises FunctionsRefused, as the others."""
    return _run("listed", path, text)


def shown(path: str, text: str, name: str, occurrence: int) -> str:
    """The numbered lines of one function."""
    return _run("shown", path, text, name, occurrence)


def with_source(path: str, text: str, name: str, occurrence: int, code: str) -> str:
    """The text with `code`, one whole definition, in place of a function."""
    return _run("with_source", path, text, name, occurrence, code)


def source(path: str, text: str, name: str, occurrence: int) -> str:
    """The lines of one function, as they are."""
    return _run("source", path, text, name, occurrence)


def stub(path: str, text: str, name: str, occurrence: int) -> str:
    """The lines of one function without its body: signature and docstring."""
    return _run("stub", path, text, name, occurrence)


def likeness(path: str, text: str, name: str, occurrence: int, code: str) -> Likeness:
    """Compares a function with `code`, one whole definition in its place."""
    return Likeness(**json.loads(_run("likeness", path, text, name, occurrence, code)))


def compared(path: str, text: str) -> Mapping[Key, str]:
    """A digest of each function; see `harness.functions.contents`."""
    found = json.loads(_run("compared", path, text))
    return {(name, occurrence): digest for name, occurrence, digest in found}


def _run(operation: str, path: str, *arguments: str | int) -> str:
    request = json.dumps({"operation": operation, "arguments": [path, *arguments]})
    try:
        done = subprocess.run(
            [*_LIMITED, sys.executable, "-P", "-B", "-m", "harness.host_tools.function_program"],
            input=request.encode("utf-8", "surrogatepass"),
            capture_output=True,
            check=False,
            timeout=MAX_SECONDS,
            cwd="/",
            env={"PATH": os.environ.get("PATH", os.defpath), "PYTHONPATH": str(_ROOT)},
        )
    except subprocess.TimeoutExpired:
        raise FunctionsRefused(f"{path}: its functions were not read within {MAX_SECONDS:.0f} s") from None
    if done.returncode:
        raise FunctionsRefused(f"{path}: its functions cannot be read")
    reply = json.loads(done.stdout)
    if not reply["ok"]:
        raise FunctionsRefused(reply["text"])
    return str(reply["text"])
