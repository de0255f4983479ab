"""Kills one process of a working site at a seeded moment, round after round, and counts what became of the work.

    python -m benchmarks.chaos [--rounds 100] [--seed 1] [--database sqlite|postgres] [--victims NAME…]

In each round an evaluation of the tiny dataset goes on, with real workers, Redis, web server and containers; when one
of its runs is preparing, acting, grading or settling, one process is killed; with `--database postgres` that may be
the database itself, or all connections to it. Then every attempt must be settled exactly
once, every try be met, and no container, network, volume, process or temporary directory be left. Exits with 1 when
something else is found.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from benchmarks.chaos_victims import (
    POSTGRES_VICTIMS,
    VICTIMS,
    WEIGHTS,
    NeverCame,
    Scene,
    docker,
    parent_of,
    wait,
)
from tests.browser.site import Site
from tests.harness.arena import Arena, script, shell
from tests.postgres import PostgresServer

if TYPE_CHECKING:
    from runs.models import Evaluation, Run, Try

LOST_AFTER_SECONDS = 4
PATIENCE_SECONDS = 180.0
CLEAN_SECONDS = 40.0
LOOK_SECONDS = 0.002
ATTEMPTS = 2
STATES = ("preparing", "running", "grading", "settling")


@dataclass(slots=True)
class Rig:
    """A site to hurt, with two agents on the tiny task. Django speaks to the same database."""

    root: Path
    postgres: PostgresServer | None = None
    instance: str = field(default_factory=lambda: f"chaos-{uuid4().hex[:8]}")
    scratch: Path = field(init=False)
    site: Site = field(init=False)

    def __post_init__(self) -> None:
        self.scratch = self.root / "tmp"
        self.scratch.mkdir()
        environment = {
            "BENCHBENCH_INSTANCE": self.instance,
            "BENCHBENCH_LOST_AFTER_SECONDS": str(LOST_AFTER_SECONDS),
            "BENCHBENCH_RETRY_SECONDS": "1",
            "BENCHBENCH_MAX_TRIES": "10",
            "TMPDIR": str(self.scratch),
        }
        if self.postgres:
            environment["DATABASE_URL"] = self.postgres.url
        self.site = Site(self.root / "data", environment)
        os.environ.update(environment, BENCHBENCH_DATA=str(self.site.data), LOG_LEVEL="ERROR")

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """The site, readied with the tiny dataset and two agents; stopped in the end."""
        import django  # noqa: PLC0415 - the environment above names its database

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchbench.settings")
        django.setup()
        self.site.__enter__()
        try:
            self._ready()
            yield
        finally:
            self.site.stop()

    def start(self, title: str) -> Evaluation:
        """One more evaluation: two agents, two attempts each."""
        from runs.evaluations.lifecycle import start_evaluation  # noqa: PLC0415
        from runs.models import Agent  # noqa: PLC0415
        from tasks.models import Task  # noqa: PLC0415

        agents = list(Agent.objects.filter(slug__in=["chaos-oracle", "chaos-steps"]))
        task = Task.objects.get(repository__slug="calc")
        return start_evaluation(title=title, agents=agents, tasks=[task], attempts=ATTEMPTS)

    def _ready(self) -> None:
        from django.core.management import call_command  # noqa: PLC0415

        from runs.models import Agent  # noqa: PLC0415

        Arena.make(self.root)
        call_command("load_dataset", str(self.root / "tiny"), verbosity=0)
        Agent.objects.create(slug="chaos-oracle", name="Oracle", kind="oracle")
        steps = script(*([shell("sleep 0.2; echo on >> log")] for _ in range(5)))
        Agent.objects.create(slug="chaos-steps", name="Steps", kind="scripted", settings=steps)


@dataclass(frozen=True, slots=True)
class Round:
    """What happened in one round. `tries`: how many executions its attempts took in all."""

    number: int
    victim: str
    state: str
    seconds: float
    tries: int
    ends: str
    violations: tuple[str, ...]

    def __str__(self) -> str:
        trouble = "; ".join(self.violations) or "ok"
        return (
            f"{self.number:>5}  {self.victim:<18}{self.state:<11}{self.seconds:>6.1f} s{self.tries:>5}  "
            f"{self.ends:<40}  {trouble}"
        )


def main() -> int:
    """Prints a line a round and the sum; 1 when anything was lost, doubled or left."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--victims", nargs="+", choices=sorted({**VICTIMS, **POSTGRES_VICTIMS}))
    options = parser.parse_args()
    victims = {**VICTIMS, **(POSTGRES_VICTIMS if options.database == "postgres" else {})}
    chosen = options.victims or sorted(victims)
    if not victims.keys() >= set(chosen):
        parser.error(f"only with --database postgres: {', '.join(sorted(set(chosen) - victims.keys()))}")
    with (
        tempfile.TemporaryDirectory(prefix="chaos-") as directory,
        _database(options.database) as postgres,
    ):
        rig = Rig(Path(directory), postgres)
        done = []
        with rig.running():
            print(f"{'round':>5}  {'victim':<18}{'while':<11}{'took':>8}{'tries':>5}  how its tries ended")
            for number in range(options.rounds + 1):
                chance = random.Random(f"{options.seed}/{number}")
                # No process is killed in round 0: it builds the image and shows that the setup works.
                victim = _choose(chance, chosen) if number else ""
                done.append(_round(rig, number, victim, chance))
                print(done[-1], flush=True)
        left = _left_at_the_end(rig)
        if any(one.violations for one in done) or left:
            print(rig.site.output()[-20_000:], file=sys.stderr)
    return _report(done, left)


