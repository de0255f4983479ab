"""The engine as its command line shows it, and repositories with a Dockerfile of a test's own."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from harness.dataset import Repository, load_dataset
from harness.sandbox.base import Owner
from tests.harness.worlds import write_tiny_dataset


def docker(*arguments: str) -> str:
    """The command line of the engine, as an independent check."""
    return subprocess.run(["docker", *arguments], check=True, capture_output=True, text=True).stdout


def repository_with(root: Path, dockerfile: str) -> Repository:
    """The repository `calc` with another Dockerfile."""
    directory = write_tiny_dataset(root)
    (directory / "calc" / "Dockerfile").write_text(dockerfile, encoding="utf-8")
    return load_dataset(directory).repository("calc")


def wait_until_it_runs(owner: Owner) -> None:
    """Returns a moment after a container of the owner's has started."""
    while not docker("ps", "-q", "--filter", f"label=benchbench.instance={owner.instance}"):
        time.sleep(0.1)
    time.sleep(0.5)
