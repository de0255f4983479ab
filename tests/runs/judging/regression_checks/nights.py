"""A schedule over scenarios with two personas each, and nights in which its agent did well or badly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from harness.records import Outcome
from harness.sandbox.base import EngineStatus
from runs.judging.regression_checks.starting_checks import start_check
from runs.judging.regression_checks.stepping import open_checks, take_step
from runs.models import Agent, Evaluation, RegressionCheck, Run, Schedule
from tasks.models import Task
from tests.runs.cast import Cast, identity_of
from tests.runs.tiny import summary_of, write_run

ENGINE = EngineStatus(True, "a stand-in")
FIRST = datetime(2026, 3, 1, 2, tzinfo=UTC)
SCENARIOS = 10
PERSONAS = ("default", "toxic")


def everything(run: Run) -> bool:
    """Every run is resolved."""
    return bool(run.pk)


def nothing(run: Run) -> bool:
    """No run is resolved."""
    return not run.pk


@dataclass
class Nights:
    """The schedule of an agent that does nothing in truth: `play` writes the records of its runs."""

    cast: Cast = field(default_factory=Cast)
    agent: Agent = field(init=False)
    schedule: Schedule = field(init=False)

    def __post_init__(self) -> None:
        self.agent = self.cast.idler()
        self.schedule = self.add_schedule()

    def add_schedule(self, title: str = "Night watch", **more: Any) -> Schedule:
        """One more schedule over all tasks; they are made with the first."""
        if not Task.objects.filter(slug__endswith=".toxic").exists():
            for number in range(SCENARIOS):
                for persona in PERSONAS:
                    (task,) = self.cast.add_tasks(1, start=100)
                    task.slug = f"scenario-{number}.{persona}"
                    task.save()
        made = Schedule.objects.create(title=title, agent=self.agent, **more)
        made.tasks.set(Task.objects.filter(slug__startswith="scenario-"))
        Schedule.objects.filter(pk=made.pk).update(armed_at=FIRST - timedelta(days=1))
        made.refresh_from_db()
        return made

    def begin(self, night: int, schedule: Schedule | None = None) -> RegressionCheck:
        """The check of a night, which has just been started."""
        started = start_check(schedule or self.schedule, FIRST + timedelta(days=night), ENGINE)
        assert started is not None
        return started

    def night(
        self, number: int, resolved: Callable[[Run], bool] = everything, **more: Any
    ) -> RegressionCheck:
        """A whole night: the runs are over and the steps are taken."""
        check = self.begin(number)
        play(check, resolved, **more)
        return finish(check)


def play(check: RegressionCheck, resolved: Callable[[Run], bool] = everything, **more: Any) -> Evaluation:
    """Ends the evaluation: each run has a record. `lost`: so many runs have no verdict; `more` is of all summaries."""
    evaluation = check.candidate
    assert evaluation is not None
    lost = more.pop("lost", 0)
    for place, run in enumerate(
        evaluation.runs.select_related("agent", "task__repository", "evaluation").order_by("pk")
    ):
        run.state, run.tries, run.directory = Run.State.FINISHED, 1, f"{run.key}/try-1"
        run.outcome = Run.Outcome.RESOLVED if resolved(run) else Run.Outcome.UNRESOLVED
        if place < lost:
            run.outcome = Run.Outcome.INFRASTRUCTURE_FAILED
        run.finished_at = timezone.now()
        run.save()
        values = {"outcome": Outcome(run.outcome), "environment": {"limits": evaluation.limits}, **more}
        write_run(run.path, summary_of(run, identity=identity_of(run), **values))
    evaluation.state, evaluation.finished_at = Evaluation.State.FINISHED, timezone.now()
    evaluation.save()
    return evaluation


def finish(check: RegressionCheck) -> RegressionCheck:
    """Takes all steps that can be taken now."""
    while any(take_step(one) for one in open_checks()):
        pass
    return RegressionCheck.objects.get(pk=check.pk)
