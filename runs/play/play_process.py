"""One process of a session: claims the run, executes it until the person finishes or leaves, and settles it.

Each process is a try of the run, and all tries have one directory. A process whose try is no longer the current one
stores nothing in the database, and a lock in the directory refuses a second process.
"""

from __future__ import annotations

import logging

from harness.agents.person import KIND, PersonAgent
from harness.errors import DiskFull
from harness.records import RunRecord, RunSummary
from harness.sandbox import open_engine
from harness.sandbox.base import Engine
from runs.jobs.heartbeats import Heartbeat
from runs.jobs.swept_work import engine_trouble
from runs.models import PlaySession, Run
from runs.operations.evaluations.harness_specs import agent_spec
from runs.play.play_sessions import PlayRefused
from runs.play.redis_mailbox import ProcessMailbox
from runs.play.session_file import write_session
from runs.work.execution.jobs import RunControl, claim, execute_try, settle_try
from runs.work.execution.settling import live_try

log = logging.getLogger(__name__)


class PlayControl(RunControl):
    """As that of any run, but a process that lost its try leaves the session, instead of ending it as cancelled."""

    def cancelled(self) -> bool:
        """Whether an operator cancelled the run."""
        return super().cancelled() and Run.objects.filter(key=self._key, cancel_requested=True).exists()

    def leaving(self) -> bool:
        """Whether this process has to end, or is no longer the one of this session."""
        return super().leaving() or super().cancelled()


def play(run_id: int) -> str:
    """Executes one process of the session of this run. Returns what came of it, in a few words.

    Raises PlayRefused if nothing was started.
    """
    session = (
        PlaySession.objects.select_related(
            "run__evaluation", "run__agent__model", "run__task__repository__dataset"
        )
        .filter(run=run_id, run__agent__kind=KIND)
        .first()
    )
    if session is None:
        raise PlayRefused(f"There is no session of run {run_id}.")
    engine = open_engine()
    if trouble := engine_trouble(engine):
        raise PlayRefused(trouble)
    run = session.run
    number = run.tries + 1
    if not claim(run, number, run.directory):
        raise PlayRefused("This session has ended, or another process executes it.")
    log.info("%s, process %d begins", run.key, number)
    with Heartbeat(live_try(run, number), run.key) as heartbeat:
        control = PlayControl(run, number, heartbeat)
        result = settle_try(run, number, lambda: _execute(session, number, engine, control))
    log.info("%s, process %d: %s", run.key, number, result)
    return result


def _execute(session: PlaySession, number: int, engine: Engine, control: PlayControl) -> RunSummary:
    """The summary, also if an earlier process wrote it and could not settle it."""
    run = session.run
    try:
        written = RunRecord(run.path).summary()
        if written is not None:
            return written
        person = PersonAgent(agent_spec(run.agent), ProcessMailbox(session), run.task.mode)
        return execute_try(run, number, engine, control, person)
    finally:
        _write_marks(session)


def _write_marks(session: PlaySession) -> None:
    """Writes the marks of the run beside its records. A full disk does not end a session."""
    try:
        write_session(session)
    except (OSError, DiskFull) as error:
        log.warning("%s: the file of the session could not be written: %s", session.run.path, error)
