"""New names look like the names beside them, and match nothing else."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.grading.traps.names import recombined

SNAKE = ["test_adds_one_number", "test_adds_two_numbers", "test_refuses_letters", "test_largest_of_negatives"]
CAMEL = ["addsOneNumber", "addsTwoNumbers", "refusesLetters"]
TITLES = ["adds one number", "doesn't add letters", "Größe: 12 numbers"]


def coined(names: list[str], count: int = 20, like: list[str] | None = None) -> list[str]:
    return recombined(names, frozenset(), count, Random(1), like or [])


@pytest.mark.parametrize(
    ("names", "pattern"),
    [(SNAKE, r"test(_[a-z]+)+"), (CAMEL, r"[a-z]+([A-Z][a-z]+)+"), (TITLES, r"[\w' :]+")],
)
def test_new_names_have_the_style_of_the_others(names: list[str], pattern: str) -> None:
    assert all(re.fullmatch(pattern, name) for name in coined(names))


@pytest.mark.parametrize("names", [SNAKE, CAMEL, TITLES, ["test_a"], ["testA"], ["works"], ["it"]])
def test_no_name_is_part_of_another(names: list[str]) -> None:
    found = coined(names)
    every = [*names, *found]
    assert len(set(every)) == len(names) + 20
    assert not any(one in other for one in every for other in found if one is not other)


@pytest.mark.parametrize("names", [["test"], ["test_"], ["test1", "test2"], ["test_1", "test_2"], ["testA"]])
def test_a_name_begins_with_test_if_all_do(names: list[str]) -> None:
    assert all(name.startswith("test") and name not in names for name in coined(names))


def test_a_new_name_resembles_the_one_that_it_is_made_like() -> None:
    (name,) = coined(SNAKE, 1, ["test_largest_of_negatives"])
    words = name.split("_")
    assert len(words) == 4
    assert len({"test", "largest", "of", "negatives"} & set(words)) == 3


def test_a_word_of_the_code_is_neither_taken_nor_given() -> None:
    codes = {
        "test_adds_small_numbers": "adds(numbers)",
        "test_spells_small_texts": "spells(texts)",
        "test_spells_large_numbers": "spells(numbers)",
        "test_adds_large_texts": "adds(texts)",
    }
    for seed in range(20):
        (name,) = recombined(
            list(codes), frozenset(), 1, Random(seed), ["test_adds_small_numbers"], codes=codes
        )
        assert name.startswith("test_adds_")
        assert name.endswith("_numbers")


def test_a_name_that_is_taken_is_not_given() -> None:
    (free,) = recombined(["test_one"], frozenset(), 1, Random(5))
    (other,) = recombined(["test_one"], frozenset([free]), 1, Random(5))
    assert other != free


def test_another_chance_gives_other_names() -> None:
    names = SNAKE
    assert recombined(names, frozenset(), 3, Random(1)) == recombined(names, frozenset(), 3, Random(1))
    assert recombined(names, frozenset(), 3, Random(1)) != recombined(names, frozenset(), 3, Random(2))


def test_no_name_tells_what_it_is() -> None:
    names = ["test_fake_trap", "test_twin_trap", "test_fake_twin"]
    assert not any(word in name for name in coined(names) for word in ("fake", "trap", "twin"))


def test_without_a_test_there_is_no_name() -> None:
    with pytest.raises(ValueError, match="no tests whose names"):
        recombined([], frozenset(), 1, Random(1))


@settings(max_examples=25)
@given(
    names=st.lists(
        st.from_regex(r"test(_[a-z]{1,8}){1,4}", fullmatch=True), min_size=1, max_size=8, unique=True
    )
)
def test_there_is_always_a_name(names: list[str]) -> None:
    found = coined(names, 5)
    assert len(set(found)) == 5
    assert not any(re.search(rf"\b{one}\b", other) or other in one for one in names for other in found)


def test_a_new_name_may_have_the_part_of_a_word_that_its_pattern_shares_with_a_test() -> None:
    (name,) = coined(["test_set", "test_set_create"], 1, ["test_set_create"])
    assert name.startswith("test_set_")
    assert name != "test_set_create"
