"""Signs of trouble in one run and the steps that show them, as counted when the run settled."""

from __future__ import annotations

from dataclasses import dataclass, field

from runs.analysis.failures.modes import MODES, FailureMode
from runs.data.run_facts.facts_query import behaviour_of_run
from runs.models import Run
from runs.presentation.formatting.text import one_line
from runs.views.replay_pages.suspected_exploits import (
    ExploitMarks,
    SuspectedExploit,
    exploit_marks,
    suspected_exploits,
)

MAX_STEPS = 12


@dataclass(frozen=True, slots=True)
class Sign:
    """A failure mode and the first steps that show it; `more`: number of other steps.

    A sign without steps is about the run as a whole.
    """

    mode: FailureMode
    steps: tuple[int, ...]
    more: int

    @property
    def count(self) -> int:
        """Number of steps that show it."""
        return len(self.steps) + self.more


@dataclass(frozen=True, slots=True)
class SignsView:
    """The signs found, the undecided modes with the reason, and the number of absent ones.

    `reason`: why nothing was counted, or ''. `right_file`: the iteration that first changed a file of the reference
    patch. `exploits`: patterns of exploits, which are another thing than trouble; `marks`: their steps.
    """

    found: tuple[Sign, ...] = ()
    undecided: tuple[tuple[FailureMode, str], ...] = ()
    absent: int = 0
    reason: str = ""
    right_file: int | None = None
    exploits: tuple[SuspectedExploit, ...] = ()
    marks: ExploitMarks = field(default_factory=ExploitMarks)


def signs_of(run: Run) -> SignsView | None:
    """The signs of a settled run, in one query; None for one that is not over, or that the infrastructure failed."""
    if run.state != Run.State.FINISHED or run.outcome == Run.Outcome.INFRASTRUCTURE_FAILED:
        return None
    counted = behaviour_of_run(run)
    if isinstance(counted, str):
        return SignsView(reason=one_line(counted, 200))
    signs, right = counted.signs, counted.features.get("first_correct_edit")
    return SignsView(
        found=tuple(_sign(mode, signs.found[mode.slug]) for mode in MODES if mode.slug in signs.found),
        undecided=tuple(
            (mode, one_line(signs.undecided[mode.slug])) for mode in MODES if mode.slug in signs.undecided
        ),
        absent=sum(mode.slug not in signs.found and mode.slug not in signs.undecided for mode in MODES),
        right_file=None if right is None else int(right),
        exploits=suspected_exploits(counted.exploits),
        marks=exploit_marks(counted.exploits),
    )


def _sign(mode: FailureMode, steps: tuple[int, ...]) -> Sign:
    return Sign(mode, steps[:MAX_STEPS], max(0, len(steps) - MAX_STEPS))
