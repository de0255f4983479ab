"""Whether the processes of a site grow with the runs that they have made: memory, file descriptors, threads.

    python -m benchmarks.creep [--runs 200] [--engine docker|local]

What forks for each run cannot grow; what stays can: the pool, its workers, the sweeper, the web server. They are
measured after a tenth of the runs, when everything is loaded, and at the end. Promised: no process has more than 10 MB,
3 file descriptors or 1 thread more. Exits with 1 when the promise is broken.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import requests

from benchmarks.chaos import Rig
from benchmarks.chaos_victims import parent_of

MOST_MB, MOST_FDS, MOST_THREADS = 10.0, 3, 1
PATIENCE_SECONDS = 3600.0
ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Size:
    """Of one process, at one moment."""

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
    """Prints a line for each process that stays; 1 when one has grown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--engine", choices=["docker", "local"], default="docker")
    options = parser.parse_args()
    os.environ["BENCHBENCH_ENGINE"] = options.engine
    with tempfile.TemporaryDirectory(prefix="creep-") as directory:
        rig = Rig(Path(directory))
        with rig.running():
            _work(rig, options.runs // 10)
            names = _processes(rig)
            before = {pid: Size.of(pid) for pid in names}
            _work(rig, options.runs)
            after = {pid: Size.of(pid) for pid in names if Path(f"/proc/{pid}").exists()}
    print(
        f"\n{'process':<10}{'memory':>20}{'descriptors':>14}{'threads':>10}   after {options.runs} runs more"
    )
    for pid, size in after.items():
        was = before[pid]
        print(
            f"{names[pid]:<10}{was.megabytes:>8.1f} → {size.megabytes:.1f} MB{was.fds:>8} → {size.fds}"
            f"{was.threads:>7} → {size.threads}"
        )
    if gone := before.keys() - after.keys():
        print(f"ended meanwhile: {', '.join(names[pid] for pid in gone)}")
    met = not gone and all(_met(before[pid], size) for pid, size in after.items())
    print("met" if met else "BROKEN")
    return 0 if met else 1


def _met(was: Size, now: Size) -> bool:
    return (
        now.megabytes - was.megabytes <= MOST_MB
        and now.fds - was.fds <= MOST_FDS
        and now.threads - was.threads <= MOST_THREADS
    )


def _work(rig: Rig, runs: int) -> None:
    """So many runs of the oracle, watched by a reader."""
    from runs.evaluations.lifecycle import start_evaluation  # noqa: PLC0415
    from runs.models import Agent, Run  # noqa: PLC0415
    from tasks.models import Task  # noqa: PLC0415

    agent = Agent.objects.get(slug="chaos-oracle")
    task = Task.objects.get(repository__slug="calc")
    for first in range(0, runs, ATTEMPTS):
        evaluation = start_evaluation(
            title=f"Creep {first}", agents=[agent], tasks=[task], attempts=min(ATTEMPTS, runs - first)
        )
        deadline = time.monotonic() + PATIENCE_SECONDS
        while evaluation.runs.filter(state__in=Run.OPEN).exists():
            if time.monotonic() > deadline:
                raise SystemExit(f"the runs did not end within {PATIENCE_SECONDS:.0f} s")
            requests.get(rig.site.url + evaluation.get_absolute_url(), timeout=60).raise_for_status()
            time.sleep(0.5)


def _processes(rig: Rig) -> dict[int, str]:
    """Those that stay, by pid. Between runs there are no others."""
    names = {}
    for word, name in (("manage.py work", "work"), ("manage.py sweep", "sweep"), ("gunicorn", "web")):
        for pid in rig.site.find(word):
            inner = "manage.py work" in word and rig.site.find(word).count(parent_of(pid))
            names[pid] = "worker" if inner else name
    return names


if __name__ == "__main__":
    sys.exit(main())
