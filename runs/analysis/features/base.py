"""What a feature is, and one run as its features see it. Nothing here knows an outcome."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from harness.patches import Change, PatchError, split_changes, touched_paths
from runs.analysis.trajectories.trace import Exercise, Trace, TracedCall

# Of each step's words so many characters are read, and of a whole run's: counting is bounded whatever a model writes.
STEP_CHARACTERS = 20_000
RUN_CHARACTERS = 1_000_000
Counted = TypeVar("Counted")
_WORD = re.compile(r"\w+")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


class Basis(StrEnum):
    """What a feature is made of, and so what it can give away.

    PROCESS: the trajectory and the patch it left, alone. LOCATION: besides, which files the reference patch touches,
    to judge where the agent looked and how long it took; not what it wrote. REFERENCE: what the agent wrote, compared
    with the reference patch: that may hint at the outcome, as a patch equal to the reference resolves the task.
    """

    PROCESS = "process"
    LOCATION = "location"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class Feature:
    """One number that is counted of a run. `description` says what, in which units, and when it is undefined.

    Flags are 0 or 1. `value` gives None where the feature is undefined.
    """

    name: str
    category: str
    basis: Basis
    description: str
    value: Callable[[Evidence], float | None]

    @property
    def may_know_outcome(self) -> bool:
        """Whether it may hint at the outcome that a classifier is to predict."""
        return self.basis is Basis.REFERENCE


class Evidence:
    """A run and its exercise. What several features need is worked out once, when it is first asked for."""

    def __init__(self, trace: Trace, exercise: Exercise) -> None:
        self.trace = trace
        self.exercise = exercise
        self._counted: dict[Callable[[Evidence], Any], Any] = {}

    def once(self, count: Callable[[Evidence], Counted]) -> Counted:
        """What `count` makes of this run; counted the first time, remembered after that."""
        if count not in self._counted:
            self._counted[count] = count(self)
        found: Counted = self._counted[count]
        return found

    @cached_property
    def calls(self) -> tuple[TracedCall, ...]:
        """All calls, in order."""
        return self.trace.calls

    @cached_property
    def words(self) -> tuple[str, ...]:
        """What each iteration says, message and reasoning, as `spoken` writes it."""
        left = RUN_CHARACTERS
        found = []
        for iteration in self.trace.iterations:
            share = min(STEP_CHARACTERS, left)
            text = f"{iteration.message[:share]}\n{iteration.reasoning[:share]}"[:share]
            left -= len(text)
            found.append(spoken(text))
        return tuple(found)

    @cached_property
    def silent(self) -> bool:
        """Whether the record holds no word of the agent: it may think all the same, unseen."""
        return not any(self.words)

    @cached_property
    def patch_files(self) -> frozenset[str] | None:
        """The files that the patch names; None when it cannot be read."""
        return _paths(self.exercise.patch)

    @cached_property
    def reference_files(self) -> frozenset[str] | None:
        """The files that the reference patch names; None when it is not known, names none or cannot be read."""
        reference = self.exercise.reference
        return (_known_paths(reference) or None) if reference is not None else None

    @cached_property
    def relevant_files(self) -> frozenset[str] | None:
        """Files of the reference patch that could be read at the start; None when there are none, or none is known."""
        if self.reference_files is None:
            return None
        start = self.exercise.files if self.exercise.files is not None else self.exercise.sources
        there = self.reference_files if start is None else self.reference_files.intersection(start)
        return there or None

    @cached_property
    def changes(self) -> tuple[Change, ...] | None:
        """The changes of the patch; None when it cannot be read."""
        return _changes(self.exercise.patch)

    @cached_property
    def reference_changes(self) -> tuple[Change, ...] | None:
        """The changes of the reference patch; None when it is not known or cannot be read."""
        reference = self.exercise.reference
        return _known_changes(reference) if reference is not None else None

    @property
    def comparable(self) -> tuple[tuple[Change, ...], tuple[Change, ...]] | None:
        """The changes of patch and reference patch; None where one cannot be read, or the reference names no file."""
        if self.changes is None or self.reference_changes is None or self.reference_files is None:
            return None
        return self.changes, self.reference_changes

    def first_edit(self) -> int | None:
        """Where in `trace.iterations` the first edit was attempted."""
        attempts = (place for place, each in enumerate(self.trace.iterations) if each.attempts_edit)
        return next(attempts, None)

    def first_change(self) -> int | None:
        """Where in `trace.iterations` work was first done in the workspace."""
        return next((place for place, each in enumerate(self.trace.iterations) if each.changes), None)


def spoken(text: str) -> str:
    """A text's words in lower case, one blank before and behind each; '' without words. `in` then finds whole words.

    A word has a letter or a digit: a rule of underscores is none.
    """
    words = [word for word in _WORD.findall(text.lower()) if word.strip("_")]
    return f" {' '.join(words)} " if words else ""


def has_word(text: str) -> bool:
    """Whether a text says anything: punctuation and blanks alone do not."""
    return _LETTER_OR_DIGIT.search(text) is not None


def says(words: str, cues: tuple[str, ...]) -> bool:
    """Whether `words`, as `spoken` writes them, hold one of the cues, written the same way."""
    return any(cue in words for cue in cues)


def flag(holds: bool) -> float:
    """A truth as a number."""
    return 1.0 if holds else 0.0


def ratio(part: float, whole: float) -> float | None:
    """part ÷ whole; None where that is undefined."""
    return part / whole if whole else None


def named(categories: Iterator[Feature]) -> tuple[Feature, ...]:
    """The features, each name once: ValueError otherwise."""
    found = tuple(categories)
    if len({feature.name for feature in found}) != len(found):
        raise ValueError("two features have one name")
    return found


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


# Of reference patches, which many runs share.


@lru_cache(maxsize=16)
def _known_paths(reference: bytes) -> frozenset[str] | None:
    return _paths(reference)


@lru_cache(maxsize=16)
def _known_changes(reference: bytes) -> tuple[Change, ...] | None:
    return _changes(reference)
