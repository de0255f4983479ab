"""Scores after verdicts were judged: a verdict that is incorrect counts as its opposite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from runs.analysis.estimate import Estimate
from runs.analysis.facts import RESOLVED, UNRESOLVED
from runs.analysis.method import Section, method
from runs.analysis.outcomes.passes import TaskScore, pass_rate

CORRECT, INCORRECT = "correct", "incorrect"  # what a judgement says of a verdict
OPPOSITE: Mapping[str, str] = {RESOLVED: UNRESOLVED, UNRESOLVED: RESOLVED}
SOURCE_RULE = "source"  # the name of the rule whose judgements are those of the source of reported results


@dataclass(frozen=True)
class CorrectionRule:
    """Whose judgements correct the outcomes of a board: a name for programs, and a sentence for readers."""

    name: str
    sentence: str


class JudgedCell(Protocol):
    """One agent on one task, with its judged attempts."""

    @property
    def attempts(self) -> int:
        """Graded attempts."""

    @property
    def judged(self) -> int:
        """Those of them whose verdict was judged."""

    @property
    def corrected(self) -> int:
        """Judged attempts that are resolved after the correction."""

    @property
    def group(self) -> str:
        """The scenario of the task, with its repository; '' for a task without one."""


def corrected_outcome(outcome: str, judged: str) -> str:
    """The outcome after the judgement; '' if there is none, or no verdict that it could be about."""
    if outcome not in OPPOSITE or judged not in (CORRECT, INCORRECT):
        return ""
    return OPPOSITE[outcome] if judged == INCORRECT else outcome


def judged_of(outcome: str, corrected: str) -> str:
    """The judgement that corrects an outcome so: the reverse of `corrected_outcome`; '' if there is none."""
    if not corrected:
        return ""
    return CORRECT if corrected == outcome else INCORRECT


def corrected_scores(cells: Sequence[JudgedCell]) -> list[TaskScore]:
    """The attempts at each task and how many are resolved after the correction; [] unless all were judged."""
    settled = [cell for cell in cells if cell.attempts]
    if any(cell.judged != cell.attempts for cell in settled):
        return []
    return [TaskScore(cell.judged, cell.corrected, cell.group) for cell in settled]


@method(
    "corrected-score",
    "The corrected score",
    Section.LEADERBOARD,
    5,
    short="pass@1 after wrong verdicts were corrected by the rule that the board names.",
    example="5 of 100 verdicts judged wrong, all of them “resolved”: 60 % becomes 55 %.",
)
def corrected_rate(cells: Sequence[JudgedCell]) -> Estimate:
    """pass@1 after somebody judged the verdicts: an incorrect verdict counts as its opposite.

    The board names the rule by which verdicts were judged. Reported outcomes stay as they are, in all other numbers.

    Formula: pass@1 with `resolved` for each attempt whose verdict is correct and "resolved", or incorrect and
    "unresolved". Ranks by the corrected score are those of groups and ranks, among the agents that have one.

    Source: ours. The judgements are those of the rule; how often they are wrong is not part of the interval.

    Units: a share from 0 to 1; n counts tasks.

    Small n: unknown if an attempt of the agent was not judged: the judged ones may be chosen by their outcome.
    """
    settled = [cell for cell in cells if cell.attempts]
    judged, attempts = sum(cell.judged for cell in settled), sum(cell.attempts for cell in settled)
    if not judged or judged < attempts:
        return Estimate.unknown(f"{judged} of {attempts} verdicts were judged", len(settled))
    return pass_rate(corrected_scores(settled))
