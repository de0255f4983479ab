"""New names look like the old ones, and no other name is equal."""

from __future__ import annotations

import re

import pytest

from tasks.generation.renaming.new_names import new_names

OLD = ("add", "Shelf", "_get_box", "HTTPServer", "MAX_SIZE", "box2", "x" * 30)


@pytest.mark.parametrize(
    ("old", "form"),
    [
        ("add", "[a-z]{4}"),
        ("Shelf", "[A-Z][a-z]{4}"),
        ("_get_box", "_[a-z]{4}_[a-z]{4}"),
        ("HTTPServer", "[A-Z]{4}[A-Z][a-z]{5}"),
        ("MAX_SIZE", "[A-Z]{4}_[A-Z]{4}"),
        ("box2", "[a-z]{4}2"),
        ("x" * 30, "[a-z]{8}"),
    ],
)
def test_a_new_name_has_the_style_of_the_old_one(old: str, form: str) -> None:
    (new,) = new_names([old], (), seed=1).values()
    assert re.fullmatch(form, new)
    assert new != old


def test_names_depend_on_the_seed_and_not_on_each_other() -> None:
    found = new_names(OLD, (), seed=1)
    assert new_names(reversed(OLD), (), seed=1) == found
    assert new_names(OLD[:1], (), seed=1)["add"] == found["add"]
    assert new_names(OLD, (), seed=2) != found


def test_a_name_that_is_taken_is_not_given() -> None:
    first = new_names(["add"], (), seed=1)["add"]
    assert new_names(["add"], {first}, seed=1)["add"] not in {first, "add"}
    many = new_names([f"n{number}" for number in range(500)], (), seed=1)
    assert len(set(many.values())) == 500
