"""The time of two workers for 60 runs of an agent that does nothing, compared with 120 empty containers.

    python -m benchmarks.throughput [--runs 60] [--workers 2]

The baseline creates, starts and removes as many containers of the same image with the engine's command line, as many at
once as there are workers; they run `true`. Promised: at most 1.5 times as long, without the time of the tests. Exits
with 1 when the promise is broken.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING

from benchmarks.command_line import benchmark_parser, conclude
from benchmarks.worker_site import WorkerSite, worker_site
from harness.sandbox.docker import DockerEngine

if TYPE_CHECKING:
    from runs.models import Evaluation

PROMISED_RATIO = 1.5
ATTEMPTS = 20


def main() -> int:
    """Prints both times; 1 when the promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--runs", type=int, default=60, help="a multiple of 20")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    with worker_site() as site:
        with closing(DockerEngine()) as engine:
            image = engine.image(site.arena.repository)
        before = _bare(image, 2 * options.runs, options.workers)
        evaluation = _work(site, options.runs, options.workers)
        after = _bare(image, 2 * options.runs, options.workers)
        total, tests = _times(evaluation)
    bare = (before + after) / 2
    own = total - tests / options.workers
    print(f"{options.runs} null runs, {options.workers} workers, seconds")
    print(f"  from the first claim to the last settlement      {total:8.1f}")
    print(f"  the tests' own time, by workers                  {tests / options.workers:8.1f}")
    print(f"  without the tests                                {own:8.1f}")
    print(f"  {2 * options.runs} bare containers, before and after       {before:8.1f}{after:8.1f}")
    return conclude(
        own <= PROMISED_RATIO * bare, f"{own / bare:.2f} times as long, promised {PROMISED_RATIO}"
    )


def _work(site: WorkerSite, runs: int, workers: int) -> Evaluation:
    from runs.models import Agent  # noqa: PLC0415 - needs Django

    agents = [
        Agent.objects.create(slug=f"null-{number}", name=f"Null {number}", kind="null")
        for number in range(runs // ATTEMPTS)
    ]
    evaluation = site.evaluate("Throughput", agents, ATTEMPTS)
    code = site.manage("work", "--burst", "--workers", str(workers)).wait()
    if code or set(evaluation.runs.values_list("outcome", "tries")) != {("unresolved", 1)}:
        raise SystemExit("the runs are not what is measured here")
    return evaluation


def _times(evaluation: Evaluation) -> tuple[float, float]:
    """Wall time from the first claim to the last settlement, and the total time of the tests."""
    runs = list(evaluation.runs.all())
    began = min(run.started_at for run in runs if run.started_at)
    ended = max(run.finished_at for run in runs if run.finished_at)
    tests = sum(json.loads((run.path / "tests.json").read_text())["seconds"] for run in runs)
    return (ended - began).total_seconds(), tests


def _bare(image: str, containers: int, at_once: int) -> float:
    began = time.monotonic()
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(_one, [image] * containers))
    return time.monotonic() - began


def _one(image: str) -> None:
    command = ["docker", "create", "--network", "none", "--init", "--entrypoint", "true", image]
    made = subprocess.run(command, capture_output=True, text=True, check=True)
    name = made.stdout.strip()
    subprocess.run(["docker", "start", "--attach", name], capture_output=True, check=True)
    subprocess.run(["docker", "rm", "--force", name], capture_output=True, check=True)


if __name__ == "__main__":
    sys.exit(main())
