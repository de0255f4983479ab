"""The names of tests in the ids of results."""

from __future__ import annotations

import time

import pytest

from harness.dataset import Trap
from harness.grading.traps.result_ids import (
    every_name,
    has_name,
    holder_of,
    is_unique,
    may_report,
    original_of,
    renamed,
    reported,
    stands_behind,
)
from harness.patches import FileState


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("m::test_adds", True),
        ("m::test_adds[a-1]", True),
        ("sums > test_adds > zero", True),
        ("m::test_adds_more", False),
        ("m::more_test_adds", False),
    ],
)
def test_a_name_is_in_an_id_as_a_whole_only(test: str, found: bool) -> None:
    assert has_name(test, "test_adds") is found
    assert renamed(test, "test_adds", r"a\1") == (test.replace("test_adds", r"a\1") if found else test)


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("sums > adds", True),
        ("sums > adds twice", True),
        ("sums > adds_more", False),
        ("more sums > adds", False),
        ("sums > more > adds", False),
        ("sums > more", False),
    ],
)
def test_a_name_counts_only_where_a_place_ends(test: str, found: bool) -> None:
    assert stands_behind(test, "adds", {"other > ", "sums > "}) is found


def test_without_places_a_name_counts_anywhere() -> None:
    assert stands_behind("sums > more > adds", "adds", frozenset())
    assert not stands_behind("sums > adds_more", "adds", frozenset())


def test_an_id_that_repeats_a_name_for_megabytes_takes_no_time() -> None:
    began = time.monotonic()
    assert not stands_behind("more > " + "adds " * (4 << 20), "adds", {"sums > "})
    assert time.monotonic() - began < 1


def test_a_class_of_surefire_may_report_any_test() -> None:
    assert may_report("shop.SumsTest (9 tests)", "adds")
    assert not may_report("shop.SumsTest::addsMore", "adds")


@pytest.mark.parametrize(
    ("file", "key", "original", "holder"),
    [
        ("tests/test_sums.py", "TestSums.test_adds/2", "test_adds", "test_sums"),
        ("src/task_tests.java", "shop.SumsTest.adds/1", "adds", "SumsTest"),
        ("sums.test.js", "sums > adds 1/2 and 1/2/3", "adds 1/2 and 1/2", "sums.test"),
    ],
)
def test_a_trap_knows_its_original_and_what_ids_contain_of_its_file(
    file: str, key: str, original: str, holder: str
) -> None:
    assert original_of(Trap(file, key, "")) == original
    assert holder_of(file, key) == holder


def test_a_name_is_unique_if_no_other_test_and_no_path_has_it() -> None:
    code = b"def test_adds(): pass\n\n\ndef test_sums(): pass\n"
    every = every_name([FileState("tests/test_sums.py", code), FileState("data.bin", b"\xff")])
    assert every == ["tests", "test_sums", "py", "test_adds", "test_sums"]
    assert is_unique("test_adds", every)
    assert not is_unique("test_sums", every)
    assert not is_unique("test_other", every)


def test_names_are_reported_as_a_whole_and_all_of_them_by_a_class() -> None:
    ids = ["tests.test_a::test_adds[5]", "sums > adds two numbers"]
    names = ["test_adds", "test_add", "adds two numbers", "adds two", "two num"]
    assert reported(names, ids) == ["test_adds", "adds two numbers", "adds two"]
    assert reported(names, [*ids, "shop.SumsTest (9 tests)"]) == names
