"""Candidates whose function was corrupted by an operator."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tasks.generation.corrupting.candidates import (
    GENERATOR_VERSION,
    Candidate,
    Kind,
    Reason,
    Refusal,
    Stored,
    candidate,
    none_stored,
)
from tasks.generation.corrupting.clues import find_clues
from tasks.generation.corrupting.operators import OPERATORS, FunctionBody, Operator, Site
from tasks.generation.corrupting.source_tree import Place, SourceTree

ANY = "any"  # the operator of a candidate for which none had a site
MAX_CHECKS = 5  # of one operator's sites, before the next operator is asked


def corruptions(
    tree: SourceTree, place: Place, *, seed: int, most: int = 1, stored: Stored = none_stored
) -> list[Candidate]:
    """Up to `most` candidates of one function, each by another operator; a refused one if no operator makes any.

    Operators and sites are taken in an order that is drawn for this function alone.
    """
    found: list[Candidate] = []
    clues: list[str] = []
    texts: set[str] = set()
    for name, after in _changes(tree, place, seed, clues):
        if after in texts:  # two operators may make the same change
            continue
        texts.add(after)
        found.append(candidate(tree, place, name, after, seed=seed, kind=Kind.CORRUPT, stored=stored))
        if len(found) == most:
            break
    if found:
        return found
    refusal = Refusal(Reason.CLUE, "; ".join(sorted(set(clues)))) if clues else Refusal(Reason.NO_SITE)
    return [candidate(tree, place, ANY, refusal, seed=seed, kind=Kind.CORRUPT, stored=stored)]


def _changes(tree: SourceTree, place: Place, seed: int, clues: list[str]) -> Iterator[tuple[str, str]]:
    """The operators that change this function, and the changed file. What was refused is added to `clues`."""
    text = tree.texts[place.path]
    body = _body(text, place)
    names = sorted(OPERATORS, key=lambda name: place.draw("operator", name, seed, GENERATOR_VERSION))
    for name in names if body else ():
        for site in _sites(OPERATORS[name], body, place, (name, seed)):
            after = site.applied(text)
            found = find_clues(place.path, text, after, place.function, tree.names)
            if not found:
                yield name, after
                break
            clues.extend(found)


def _sites(operator: Operator, body: FunctionBody | None, place: Place, parts: tuple[str, int]) -> list[Site]:
    sites = list(operator(body)) if body else []
    numbers = sorted(
        range(len(sites)), key=lambda number: place.draw("site", number, *parts, GENERATOR_VERSION)
    )
    return [sites[number] for number in numbers[:MAX_CHECKS]]


def _body(text: str, place: Place) -> FunctionBody | None:
    """The body, None if it cannot be read, or is in another language."""
    if not place.is_python:
        return None
    try:
        return FunctionBody(text, place.function)
    except (cst.ParserSyntaxError, cst.CSTValidationError, RecursionError, TypeError):
        return None
