"""Success by the time of the first edit of a correct file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import TRAJECTORY, Need, RunFacts, sift
from runs.analysis.method import Section, method
from runs.analysis.statistics.intervals import wilson

# The last iteration of each bin but the last.
BORDERS = (5, 10)
NEVER = "never"
REFERENCE = Need(
    "the files of the reference patch are not known",
    lambda run: run.behaviour is not None and run.behaviour.features.get("optimal_length") is not None,
)


@dataclass(frozen=True, slots=True)
class EditBin:
    """Runs whose first correct edit was in these iterations. `rate` is the share of the n runs that resolved."""

    label: str
    runs: int
    tasks: int
    rate: Estimate


@dataclass(frozen=True, slots=True)
class EditBins:
    """The bins in order, runs that never edited a correct file last, and the excluded runs."""

    bins: tuple[EditBin, ...]
    excluded: tuple[Exclusion, ...]


@method(
    "first-correct-edit",
    "Time to the first correct edit",
    Section.BEHAVIOUR,
    4,
    short="When a run first changes a file that the reference patch changes, too.",
    example="An edit of the right file in step 7, after six steps of reading.",
)
def first_correct_edit_bins(runs: Iterable[RunFacts]) -> EditBins:
    """The share of resolved runs, by the iteration in which they first changed a file of the reference patch.

    Runs with early edits may have easier tasks: the comparison does not show the effect of an earlier edit.

    Formula: the share of resolved runs among those whose first edit of a correct file was in iterations 1–5, 6–10,
    later, or never. Interval: Wilson's of 95 %, with the number of different tasks as n, because attempts at one task
    are correlated; the personas of one scenario are one task.

    Source: Coding Agent Evaluation Framework, section 4.2.2, which gives 68 %, 41 % and 12 % without counts. Its text
    mentions successful runs only, among which every share would be 100 %; here it is the share among all runs of a bin.
    "Never" is ours: the paper does not mention such runs.

    Units: shares from 0 to 1; an edit is a change of the file on disk by any tool.

    Small n: an empty bin has no share, with the reason; one run gives 0 or 1 with a very wide interval.
    """
    sifted = sift(runs, *TRAJECTORY, REFERENCE)
    by_bin: dict[str, list[RunFacts]] = defaultdict(list)
    for run in sifted.usable:
        assert run.behaviour is not None
        by_bin[_label(run.behaviour.features.get("first_correct_edit"))].append(run)
    return EditBins(tuple(_bin(label, by_bin[label]) for label in _labels()), sifted.excluded)


def _labels() -> tuple[str, ...]:
    firsts = (1, *(border + 1 for border in BORDERS))
    bounded = [f"{first}–{last}" for first, last in zip(firsts, BORDERS, strict=False)]
    return (*bounded, f"> {BORDERS[-1]}", NEVER)


def _label(iteration: float | None) -> str:
    if iteration is None:
        return NEVER
    return _labels()[sum(iteration > border for border in BORDERS)]


def _bin(label: str, runs: Sequence[RunFacts]) -> EditBin:
    if not runs:
        return EditBin(label, 0, 0, Estimate.unknown("no run falls into this bin"))
    tasks = len({run.cluster for run in runs})
    rate = sum(run.resolved for run in runs) / len(runs)
    return EditBin(label, len(runs), tasks, Estimate(rate, len(runs), interval=wilson(rate, tasks)))
