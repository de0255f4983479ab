"""Candidates of several functions that are near each other in the call graph, corrupted at the same time.

Source: Breakpoint, section 3.3 (multifunction corruption) and 4.1.1: functions are related if they are at most 4 steps
apart on the call graph. "Apart" is symmetrical, and a fault reaches callers as well as callees, so steps are counted
along calls in either direction; each two functions of a group are that near.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

import rustworkx

from harness.dataset import Tree
from harness.functions import contents, find, source_of
from harness.functions.definition import lines_of
from harness.patches import apply_patch
from tasks.generation.corrupting.candidates import GENERATOR_VERSION, KEY_LENGTH, Candidate, Kind, start_patch
from tasks.generation.corrupting.source_tree import SourceTree, rank
from tasks.generation.maps.code_map import FunctionKey

SIZES = (2, 4)
MAX_STEPS = 4


def near_groups(
    members: Sequence[FunctionKey],
    calls: Iterable[tuple[FunctionKey, FunctionKey]],
    *,
    size: int,
    seed: int,
    most_steps: int = MAX_STEPS,
) -> list[tuple[FunctionKey, ...]]:
    """Groups of `size` members, each two at most `most_steps` apart, in an order that depends on the seed.

    Each member is the first of one group at most, whose others are drawn for it. A group is listed once.
    """
    steps = _Steps(calls)
    found: dict[frozenset[FunctionKey], tuple[FunctionKey, ...]] = {}
    ordered = sorted(set(members), key=lambda key: rank("group", seed, size, key))
    for first in ordered:
        near = steps.within(first, most_steps)
        others = [key for key in ordered if key in near and key != first]
        group = [first]
        for key in sorted(others, key=lambda key: rank("member", seed, size, first, key)):
            if len(group) < size and all(_fits(one, key, steps, most_steps) for one in group):
                group.append(key)
        if len(group) == size:
            found.setdefault(frozenset(group), tuple(sorted(group)))
    return list(found.values())


class _Steps:
    """The steps between functions, along calls in either direction."""

    def __init__(self, calls: Iterable[tuple[FunctionKey, FunctionKey]]) -> None:
        pairs = sorted(set(calls))
        self._keys = sorted({key for pair in pairs for key in pair})
        self._numbers = {key: number for number, key in enumerate(self._keys)}
        self._graph: rustworkx.PyGraph[FunctionKey, None] = rustworkx.PyGraph(multigraph=False)
        self._graph.add_nodes_from(self._keys)
        self._graph.add_edges_from_no_data([(self._numbers[a], self._numbers[b]) for a, b in pairs])
        self.within = cache(self._within)

    def _within(self, key: FunctionKey, most: int) -> frozenset[FunctionKey]:
        if key not in self._numbers:
            return frozenset()
        lengths = rustworkx.graph_dijkstra_shortest_path_lengths(
            self._graph, self._numbers[key], lambda _edge: 1.0
        )
        return frozenset(self._keys[number] for number, length in lengths.items() if length <= most)


def _fits(one: FunctionKey, other: FunctionKey, steps: _Steps, most: int) -> bool:
    """Whether two functions are near each other, and neither lies in the other."""
    nested = one[0] == other[0] and (f"{one[1]}.").startswith(f"{other[1]}.")
    nested = nested or (one[0] == other[0] and f"{other[1]}.".startswith(f"{one[1]}."))
    return not nested and other in steps.within(one, most)


def combined(
    tree: SourceTree,
    source: Tree,
    admitted: Iterable[Candidate],
    calls: Iterable[tuple[FunctionKey, FunctionKey]],
    *,
    seed: int,
    sizes: Sequence[int] = SIZES,
) -> Iterator[Candidate]:
    """Candidates that combine corruptions of one function each that were admitted on their own.

    So each fault of a group makes tests fail without the others.
    """
    by_function: dict[FunctionKey, Candidate] = {}
    for one in sorted(admitted, key=lambda one: one.key):
        target = one.targets[0]
        by_function.setdefault((target.path, target.name, target.occurrence), one)
    calls = list(calls)
    for size in sizes:
        for group in near_groups(list(by_function), calls, size=size, seed=seed):
            yield _combination(tree, source, [by_function[key] for key in group], seed)


def _combination(tree: SourceTree, source: Tree, parts: Sequence[Candidate], seed: int) -> Candidate:
    keys = tuple(part.key for part in parts)
    changed = _changed(tree, source, parts)
    return Candidate(
        key=rank(tree.digest, keys, seed, Kind.MULTI, GENERATOR_VERSION)[:KEY_LENGTH],
        kind=Kind.MULTI,
        source_digest=tree.digest,
        seed=seed,
        targets=tuple(part.targets[0] for part in parts),
        start=start_patch(tree, changed),
        parts=keys,
    )


def _changed(tree: SourceTree, source: Tree, parts: Sequence[Candidate]) -> Mapping[str, str]:
    """The files with all changes: each function is taken from its own candidate."""
    changed: dict[str, str] = {}
    for part in parts:
        target = part.targets[0]
        (state,) = apply_patch(part.start.encode("utf-8"), source.read)
        after = (state.content or b"").decode("utf-8")
        new = source_of(after, find(target.path, after, target.name, target.occurrence))
        text = changed.get(target.path, tree.texts[target.path])
        function = find(target.path, text, target.name, target.occurrence)
        lines = lines_of(text)
        lines[function.start - 1 : function.end] = [new]
        changed[target.path] = "".join(lines)
        assert contents(target.path, changed[target.path])[function.key] == target.digest_after
    return changed
