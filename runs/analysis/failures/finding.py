"""What looking for one failure mode in one run gives, and what is looked at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from runs.analysis.trajectories.edit_attempts import EditAttempt, edit_attempts
from runs.analysis.trajectories.reads import Read, reads
from runs.analysis.trajectories.trace import Exercise, Trace
from runs.analysis.trajectories.verdict import RunVerdict


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether a sign is there; None: it cannot be told, for this `reason`. `steps` show it, each once, in order.

    A sign that is there without steps is one of the run as a whole.
    """

    present: bool | None
    steps: tuple[int, ...] = ()
    reason: str = ""


ABSENT = Finding(False)


def found(steps: Iterable[int] = ()) -> Finding:
    """The sign is there."""
    return Finding(True, tuple(sorted(set(steps))))


def undecided(reason: str) -> Finding:
    """Nobody can tell."""
    return Finding(None, (), reason)


@dataclass(frozen=True, slots=True)
class Case:
    """One run, with what several modes look at: its edit attempts, and what it read."""

    trace: Trace
    exercise: Exercise
    verdict: RunVerdict
    edits: tuple[EditAttempt, ...]
    reads: tuple[Read, ...]

    @classmethod
    def of(cls, trace: Trace, exercise: Exercise, verdict: RunVerdict) -> Self:
        """Reads the trace once for all modes."""
        return cls(trace, exercise, verdict, edit_attempts(trace), reads(trace, exercise.files))

    @property
    def last_step(self) -> tuple[int, ...]:
        """The step that the run ended with; nothing when the agent took none."""
        return tuple(iteration.step_id for iteration in self.trace.iterations[-1:])
