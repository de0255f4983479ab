"""The memory of a worker during a run with a trajectory of 5 MB, and during one of 50 MB.

    python -m benchmarks.memory [--megabytes 5 50]

A model (the scripted server) requests commands with long outputs repeatedly. What a worker shares with the pool that it
was forked from is counted in proportion (PSS). A worker is two processes: itself, and the one that it forks for the
run; the pool above them waits, the same for any number of workers. Promised for a worker: at most 300 MB, and no more
than a tenth more for the long trajectory. Exits with 1 when the promise is broken.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.command_line import benchmark_parser, conclude
from benchmarks.worker_site import WorkerSite, worker_site
from harness.limits import Limits
from harness.llm.scripted_server import ModelServer

if TYPE_CHECKING:
    from runs.models import Run

PROMISED_MB = 300.0
PROMISED_GROWTH = 1.1
POLL_SECONDS = 0.2
OUTPUT = 29_000
COMMAND = f"head -c {OUTPUT * 3 // 4} /dev/urandom | base64 -w 100"


@dataclass(frozen=True, slots=True)
class Measured:
    """Peaks in MB. `worker`: with its run (PSS). `alone`: the process of the run with its shared memory (RSS)."""

    trajectory: float
    steps: int
    worker: float
    alone: float
    pool: float


def main() -> int:
    """Prints the table; 1 when a promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--megabytes", type=int, nargs=2, default=(5, 50))
    sizes = parser.parse_args().megabytes
    call = {"name": "run_terminal_cmd", "arguments": {"command": COMMAND, "explanation": "Say much."}}
    with worker_site() as site, ModelServer([{"calls": [call]}] * 1000) as server:
        measured = [_measure(site, server, size) for size in sizes]
    print(
        f"{'trajectory':>12}{'steps':>8}{'worker + run, PSS':>20}{'the run alone, RSS':>21}{'the pool, PSS':>16}"
    )
    for one in measured:
        print(
            f"{one.trajectory:>9.1f} MB{one.steps:>8}{one.worker:>17.0f} MB{one.alone:>18.0f} MB{one.pool:>13.0f} MB"
        )
    short, long = measured
    met = max(long.worker, long.alone) <= PROMISED_MB and long.worker <= PROMISED_GROWTH * short.worker
    growth = long.worker / short.worker
    return conclude(
        met,
        f"{long.worker:.0f} MB, promised {PROMISED_MB:.0f}; {growth:.2f} times as much for the longer one, promised "
        f"{PROMISED_GROWTH}",
    )


def _measure(site: WorkerSite, server: ModelServer, megabytes: int) -> Measured:
    run = _start(site, server.url, megabytes)
    peaks = (0.0, 0.0, 0.0)
    with site.worker() as pool:
        while not _has_ended(run):
            worker, alone, above = map(max, peaks, _sample(pool))
            peaks = (worker, alone, above)
            server.requests.clear()  # it stores all requests
            time.sleep(POLL_SECONDS)
    if run.state != "finished" or run.ending != "iteration_limit":
        raise SystemExit(f"the run is not what is measured here: {run.state}, {run.ending}, {run.detail}")
    size = (run.path / "trajectory.jsonl").stat().st_size / 1e6
    return Measured(size, run.steps or 0, *peaks)


def _start(site: WorkerSite, url: str, megabytes: int) -> Run:
    from runs.models import Agent, LanguageModel  # noqa: PLC0415 - needs Django

    slug = f"talker-{megabytes}"
    model = LanguageModel.objects.create(slug=slug, name=slug, litellm_id="openai/talker", api_base=url)
    agent = Agent.objects.create(slug=slug, name=slug, kind="ide", model=model)
    limits = Limits(iterations=megabytes * 1_000_000 // OUTPUT, wall_seconds=None)
    return site.evaluate(slug, [agent], limits=limits).runs.get()


def _has_ended(run: Run) -> bool:
    run.refresh_from_db()
    return run.state not in run.OPEN


def _sample(pool: subprocess.Popen[bytes]) -> tuple[float, float, float]:
    """PSS of a worker with its run, RSS of the run, PSS of the pool, in MB; what a run starts (git) is left out."""
    generations = _generations(pool.pid)[:3]
    worker = sum(_memory(pid, "Pss") for generation in generations[1:] for pid in generation)
    alone = sum(_memory(pid, "Rss") for pid in generations[2]) if len(generations) > 2 else 0.0
    above = _memory(pool.pid, "Pss")
    # A process that begins or ends meanwhile changes the shares of the others, so the sums are invalid.
    return (worker, alone, above) if _generations(pool.pid)[:3] == generations else (0.0, 0.0, 0.0)


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
