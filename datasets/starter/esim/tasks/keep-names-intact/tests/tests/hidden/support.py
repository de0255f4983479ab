"""Builds the program from a fresh copy of the workspace and runs it as a user of its own. BENCHBENCH-CANARY dac63323-c34c-4c38-b77a-91d311237f9d"""

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
VISIBLE = Path(__file__).resolve().parent / "visible"
PLAIN = "gcc"
# Without position-independent code AddressSanitizer never meets an address that its own tables need.
CHECKED = "gcc -fsanitize=address,undefined -fno-sanitize-recover=all -fno-pie -no-pie"
CHECKS = {"ASAN_OPTIONS": "detect_leaks=0:exitcode=99", "UBSAN_OPTIONS": "exitcode=99"}
EXIT_CODES = range(6)

# The tests and the program under test are two users that change each other's files.
os.umask(0)
_builds = {}


@pytest.fixture
def tmp_path():
    """A directory for both users."""
    return Path(directory())


def built(compiler=PLAIN):
    """A directory with ./esim and build/libesim.a, made once for each compiler; a broken build fails every test."""
    if compiler not in _builds:
        _builds[compiler] = _build(compiler)
    tree, report = _builds[compiler]
    assert report.returncode == 0, f"make failed:\n{report.stdout}"
    assert (tree / "esim").is_file(), "make left no ./esim"
    return tree


def _build(compiler):
    tree = Path(directory()) / "tree"
    ignored = shutil.ignore_patterns(".git", "build", "esim", "*.o", "*.a", "hidden")
    shutil.copytree(WORKSPACE, tree, symlinks=True, ignore=ignored)
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | 0o666)
    report = run(
        ["make", "-j2", f"CC={compiler}", "CFLAGS=-O1 -g"],
        cwd=tree,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    return tree, report


def driver(source, directory, compiler=CHECKED):
    """Compiles a C program against the library; returns its path."""
    tree = built(compiler)
    program = Path(directory) / "driver"
    (Path(directory) / "driver.c").write_text(source)
    run(
        [*compiler.split(), "-std=c11", "-D_DEFAULT_SOURCE", "-D_POSIX_C_SOURCE=200809L", f"-I{tree}/src", "-g"]
        + [f"{directory}/driver.c", f"{tree}/build/libesim.a", "-o", str(program)],
        check=True,
        timeout=60,
    )
    return program


class Esim:
    """One data directory and the program that works on it."""

    def __init__(self, directory, compiler=PLAIN):
        self.program = built(compiler) / "esim"
        self.directory = Path(directory) / "data"
        self.directory.mkdir()

    def run(self, *arguments, limits=(), **options):
        """Runs the program. `limits` are names and amounts, as `prlimit` takes them."""
        limit = ["prlimit", *(f"--{name}={amount}:{amount + 1}" for name, amount in limits)] if limits else []
        return run(
            [*limit, str(self.program), "-d", str(self.directory), *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=60,
            env={"PATH": "/usr/bin:/bin", **CHECKS},
            **options,
        )

    def ok(self, *arguments, **options):
        """Runs a command that has to succeed; returns what it prints."""
        result = self.run(*arguments, **options)
        assert (result.returncode, result.stderr) == (0, "")
        return result.stdout

    def fails(self, code, *arguments, **options):
        """Runs a command that has to fail with that exit code; returns its message."""
        result = self.run(*arguments, **options)
        assert result.returncode == code, (result.returncode, result.stdout, result.stderr)
        assert result.stderr.startswith("error: ")
        assert result.stderr.count("\n") == 1
        return result.stderr[len("error: ") : -1]

    def rows(self, *arguments):
        """What a listing prints, as lists of fields."""
        return [line.split("\t") for line in self.ok(*arguments).split("\n")[:-1]]

    def shown(self, number):
        """What `profile show` says, as a dictionary."""
        lines = self.ok("profile", "show", iccid(number)).split("\n")[:-1]
        return dict(line.split(": ", 1) for line in lines)

    def file(self, name):
        return self.directory / name

    def write(self, name, *lines):
        """Writes a file of lines into the data directory; returns its path."""
        path = self.file(name)
        path.write_text("".join(f"{line}\n" for line in lines), newline="")
        return path


def eid(number):
    """The number-th valid EID."""
    body = f"89049032{number:022d}"
    return f"{body}{98 - int(body) * 100 % 97:02d}"


def iccid(number):
    """The number-th valid ICCID."""
    body = f"8944{number:014d}"
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in body[::-2])
    return f"{body}{-(doubled + sum(map(int, body[-2::-2]))) % 10}"


def code(matching_id="AB-12"):
    """An activation code from a server that the default settings allow."""
    return f"LPA:1$smdp.example.com${matching_id}"