@contextlib.contextmanager
def _database(name: str) -> Iterator[PostgresServer | None]:
    """A PostgreSQL server that may be hurt, or nothing: SQLite lies in the site's directory."""
    if name == "sqlite":
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="chaos-postgres-") as directory:
        server = PostgresServer(Path(directory))
        server.start()
        try:
            yield server
        finally:
            server.crash()


def _report(done: list[Round], left: list[str]) -> int:
    broken = [one for one in done if one.violations]
    attempts = len(done) * 2 * ATTEMPTS
    tries = sum(one.tries for one in done)
    print(f"\n{len(done) - 1} rounds, {attempts} attempts, {tries} tries")
    for name, count in sorted(
        Counter(f"{one.victim} while {one.state}" for one in done if one.victim).items()
    ):
        print(f"  {name:<40}{count:>4}")
    violations = sum(len(one.violations) for one in broken)
    print(f"violations: {violations} in {len(broken)} rounds; left at the end: {left or 'nothing'}")
    return 1 if broken or left else 0


def _choose(chance: random.Random, victims: list[str]) -> str:
    return chance.choices(victims, [WEIGHTS.get(name, 1) for name in victims])[0]


def _round(rig: Rig, number: int, victim: str, chance: random.Random) -> Round:
    began = time.monotonic()
    evaluation = rig.start(f"Round {number}")
    state = _strike(rig, evaluation, victim, chance) if victim else ""
    violations = []
    try:
        wait("the end of the runs", lambda: not _open(evaluation), PATIENCE_SECONDS)
        wait("a clean engine", lambda: not _in_the_engine(rig), CLEAN_SECONDS)
    except NeverCame as violation:
        violations.append(str(violation))
    violations += _violations(rig, evaluation, victim)
    tries = _tries(evaluation)
    ends = ", ".join(
        f"{count} {state}" for state, count in sorted(Counter(one.state for one in tries).items())
    )
    return Round(number, victim, state, time.monotonic() - began, len(tries), ends, tuple(violations))


def _strike(rig: Rig, evaluation: Evaluation, victim: str, chance: random.Random) -> str:
    """Kills when a run of the evaluation is in a seeded state, a seeded moment later; returns the state."""
    from django.db import connection  # noqa: PLC0415 - Django is set up by now

    order = chance.sample(STATES, len(STATES))
    wanted = order[0]
    delay = 0.0 if wanted == "settling" else chance.uniform(0.0, 0.4)
    which = chance.randrange(2 * ATTEMPTS)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if not _open(evaluation):
            return "too late"
        live = _live(evaluation)
        there = [one for one in live if _state(one) == wanted]
        if there:
            time.sleep(delay)
            target = there[which % len(there)]
            with contextlib.suppress(ProcessLookupError, FileNotFoundError, subprocess.CalledProcessError):
                {**VICTIMS, **POSTGRES_VICTIMS}[victim](Scene(rig.site, rig.instance, target, rig.postgres))
            connection.close()  # it may have been a victim, too
            return wanted
        time.sleep(LOOK_SECONDS)
    return "never"


