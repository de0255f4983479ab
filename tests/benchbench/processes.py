"""Programs that run in a process of their own, as the site's do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def said_by(program: str, data: Path) -> list[str]:
    """The lines that a program prints, in a process of its own with this data directory."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "BENCHBENCH_DATA": str(data)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()
