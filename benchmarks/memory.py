"""How much memory a worker needs while it makes a run with a trajectory of 5 MB, and one of 50 MB.

    python -m benchmarks.memory [--megabytes 5 50]

A model (the scripted server) asks for commands with long outputs, again and again. What a worker shares with the pool
that it was forked from is counted in proportion (PSS): the sum over pool, worker and the process of the run is what one
worker costs this machine. Promised: at most 300 MB, and no more than a tenth more for the long trajectory. Exits with 1
when the promise is broken.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.workbench import Workbench, workbench
from harness.limits import Limits
from harness.model_server import ModelServer

if TYPE_CHECKING:
    from runs.models import Run

PROMISED_MB = 300.0
PROMISED_GROWTH = 1.1
LOOK_SECONDS = 0.2
OUTPUT = 29_000
COMMAND = f"head -c {OUTPUT * 3 // 4} /dev/urandom | base64 -w 100"


@dataclass(frozen=True, slots=True)
class Measured:
    """Peaks in MB. `alone`: the process of the run by itself, what it shares included (RSS)."""

    trajectory: float
    steps: int
    together: float
    alone: float


def main() -> int:
    """Prints the table; 1 when a promise is broken."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=int, nargs=2, default=(5, 50))
    sizes = parser.parse_args().megabytes
    call = {"name": "run_terminal_cmd", "arguments": {"command": COMMAND, "explanation": "Say much."}}
    with workbench() as bench, ModelServer([{"calls": [call]}] * 1000) as server:
        measured = [_measure(bench, server, size) for size in sizes]
    print(f"{'trajectory':>12}{'steps':>8}{'pool + worker + run, PSS':>28}{'the run alone, RSS':>22}")
    for one in measured:
        print(f"{one.trajectory:>9.1f} MB{one.steps:>8}{one.together:>25.0f} MB{one.alone:>19.0f} MB")
    short, long = measured
    kept = long.together <= PROMISED_MB and long.together <= PROMISED_GROWTH * short.together
    growth = long.together / short.together
    print(
        f"{long.together:.0f} MB, promised {PROMISED_MB:.0f}; {growth:.2f} times as much for the longer one, promised "
        f"{PROMISED_GROWTH}: {'kept' if kept else 'BROKEN'}"
    )
    return 0 if kept else 1


def _measure(bench: Workbench, server: ModelServer, megabytes: int) -> Measured:
    run = _start(server.url, megabytes)
    pool = bench.manage("work", "--workers", "1")
    together = alone = 0.0
    try:
        while not _over(run):
            sums, rss = _look(pool)
            together, alone = max(together, sums), max(alone, rss)
            server.requests.clear()  # it remembers all that it was asked
            time.sleep(LOOK_SECONDS)
    finally:
        pool.terminate()
        pool.wait(60)
    if run.state != "finished" or run.ending != "iteration_limit":
        raise SystemExit(f"the run is not what is measured here: {run.state}, {run.ending}, {run.detail}")
    size = (run.path / "trajectory.jsonl").stat().st_size / 1e6
    return Measured(size, run.steps, together, alone)


def _start(url: str, megabytes: int) -> Run:
    from runs.evaluations import start_evaluation  # noqa: PLC0415
    from runs.models import Agent, LanguageModel  # noqa: PLC0415
    from tasks.models import Task  # noqa: PLC0415

    slug = f"talker-{megabytes}"
    model = LanguageModel.objects.create(slug=slug, name=slug, litellm_id="openai/talker", api_base=url)
    agent = Agent.objects.create(slug=slug, name=slug, kind="ide", model=model)
    limits = Limits(iterations=megabytes * 1_000_000 // OUTPUT, wall_seconds=None)
    evaluation = start_evaluation(
        title=slug, agents=[agent], tasks=list(Task.objects.all()), attempts=1, limits=limits
    )
    return evaluation.runs.get()


def _over(run: Run) -> bool:
    run.refresh_from_db()
    return run.state not in run.OPEN


def _look(pool: subprocess.Popen[bytes]) -> tuple[float, float]:
    """PSS of the pool and all below it, and RSS of the youngest generation, in MB."""
    generations = _generations(pool.pid)
    together = sum(_memory(pid, "Pss") for generation in generations for pid in generation)
    # Pool, worker, run: what a run starts by itself (git) is no worker's memory.
    alone = sum(_memory(pid, "Rss") for pid in generations[2]) if len(generations) > 2 else 0.0
    # Who begins or ends meanwhile takes or leaves a share of the others': such sums are none.
    return (together, alone) if _generations(pool.pid) == generations else (0.0, 0.0)


def _generations(pid: int) -> list[list[int]]:
    found = [[pid]]
    while children := [child for parent in found[-1] for child in _children(parent)]:
        found.append(children)
    return found


def _children(pid: int) -> list[int]:
    with contextlib.suppress(FileNotFoundError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def _memory(pid: int, name: str) -> float:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) / 1000
    return 0.0


if __name__ == "__main__":
    sys.exit(main())
