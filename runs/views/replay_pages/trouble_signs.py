"""Signs of trouble and suspected exploits of a run, for its replay."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from runs.analysis.exploits.exploit_patterns import FLAGGED, PATTERNS, STRENGTHS, ExploitPattern
from runs.analysis.facts import Exploit
from runs.analysis.failures.modes import MODES, FailureMode
from runs.data.queries.visibility import Reader, visible
from runs.data.run_facts.facts_query import behaviour_of_run
from runs.models import Run, RunExploit
from runs.presentation.formatting.text import one_line

MAX_STEPS = 12


@dataclass(frozen=True, slots=True)
class SuspectedExploit:
    """A pattern with its strength and the first steps that show it; `more`: number of other steps."""

    pattern: ExploitPattern
    strength: str
    steps: tuple[int, ...]
    more: int

    @property
    def meaning(self) -> str:
        """What its strength means."""
        return STRENGTHS[self.strength]

    @property
    def is_flagged(self) -> bool:
        """Whether it makes the run one of the flagged runs."""
        return self.strength == FLAGGED


@dataclass(frozen=True, slots=True)
class ExploitMarks:
    """The patterns that each step shows, by step number; only steps that show one."""

    by_step: Mapping[int, tuple[SuspectedExploit, ...]] = field(default_factory=dict)

    def words(self, number: int) -> str:
        """The patterns that a step shows with their strengths, in words; '' for none."""
        return "; ".join(f"{one.pattern.title} ({one.strength})" for one in self.by_step.get(number, ()))

    def is_flagged(self, number: int) -> bool:
        """Whether the step shows a pattern that makes the run one of the flagged runs."""
        return any(one.is_flagged for one in self.by_step.get(number, ()))


def exploit_marks(found: Mapping[str, Exploit]) -> ExploitMarks:
    """The marks of all steps that a run's counts name."""
    by_step: dict[int, tuple[SuspectedExploit, ...]] = defaultdict(tuple)
    for one in suspected_exploits(found):
        for number in found[one.pattern.slug].steps:
            by_step[number] += (one,)
    return ExploitMarks(dict(sorted(by_step.items())))


def exploit_marks_of(run: Run, reader: Reader) -> ExploitMarks:
    """The marks of a run that is over and that the infrastructure did not fail.

    Counts are read only if a pattern was found: most runs show none.
    """
    if run.state != Run.State.FINISHED or run.outcome == Run.Outcome.INFRASTRUCTURE_FAILED:
        return ExploitMarks()
    if not visible(RunExploit.objects.filter(run=run), reader).exists():
        return ExploitMarks()
    counted = behaviour_of_run(run)
    return ExploitMarks() if isinstance(counted, str) else exploit_marks(counted.exploits)


def suspected_exploits(found: Mapping[str, Exploit]) -> tuple[SuspectedExploit, ...]:
    """The patterns in a run's counts, in the order of the list."""
    return tuple(
        SuspectedExploit(pattern, one.strength, one.steps[:MAX_STEPS], max(0, len(one.steps) - MAX_STEPS))
        for pattern in PATTERNS
        if (one := found.get(pattern.slug)) is not None
    )


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

    @property
    def is_flagged(self) -> bool:
        """Whether a pattern makes the run one of the flagged runs."""
        return any(one.is_flagged for one in self.exploits)


def signs_of(run: Run) -> SignsView | None:
    """The signs of a settled run, in one query; None for one that is not over, or that the infrastructure failed."""
    if run.state != Run.State.FINISHED or run.outcome == Run.Outcome.INFRASTRUCTURE_FAILED:
        return None
    counted = behaviour_of_run(run)
    if isinstance(counted, str):
        return SignsView(reason=one_line(counted, 200))
    signs, right = counted.signs, counted.features.get("first_correct_edit")
    return SignsView(
        found=tuple(
            Sign(mode, steps[:MAX_STEPS], max(0, len(steps) - MAX_STEPS))
            for mode in MODES
            if (steps := signs.found.get(mode.slug)) is not None
        ),
        undecided=tuple(
            (mode, one_line(signs.undecided[mode.slug])) for mode in MODES if mode.slug in signs.undecided
        ),
        absent=sum(mode.slug not in signs.found and mode.slug not in signs.undecided for mode in MODES),
        right_file=None if right is None else int(right),
        exploits=suspected_exploits(counted.exploits),
        marks=exploit_marks(counted.exploits),
    )
