"""The one version of the harness and of the project."""

from __future__ import annotations

import tomllib
from pathlib import Path

import harness
from harness.version import __version__

ROOT = Path(__file__).parents[2]


def test_the_package_and_the_project_state_the_same_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert harness.__version__ == __version__ == project["version"]
