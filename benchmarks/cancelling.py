"""How long a run goes on after an operator cancels its evaluation, in each phase of a run.

    python -m benchmarks.cancelling [--only PHASE…]

A real worker with real containers, and a scripted model. Each run reaches a phase in which it would stay for minutes;
then its evaluation is cancelled. The measured time ends when the run has ended in the database and none of its
containers is left. Promised: 5 seconds, in every phase. Exits with 1 when the promise is broken.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.command_line import benchmark_parser, conclude
from benchmarks.database import load
from benchmarks.processes import docker, wait
from benchmarks.worker_site import WorkerSite, worker_site
from harness.limits import Limits
from harness.llm.scripted_server import ModelServer
from tests.harness.arena import Arena, script, shell
from tests.harness.worlds import BASE_IMAGE, write_tiny_dataset

if TYPE_CHECKING:
    from runs.models import Run

PROMISED_SECONDS = 5.0
MAX_SECONDS = 120.0
# The toolbox may have to be built.
READY_SECONDS = 900.0
LOOK_SECONDS = 0.05
LONG = 600
API_TOOLS = ("api_call",)

# The script of the model server, by model.
MODELS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "hangs": [{"before": [{"hang": LONG}]}],
    "refuses": [{"before": [{"status": 503}] * 5}],
    "limited": [{"calls": [{"name": "list_dir", "arguments": {"explanation": "Look."}}]}] * 3,
}
RATES = "openai/limited=1/"
_SILENT_SERVER = "python3 -c \"import socket,time; s=socket.create_server(('',8123)); time.sleep(600)\""


@dataclass(frozen=True, slots=True)
class Phase:
    """When a run is cancelled: `after` seconds after it reached `state`.

    `steps`: the steps of a scripted agent. Without steps, an agent calls the model `model`, or else the oracle runs.
    """

    name: str
    state: str
    after: float = 1.0
    steps: Sequence[Sequence[tuple[str, Mapping[str, Any]]]] = ()
    model: str = ""
    run_tests: str = ""
    dockerfile: str = ""
    tools: Sequence[str] = ()
    repeats: int = 1


PHASES = (
    Phase("the image is built", "preparing", dockerfile=f"RUN echo {time.time()} && sleep {LONG}\n"),
    Phase("the model is called and does not respond", "running", model="hangs"),
    Phase("the model failed, its next try waits", "running", 2.0, model="refuses"),
    Phase("a request waits for the rate limit", "running", 3.0, model="limited"),
    Phase("a command of ten minutes", "running", steps=[[shell(f"sleep {LONG}")]]),
    Phase("a command that ignores signals", "running", steps=[[shell(f"trap '' TERM INT; sleep {LONG}")]]),
    Phase("a command that floods", "running", steps=[[shell("yes")]]),
    Phase(
        "background processes, and a wait for them",
        "running",
        2.0,
        steps=[
            [("run_terminal_cmd", {"command": f"sleep {LONG}", "background": True})],
            [shell("wait; sleep 600")],
        ],
    ),
    Phase(
        "a toolbox call to a server that does not respond",
        "running",
        8.0,
        steps=[
            [("run_terminal_cmd", {"command": _SILENT_SERVER, "background": True})],
            [("api_call", {"method": "GET", "url": "http://localhost:8123/", "timeout": 120})],
        ],
        tools=API_TOOLS,
    ),
    Phase("tests that hang", "grading", run_tests=f"sleep {LONG}"),
    Phase(
        "tests that hang and have closed their output", "grading", run_tests=f"exec >&- 2>&-; sleep {LONG}"
    ),
    Phase("tests that flood", "grading", run_tests="yes"),
    Phase("tests that are repeated, each for a second", "grading", 4.0, run_tests="sleep 1", repeats=50),
)


@dataclass(slots=True)
class Measurement:
    """A worker and a model for all phases, one after the other."""

    site: WorkerSite
    server: ModelServer

    def measure(self, phase: Phase) -> tuple[float, str]:
        """Seconds from the cancellation to the end, and how the run ended."""
        from runs.operations.evaluations.lifecycle import cancel_evaluation  # noqa: PLC0415

        run = self._start(phase)
        wait(f"{phase.state} ({phase.name})", lambda: _has_reached(run, phase.state), READY_SECONDS)
        time.sleep(phase.after)
        if _state(run) != phase.state:
            raise SystemExit(f"{phase.name}: the run is already {run.state}: {run.detail}")
        cancel_evaluation(run.evaluation)
        began = time.monotonic()
        while _state(run) in run.OPEN or self._containers():
            if time.monotonic() - began > MAX_SECONDS:
                return MAX_SECONDS, f"still {run.state}"
            time.sleep(LOOK_SECONDS)
        return time.monotonic() - began, f"{run.state}, {run.ending}"

    def _start(self, phase: Phase) -> Run:
        number = len(list(self.site.arena.root.glob("phase-*")))
        root = self.site.arena.root / f"phase-{number}"
        root.mkdir()
        load(_dataset(root, phase))
        agent, limits = self._agent(phase, number), Limits(grade_repeats=phase.repeats)
        return self.site.evaluate(phase.name, [agent], limits=limits).runs.get()

    def _agent(self, phase: Phase, number: int) -> Any:
        from runs.models import Agent, LanguageModel  # noqa: PLC0415

        slug = f"agent-{number}"
        if phase.steps:
            return Agent.objects.create(slug=slug, name=slug, kind="scripted", settings=script(*phase.steps))
        if not phase.model:
            return Agent.objects.create(slug=slug, name=slug, kind="oracle")
        model = LanguageModel.objects.create(
            slug=slug, name=slug, litellm_id=f"openai/{phase.model}", api_base=self.server.url
        )
        return Agent.objects.create(slug=slug, name=slug, kind="ide", model=model)

    def _containers(self) -> list[str]:
        return docker("ps", "-aq", f"--filter=label=benchbench.instance={self.site.instance}").split()


def main() -> int:
    """Prints a line for each phase; 1 when one took longer than promised."""
    parser = benchmark_parser(__doc__)
    parser.add_argument(
        "--only", nargs="+", default=[""], help="phases whose names contain one of these texts"
    )
    words = parser.parse_args().only
    chosen = [phase for phase in PHASES if any(word in phase.name for word in words)]
    slowest = 0.0
    os.environ["BENCHBENCH_RATE_LIMITS"] = RATES
    with worker_site() as site, ModelServer(MODELS) as server, site.worker():
        measurement = Measurement(site, server)
        print(f"{'cancelled while':<50}{'ended after':>12}  as")
        for phase in chosen:
            seconds, ending = measurement.measure(phase)
            slowest = max(slowest, seconds)
            print(f"{phase.name:<50}{seconds:>10.1f} s  {ending}", flush=True)
    met = slowest <= PROMISED_SECONDS
    return conclude(met, f"at most {slowest:.1f} s, promised {PROMISED_SECONDS:.0f}")


def _dataset(root: Path, phase: Phase) -> Path:
    dataset = write_tiny_dataset(root)
    if phase.dockerfile:
        (dataset / "calc/Dockerfile").write_text(f"FROM {BASE_IMAGE}\n{phase.dockerfile}", encoding="utf-8")
    if phase.run_tests:
        (dataset / "calc/run_tests.sh").write_text(f"#!/bin/sh\n{phase.run_tests}\n", encoding="utf-8")
    if phase.tools:
        with (dataset / "calc/repository.toml").open("a", encoding="utf-8") as file:
            file.write(f"tools = {list(phase.tools)}\n")
    Arena.make_from(root, dataset)
    return dataset


def _has_reached(run: Run, state: str) -> bool:
    if _state(run) == state:
        return True
    if run.failures or run.state not in run.OPEN:
        raise SystemExit(f"the run is {run.state} and never reached {state}: {run.detail}")
    return False


def _state(run: Run) -> str:
    run.refresh_from_db()
    return run.state


if __name__ == "__main__":
    sys.exit(main())
