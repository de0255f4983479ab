"""Groups of functions that are near each other in the call graph."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from harness.patches import apply_patch
from tasks.generation.corrupting.candidates import Candidate, Kind, candidate
from tasks.generation.corrupting.groups import combined, near_groups
from tasks.generation.maps.code_map import FunctionKey
from tests.tasks.generation.small import MODULE, place_of, source_in, tree_of


def key(name: str) -> FunctionKey:
    return "a.py", name, 0


def chain(names: str) -> list[tuple[FunctionKey, FunctionKey]]:
    return [(key(a), key(b)) for a, b in pairwise(names)]


def test_each_two_of_a_group_are_at_most_four_calls_apart_in_either_direction() -> None:
    """a → b → c → d → e → f: a and f are five steps apart."""
    members = [key(name) for name in "abcdef"]
    pairs = near_groups(members, chain("abcdef"), size=2, seed=1)
    assert pairs
    for first, second in pairs:
        assert 1 <= ord(second[1]) - ord(first[1]) <= 4
    for group in near_groups(members, chain("abcdef"), size=4, seed=1):
        assert len(set(group)) == 4
        assert not {key("a"), key("f")} <= set(group)
    # Two callees of one caller, and two callers of one callee, are two steps apart.
    assert near_groups([key("x"), key("y")], [(key("z"), key("x")), (key("z"), key("y"))], size=2, seed=1)
    assert near_groups([key("x"), key("y")], [(key("x"), key("z")), (key("y"), key("z"))], size=2, seed=1)


def test_far_and_unconnected_functions_are_in_no_group() -> None:
    assert near_groups([key("a"), key("f")], chain("abcdef"), size=2, seed=1) == []
    assert near_groups([key("a"), key("x")], chain("ab"), size=2, seed=1) == []
    assert near_groups([key("a"), key("b"), key("c")], chain("abc"), size=4, seed=1) == []


def test_a_function_and_one_that_is_defined_in_it_are_in_no_group() -> None:
    inner = ("a.py", "a.inner", 0)
    assert near_groups([key("a"), inner], [(key("a"), inner)], size=2, seed=1) == []
    other = ("a.py", "ab", 0)
    assert near_groups([key("a"), other], [(key("a"), other)], size=2, seed=1)


def test_groups_depend_on_the_seed_and_on_nothing_else() -> None:
    names = "abcdefghijklmnop"
    members, calls = [key(name) for name in names], chain(names)
    first = near_groups(members, calls, size=2, seed=1)
    assert first == near_groups(members[::-1], calls[::-1], size=2, seed=1)
    assert first != near_groups(members, calls, size=2, seed=2)
    assert len(first) == len({frozenset(group) for group in first})


def test_a_group_has_the_changes_of_all_its_candidates(tmp_path: Path) -> None:
    source = source_in(tmp_path)
    tree = tree_of(source)

    def corrupted(name: str, old: str, new: str) -> Candidate:
        after = tree.texts[MODULE].replace(old, new)
        return candidate(tree, place_of(tree, name), "test", after, seed=1, kind=Kind.CORRUPT)

    one = corrupted("Shelf.add", "< self.places", "<= self.places")
    other = corrupted("fill", "        number += 1\n", "")
    calls = [((MODULE, "fill", 0), (MODULE, "Shelf.add", 0))]
    (made,) = combined(tree, source, [one, other], calls, seed=1)
    (state,) = apply_patch(made.start.encode(), source.read)
    text = tree.texts[MODULE].replace("< self.places", "<= self.places").replace("        number += 1\n", "")
    assert state.content == text.encode()
    assert (made.kind, set(made.parts)) == (Kind.MULTI, {one.key, other.key})
    assert {target.name for target in made.targets} == {"Shelf.add", "fill"}
    assert list(combined(tree, source, [other, one], calls, seed=1)) == [made]
