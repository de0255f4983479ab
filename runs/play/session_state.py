"""What a session does now, for its page: from the database, from what its process said last, and from its record."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.db.models import DurationField, ExpressionWrapper, F
from django.db.models.functions import Now
from redis import RedisError

from harness.errors import ResumeRefused
from harness.records.progress import progress_of
from runs.models import PlaySession, Run, Try
from runs.operations.monitoring.live_supervisors import SessionPlaces, session_places
from runs.play.play_tools import PlayTools
from runs.play.redis_mailbox import Heard, PersonMailbox

# Without a heartbeat for this share of LOST_AFTER_SECONDS, a page says that something is wrong.
DOUBTFUL = 0.6
WAITS_FOR_SUPERVISOR_SECONDS = 5.0


class Stage(StrEnum):
    """What a session does. `left`: no process executes it, and none is asked for. `offline`: Redis does not respond."""

    NEW = "new"
    LEFT = "left"
    WAITING = "waiting"
    STARTING = "starting"
    PAUSED = "paused"
    RUNNING = "running"
    LOST = "lost"
    OFFLINE = "offline"
    GRADING = "grading"
    ENDED = "ended"


WORDS = {
    Stage.NEW: "not started",
    Stage.LEFT: "no process",
    Stage.WAITING: "waiting for its start",
    Stage.STARTING: "the container is being prepared",
    Stage.PAUSED: "‖ the clock stands still",
    Stage.RUNNING: "● the clock goes",
    Stage.LOST: "process lost",
    Stage.OFFLINE: "not reachable",
    Stage.GRADING: "being graded",
    Stage.ENDED: "ended",
}
TONES = {Stage.RUNNING: "live", Stage.LOST: "bad", Stage.OFFLINE: "bad", Stage.ENDED: "infra"}  # else near

# In these stages, the page changes by itself soon.
BRIEF = frozenset({Stage.WAITING, Stage.STARTING, Stage.LOST, Stage.OFFLINE, Stage.GRADING})


@dataclass(frozen=True, slots=True)
class Remaining:
    """What is left; None: no limit. `seconds` is that of now."""

    seconds: float | None
    iterations: int | None
    tool_uses: int | None
    submissions: int | None
    reserved_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionState:
    """The state. `detail`: a sentence about it, '' if its name says all. `pending`: the kind of the open request."""

    stage: Stage
    detail: str = ""
    remaining: Remaining | None = None
    pending: str = ""

    @property
    def words(self) -> str:
        """The stage in a few words."""
        return WORDS[self.stage]

    @property
    def tone(self) -> str:
        """The class of its chip."""
        return TONES.get(self.stage, "near")

    @property
    def is_brief(self) -> bool:
        """Whether it changes by itself soon."""
        return bool(self.pending) or self.stage in BRIEF

    @property
    def acts(self) -> bool:
        """Whether tools can be used."""
        return self.stage is Stage.RUNNING

    @property
    def has_process(self) -> bool:
        """Whether a process waits for requests."""
        return self.stage in {Stage.PAUSED, Stage.RUNNING}


def session_state(session: PlaySession, tools: PlayTools) -> SessionState:
    """The state of a session now."""
    run = session.run
    if session.ended_at is not None or run.state not in Run.OPEN:
        return SessionState(Stage.ENDED, run.detail)
    try:
        heard, offline = PersonMailbox(session).heard(), False
    except RedisError:
        heard, offline = Heard(None, None), True
    remaining = _remaining(session, tools, heard.latest)
    if run.state == Run.State.QUEUED:
        return SessionState(*_without_process(session, offline=offline), remaining)
    pending = str(heard.pending["kind"]) if heard.pending else ""
    stage, detail = _with_process(run, heard.latest, offline=offline)
    return SessionState(stage, detail, remaining, pending if stage in {Stage.PAUSED, Stage.RUNNING} else "")


def _with_process(run: Run, latest: Mapping[str, Any] | None, *, offline: bool) -> tuple[Stage, str]:
    silent = _silent_seconds(run)
    if silent > DOUBTFUL * settings.LOST_AFTER_SECONDS:
        left = max(1, round(settings.LOST_AFTER_SECONDS - silent))
        return Stage.LOST, (
            f"The process of this session gave no sign of life for {silent:.0f} s. If it is lost, the session can be "
            f"resumed in about {left} s."
        )
    if run.state == Run.State.GRADING:
        return Stage.GRADING, ""
    if offline:
        return Stage.OFFLINE, "Redis does not respond, so nothing can be sent now. The clock may go on."
    if run.state == Run.State.PREPARING or latest is None:
        return Stage.STARTING, run.detail
    if latest["closed"] or latest["ended"]:
        return Stage.STARTING, "The process ends."
    return (Stage.PAUSED if latest["paused"] else Stage.RUNNING), ""


def _without_process(session: PlaySession, *, offline: bool) -> tuple[Stage, str]:
    if session.asked_at is None:
        why = session.problem or session.run.detail
        return (Stage.LEFT if session.run.tries else Stage.NEW), why
    if offline:
        return Stage.WAITING, "Redis does not respond. The session starts when it is back."
    found = session_places()
    if found is None and time.time() - session.asked_at.timestamp() > WAITS_FOR_SUPERVISOR_SECONDS:
        return (
            Stage.WAITING,
            "The site starts no sessions now. Tell its operator: manage.py play --forever does not run.",
        )
    return Stage.WAITING, _full(found) if found is not None and not found.left else ""


def _full(found: SessionPlaces) -> str:
    taken = "The only place" if found.most == 1 else f"All {found.most} places"
    return f"{taken} for sessions {'is' if found.most == 1 else 'are'} taken. Yours starts when one is free."


def _silent_seconds(run: Run) -> float:
    """How long the live try sent no heartbeat, by the clock of the database; 0 without one."""
    silent = ExpressionWrapper(Now() - F("heartbeat_at"), output_field=DurationField())
    live = Try.objects.filter(run=run, state=Try.State.LIVE).annotate(silent=silent)
    found = live.values_list("silent", flat=True).first()
    return found.total_seconds() if found else 0.0


def _remaining(session: PlaySession, tools: PlayTools, latest: Mapping[str, Any] | None) -> Remaining | None:
    """As the process said, with the time that has passed since then; else as the record says."""
    if latest is None:
        return _remaining_of_record(session, tools)
    stored = latest["remaining"]
    seconds = stored["seconds"]
    if seconds is not None and not latest["paused"]:
        seconds = max(0.0, seconds - max(0.0, time.time() - latest["at"]))
    return Remaining(
        seconds,
        stored["iterations"],
        stored["tool_uses"],
        stored["submissions"],
        tuple(stored["reserved_for"]),
    )


def _remaining_of_record(session: PlaySession, tools: PlayTools) -> Remaining | None:
    try:
        saved = progress_of(session.run.path)
    except (ResumeRefused, OSError, ValueError, TypeError):
        return None
    limits = tools.limits
    seconds = limits["wall_seconds"]
    return Remaining(
        None if seconds is None else max(0.0, seconds - (saved.acted_seconds if saved else 0.0)),
        _left(limits["iterations"], saved.iterations if saved else 0),
        _left(limits["tool_uses"], saved.tool_uses if saved else 0),
        _left(limits["submissions"], saved.submissions if saved else 0),
    )


def _left(most: float | None, used: int) -> int | None:
    return None if most is None else max(0, int(most) - used)
