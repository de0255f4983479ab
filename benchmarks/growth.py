"""Whether the processes of a site grow with the runs that they execute: memory, file descriptors, threads.

    python -m benchmarks.growth [--runs 200] [--engine docker|local]

A process that is forked for one run does not grow; the others may: the pool, its workers, the sweeper, the web server.
They are measured after a tenth of the runs, when all modules are loaded, and at the end. Promised: no process has more
than 10 MB, 3 file descriptors or 1 thread more. Exits with 1 when the promise is broken.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import requests

from benchmarks.command_line import benchmark_parser, conclude
from benchmarks.processes import parent_of
from benchmarks.running_site import ORACLE, RunningSite

MAX_MB, MAX_FDS, MAX_THREADS = 10.0, 3, 1
MAX_SECONDS = 3600.0
ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Size:
    """The size of one process at one moment."""

    megabytes: float
    fds: int
    threads: int

    @classmethod
    def of(cls, pid: int) -> Size:
        """Raises FileNotFoundError when it is gone."""
        process = Path(f"/proc/{pid}")
        status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
        return cls(
            int(status["VmRSS"].split()[0]) / 1000,
            len(list((process / "fd").iterdir())),
            int(status["Threads"]),
        )


def main() -> int:
    """Prints a line for each process; 1 when one has grown or ended."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--engine", choices=["docker", "local"], default="docker")
    options = parser.parse_args()
    os.environ["BENCHBENCH_ENGINE"] = options.engine
    with tempfile.TemporaryDirectory(prefix="growth-") as directory:
        site = RunningSite(Path(directory))
        with site.started():
            _work(site, options.runs // 10)
            names = _processes(site)
            before = {pid: Size.of(pid) for pid in names}
            _work(site, options.runs)
            after = {pid: Size.of(pid) for pid in names if Path(f"/proc/{pid}").exists()}
    print(
        f"\n{'process':<10}{'memory':>20}{'descriptors':>14}{'threads':>10}   after {options.runs} more runs"
    )
    for pid, size in after.items():
        was = before[pid]
        print(
            f"{names[pid]:<10}{was.megabytes:>8.1f} → {size.megabytes:.1f} MB{was.fds:>8} → {size.fds}"
            f"{was.threads:>7} → {size.threads}"
        )
    if gone := before.keys() - after.keys():
        print(f"ended meanwhile: {', '.join(names[pid] for pid in gone)}")
    return conclude(not gone and all(_met(before[pid], size) for pid, size in after.items()))


def _met(was: Size, now: Size) -> bool:
    return (
        now.megabytes - was.megabytes <= MAX_MB
        and now.fds - was.fds <= MAX_FDS
        and now.threads - was.threads <= MAX_THREADS
    )


def _work(site: RunningSite, runs: int) -> None:
    """Executes `runs` runs of the oracle while it requests the page of their evaluation."""
    from runs.models import Run  # noqa: PLC0415 - needs Django

    for first in range(0, runs, ATTEMPTS):
        evaluation = site.start(f"Growth {first}", (ORACLE,), min(ATTEMPTS, runs - first))
        deadline = time.monotonic() + MAX_SECONDS
        while evaluation.runs.filter(state__in=Run.OPEN).exists():
            if time.monotonic() > deadline:
                raise SystemExit(f"the runs did not end within {MAX_SECONDS:.0f} s")
            requests.get(site.served.url + evaluation.get_absolute_url(), timeout=60).raise_for_status()
            time.sleep(0.5)


def _processes(site: RunningSite) -> dict[int, str]:
    """The processes that are not forked for a run, by pid."""
    names = {}
    for word, name in (("manage.py work", "work"), ("manage.py sweep", "sweep"), ("gunicorn", "web")):
        found = site.served.find(word)
        for pid in found:
            names[pid] = "worker" if name == "work" and parent_of(pid) in found else name
    return names


if __name__ == "__main__":
    sys.exit(main())
