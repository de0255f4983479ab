"""Builds the program from a fresh copy of the workspace and runs it as a user of its own.

BENCHBENCH-CANARY 81d96142-47f1-44f8-a055-ec8141f48db1
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

try:
    from benchbench_code import directory, run
except ImportError:  # not in a grading container
    from subprocess import run
    from tempfile import mkdtemp as directory

WORKSPACE = Path(__file__).resolve().parents[2]
EID = "89049032123451234512345678901235"
FIRST, SECOND = "8944000000000000019", "8944000000000000027"
CODE = "LPA:1$smdp.example.com$AB-12"
# Without position-independent code AddressSanitizer never meets an address that its own tables need.
COMPILER = "gcc -fsanitize=address,undefined -fno-sanitize-recover=all -fno-pie -no-pie"
CHECKS = {"ASAN_OPTIONS": "detect_leaks=0:exitcode=99", "UBSAN_OPTIONS": "exitcode=99"}
# The tests and the program under test are two users that change each other's files.
os.umask(0)


@pytest.fixture(scope="session")
def program() -> Path:
    """The program, built with checks of memory accesses."""
    tree = Path(directory()) / "tree"
    ignored = shutil.ignore_patterns(".git", "build", "esim", "*.o", "*.a", "hidden")
    shutil.copytree(WORKSPACE, tree, symlinks=True, ignore=ignored)
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | 0o666)
    report = run(
        ["make", "-j2", f"CC={COMPILER}", "CFLAGS=-O1 -g"],
        cwd=tree,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    assert report.returncode == 0, f"make failed:\n{report.stdout}"
    return tree / "esim"


class Esim:
    """One data directory and the program that works on it."""

    def __init__(self, program: Path) -> None:
        self.program = program
        self.directory = Path(directory()) / "data"
        self.directory.mkdir()

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """The exit code and what the program writes to both streams."""
        done = run(
            [str(self.program), "-d", str(self.directory), *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            cwd=self.directory,
            env={"PATH": "/usr/bin:/bin", **CHECKS},
        )
        return done.returncode, done.stdout, done.stderr

    def ok(self, *arguments: str) -> str:
        """What a command prints that has to succeed."""
        code, output, error = self.run(*arguments)
        assert (code, error) == (0, "")
        return output


@pytest.fixture
def esim(program: Path) -> Esim:
    """The program with an empty data directory."""
    return Esim(program)
