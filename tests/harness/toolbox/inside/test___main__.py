"""The server of the toolbox as a program."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import harness.toolbox.inside
from harness.toolbox.inside.server import TOOLS

INSIDE = Path(harness.toolbox.inside.__file__).parent


def test_a_program_serves_from_a_directory_of_any_name(tmp_path: Path) -> None:
    shutil.copytree(INSIDE, tmp_path / "renamed", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "result.py").write_text("raise SystemExit('shadowed')\n")
    url = {"url": "http://localhost:1/"}
    sent = [
        {"id": 1, "tool": "coffee", "arguments": {}, "timeout": 5},
        {"id": 2, "tool": "api_call", "arguments": url, "timeout": 5},
    ]
    done = subprocess.run(
        [sys.executable, "-I", "-B", str(tmp_path / "renamed")],
        input="".join(f"{json.dumps(line)}\n" for line in sent),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    greeting, first, second = map(json.loads, done.stdout.splitlines())
    assert greeting["ready"] is True
    assert (first["id"], first["content"]) == (1, f"there is no tool 'coffee'; there are: {', '.join(TOOLS)}")
    assert (second["id"], second["ok"]) == (2, False)
    assert second["content"].startswith("Nothing listens at localhost:1.")
