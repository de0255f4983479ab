"""The time of a run of 30 steps from its start until its containers are removed, without the time of its tests.

    python -m benchmarks.run_overhead [--runs 7]

For comparison, as the lower bound: two times `docker run --rm` of the same image, with a command that does nothing. The
image is built before. Promised (median): at most 2.5 s. Exits with 1 when the promise is broken.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from uuid import uuid4

from benchmarks.command_line import benchmark_parser, conclude
from harness.agents.base import AgentSpec
from harness.execute import execute_run
from harness.limits import Limits
from harness.records import Outcome
from harness.sandbox.docker import DockerEngine
from tests.harness.arena import Arena, script, shell, write
from tests.harness.worlds import SOLUTION

PROMISED_SECONDS = 2.5
STEPS = 30


@dataclass(frozen=True, slots=True)
class Measured:
    """One run, in seconds. `total`: from its start until its containers are removed. `tests`: the time of the tests."""

    prepare: float
    act: float
    grade: float
    tests: float
    total: float

    @property
    def beyond(self) -> float:
        return self.total - self.tests


def main() -> int:
    """Prints the table; 1 when the promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--runs", type=int, default=7)
    runs: int = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as directory, closing(DockerEngine()) as engine:
        arena = Arena.make(Path(directory))
        image = engine.image(arena.repository)
        measured, baseline = [], []
        for number in range(runs):
            measured.append(_run(arena, engine, number))
            baseline.append(_nothing_twice(image))
    print(f"{runs} runs of {STEPS} steps, seconds (median, worst)")
    for name in ("prepare", "act", "grade", "tests", "total", "beyond"):
        values = [getattr(one, name) for one in measured]
        print(f"  {name:<10}{median(values):7.2f}{max(values):8.2f}")
    print(f"  {'docker run --rm, twice':<10}{median(baseline):7.2f}{max(baseline):8.2f}")
    beyond = median(one.beyond for one in measured)
    return conclude(
        beyond <= PROMISED_SECONDS, f"beyond the tests: {beyond:.2f} s, promised {PROMISED_SECONDS} s"
    )


def _run(arena: Arena, engine: DockerEngine, number: int) -> Measured:
    spec = AgentSpec("benchmark", "scripted", _thirty_steps())
    directory = arena.root / f"benchmark-{number}"
    began = time.monotonic()
    summary = execute_run(
        repository=arena.repository,
        task=arena.task,
        agent=spec,
        identity=arena.identity(spec, number),
        directory=directory,
        engine=engine,
        limits=Limits(),
        instance=f"benchmark-{uuid4().hex[:8]}",
    )
    total = time.monotonic() - began
    if summary.outcome is not Outcome.RESOLVED or summary.steps != STEPS + 1:
        raise SystemExit(f"the run is not what is measured here: {summary.outcome}, {summary.detail}")
    tests = json.loads((directory / "tests.json").read_text())["seconds"]
    return Measured(summary.prepare_seconds, summary.act_seconds, summary.grade_seconds, tests, total)


def _thirty_steps() -> dict[str, object]:
    """The steps of the agent: lists, searches, reads, edits with tools and with the shell, and solves the task."""
    looking = [
        ("list_dir", {"path": "."}),
        ("grep_search", {"pattern": "def "}),
        ("codebase_search", {"query": "parse"}),
    ]
    steps = []
    for number in range(7):
        steps += [[looking[number % 3]], [("read_file", {"path": "calc/sums.py"})]]
        steps += [[write(f"notes/{number}.md", "# Notes\n")], [shell(f"rm notes/{number}.md")]]
    steps += [[write(path, content)] for path, content in SOLUTION.items()]
    assert len(steps) == STEPS
    return script(*steps)


def _nothing_twice(image: str) -> float:
    began = time.monotonic()
    for _ in range(2):
        command = ["docker", "run", "--rm", "--network", "none", "--entrypoint", "true", image]
        subprocess.run(command, check=True)
    return time.monotonic() - began


if __name__ == "__main__":
    sys.exit(main())
