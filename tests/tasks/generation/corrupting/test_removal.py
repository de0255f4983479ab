"""Candidates whose function was removed."""

from __future__ import annotations

from pathlib import Path

from harness.patches import apply_patch
from tasks.generation.corrupting.candidates import Kind, Reason
from tasks.generation.corrupting.removal import removed
from tests.tasks.generation.small import place_of, source_in, tree_of


def test_signature_and_docstring_stay(tmp_path: Path) -> None:
    source = source_in(tmp_path)
    tree = tree_of(source)
    made = removed(tree, place_of(tree, "fill"), seed=1)
    (state,) = apply_patch(made.start.encode(), source.read)
    assert 'def fill(shelf, boxes):\n    """How many boxes fit."""\n\n' in (state.content or b"").decode()
    assert (made.kind, made.refusal, made.source_digest) == (Kind.REMOVE, None, tree.digest)
    (target,) = made.targets
    assert (target.path, target.name, target.occurrence, target.operator) == (
        "stock/shelf.py",
        "fill",
        0,
        "without_body",
    )
    assert target.digest_before == place_of(tree, "fill").digest != target.digest_after


def test_a_function_that_does_nothing_is_refused(tmp_path: Path) -> None:
    tree = tree_of(source_in(tmp_path))
    made = removed(tree, place_of(tree, "Shelf.abstract"), seed=1)
    assert made.refusal is not None
    assert made.refusal.reason is Reason.NO_SITE
    assert made.start == ""