def _violations(rig: Rig, evaluation: Evaluation, victim: str) -> list[str]:
    """What is wrong with the evaluation, now that it should be over."""
    from runs.models import Cell, Run  # noqa: PLC0415

    found = []
    runs = list(evaluation.runs.select_related("agent"))
    if len(runs) != 2 * ATTEMPTS:
        found.append(f"{len(runs)} attempts, expected {2 * ATTEMPTS}")
    for run in runs:
        found += _wrong_with(run, forgiving=victim == "tool-server")
    counted = {cell.agent_id: cell.attempts for cell in Cell.objects.all()}
    for agent in {run.agent_id for run in runs}:
        settled = Run.objects.filter(agent=agent, state="finished").exclude(outcome="infrastructure_failed")
        if counted.get(agent, 0) != settled.count():
            found.append(f"the cell counts {counted.get(agent, 0)} attempts, settled are {settled.count()}")
    strays = _strays(rig)
    if strays:
        found.append(f"processes without a parent: {strays}")
    return found


def _wrong_with(run: Run, *, forgiving: bool) -> list[str]:
    found = []
    expected = "resolved" if run.agent.slug == "chaos-oracle" else "unresolved"
    if run.state != "finished":
        return [f"{run.key} is {run.state}: {run.detail[:200]}"]
    if run.outcome != expected and not forgiving:
        found.append(f"{run.key} is {run.outcome} ({run.ending}): {run.detail[:200]}")
    if run.ending != "completed" and not forgiving:
        found.append(f"{run.key} ended by {run.ending}: {run.detail[:200]}")
    tries = list(run.executions.order_by("number"))
    if [one.number for one in tries] != list(range(1, run.tries + 1)):
        found.append(f"{run.key} has the tries {[one.number for one in tries]}, not 1 to {run.tries}")
    settled = [one.number for one in tries if one.state == "settled"]
    if settled != [run.tries]:
        found.append(f"{run.key}: the tries {settled} are settled, not the last of {run.tries}")
    if any(one.state == "live" for one in tries):
        found.append(f"{run.key} is over and has a live try")
    if not (run.path / "run_summary.json").exists():
        found.append(f"{run.key} has no summary")
    return found


# --- looking ---


def _tries(evaluation: Evaluation) -> list[Try]:
    from runs.models import Try  # noqa: PLC0415

    return list(Try.objects.filter(run__evaluation=evaluation))


def _live(evaluation: Evaluation) -> list[Try]:
    from runs.models import Try  # noqa: PLC0415

    return list(Try.objects.filter(run__evaluation=evaluation, state="live").select_related("run"))


def _state(live: Try) -> str:
    """What the run is doing; settling begins when its summary is written."""
    return "settling" if (live.run.path / "run_summary.json").exists() else live.run.state


def _open(evaluation: Evaluation) -> int:
    from runs.models import Run  # noqa: PLC0415

    return evaluation.runs.filter(state__in=Run.OPEN).count()


def _in_the_engine(rig: Rig) -> list[str]:
    label = f"--filter=label=benchbench.instance={rig.instance}"
    return [
        *docker("ps", "-aq", label).split(),
        *docker("network", "ls", "-q", label).split(),
        *docker("volume", "ls", "-q", label).split(),
    ]


def _strays(rig: Rig) -> list[int]:
    """Processes of the site that no longer descend from its supervisor."""
    assert rig.site.process is not None
    found = []
    for pid in rig.site.processes():
        ancestor = pid
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            while ancestor > 1 and ancestor != rig.site.process.pid:
                ancestor = parent_of(ancestor)
            if ancestor <= 1:
                found.append(pid)
    return found


def _left_at_the_end(rig: Rig) -> list[str]:
    """What a stopped site left: processes, things in the engine, temporary directories."""
    left = [f"process {pid}" for pid in rig.site.processes()]
    left += [f"in the engine: {name}" for name in _in_the_engine(rig)]
    return left + [
        str(path) for path in rig.scratch.iterdir() if "-locks-" not in path.name and path != rig.scratch
    ]


if __name__ == "__main__":
    sys.exit(main())
