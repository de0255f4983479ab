"""A person as an agent: the tools, limits and records are those of every agent, the decisions come from a mailbox."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from harness.agents.base import AgentSpec
from harness.agents.mailbox import Answer, Mailbox, Remaining, Request, RequestKind
from harness.agents.profile import (
    BREAKPOINT,
    BUDGET,
    PROFILE,
    PROFILES,
    PULL_REQUEST,
    IdeSettings,
    check_setting,
)
from harness.agents.prompt import budget, task_prompt
from harness.dataset import Mode
from harness.errors import AgentError, ConfigurationError, InfrastructureError, RunCancelled, RunRequeued
from harness.limits import Ending, LimitReached, Limits, smaller
from harness.records import ToolResult
from harness.session import Session
from harness.tools.selection import selected

KIND = "person"
# The profile of the ide agent whose tools and limits a person has, by the mode of the task.
PROFILE_OF_MODE: Mapping[str, str] = {
    Mode.CODE: PROFILE,
    Mode.REMOVE: BREAKPOINT,
    Mode.DISCOVERY: BREAKPOINT,
    Mode.PULL_REQUEST: PULL_REQUEST,
}
POLL_SECONDS = 1.0
SAVE_SECONDS = 10.0
STOPPED = "The clock stands still."
PAUSED = "The clock stands still: resume first."
BACK = "The person is back, in a new container."
_LIMITS = ("iterations", *BUDGET)


@dataclass(frozen=True, slots=True)
class PersonSettings:
    """The settings of a person. `idle_seconds`: after so long without a request the session is left.

    `own`: settings that replace those of the profile for the task's mode: `tools` and limits.
    """

    idle_seconds: float
    command_timeout: float
    own: Mapping[str, Any]

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> PersonSettings:
        """Raises ConfigurationError for unknown or invalid settings."""
        known = ("idle_seconds", "command_timeout", "tools", *_LIMITS)
        if unknown := sorted(set(stored) - set(known)):
            raise ConfigurationError(f"unknown {', '.join(unknown)}; known are {', '.join(known)}")
        for name, value in stored.items():
            check_setting(name, value)
        own = {name: stored[name] for name in ("tools", *_LIMITS) if name in stored}
        return cls(stored.get("idle_seconds", 1200.0), stored.get("command_timeout", 120.0), own)

    def of_mode(self, mode: str) -> IdeSettings:
        """The tools and limits for tasks of a mode. Raises ConfigurationError for one that people cannot play."""
        profile = PROFILE_OF_MODE.get(mode)
        if profile is None:
            raise ConfigurationError(
                f"people play tasks of the modes {', '.join(PROFILE_OF_MODE)}, not {mode}"
            )
        return replace(PROFILES[profile], **self.own)


class PersonAgent:
    """Does what the requests of a mailbox say, in tasks of one mode.

    Its run may take several processes; see `execute_run`.

    The clock stands still at the start and after each new start of a process, until the person resumes. The time of
    pauses, of tests and of saving is not the person's.
    """

    def __init__(self, spec: AgentSpec, mailbox: Mailbox, mode: str) -> None:
        self.settings = PersonSettings.read(spec.settings)
        self.mailbox = mailbox
        self.profile = self.settings.of_mode(mode)

    def effective_settings(self, limits: Limits) -> dict[str, Any]:
        """All settings in effect in a run with these limits."""
        profile = self.profile
        return {
            "profile": profile.profile,
            "tools": profile.tools,
            "reject_syntax_errors": profile.reject_syntax_errors,
            "idle_seconds": self.settings.idle_seconds,
            "command_timeout": self.settings.command_timeout,
            **{name: smaller(getattr(profile, name), getattr(limits, name)) for name in _LIMITS},
        }

    def run(self, session: Session) -> Ending:
        """Works until the person finishes. Raises RunRequeued when the session is left, and what limits raise."""
        profile = self.profile
        session.spending.lower(**{name: getattr(profile, name) for name in _LIMITS})
        tools = selected(profile.tools, session.task.mode)
        session.use_tools(only=tools, reject_syntax_errors=profile.reject_syntax_errors)
        return _Play(self.settings, self.mailbox, session).run()


class _Clock:
    """The time of a person: stops and goes on. What passes while it stands still is left out of the run's time."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._now = session.spending.clock
        self._stopped_at: float | None = self._now()

    @property
    def stopped(self) -> bool:
        """Whether it stands still."""
        return self._stopped_at is not None

    def stop(self) -> None:
        """Stops it, if it goes."""
        if self._stopped_at is None:
            self._stopped_at = self._now()

    def go(self) -> None:
        """Lets it go, if it stands still."""
        self.settle()
        self._stopped_at = None

    def settle(self) -> None:
        """Leaves out what has passed since it stopped, so that what is left of the time is right."""
        if self._stopped_at is None:
            return
        passed = self._now() - self._stopped_at
        self._stopped_at += passed
        self._session.spending.leave_out(passed)
        self._session.counts.paused_seconds += passed

    @contextmanager
    def standing(self) -> Iterator[None]:
        """It stands still meanwhile."""
        was_stopped = self.stopped
        self.stop()
        self.settle()
        try:
            yield
        finally:
            self.settle()
            if not was_stopped:
                self.go()


