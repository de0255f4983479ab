"""What the conformance suite sees of processes."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

# How long this session's processes of `sleep` sleep begins so: the host's other sessions have some, too.
OURS = f"3141.{os.getpid():07}"


def sleepers(pattern: str) -> str:
    """A command that counts processes of `sleep` by their argument."""
    return f"grep -alE '^sleep.{pattern}' /proc/[0-9]*/cmdline 2>/dev/null | wc -l"


def host_processes(*words: str) -> list[str]:
    """Processes with exactly this command line, as the host sees them, after giving them time to go."""
    line = b"".join(word.encode() + b"\0" for word in words)
    deadline = time.monotonic() + 3
    while True:
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if path.read_bytes() == line:
                    found.append(path.parent.name)
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


def memory_mb() -> int:
    """What this process has in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
