"""Reviews of the fault catalogue's runs as trials: what a judge noticed, and what it should not have noticed."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from harness.judges.faults.catalogue import Case, Decoy, Fault, Variant
from harness.judges.faults.catalogue import case as case_named
from runs.analysis.judging.decoys import DecoyTrial
from runs.analysis.judging.detection import DetectionTrial
from runs.judging.reviews.fault_runs import key_of, played_case
from runs.judging.reviews.measured_reviews import MeasuredReview

Scores = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Shortcoming:
    """A case in which a judge was wrong in a dimension. `key`: of the run to look at, `step` in it.

    `scores`: of that run, by sample. `clean`: of its twin, for a decoy.
    """

    judge: str
    dimension: str
    case: str
    planted: str
    key: str
    step: int
    scores: Scores
    clean: Scores = ()
    injected: bool = False


@dataclass(frozen=True, slots=True)
class FaultTrials:
    """All trials, and the shortcomings that they show: faults missed, false alarms, decoys that moved a score."""

    detection: tuple[DetectionTrial, ...]
    decoys: tuple[DecoyTrial, ...]
    missed: tuple[Shortcoming, ...]
    alarms: tuple[Shortcoming, ...]
    moved: tuple[Shortcoming, ...]


def fault_trials(reviews: Iterable[MeasuredReview]) -> FaultTrials:
    """The trials in the reviews of the catalogue's runs; other reviews are ignored.

    A fault counts in its own dimension, a decoy in those that it names. A run deserves 1 if it is the clean twin of a
    fault, or a run of a decoy whose story has no mistake.
    """
    scores: dict[tuple[str, str, str], dict[Variant, dict[int, float | None]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    known: dict[str, Case] = {}
    for review in reviews:
        if played := played_case(review.run):
            case, variant = played
            if review.dimension in _dimensions(case):
                known[case.id] = case
                scores[review.judge, review.dimension, case.id][variant][review.sample] = review.score
    found = _Found()
    for (judge, dimension, name), both in scores.items():
        case = known[name]
        if isinstance(case, Fault):
            found.add_fault(judge, case, both)
        else:
            found.add_decoy(judge, dimension, case, both)
    return found.trials()


Both = Mapping[Variant, Mapping[int, float | None]]


class _Found:
    """Collects trials and shortcomings."""

    def __init__(self) -> None:
        self._detection: list[DetectionTrial] = []
        self._decoys: list[DecoyTrial] = []
        self._missed: list[Shortcoming] = []
        self._alarms: list[Shortcoming] = []
        self._moved: list[Shortcoming] = []

    def trials(self) -> FaultTrials:
        """All that was added."""
        return FaultTrials(
            tuple(self._detection),
            tuple(self._decoys),
            tuple(self._missed),
            tuple(self._alarms),
            tuple(self._moved),
        )

    def add_fault(self, judge: str, fault: Fault, both: Both) -> None:
        """A hit or a miss for each sample of the faulty run; the clean one deserves 1."""
        faulty = both.get(Variant.CHANGED, {})
        flags = [None if score is None else score <= fault.highest_score for score in faulty.values()]
        self._detection += [
            DetectionTrial(judge, fault.dimension, fault.id, fault.id, faulty=True, flagged=flag)
            for flag in flags
        ]
        if not all(flags):
            self._missed.append(_shortcoming((judge, fault.dimension), fault, Variant.CHANGED, faulty))
        if Variant.CLEAN in both:
            self._add_clean(judge, fault.dimension, fault, Variant.CLEAN, both[Variant.CLEAN])

    def add_decoy(self, judge: str, dimension: str, decoy: Decoy, both: Both) -> None:
        """Whether each sample scores both runs alike; each of them deserves 1 if its story has no mistake."""
        changed, clean = (both.get(variant, {}) for variant in (Variant.CHANGED, Variant.CLEAN))
        moves = []
        for sample in changed.keys() | clean.keys():
            one, other = changed.get(sample), clean.get(sample)
            moves.append(None if one is None or other is None else one != other)
        self._decoys += [DecoyTrial(judge, dimension, decoy.id, decoy.injected, moved) for moved in moves]
        if any(moves):
            shown = _shortcoming((judge, dimension), decoy, Variant.CHANGED, changed, clean)
            self._moved.append(shown)
        if text_of(decoy, Variant.CLEAN) == decoy.story:
            for variant, scores in both.items():
                self._add_clean(judge, dimension, decoy, variant, scores)

    def _add_clean(
        self, judge: str, dimension: str, case: Case, variant: Variant, scores: Mapping[int, float | None]
    ) -> None:
        flags = [None if score is None else score < 1 for score in scores.values()]
        base = text_of(case, variant)
        self._detection += [
            DetectionTrial(judge, dimension, case.id, base, faulty=False, flagged=flag) for flag in flags
        ]
        if any(flags):
            self._alarms.append(_shortcoming((judge, dimension), case, variant, scores))


def text_of(case: Case, variant: Variant) -> str:
    """Names what a judge reads of a run. Runs with equal steps have one name, so they count as one trajectory.

    The name of its story for a run that follows it; else that of the run.
    """
    return _text_of(case.id, variant)


@cache
def _text_of(name: str, variant: Variant) -> str:
    case = case_named(name)
    story = case.find_story()
    if json.dumps(case.script(variant)) == json.dumps([step.entry() for step in story.steps]):
        return case.story
    return key_of(case, variant)


def _dimensions(case: Case) -> Sequence[str]:
    return (case.dimension,) if isinstance(case, Fault) else case.dimensions


def _shortcoming(
    place: tuple[str, str],
    case: Case,
    variant: Variant,
    scores: Mapping[int, float | None],
    clean: Mapping[int, float | None] | None = None,
) -> Shortcoming:
    """`place`: judge and dimension."""
    return Shortcoming(
        *place,
        case.id,
        case.planted,
        key_of(case, variant),
        min(case.marked(variant), default=1),
        _in_order(scores),
        _in_order(clean or {}),
        isinstance(case, Decoy) and case.injected,
    )


def _in_order(scores: Mapping[int, float | None]) -> Scores:
    return tuple(scores[sample] for sample in sorted(scores))
