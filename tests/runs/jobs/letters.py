"""A kind of background work for tests, as a new one would be added: what it does, and its line in the table.

Its rows are uploads, because a test adds no table to the database: "letters" whose names are read aloud.
"""

from __future__ import annotations

import threading

import pytest
from django.db.models import F

from runs.jobs import job_kinds
from runs.jobs.claims import end_try, this_try
from runs.jobs.heartbeats import Heartbeat
from runs.jobs.job_kinds import KINDS, RUNS, Kind
from runs.jobs.swept_work import RowWork
from runs.models import Upload

State = Upload.State
READ: list[str] = []
# A reader who begins sets the first, and waits for the second.
BEGUN, GO_ON = threading.Event(), threading.Event()


class LetterWork(RowWork[Upload]):
    """Letters whose worker died are read again; after MAX_TRIES such losses one fails."""

    model = Upload
    plural = "letters"
    called = "letter"
    ended = "read"
    goes_on = "it is read again"
    remedy = "try again"

    def lose(self, dead: Upload) -> bool:
        """Counts the loss."""
        values = self.after_loss(dead.losses + 1)
        return bool(this_try(dead).update(losses=F("losses") + 1, worker="", **values))


def read_letter(number: int, try_number: int) -> None:
    """What a worker does for a job."""
    LetterWork().take(number, try_number, _read, trouble="")


def _read(letter: Upload, heartbeat: Heartbeat) -> None:
    BEGUN.set()
    GO_ON.wait(20)
    READ.append(letter.name if not heartbeat.stopped.is_set() else "stopped")
    end_try(letter, State.FINISHED, "the end of a letter", message="read aloud")


LETTERS = Kind(
    "read_letter", RUNS, "tests.runs.jobs.letters.read_letter", "letter", "tests.runs.jobs.letters.LetterWork"
)


def add_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adds the line to the table, and forgets what was read."""
    monkeypatch.setattr(job_kinds, "KINDS", (*KINDS, LETTERS))
    READ.clear()
    BEGUN.clear()
    GO_ON.set()
