"""Candidates whose function was removed: signature and docstring stay (Breakpoint, section 3.3)."""

from __future__ import annotations

from harness.functions import contents, without_body
from tasks.generation.corrupting.candidates import (
    Candidate,
    Kind,
    Reason,
    Refusal,
    Stored,
    candidate,
    none_stored,
)
from tasks.generation.corrupting.clues import has_code
from tasks.generation.corrupting.source_tree import Place, SourceTree

OPERATOR = "without_body"


def removed(tree: SourceTree, place: Place, *, seed: int, stored: Stored = none_stored) -> Candidate:
    """The candidate without the body of this function; refused if the function does nothing anyway."""
    return candidate(tree, place, OPERATOR, _after(tree, place), seed=seed, kind=Kind.REMOVE, stored=stored)


def _after(tree: SourceTree, place: Place) -> str | Refusal:
    text = tree.texts[place.path]
    if place.is_python and not has_code(text, place.function):
        return Refusal(Reason.NO_SITE, "the function does nothing")
    after = without_body(place.path, text, place.function)
    if contents(place.path, after).get(place.function.key) == place.digest:
        return Refusal(Reason.NO_SITE, "the function has no body")
    return after
