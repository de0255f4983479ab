"""The definition of a feature, and the input of features for one run, without the outcome."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache, partial
from typing import Any, TypeVar

from harness.patches import Change, PatchError, split_changes, touched_paths
from runs.analysis.trajectories.trace import Exercise, Trace, TracedCall

# Limits on the text that is read from each step and from a run.
STEP_CHARACTERS = 20_000
RUN_CHARACTERS = 1_000_000
Counted = TypeVar("Counted")
Measure = Callable[["Evidence"], float | None]
_WORD = re.compile(r"\w+")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


class Basis(StrEnum):
    """The input of a feature, which decides whether it may reveal the outcome.

    PROCESS: the trajectory and its patch only. LOCATION: also the files that the reference patch changes, to judge
    where the agent looked, not what it wrote. REFERENCE: the agent's patch compared with the reference patch: this may
    reveal the outcome, because a patch equal to the reference resolves the task.
    """

    PROCESS = "process"
    LOCATION = "location"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class Feature:
    """One number of a run. `description` defines it, its units, and when it is undefined.

    Flags are 0 or 1. `value` returns None if the feature is undefined.
    """

    name: str
    category: str
    basis: Basis
    description: str
    value: Measure

    @property
    def may_know_outcome(self) -> bool:
        """Whether it may reveal the outcome to a classifier."""
        return self.basis is Basis.REFERENCE


class Category:
    """Makes the features of one category, each by its basis."""

    def __init__(self, name: str) -> None:
        self.process = partial(self._feature, Basis.PROCESS)
        self.location = partial(self._feature, Basis.LOCATION)
        self.reference = partial(self._feature, Basis.REFERENCE)
        self._name = name

    def _feature(self, basis: Basis, name: str, description: str, value: Measure) -> Feature:
        return Feature(name, self._name, basis, description, value)


class Evidence:
    """A run and its exercise. Values that several features need are computed once, on first use."""

    def __init__(self, trace: Trace, exercise: Exercise) -> None:
        self.trace = trace
        self.exercise = exercise
        self._counted: dict[Callable[[Evidence], Any], Any] = {}

    def once(self, count: Callable[[Evidence], Counted]) -> Counted:
        """The result of `count` for this run, cached."""
        if count not in self._counted:
            self._counted[count] = count(self)
        value: Counted = self._counted[count]
        return value

    @cached_property
    def calls(self) -> tuple[TracedCall, ...]:
        """All calls, in order."""
        return self.trace.calls

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The message and reasoning of each iteration, in the form of `normalised`."""
        left = RUN_CHARACTERS
        texts = []
        for iteration in self.trace.iterations:
            share = min(STEP_CHARACTERS, left)
            text = f"{iteration.message[:share]}\n{iteration.reasoning[:share]}"[:share]
            left -= len(text)
            texts.append(normalised(text))
        return tuple(texts)

    @cached_property
    def silent(self) -> bool:
        """Whether the record has no text of the agent. It may still have hidden reasoning."""
        return not any(self.words)

    @cached_property
    def patch_files(self) -> frozenset[str] | None:
        """The files that the patch names; None if it is unreadable."""
        return _paths(self.exercise.patch)

    @cached_property
    def reference_files(self) -> frozenset[str] | None:
        """The files that the reference patch names; None if it is unknown, names none or is unreadable."""
        reference = self.exercise.reference
        return (_known_paths(reference) or None) if reference is not None else None

    @cached_property
    def relevant_files(self) -> frozenset[str] | None:
        """Files of the reference patch that existed at the start; None if there are none, or the patch is unknown."""
        if self.reference_files is None:
            return None
        start = self.exercise.files if self.exercise.files is not None else self.exercise.sources
        there = self.reference_files if start is None else self.reference_files.intersection(start)
        return there or None

    @cached_property
    def changes(self) -> tuple[Change, ...] | None:
        """The changes of the patch; None if it is unreadable."""
        return _changes(self.exercise.patch)

    @cached_property
    def reference_changes(self) -> tuple[Change, ...] | None:
        """The changes of the reference patch; None if it is unknown or unreadable."""
        reference = self.exercise.reference
        return _known_changes(reference) if reference is not None else None

    @property
    def comparable(self) -> tuple[tuple[Change, ...], tuple[Change, ...]] | None:
        """The changes of patch and reference patch; None if one is unreadable, or the reference names no file."""
        if self.changes is None or self.reference_changes is None or self.reference_files is None:
            return None
        return self.changes, self.reference_changes

    def first_edit(self) -> int | None:
        """The index in `trace.iterations` of the first edit attempt."""
        attempts = (place for place, each in enumerate(self.trace.iterations) if each.attempts_edit)
        return next(attempts, None)

    def first_change(self) -> int | None:
        """The index in `trace.iterations` of the first change of the workspace."""
        return next((place for place, each in enumerate(self.trace.iterations) if each.changes), None)


def normalised(text: str) -> str:
    """The words of a text in lower case, with one blank before and after each, so that `in` finds whole words.

    A word has a letter or a digit. '' without words.
    """
    words = [word for word in _WORD.findall(text.lower()) if word.strip("_")]
    return f" {' '.join(words)} " if words else ""


def has_word(text: str) -> bool:
    """Whether a text has a letter or a digit."""
    return _LETTER_OR_DIGIT.search(text) is not None


def has_cue(words: str, cues: tuple[str, ...]) -> bool:
    """Whether `words` contain one of the cues, both in the form of `normalised`."""
    return any(map(words.__contains__, cues))


def flag(holds: bool) -> float:
    """1 for true, 0 for false."""
    return 1.0 if holds else 0.0


def ratio(part: float, whole: float) -> float | None:
    """part ÷ whole; None if the whole is 0."""
    return part / whole if whole else None


def named(categories: Iterator[Feature]) -> tuple[Feature, ...]:
    """The features, each name once: ValueError otherwise."""
    features = tuple(categories)
    if len({feature.name for feature in features}) != len(features):
        raise ValueError("two features have the same name")
    return features


def _paths(diff: bytes) -> frozenset[str] | None:
    try:
        return frozenset(touched_paths(diff))
    except PatchError:
        return None


def _changes(diff: bytes) -> tuple[Change, ...] | None:
    try:
        return tuple(split_changes(diff))
    except PatchError:
        return None


# Cached for reference patches, which many runs share.
_known_paths = lru_cache(maxsize=16)(_paths)
_known_changes = lru_cache(maxsize=16)(_changes)
