"""Candidates whose function was corrupted by an operator."""

from __future__ import annotations

from pathlib import Path

from harness.dataset import Tree
from harness.patches import apply_patch
from tasks.generation.corrupting.candidates import Candidate, Reason
from tasks.generation.corrupting.corruption import ANY, corruptions
from tasks.generation.corrupting.operators import OPERATORS
from tests.tasks.generation.small import MODULE, place_of, source_in, tree_of


def changed_lines(made: Candidate) -> list[str]:
    return [line for line in made.start.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def test_each_candidate_of_a_function_has_another_operator(tmp_path: Path) -> None:
    source = source_in(tmp_path)
    tree = tree_of(source)
    made = corruptions(tree, place_of(tree, "fill"), seed=1, most=50)
    operators = [one.targets[0].operator for one in made]
    assert len(set(operators)) == len(operators) > 4
    assert set(operators) < set(OPERATORS)
    assert len({one.key for one in made}) == len(made)
    for one in made:
        (state,) = apply_patch(one.start.encode(), source.read)
        assert state.path == MODULE


def test_the_same_seed_gives_the_same_candidates_and_another_one_others(tmp_path: Path) -> None:
    tree = tree_of(source_in(tmp_path))
    place = place_of(tree, "Shelf.add")
    assert corruptions(tree, place, seed=1, most=3) == corruptions(tree, place, seed=1, most=3)
    starts = {made.start for seed in range(8) for made in corruptions(tree, place, seed=seed)}
    assert len(starts) > 1


def test_a_function_more_changes_no_other_candidate(tmp_path: Path) -> None:
    tree = tree_of(source_in(tmp_path))
    before = [corruptions(tree, place, seed=3)[0] for place in tree.places]
    (tmp_path / MODULE).write_text("def new(a):\n    return a < 1\n\n\n" + (tmp_path / MODULE).read_text())
    grown = tree_of(Tree(tmp_path))
    after = [corruptions(grown, place, seed=3)[0] for place in grown.places if place.function.name != "new"]
    assert [changed_lines(one) for one in before] == [changed_lines(one) for one in after]
    assert [one.targets for one in before] == [one.targets for one in after]


def test_a_function_without_a_site_is_refused(tmp_path: Path) -> None:
    tree = tree_of(source_in(tmp_path))
    (made,) = corruptions(tree, place_of(tree, "Shelf.abstract"), seed=1, most=3)
    assert made.refusal is not None
    assert (made.refusal.reason, made.targets[0].operator, made.start) == (Reason.NO_SITE, ANY, "")


def test_a_function_whose_changes_all_give_clues_is_refused(tmp_path: Path) -> None:
    tree = tree_of(source_in(tmp_path, {"a.py": "def f(a):\n    return a.keys()\n"}))
    (made,) = corruptions(tree, tree.places[0], seed=1)
    assert made.refusal is not None
    assert made.refusal.reason is Reason.CLUE
    assert "nowhere in the repository" in made.refusal.detail


def test_other_languages_have_no_operators(tmp_path: Path) -> None:
    tree = tree_of(source_in(tmp_path, {"c.ts": "function f(a) { return a < 1; }\n"}))
    (made,) = corruptions(tree, tree.places[0], seed=1)
    assert made.refusal is not None
    assert made.refusal.reason is Reason.NO_SITE