class _Play:
    """One process of one session."""

    def __init__(self, settings: PersonSettings, mailbox: Mailbox, session: Session) -> None:
        self.settings = settings
        self.mailbox = mailbox
        self.session = session
        self.clock = _Clock(session)
        self.request = ""  # the id of the request that has no answer yet
        self.saved_at = session.spending.clock()
        self.has_ended = False
        self.paused_since = session.counts.paused_seconds

    def run(self) -> Ending:
        """See `PersonAgent.run`."""
        saved = self.session.recorder.progress
        if saved is not None and saved.finished:
            return Ending.COMPLETED
        try:
            self.open(resumed=saved is not None)
            while True:
                if self.answer(self.receive()):
                    return Ending.COMPLETED
        except RunRequeued as error:
            self.session.say("system", f"The person left: {error}.")
            self.save(look=True)
            self.send(reason=str(error), closed=True)
            raise
        except LimitReached as error:
            self.send(reason=str(error), ended=error.ending)
            raise
        except InfrastructureError as error:
            self.send(reason=str(error), closed=True)
            raise
        except AgentError as error:
            self.send(reason=str(error), ended=Ending.AGENT_ERROR)
            raise
        except RunCancelled as error:
            self.send(reason=str(error), ended=Ending.CANCELLED)
            raise

    def open(self, *, resumed: bool) -> None:
        """Records the task at the first start, and that the person is back at later ones."""
        if resumed:
            self.session.say("system", BACK)
        else:
            limits = budget(self.session.spending.limits)
            self.session.say("system", f"A person works on this task. {limits} {STOPPED}")
            self.session.say("user", task_prompt(self.session.task))
        self.save()
        self.send()

    def receive(self) -> Request:
        """The next request. Raises RunRequeued after `idle_seconds` without one, and what `checkpoint` raises."""
        session, now = self.session, self.session.spending.clock
        idle_at = now() + self.settings.idle_seconds
        while now() < idle_at:
            self.clock.settle()
            session.checkpoint()
            left = session.spending.seconds_left
            request = self.mailbox.receive(
                POLL_SECONDS if left is None else max(0.01, min(POLL_SECONDS, left))
            )
            if request is not None:
                self.request = request.id
                return request
            if not self.clock.stopped and now() - self.saved_at > SAVE_SECONDS:
                self.save()
        raise RunRequeued(f"there was no request for {self.settings.idle_seconds:g} s")

    def answer(self, request: Request) -> bool:
        """Does what a request says, and answers it. Returns whether the work is done."""
        self.clock.settle()
        results: tuple[ToolResult, ...] = ()
        finished = False
        match request.kind:
            case RequestKind.LEAVE:
                raise RunRequeued("the session can be resumed")
            case RequestKind.ACT if self.clock.stopped:
                self.send(ok=False, reason=PAUSED)
                return False
            case RequestKind.ACT:
                results = self.act(request)
                finished = self.session.budget.finished
            case RequestKind.FINISH:
                self.session.act(request.message)
                finished = True
            case RequestKind.PAUSE:
                self.pause()
            case RequestKind.RESUME:
                self.resume()
        self.save(finished=finished)
        if not finished:
            self.check(results)
        self.send(results=results, ended=Ending.COMPLETED if finished else "")
        return finished

    def act(self, request: Request) -> tuple[ToolResult, ...]:
        """Makes the calls of a request."""
        number = self.session.counts.steps + 1
        calls = [replace(call, id=f"{call.id}-of-{number}") for call in request.calls]
        step = self.session.act(request.message, calls, timeout=self.settings.command_timeout)
        return step.results

    def check(self, results: tuple[ToolResult, ...]) -> None:
        """Answers with the results before it raises LimitReached, if that was the last step that limits allow."""
        try:
            self.session.spending.check()
        except LimitReached as error:
            self.send(results=results, reason=str(error), ended=error.ending)
            raise

    def pause(self) -> None:
        """Stops the clock."""
        if not self.clock.stopped:
            self.clock.stop()
            self.paused_since = self.session.counts.paused_seconds
            self.session.say("system", STOPPED)

    def resume(self) -> None:
        """Lets the clock go on."""
        if self.clock.stopped:
            self.clock.go()
            paused = self.session.counts.paused_seconds - self.paused_since
            self.session.say("system", f"The clock goes on after {paused:.1f} s.")

    def save(self, *, finished: bool = False, look: bool = False) -> None:
        """Stores the session, outside of the person's time."""
        with self.clock.standing():
            self.session.save(finished=finished, look=look)
        self.saved_at = self.session.spending.clock()

    def send(
        self,
        *,
        ok: bool = True,
        reason: str = "",
        results: tuple[ToolResult, ...] = (),
        ended: str = "",
        closed: bool = False,
    ) -> None:
        """Answers the open request, once; without one, says by itself what is new. The end is said once."""
        if self.has_ended:
            return
        self.has_ended = bool(ended)
        self.clock.settle()
        limits, spending = self.session.spending.limits, self.session.spending
        seconds, iterations = spending.seconds_left, limits.iterations
        remaining = Remaining(
            None if seconds is None else max(0.0, seconds),
            None if iterations is None else max(0, iterations - spending.iterations),
            spending.tool_uses_left,
            spending.submissions_left,
            self.session.budget.reserved_for,
        )
        self.mailbox.send(
            Answer(
                self.request,
                self.session.counts.steps,
                remaining,
                self.clock.stopped,
                ok=ok,
                reason=reason,
                results=results,
                ended=str(ended),
                closed=closed,
            )
        )
        self.request = ""
