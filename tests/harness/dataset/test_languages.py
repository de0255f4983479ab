"""Programming languages have one spelling."""

from __future__ import annotations

import pytest

from harness.dataset.languages import spelled


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("c", "C"),
        ("C", "C"),
        ("cpp", "C++"),
        ("JAVASCRIPT", "JavaScript"),
        ("python", "Python"),
        ("Python", "Python"),
        ("C11", "C11"),
        ("emacs  lisp", "Emacs lisp"),
        ("PL/SQL", "PL/SQL"),
    ],
)
def test_every_language_has_one_spelling(written: str, name: str) -> None:
    assert spelled(written) == name
