"""What a worker does for the queued work of a judge: claim it, take its answer from a file or ask, store it."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from django.conf import settings
from django.db.models import QuerySet

from harness.errors import HarnessError, RunCancelled, RunRequeued
from harness.judges.review import client_of
from harness.judges.review_file import Comparison, Review, ReviewState
from harness.judges.summary_file import Summary
from harness.limits import Limits, Spending
from harness.session import Control
from runs.data.queries.filters import is_due
from runs.jobs.claims import LEAVING, claim, first_heartbeat, this_try
from runs.jobs.db_retry import with_retries
from runs.jobs.disk_space import no_space
from runs.jobs.heartbeats import Heartbeat
from runs.judging.reviews.judging_passes import CANCELLED
from runs.judging.reviews.panel_specs import judge_spec
from runs.judging.reviews.review_budget import ledger_of_work, pass_over_budget
from runs.judging.reviews.settling_reviews import (
    Work,
    end_without_answer,
    fail_work,
    requeue_work,
    settle_work,
)
from runs.models import JudgeWork, JudgingPass, PanelJudge, Run
from runs.work.execution.rate_limits import shared_rates
from runs.work.execution.run_signature import is_signed, sign_file

log = logging.getLogger(__name__)

Answer = TypeVar("Answer", bound=Review | Comparison | Summary)


class ReviewMissing(Exception):
    """What would be compared or summarised is not there. The message says what, and why."""


@dataclass(frozen=True, slots=True)
class JudgeRequest(Generic[Answer]):
    """One question to a judge. `file`: that of its answer, in the directory of `run`."""

    run: Run
    file: Path
    read: Callable[[], Answer | None]
    ask: Callable[[], Answer]


class JudgeDesk(ABC, Generic[Work, Answer]):
    """One kind of work, and what all pieces of a batch share. What a method raises ends the try of one piece."""

    called: ClassVar[str]  # an answer, in the log

    def __init__(self, judge: PanelJudge) -> None:
        """Raises ConfigurationError for a judge that is invalid now."""
        self.judge = judge_spec(judge)
        self.client = client_of(self.judge)

    @abstractmethod
    def request(self, work: Work, control: Control) -> JudgeRequest[Answer]:
        """The question of claimed work. Raises ReviewMissing; ValueError: its records cannot be judged."""

    @abstractmethod
    def copy(self, row: Work, answer: Answer, *, reused: bool) -> None:
        """Stores an answer in its row. `reused`: it is an earlier one."""


def due_work(rows: QuerySet[Work], *related: str) -> QuerySet[Work]:
    """Those of these rows that are queued and due, in the order in which they are answered."""
    queued = rows.filter(is_due(), state=JudgeWork.State.QUEUED)
    return queued.select_related("judging_pass__panel", "judge__model", *related).order_by("sample", "pk")


def work_through(queued: Sequence[Work], open_desk: Callable[[], JudgeDesk[Work, Any]]) -> None:
    """Claims and tries the queued work of one pass, one after another, until its budget or this worker ends.

    Without space for files it stays queued, and the sweeper enqueues it again.
    """
    if queued and (trouble := no_space()):
        log.error("%s stays queued: %s", queued[0], trouble)
        return
    desk = cache(open_desk)  # opened inside of a try: an invalid judge fails its work, not the job
    for work in queued:
        if LEAVING.is_set() or pass_over_budget(work.judging_pass):
            return
        if claim_work(work):
            with Heartbeat(this_try(work), str(work)) as heartbeat:
                _try(work, desk, WorkControl(work, heartbeat))


def claim_work(work: JudgeWork) -> bool:
    """Claims queued work for this worker. Of concurrent calls, one returns True."""
    row = type(work)._default_manager.filter(is_due(), pk=work.pk, tries=work.tries)
    taken = claim(row, **first_heartbeat(), not_before=None, reason="")
    if taken:
        work.refresh_from_db(fields=["state", "tries"])
    return taken


class WorkControl(Control):
    """Says whether work has to stop: its pass was cancelled, another try owns it, or the worker ends."""

    def __init__(self, work: JudgeWork, heartbeat: Heartbeat) -> None:
        self._pass = JudgingPass.objects.filter(pk=work.judging_pass_id, state=JudgingPass.State.CANCELLED)
        self._heartbeat = heartbeat

    def cancelled(self) -> bool:
        """Whether the operator cancelled the pass, or a newer try ends this one."""
        return self._heartbeat.stopped.is_set() or self._pass.exists()

    def leaving(self) -> bool:
        """Whether this worker has to end."""
        return LEAVING.is_set()


def _try(work: Work, desk: Callable[[], JudgeDesk[Work, Any]], control: Control) -> None:
    """One try of claimed work, to its settlement, also while the database is away for a while."""
    try:
        _answer(work, desk(), control)
    except RunRequeued:
        with_retries(lambda: requeue_work(work), "requeued work of a judge")
    except RunCancelled:
        _end(work, JudgeWork.State.CANCELLED, CANCELLED)  # the error speaks of an evaluation
    except ReviewMissing as missing:
        _end(work, JudgeWork.State.NO_REVIEW, str(missing))
    except ValueError as error:
        # The records, not the infrastructure: another try would fail as well.
        _end(work, JudgeWork.State.FAILED, str(error))
    except Exception as error:
        log.exception("%s, try %d broke", work, work.tries)
        _fail(work, _in_words(error))


def _answer(work: Work, desk: JudgeDesk[Work, Answer], control: Control) -> None:
    """Takes the answer from its file, or from the judge, and stores it."""
    request = desk.request(work, control)
    claim_file(request.run, request.file)
    stored = request.read()
    reused = stored is not None and stored.state is ReviewState.DONE
    if stored is not None and reused:
        answer = stored
    else:
        answer = request.ask()
        sign_file(request.file)
    if answer.state is ReviewState.FAILED:
        _fail(work, answer.reason)
    else:
        store = partial(desk.copy, answer=answer, reused=reused)
        with_retries(lambda: settle_work(work, store), desk.called)


def _end(work: JudgeWork, state: JudgeWork.State, reason: str) -> None:
    with_retries(lambda: end_without_answer(work, state, reason), "work without an answer")


def _fail(work: JudgeWork, reason: str) -> None:
    with_retries(lambda: fail_work(work, reason), "failed work of a judge")


def _in_words(error: Exception) -> str:
    """An error for readers: without the paths of this machine, which errors of files have."""
    if isinstance(error, HarnessError):
        return str(error)
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"{type(error).__name__}: {words}"


def claim_file(run: Run, path: Path) -> None:
    """Makes sure that an answer in a run directory is one of this site before it is used again.

    A run from elsewhere may bring files that name any judge: a file that this site did not sign is removed, and the
    review is requested. In a run of this site, a missing signature is added: a worker may have died before it signed
    the file.
    """
    if path.is_file() and not is_signed(path):
        if run.evaluation.origin:
            path.unlink()
        else:
            sign_file(path)


def spending_of(work: JudgeWork, control: Control) -> Spending:
    """What one question of claimed work may spend."""
    limits = Limits(iterations=None, wall_seconds=settings.REVIEW_SECONDS)
    return Spending(limits, ledger=ledger_of_work(work, control), rates=shared_rates())
