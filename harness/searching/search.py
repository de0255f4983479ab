"""Counts matches of a dataset's pattern in a model's texts, with limits of time and memory that really end a search."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import HarnessError
from harness.searching import search_program

MAX_SECONDS = 30.0
MAX_TEXT = 32 << 20  # characters of all texts together
MAX_MATCHES = 20_000
_MEMORY_MB = 2048
_POLL_SECONDS = 1.0
_LIMITED = ("/bin/sh", "-c", f'ulimit -v {_MEMORY_MB << 10} 2>/dev/null; exec "$@"', "sh")
_OUT_OF_MEMORY = "MemoryError"


class SearchStopped(HarnessError):
    """A search went beyond a limit. The message says which."""


@dataclass(frozen=True, slots=True)
class Matches:
    """How often a pattern matches, at most MAX_MATCHES, and where and what first (None without a match)."""

    count: int
    first: tuple[str, int, str] | None = None


def count_matches(
    pattern: str,
    texts: Sequence[tuple[str, str]],
    *,
    whole: bool = False,
    uncommented: bool = False,
    seconds: float = MAX_SECONDS,
    interrupt: Callable[[], None] | None = None,
) -> Matches:
    """The matches of a valid pattern in texts with names, see `search_program`. Raises SearchStopped.

    `interrupt` is called about every second; an exception from it ends the search and is passed on.
    """
    if (size := sum(len(text) for _, text in texts)) > MAX_TEXT:
        raise SearchStopped(f"there are {size:,} characters to search; at most {MAX_TEXT:,} are searched")
    request = {
        "pattern": pattern,
        "texts": texts,
        "whole": whole,
        "uncommented": uncommented,
        "most": MAX_MATCHES,
    }
    seconds = min(seconds, MAX_SECONDS)
    found = json.loads(_run(json.dumps(request).encode(), seconds, interrupt))
    return Matches(found["count"], tuple(found["first"]) if found["first"] else None)


def _run(request: bytes, seconds: float, interrupt: Callable[[], None] | None) -> bytes:
    command = [*_LIMITED, sys.executable, "-I", "-B", str(Path(search_program.__file__))]
    pipe = subprocess.PIPE
    deadline = time.monotonic() + seconds
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            output, errors = _communicate(process, request, deadline, interrupt)
        except subprocess.TimeoutExpired:
            raise SearchStopped(f"the search took more than {seconds:.0f} s") from None
        finally:
            process.kill()
    if process.returncode:
        # The texts are an agent's, and a lexer may fail on them: no fault of the infrastructure.
        words = errors.decode("utf-8", "replace").strip()
        if words.endswith(_OUT_OF_MEMORY):
            raise SearchStopped(f"the search needed more than {_MEMORY_MB} MB of memory")
        raise SearchStopped(f"the search failed: {words[-300:] or f'signal {-process.returncode}'}")
    return output


def _communicate(
    process: subprocess.Popen[bytes], request: bytes, deadline: float, interrupt: Callable[[], None] | None
) -> tuple[bytes, bytes]:
    """Both streams of the program. Raises TimeoutExpired at the deadline, and any exception of `interrupt`."""
    data: bytes | None = request
    while True:
        left = deadline - time.monotonic()
        try:
            return process.communicate(data, timeout=min(max(left, 0.0), _POLL_SECONDS))
        except subprocess.TimeoutExpired:
            if left <= _POLL_SECONDS:
                raise
            data = None
            if interrupt:
                interrupt()
