"""What a worker does for a submitted run: grade its patch again in a clean container. The agent does not run."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import F, QuerySet
from django.utils import timezone

from harness.errors import HarnessError, InfrastructureError
from harness.grading.grade import grade
from harness.records import LOG, PATCH, TESTS, Grade, Outcome, RunRecord
from harness.redaction import Redactor
from harness.sandbox.base import ContainerLimits, ContainerUse, Engine, Interrupt, Owner
from runs.data.queries.filters import is_due
from runs.jobs.claims import LEAVING, end_try, retry_delay, silence
from runs.jobs.heartbeats import Heartbeat
from runs.jobs.swept_work import ContainerWork
from runs.models import SubmittedRun
from tasks.loading import find_on_disk

log = logging.getLogger(__name__)

State = SubmittedRun.State
FLAGS = "flags.json"


class RegradingPaused(Exception):
    """The worker has to end, or another try began: the run goes back to the queue."""


class RegradingWork(ContainerWork[SubmittedRun]):
    """Gradings of submitted runs. After a failure of the infrastructure another try follows, after a pause."""

    model = SubmittedRun
    plural = "gradings of submissions"
    called = "submitted run"
    ended = "graded"
    related = ("submission", "task__repository__dataset")
    label = "regrading"
    stopped = "The site was stopped while it was graded; it is graded again."

    def waiting(self) -> QuerySet[SubmittedRun]:
        """Those that pause are left out."""
        return super().waiting().filter(is_due())

    def trouble(self, engine: Engine) -> str:
        """Patches of others run in containers, or not at all."""
        here = "" if engine.isolated else "Patches are only graded in containers: unset BENCHBENCH_ENGINE."
        return super().trouble(engine) or here

    def lose(self, dead: SubmittedRun) -> bool:
        """A failure of the infrastructure."""
        lost = lose_regrading(dead, silence())
        if lost:
            log.warning("the grading of %s is lost (%s)", dead.key, dead.worker)
            self.remove_containers(dead.pk)
        return lost


def regrade_run(submitted_id: int, try_number: int) -> None:
    """Grades one submitted run. A second or late call does nothing.

    Without a container engine, or without space, it stays queued, and the sweeper enqueues it again.
    """
    RegradingWork().take_with_engine(submitted_id, try_number, _work, not_before=None)


def _stop_if(heartbeat: Heartbeat) -> None:
    if LEAVING.is_set() or heartbeat.stopped.is_set():
        raise RegradingPaused


def _work(run: SubmittedRun, engine: Engine, heartbeat: Heartbeat) -> None:
    log.info("submitted run %s is graded again", run.key)
    try:
        engine.sweep(RegradingWork().instance_of(run.pk))  # what a killed try left
        found = _graded(run, engine, lambda: _stop_if(heartbeat))
        _write(run, found)
    except RegradingPaused:
        _settle(run, State.QUEUED, message="Its worker had to end; it is graded again.")
    except (InfrastructureError, OSError) as error:
        lose_regrading(run, f"The infrastructure failed: {error}")
    except (HarnessError, LookupError, ValueError) as error:
        _settle(run, State.FAILED, message=f"Not graded here: {error}")
    except Exception as error:
        log.exception("the grading of submitted run %s broke", run.key)
        lose_regrading(run, f"{type(error).__name__}: {error}")
    else:
        outcome = Outcome.RESOLVED if found.resolved else Outcome.UNRESOLVED
        values = {"outcome": outcome.value, "tests_passed": found.passed, "reason": found.reason}
        _settle(run, State.GRADED, graded_at=timezone.now(), **values)


def _graded(run: SubmittedRun, engine: Engine, interrupt: Interrupt) -> Grade:
    """As the grading of a run of this site, and every success by a second test run under other traps.

    The sender says of which kind the agent is, so no kind is trusted. Raises FileNotFoundError if this host does not
    have the records: a run without a patch would be graded as one that changed nothing. Raises ValueError if the task
    was changed since the run was sent.
    """
    summary = RunRecord(run.path).summary()
    if summary is None:
        raise FileNotFoundError(f"this host has no {run.submission.path}: share it with all workers")
    if summary.identity.task_digest != run.task.digest:
        raise ValueError("its task has another version now: reject the submission")
    repository, task = find_on_disk(run.task)
    patch = run.path / PATCH
    return grade(
        engine,
        repository,
        task,
        patch.read_bytes() if patch.is_file() else b"",
        use=ContainerUse(
            Owner(RegradingWork().instance_of(run.pk), run.key, run.tries),
            ContainerLimits(
                memory_mb=settings.MEMORY_MB_PER_RUN,
                cpus=settings.CPUS_PER_RUN,
                disk_mb=settings.DISK_MB_PER_RUN,
                files=settings.FILES_PER_RUN,
            ),
            interrupt,
        ),
        confirm=True,
        steps=RunRecord(run.path).steps(),
    )


def _write(run: SubmittedRun, found: Grade) -> None:
    """Stores tests, flags and the log of the grading, without secrets."""
    redactor = Redactor.from_environment()
    home = run.graded_path
    # Not its parents: rejecting the submission removed them meanwhile.
    for directory in (home.parent, home):
        directory.mkdir(exist_ok=True)
    (home / FLAGS).write_text(json.dumps(redactor.value([asdict(flag) for flag in found.flags])))
    (home / TESTS).write_text(json.dumps(redactor.value(found.to_json())))
    (home / LOG).write_bytes(redactor.text(found.log).encode("utf-8", "replace"))


def lose_regrading(run: SubmittedRun, reason: str) -> bool:
    """Ends a try by a failure of the infrastructure: another follows after a pause, until MAX_TRIES have failed."""
    if run.failures + 1 >= settings.MAX_TRIES:
        return _settle(run, State.FAILED, message=reason, failures=F("failures") + 1)
    pause = timezone.now() + timedelta(seconds=retry_delay(run.failures + 1))
    return _settle(run, State.QUEUED, message=reason, failures=F("failures") + 1, not_before=pause)


def _settle(run: SubmittedRun, state: State, **values: Any) -> bool:
    """Stores how this try ended. False if another try owns the run."""
    if "message" in values:
        values["message"] = Redactor.from_environment().text(values["message"])[:2000]
    settled = end_try(run, state, "the end of a grading", **values)
    log.info("submitted run %s: %s", run.key, state)
    return settled
