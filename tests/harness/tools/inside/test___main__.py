"""The directory as a program: what it imports, and which server it starts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.harness.tools.tool_server import INSIDE, ToolServer


def test_a_module_in_the_workspace_cannot_shadow_the_servers(tmp_path: Path) -> None:
    for name in ("json", "files", "os", "difflib"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('shadowed')\n")
    with ToolServer(tmp_path, environment={**os.environ, "PYTHONPATH": str(tmp_path)}) as server:
        assert server.call("list_dir").ok


def test_the_name_of_the_directory_does_not_matter(tmp_path: Path) -> None:
    copy = shutil.copytree(INSIDE, tmp_path / "elsewhere", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "app").mkdir()
    command = (sys.executable, "-I", str(copy), "--workdir", str(tmp_path / "app"))
    with ToolServer(tmp_path / "app", command=command) as server:
        assert server.call("list_dir").ok
    # Python itself may hold the file that it runs.
    assert {path.name.partition(".")[0] for path in copy.rglob("*.pyc")} <= {"__main__"}


def test_the_word_relay_starts_the_relay_and_anything_else_the_tool_server(tmp_path: Path) -> None:
    def end(*words: str) -> subprocess.CompletedProcess[bytes]:
        """What it leaves behind with these arguments and nothing on its input."""
        return subprocess.run(
            [sys.executable, "-I", str(INSIDE), *words],
            input=b"",
            capture_output=True,
            check=False,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        )

    relay = end("relay")
    assert relay.returncode == 0
    assert sorted(json.loads(relay.stdout)) == ["home", "port", "ready"]
    neither = end("relay", "too")
    assert neither.returncode == 2
    assert b"required: --workdir" in neither.stderr
