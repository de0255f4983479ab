"""One round of chaos: an evaluation, a fault, and the check of what is left. Needs Django to be set up."""

from __future__ import annotations

import contextlib
import random
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import connection

from benchmarks.chaos_faults import FAULTS, POSTGRES_FAULTS, Target
from benchmarks.processes import TimedOut, docker, parent_of, wait
from benchmarks.running_site import ORACLE, STEPS, RunningSite
from runs.models import Cell, Evaluation, Run, Try

SETTLE_SECONDS = 180.0
CLEAN_SECONDS = 40.0
POLL_SECONDS = 0.002
AGENTS = (ORACLE, STEPS)
ATTEMPTS = 2
STATES = ("preparing", "running", "grading", "settling")
HEADING = f"{'round':>5}  {'victim':<18}{'while':<11}{'took':>8}{'tries':>5}  how its tries ended"


@dataclass(frozen=True, slots=True)
class Round:
    """The result of one round. `tries`: the number of executions of all its attempts."""

    number: int
    fault: str
    state: str
    seconds: float
    tries: int
    ends: str
    violations: tuple[str, ...]

    def __str__(self) -> str:
        trouble = "; ".join(self.violations) or "ok"
        return (
            f"{self.number:>5}  {self.fault:<18}{self.state:<11}{self.seconds:>6.1f} s{self.tries:>5}  "
            f"{self.ends:<40}  {trouble}"
        )


def run_round(site: RunningSite, number: int, fault: str, chance: random.Random) -> Round:
    """Runs an evaluation, injects the fault ('' for none) and checks everything."""
    began = time.monotonic()
    evaluation = site.start(f"Round {number}", AGENTS, ATTEMPTS)
    state = _inject(site, evaluation, fault, chance) if fault else ""
    violations = []
    try:
        wait("the end of the runs", lambda: not _is_open(evaluation), SETTLE_SECONDS)
        wait("a clean engine", lambda: not _in_the_engine(site), CLEAN_SECONDS)
    except TimedOut as violation:
        violations.append(str(violation))
    violations += _violations(site, evaluation, fault)
    counts = Counter(Try.objects.filter(run__evaluation=evaluation).values_list("state", flat=True))
    ends = ", ".join(f"{count} {ended}" for ended, count in sorted(counts.items()))
    return Round(number, fault, state, time.monotonic() - began, counts.total(), ends, tuple(violations))


def left_at_the_end(site: RunningSite) -> list[str]:
    """What a stopped site left: processes, objects in the engine, temporary directories."""
    left = [f"process {pid}" for pid in site.served.processes()]
    left += [f"in the engine: {name}" for name in _in_the_engine(site)]
    return left + [str(path) for path in site.scratch.iterdir() if "-locks-" not in path.name]


def report(done: Sequence[Round], left: Sequence[str]) -> int:
    """Prints the counts of all rounds; returns the exit code."""
    broken = [one for one in done if one.violations]
    attempts = len(done) * len(AGENTS) * ATTEMPTS
    tries = sum(one.tries for one in done)
    print(f"\n{len(done) - 1} rounds, {attempts} attempts, {tries} tries")
    faults = Counter(f"{one.fault} while {one.state}" for one in done if one.fault)
    for name, count in sorted(faults.items()):
        print(f"  {name:<40}{count:>4}")
    violations = sum(len(one.violations) for one in broken)
    print(f"violations: {violations} in {len(broken)} rounds; left at the end: {left or 'nothing'}")
    return 1 if broken or left else 0


def _inject(site: RunningSite, evaluation: Evaluation, fault: str, chance: random.Random) -> str:
    """Injects the fault a seeded moment after a run came to a seeded state; returns the state."""
    wanted = chance.sample(STATES, len(STATES))[0]
    delay = 0.0 if wanted == "settling" else chance.uniform(0.0, 0.4)
    which = chance.randrange(len(AGENTS) * ATTEMPTS)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if not _is_open(evaluation):
            return "too late"
        live = Try.objects.filter(run__evaluation=evaluation, state=Try.State.LIVE).select_related("run")
        there = [one for one in live if _state(one) == wanted]
        if there:
            time.sleep(delay)
            target = Target(site, there[which % len(there)])
            with contextlib.suppress(ProcessLookupError, FileNotFoundError, subprocess.CalledProcessError):
                {**FAULTS, **POSTGRES_FAULTS}[fault](target)
            connection.close()  # the fault may have broken it
            return wanted
        time.sleep(POLL_SECONDS)
    return "never"


def _state(live: Try) -> str:
    """The run's state; "settling" once its summary is written."""
    return "settling" if (live.run.path / "run_summary.json").exists() else live.run.state


def _is_open(evaluation: Evaluation) -> bool:
    return evaluation.runs.filter(state__in=Run.OPEN).exists()


def _violations(site: RunningSite, evaluation: Evaluation, fault: str) -> list[str]:
    """What is wrong with the evaluation, which should have ended."""
    found = []
    runs = list(evaluation.runs.select_related("agent"))
    if len(runs) != len(AGENTS) * ATTEMPTS:
        found.append(f"{len(runs)} attempts, expected {len(AGENTS) * ATTEMPTS}")
    for run in runs:
        # An agent that kills its own tool server fails.
        found += _wrong_with(run, may_fail=fault == "tool-server")
    counted = {cell.agent_id: cell.attempts for cell in Cell.objects.all()}
    for agent in {run.agent_id for run in runs}:
        settled = Run.objects.filter(agent=agent, state="finished").exclude(outcome="infrastructure_failed")
        if counted.get(agent, 0) != settled.count():
            found.append(f"the cell counts {counted.get(agent, 0)} attempts, settled are {settled.count()}")
    if strays := list(_strays(site)):
        found.append(f"processes without a parent: {strays}")
    return found


def _wrong_with(run: Run, *, may_fail: bool) -> Iterator[str]:
    if run.state != "finished":
        yield f"{run.key} is {run.state}: {run.detail[:200]}"
        return
    expected = "resolved" if run.agent.slug == ORACLE else "unresolved"
    if run.outcome != expected and not may_fail:
        yield f"{run.key} is {run.outcome} ({run.ending}): {run.detail[:200]}"
    if run.ending != "completed" and not may_fail:
        yield f"{run.key} ended by {run.ending}: {run.detail[:200]}"
    tries = list(run.executions.order_by("number"))
    if [one.number for one in tries] != list(range(1, run.tries + 1)):
        yield f"{run.key} has the tries {[one.number for one in tries]}, not 1 to {run.tries}"
    settled = [one.number for one in tries if one.state == "settled"]
    if settled != [run.tries]:
        yield f"{run.key}: the tries {settled} are settled, not the last of {run.tries}"
    if any(one.state == "live" for one in tries):
        yield f"{run.key} has ended and has a live try"
    if not (run.path / "run_summary.json").exists():
        yield f"{run.key} has no summary"


def _in_the_engine(site: RunningSite) -> list[str]:
    """The containers, networks and volumes of the site."""
    label = f"--filter=label=benchbench.instance={site.instance}"
    listings = (("ps", "-aq"), ("network", "ls", "-q"), ("volume", "ls", "-q"))
    return [name for listing in listings for name in docker(*listing, label).split()]


def _strays(site: RunningSite) -> Iterator[int]:
    """Processes of the site that no longer descend from its supervisor."""
    assert site.served.process is not None
    for pid in site.served.processes():
        ancestor = pid
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            while ancestor > 1 and ancestor != site.served.process.pid:
                ancestor = parent_of(ancestor)
            if ancestor <= 1:
                yield pid
