"""Speaks to a real tool server over pipes, the way a sandbox does."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import harness.tools.inside

INSIDE = Path(harness.tools.inside.__file__).parent


@dataclass(frozen=True)
class Reply:
    """One reply line."""

    id: int | None
    ok: bool
    content: str
    seconds: float
    edits: list[dict[str, Any]]


class ToolServer:
    """A server process. As a context manager it ends with its block, the process too."""

    def __init__(
        self, workdir: Path, *, command: Sequence[str] = (), environment: Mapping[str, str] | None = None
    ) -> None:
        self.workdir = workdir
        self.process = subprocess.Popen(
            [*(command or (sys.executable, "-I", str(INSIDE), "--workdir", str(workdir)))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        self.greeting = self._line()
        self._id = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(timeout=20)
        self.process.stdout.close()

    def call(self, tool: str, *, within: float = 30.0, **arguments: Any) -> Reply:
        """Calls a tool; `within` is the request's own time-out."""
        self._id += 1
        request = {"id": self._id, "tool": tool, "arguments": arguments, "timeout": within}
        reply = self.send(json.dumps(request).encode())
        assert reply.id == self._id
        return reply

    def run(self, command: str, **arguments: Any) -> Reply:
        """Calls run_terminal_cmd."""
        return self.call("run_terminal_cmd", command=command, **arguments)

    def send(self, line: bytes) -> Reply:
        """Sends one line, whatever it is, and reads the reply."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        return Reply(**self._line())

    def _line(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        parsed: dict[str, Any] = json.loads(self.process.stdout.readline())
        return parsed


def alive(*words: str) -> list[str]:
    """Command lines of living processes that hold every one of the words."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                continue
            if all(word in line for word in words):
                found.append(line)
    return found


def gone(*words: str) -> bool:
    """Whether no such process is left, shortly."""
    deadline = time.monotonic() + 2
    while alive(*words) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(*words)
