"""How suspicious functions are when tests fail: what spectrum-based fault localisation would look at first."""

from __future__ import annotations

from collections.abc import Collection
from math import sqrt

from tasks.generation.maps.code_map import CodeMap, FunctionKey


def ochiai_rank(code_map: CodeMap, key: FunctionKey, failing: Collection[str]) -> float | None:
    """The place of one function among all functions of the map, by Ochiai's coefficient; 1 is the most suspicious.

    Ochiai (Abreu, Zoeteweij, van Gemund 2006): failed(f) / √(failing · executed(f)), where failed(f) is how many of the
    `failing` tests execute f, and executed(f) how many tests do. Equal functions share the mean of their places. The
    tests are those of the traced run of the unchanged source. None if the map has no such function, if it was not
    recorded which tests execute it, or if no failing test was traced.
    """
    suite = code_map.suite
    if suite is None or not suite.reached or key not in code_map.numbers:
        return None
    failed = {number for number, test in enumerate(suite.tests) if test in set(failing)}
    if not failed:
        return None
    values = {
        number: len(failed.intersection(tests)) / sqrt(len(failed) * len(tests)) if tests else 0.0
        for number, tests in enumerate(suite.reached)
        if code_map.nodes[number].kind == "function"
    }
    own = values.get(code_map.numbers[key])
    if own is None:
        return None
    higher = sum(value > own for value in values.values())
    equal = sum(value == own for value in values.values())
    return higher + (equal + 1) / 2
