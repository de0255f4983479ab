"""Which traps are made, known again, and taken for a test run."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from harness.dataset import Trap
from harness.grading.traps.choosing import candidates, still_made
from harness.patches import FileState
from tests.harness.grading.traps.sums import FILE, OTHER, TESTS, chosen_from


def test_candidates_are_altered_tests_of_files_that_the_report_names() -> None:
    found = candidates([FILE, OTHER, FileState("tests/data.bin", b"\xff"), FileState("gone.py", None)], TESTS)
    assert {trap.file for trap in found} == {"tests/test_sums.py"}
    assert {trap.key.partition("/")[0] for trap in found} == {test.rpartition(":")[2] for test in TESTS}


def test_ids_without_files_allow_every_file() -> None:
    found = candidates([FILE, OTHER], ["test_joins_words"])
    assert {trap.file for trap in found} == {"tests/test_sums.py", "tests/test_other.py"}
    assert {trap.key.partition("/")[0] for trap in found} == {"test_joins_words"}


@pytest.mark.parametrize(("tests", "number"), [(1, 5), (30, 5), (36, 6), (600, 6)])
def test_the_number_of_traps_grows_with_the_tests_within_bounds(tests: int, number: int) -> None:
    known = [Trap("a.py", f"test_{n}/1", "") for n in range(20)]
    assert len(chosen_from(known, tests, Random(0))) == number


def test_traps_of_different_tests_are_preferred() -> None:
    known = [Trap("a.py", f"test_{name}/{number}", "") for name in "abc" for number in range(9)]
    for seed in range(20):
        assert {trap.key[5] for trap in chosen_from(known, 18, Random(seed))} == {"a", "b", "c"}
    assert len(chosen_from(known[:9], 18, Random(0))) == 3


@pytest.mark.parametrize(
    ("file", "suite"),
    [("sums.py", "Sums."), ("Sums.java", "Sums."), ("sums.test.ts", "sums > "), ("sums.test.js", "")],
)
def test_traps_of_tests_that_the_unchanged_code_fails_are_preferred(file: str, suite: str) -> None:
    known = [Trap(file, f"{suite}adds_v1_{name}/{twin}", "") for name in "abcdefgh" for twin in (1, 2)]
    unsolved = [f"m::adds_v1_{name}" for name in "bdfgh"]
    for seed in range(20):
        chosen = chosen_from(known, 18, Random(seed), unsolved)
        assert {trap.key[-3] for trap in chosen} == set("bdfgh")
        assert len({trap.key[-3] for trap in chosen_from(known, 48, Random(seed), unsolved)}) == 6


def test_only_one_slow_trap_is_taken_beside_quick_ones() -> None:
    quick = [Trap("a.py", f"test_quick_{n}/1", "", 0.1) for n in range(6)]
    slow = [Trap("a.py", f"test_slow_{n}/1", "", 2.0) for n in range(18)]
    numbers = {
        sum(trap in slow for trap in chosen_from(quick + slow, 18, Random(seed), seconds=5))
        for seed in range(20)
    }
    assert numbers == {0, 1}
    assert len(chosen_from(quick + slow, 18, Random(1), seconds=5)) == 5


def test_where_all_traps_are_slow_the_quickest_ones_follow_the_first() -> None:
    known = [Trap("a.py", f"test_{n}/1", "", n) for n in range(1, 10)]
    for seed in range(20):
        first, *others = chosen_from(known, 18, Random(seed), seconds=5)
        assert others == [trap for trap in known if trap != first][:2]


def test_only_traps_that_this_version_makes_in_the_same_way_are_still_made() -> None:
    known = candidates([FILE], TESTS)
    changed = replace(known[0], digest="0" * 12)
    found = still_made([FILE], [changed, *known[1:], Trap("none.py", "x/1", "")])
    assert list(found) == known[1:]


def test_a_trap_that_never_changes_places_with_its_original_can_be_told() -> None:
    text = (
        "def test_counts_words():\n    assert count(BOOK) == 4711\n\n\n"
        "def test_counts_lines():\n    assert lines(BOOK) == 812\n"
    )
    file = FileState("tests/test_books.py", text.encode())
    double = FileState("tests/test_more.py", b"class TestMore:\n    def test_counts_words(self): pass\n")
    known = candidates([file], ["tests.test_books::test_counts_words", "tests.test_books::test_counts_lines"])
    assert known
    assert still_made([file], known) == dict.fromkeys(known, False)
    assert still_made([file, double], known) == {
        trap: trap.key.startswith("test_counts_words/") for trap in known
    }


def test_no_trap_is_made_of_a_test_whose_name_is_reported_for_a_file_that_is_not_hidden() -> None:
    found = candidates([FILE], [*TESTS, "tests.test_base::test_joins_words"])
    assert {trap.key.partition("/")[0] for trap in found} == {
        "test_adds_small_numbers",
        "test_adds_large_numbers",
    }


def test_traps_whose_code_tells_what_they_are_are_taken_last() -> None:
    known = [
        Trap("tests/test_sums.py", f"test_{name}/{number}", "") for name in "abcdefg" for number in (1, 2)
    ]
    unsolved = [f"tests.test_sums::test_{name}" for name in "abcdefg"]
    telling = [trap for trap in known if trap.key[5] in "fg" or trap.key.endswith("2")]
    for seed in range(20):
        chosen = chosen_from(known, 30, Random(seed), unsolved, telling=telling)
        assert {trap.key for trap in chosen} == {f"test_{name}/1" for name in "abcde"}
        chosen = chosen_from(known, 42, Random(seed), unsolved, telling=telling)
        assert {trap.key[5] for trap in chosen} > set("abcde")
        assert not {trap.key[5] for trap in chosen if trap in telling} & set("abcde")
