"""Imports hostile archives, each in a process with at most 1 GB of address space, and then valid ones.

    python -m benchmarks.hostile_archives [--only NAME]

Guaranteed for each hostile archive: it is refused with exit code 1 and one line, without a traceback; neither the
database nor the disk keeps anything of it; and the process needs at most 300 MB (peak of its resident memory). Valid
archives in every format are imported, also one of 100 MB, in the same 1 GB. Exits with 1 if that is broken.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.command_line import benchmark_parser, conclude, mark
from benchmarks.database import load, prepare
from tests.harness.arena import Arena

if TYPE_CHECKING:
    from tests.runs.transfer.made_records import Elsewhere

ROOT = Path(__file__).parent.parent
MAX_MEMORY = 1 << 30
PROMISED_MB = 300.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """One import: its exit code, what it said, seconds, and the peak of its memory in MB."""

    code: int
    said: str
    seconds: float
    memory: float


def main() -> int:
    """Prints a line for each archive; 1 when a guarantee is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--only", default="", help="archives whose name holds this text")
    only = parser.parse_args().only
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        root = Path(name)
        (root / "data").mkdir()
        prepare(root / "data")
        Arena.make(root / "loaded")
        load(root / "loaded" / "tiny")
        _add_agents()
        return _measure(root, only)


def _measure(root: Path, only: str) -> int:
    from tasks.models import Task  # noqa: PLC0415 - needs Django
    from tests.runs.transfer.hostile_archives import FORMS  # noqa: PLC0415
    from tests.runs.transfer.made_records import Elsewhere  # noqa: PLC0415

    site = Elsewhere.knowing(Task.objects.get())
    empty = _state(root / "data")
    good = []
    peak = 0.0
    for form in FORMS:
        if only not in form.name:
            continue
        archive = root / "archive"
        form.write(site, archive)
        attempt = _import(archive)
        refused = attempt.code == 1 and form.error in attempt.said and attempt.said.count("\n") == 1
        met = refused and _state(root / "data") == empty and attempt.memory <= PROMISED_MB
        good.append(met)
        peak = max(peak, attempt.memory)
        _print(form.name, attempt, met)
        if not met:
            print(f"    {attempt.said.strip()[-2000:]}")
        archive.unlink()
    hostile = len(good)
    for kind, write in VALID.items():
        if only in kind:
            write(site, root / "archive")
            attempt = _import(root / "archive")
            good.append(attempt.code == 0 and "1 new run" in attempt.said)
            _print(kind, attempt, good[-1])
            (root / "archive").unlink()
    figure = f"{sum(good[:hostile])} of {hostile} hostile archives refused, {sum(good[hostile:])} of "
    return conclude(all(good), f"{figure}{len(good) - hostile} valid ones imported, at most {peak:.0f} MB")


def _add_agents() -> None:
    from runs.operations.evaluations.default_agents import create_standard_agents  # noqa: PLC0415 - needs Django

    create_standard_agents()


def _print(name: str, attempt: Attempt, met: bool) -> None:
    print(f"{name:<44}{attempt.seconds:>7.1f} s{attempt.memory:>7.0f} MB{mark(met)}", flush=True)


def _import(archive: Path) -> Attempt:
    """Imports in a process of its own. The peak is that of this child alone."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(
            [sys.executable, "manage.py", "import_runs", str(archive)],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=_limit,  # noqa: PLW1509 - this process has one thread
        )
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read().decode("utf-8", "replace")
    return Attempt(child.returncode, said, time.monotonic() - began, used.ru_maxrss / 1024)


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def _state(data: Path) -> tuple[object, ...]:
    """What the database and the disk hold."""
    from runs.models import Agent, Evaluation, LanguageModel, Run, Try  # noqa: PLC0415

    counts = [model._default_manager.count() for model in (Agent, Evaluation, LanguageModel, Run, Try)]
    kept = [path.name for path in data.iterdir() if "scratch" in path.name]
    return *counts, *kept, *sorted(path.name for path in (data / "runs").rglob("*"))


def _tar(mode: str, attempt: int) -> Callable[[Elsewhere, Path], object]:
    key = f"elsewhere-0a1b2c3d/visitor/calc/add-negatives/{attempt}"

    def write(site: Elsewhere, path: Path) -> None:
        from tests.runs.transfer.hostile_archives import tarred  # noqa: PLC0415 - needs Django

        tarred(path, site.files(run_id=key, attempt=attempt).items(), mode)

    return write


def _zip(site: Elsewhere, path: Path) -> None:
    from tests.runs.transfer.hostile_archives import zipped  # noqa: PLC0415

    zipped(path, site.files(run_id="elsewhere-0a1b2c3d/visitor/calc/add-negatives/5", attempt=5))


def _large(site: Elsewhere, path: Path) -> None:
    """1,000 steps of 100 KB."""
    from tests.runs.transfer.hostile_archives import tarred  # noqa: PLC0415

    text = "A long thought about numbers. " * 3500
    key = "elsewhere-0a1b2c3d/visitor/calc/add-negatives/6"
    tarred(path, site.files(run_id=key, attempt=6, steps=1000, text=text).items(), "w:gz")


VALID: Mapping[str, Callable[[Elsewhere, Path], object]] = {
    "valid: tar": _tar("w", 1),
    "valid: tar with gzip": _tar("w:gz", 2),
    "valid: tar with bzip2": _tar("w:bz2", 3),
    "valid: tar with xz": _tar("w:xz", 4),
    "valid: zip": _zip,
    "valid: 1,000 steps of 100 KB": _large,
}

if __name__ == "__main__":
    sys.exit(main())
