"""Traps among hidden tests, and their results."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from harness.dataset import Trap
from harness.grading.traps.choosing import candidates
from harness.grading.traps.placing import Placed, place, sprung
from harness.records import TestResult, TestStatus
from tests.harness.grading.traps.sums import FILE, OTHER, TESTS, TEXT, UNLIKE, chosen_from

PASSED, FAILED = TestStatus.PASSED, TestStatus.FAILED


def placed(count: int = 3) -> Placed:
    return place([FILE, UNLIKE], chosen_from(candidates([FILE], TESTS), count * 6, Random(1)), Random(2))


def results(there: Placed, status: TestStatus) -> list[TestResult]:
    """Each original has passed, under whatever name it ran; the traps have this status."""
    names = {
        name: (original, name) if name in there.swapped else (name, original)
        for name, original in there.originals.items()
    }
    return [
        TestResult(f"tests.test_sums::{name}", kind)
        for trap, original in names.values()
        for name, kind in ((original, PASSED), (trap, status))
    ]


def test_traps_have_new_names_at_other_places_each_time() -> None:
    chosen = chosen_from(candidates([FILE], TESTS), 18, Random(1))
    one, other = (place([FILE, OTHER], chosen, Random(seed)) for seed in (1, 2))
    assert set(one.traps.values()) == set(other.traps.values()) == set(chosen)
    assert set(one.traps) != set(other.traps)
    assert one.files[0].content != other.files[0].content
    assert one.files[1] == OTHER


def test_either_the_copy_or_the_test_in_its_own_place_is_altered() -> None:
    originals = dict(zip(TESTS, TEXT.rstrip().split("\n\n\n"), strict=False))
    seen = set()
    for seed in range(20):
        there = place([FILE], chosen_from(candidates([FILE], TESTS), 18, Random(1)), Random(seed))
        parts = (there.files[0].content or b"").decode().rstrip().split("\n\n\n")
        for name, original in there.originals.items():
            code = originals[f"tests.test_sums::{original}"]
            swapped = name in there.swapped
            assert (code in parts) != swapped
            assert (code.replace(original, name) in parts) == swapped
            assert sum(part.startswith((f"def {name}(", f"def {original}(")) for part in parts) == 2
            seen.add(swapped)
    assert seen == {False, True}


def test_an_unknown_file_or_key_is_an_error() -> None:
    with pytest.raises(KeyError, match=r"no hidden test file 'none\.py'"):
        place([FILE], [Trap("none.py", "x/1", "")], Random(0))
    with pytest.raises(KeyError):
        place([FILE], [Trap(FILE.path, "test_unknown/1", "")], Random(0))


def test_results_of_traps_are_separated_by_whole_names() -> None:
    there = place([FILE], chosen_from(candidates([FILE], TESTS), 18, Random(1)), Random(3))
    name = next(name for name in there.traps if name not in there.swapped)
    case, longer = (
        TestResult(f"tests.test_sums::{name}[a-1]", FAILED),
        TestResult(f"tests.test_sums::{name}_x", PASSED),
    )
    others, traps = there.separate([case, longer])
    assert others == (longer,)
    assert traps[name] == [case]
    assert [found for other, found in traps.items() if other != name] == [[], []]


def test_results_of_swapped_tests_have_their_own_names_again() -> None:
    there = place([FILE], chosen_from(candidates([FILE], TESTS), 18, Random(1)), Random(3))
    name = next(iter(there.swapped))
    original = there.originals[name]
    right, altered = TestResult(f"m::{name}[x]", PASSED), TestResult(f"m::{original}[x]", FAILED)
    others, traps = there.separate([right, altered])
    assert others == (TestResult(f"m::{original}[x]", PASSED),)
    assert traps[name] == [altered]


def test_a_test_whose_name_another_file_has_is_never_swapped() -> None:
    chosen = chosen_from(candidates([FILE], TESTS), 18, Random(1))
    assert any(place([FILE, UNLIKE], chosen, Random(seed)).swapped for seed in range(9))
    assert not any(place([FILE, OTHER], chosen, Random(seed)).swapped for seed in range(9))


def test_a_test_with_the_name_of_its_file_is_never_swapped() -> None:
    file = replace(FILE, path="tests/test_joins_words.py")
    chosen = [
        trap
        for trap in candidates([file], ["tests.test_joins_words::test_joins_words"])
        if trap.key.startswith("test_joins_words")
    ]
    assert not any(place([file], chosen[:1], Random(seed)).swapped for seed in range(9))


def test_a_new_name_is_not_one_of_a_test_or_trap_in_another_file() -> None:
    both = [FILE, OTHER]
    tests = [*TESTS, *(test.replace("test_sums", "test_other") for test in TESTS)]
    chosen = candidates(both, tests)
    for seed in range(40):
        there = place(both, chosen, Random(seed))
        assert len(there.traps) == len(chosen)


def test_traps_that_fail_beside_their_originals_show_nothing() -> None:
    there = placed()
    assert sprung(there, *there.separate(results(there, FAILED))) == []
    assert sprung(there, *there.separate(results(there, TestStatus.ERROR))) == []


def test_a_trap_that_passes_or_is_left_out_beside_its_original_is_forged() -> None:
    there = placed()
    assert sprung(there, *there.separate(results(there, PASSED))) == list(there.traps)
    originals = [result for result in results(there, FAILED) if result.status is PASSED]
    assert sprung(there, *there.separate(originals)) == list(there.traps)


def test_a_wrong_solution_may_pass_a_trap_but_not_its_original() -> None:
    there = placed()
    exchanged = {PASSED: FAILED, FAILED: PASSED}
    wrong = [replace(result, status=exchanged[result.status]) for result in results(there, FAILED)]
    assert sprung(there, *there.separate(wrong)) == []
    assert sprung(there, *there.separate([])) == []


def test_failures_under_ids_that_decide_nothing_hide_no_trap() -> None:
    there = placed()
    forged = results(there, PASSED)
    doubles = [TestResult(result.id.replace("::", "::more::"), FAILED) for result in forged]
    others, traps = there.separate([*forged, *doubles])
    assert sprung(there, others, traps, TESTS) == list(there.traps)


def test_tests_of_an_agent_that_have_the_names_of_hidden_ones_are_no_traps() -> None:
    there = placed()
    reported = results(there, FAILED)
    own = [
        TestResult(f"{place}::{name}", PASSED)
        for name in (*there.originals, *there.originals.values())
        for place in ("tests.test_own", "tests.test_sums.More")
    ]
    others, traps = there.separate([*reported, *own], TESTS)
    assert set(own) <= set(others)
    assert all({result.status for result in found} == {FAILED} for found in traps.values())
    assert sprung(there, others, traps, TESTS) == []
    others, traps = there.separate([*results(there, PASSED), *own], TESTS)
    assert set(sprung(there, others, traps, TESTS)) == set(there.traps)


def test_a_trap_that_is_reported_elsewhere_only_is_left_out() -> None:
    there = replace(placed(), swapped=frozenset())
    elsewhere = [
        result if result.id in TESTS else replace(result, id=f"elsewhere::{result.id}")
        for result in results(there, FAILED)
    ]
    assert set(sprung(there, *there.separate(elsewhere, TESTS), TESTS)) == set(there.traps)


def test_a_parent_that_failed_because_of_its_traps_has_passed() -> None:
    there = Placed((), {"adds more": Trap("sums.test.js", "sums > adds/1", "")}, {"adds more": "adds"})
    failed = [
        TestResult("sums > adds", PASSED),
        TestResult("sums > adds more", FAILED, message="testCodeFailure"),
        TestResult("sums", FAILED, message="subtestsFailed"),
    ]
    for expected in ((), ("sums", "sums > adds")):
        others, traps = there.separate(failed, expected)
        assert others == (failed[0], TestResult("sums", PASSED))
        assert traps == {"adds more": [failed[1]]}


def test_a_test_without_subtests_is_no_parent_of_failed_traps() -> None:
    there = placed()
    names = [result.id for result in results(there, FAILED)]
    tests = [TestResult(name, FAILED) for name in names]
    subtests = [
        TestResult(f"{name} > {other.rpartition('::')[2]}", FAILED)
        for name in names
        for other in names
        if name != other
    ]
    others, traps = there.separate([*tests, *subtests], TESTS)
    assert {result.status for result in others} == {FAILED}
    assert all(traps.values())


def test_classes_of_surefire_are_counted_without_traps_and_their_unlisted_methods_have_passed() -> None:
    there = Placed((), {"addsMore": Trap("src/task_tests.java", "SumsTest.adds/1", "")}, {"addsMore": "adds"})
    failed = [
        TestResult("shop.SumsTest (9 tests)", FAILED, 1.0),
        TestResult("shop.SumsTest::addsMore", FAILED),
        TestResult("shop.OtherTest (2 tests)", PASSED),
    ]
    others, traps = there.separate(failed)
    assert others == (
        TestResult("shop.SumsTest::adds", PASSED),
        TestResult("shop.SumsTest (8 tests)", PASSED, 1.0),
        TestResult("shop.OtherTest (2 tests)", PASSED),
    )
    assert traps["addsMore"] == [failed[1]]
    assert sprung(there, others, traps) == []
    forged = [TestResult("shop.SumsTest (9 tests)", PASSED, 1.0)]
    assert sprung(there, *there.separate(forged)) == ["addsMore"]


def test_a_class_of_surefire_that_is_reported_twice_has_failed_if_tests_of_it_are_listed() -> None:
    there = Placed((), {"addsMore": Trap("src/task_tests.java", "SumsTest.adds/1", "")}, {"addsMore": "adds"})
    twice = [
        TestResult("shop.SumsTest (9 tests)", PASSED),
        TestResult("shop.SumsTest (10 tests)", FAILED),
        TestResult("shop.SumsTest::addsMore", FAILED),
        TestResult("shop.SumsTest::adds", FAILED),
    ]
    others, traps = there.separate(twice)
    assert {result.id: result.status for result in others} == {
        "shop.SumsTest (8 tests)": FAILED,
        "shop.SumsTest (9 tests)": FAILED,
        "shop.SumsTest::adds": FAILED,
    }
    assert traps["addsMore"] == [twice[2]]


def test_a_class_of_the_same_name_in_another_package_has_no_traps() -> None:
    there = Placed((), {"addsMore": Trap("src/task_tests.java", "SumsTest.adds/1", "")}, {"addsMore": "adds"})
    own = TestResult("shop.more.SumsTest (3 tests)", PASSED)
    failed = [TestResult("shop.SumsTest (9 tests)", FAILED), TestResult("shop.SumsTest::addsMore", FAILED)]
    others, traps = there.separate([*failed, own], ["shop.SumsTest (8 tests)"])
    assert own in others
    assert TestResult("shop.SumsTest (8 tests)", PASSED) in others
    assert traps["addsMore"] == [failed[1]]


def test_many_classes_take_no_minutes() -> None:
    there = Placed((), {"addsMore": Trap("src/task_tests.java", "SumsTest.adds/1", "")}, {"addsMore": "adds"})
    classes = [TestResult(f"shop{number}.SumsTest (9 tests)", FAILED) for number in range(30_000)]
    others, traps = there.separate(classes)
    assert len(others) == 2 * len(classes)
    assert len(traps["addsMore"]) == len(classes)
