"""`python -m harness.tools`, in a copy of the package."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import harness
from harness.tools.docs import document


def test_it_writes_the_page_and_says_where(tmp_path: Path) -> None:
    package = Path(harness.__file__).parent
    shutil.copytree(package, tmp_path / "harness", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs" / "tools.md"
    page.write_text("old\n")
    command = [sys.executable, "-m", "harness.tools"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"wrote {page.resolve()}\n")
    assert page.read_text(encoding="utf-8") == document()
