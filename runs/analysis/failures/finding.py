"""The input and result of the check for one failure mode in one run."""

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
    """Whether a mode is present; None: undecided, for this `reason`. `steps` show it, each once, in order.

    Without steps, the mode is a property of the whole run.
    """

    present: bool | None
    steps: tuple[int, ...] = ()
    reason: str = ""


ABSENT = Finding(False)


def found(steps: Iterable[int] = ()) -> Finding:
    """The mode is present."""
    return Finding(True, tuple(sorted(set(steps))))


def undecided(reason: str) -> Finding:
    """The mode cannot be decided."""
    return Finding(None, (), reason)


@dataclass(frozen=True, slots=True)
class Case:
    """One run, with its edit attempts and reads, which several modes use."""

    trace: Trace
    exercise: Exercise
    verdict: RunVerdict
    edits: tuple[EditAttempt, ...]
    reads: tuple[Read, ...]

    @classmethod
    def of(cls, trace: Trace, exercise: Exercise, verdict: RunVerdict) -> Self:
        """Extracts edit attempts and reads once for all modes."""
        return cls(trace, exercise, verdict, edit_attempts(trace), reads(trace, exercise.files))

    @property
    def last_step(self) -> tuple[int, ...]:
        """The last step; empty if there is none."""
        return tuple(iteration.step_id for iteration in self.trace.iterations[-1:])
