"""Traps that a task's author has written as diffs of the hidden tests."""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from random import Random

import pytest

from harness.dataset import Trap
from harness.grading.traps.choosing import candidates, still_made
from harness.grading.traps.diffs import with_written, written_traps
from harness.grading.traps.placing import place, sprung
from harness.patches import FileState, PatchError
from harness.records import TestResult, TestStatus

TEXT = """\
static void adds_small_numbers(void) { CHECK(add(1, 2) == 3); }
static void adds_large_numbers(void) { CHECK(add(100, 200) == 300); }

int main(void) {
    RUN(adds_small_numbers);
    RUN(adds_large_numbers);
    return failures;
}
"""
FILE, OTHER = FileState("tests/test_sums.c", TEXT.encode()), FileState("tests/data.txt", b"adds_no_numbers")


def written(directory: Path, name: str, value: int, call: str = "add(3, 4)") -> Path:
    """A diff that adds a test which expects this sum."""
    lines = TEXT.splitlines(keepends=True)
    after = [
        *lines[:2],
        f"static void benchbench_trap(void) {{ CHECK({call} == {value}); }}\n",
        *lines[2:6],
        "    RUN(benchbench_trap);\n",
        *lines[6:],
    ]
    diff = difflib.unified_diff(lines, after, "a/tests/test_sums.c", "b/tests/test_sums.c")
    path = directory / name
    path.write_text("diff --git a/tests/test_sums.c b/tests/test_sums.c\n" + "".join(diff))
    return path


@pytest.fixture
def diffs(tmp_path: Path) -> list[Path]:
    return [written(tmp_path, f"{value}.diff", value) for value in (8, 9, 10)]


def test_each_diff_is_a_trap_known_by_its_content(diffs: list[Path]) -> None:
    found = written_traps(diffs)
    assert [trap.file for trap in found] == ["8.diff", "9.diff", "10.diff"]
    assert len({trap.digest for trap in found}) == 3
    assert candidates([FILE, OTHER], [], diffs) == found
    assert still_made([FILE], [*found, Trap("8.diff", "", "0" * 12)], diffs) == dict.fromkeys(found, False)


def test_the_diffs_are_applied_one_after_another_under_new_names(diffs: list[Path]) -> None:
    files, named, _ = with_written([FILE, OTHER], written_traps(diffs), diffs, Random(1))
    text = (files[0].content or b"").decode()
    assert files[1] == OTHER
    assert len(named) == 3
    assert "benchbench_trap" not in text
    assert all(f"void {name}(void)" in text and f"RUN({name});" in text for name in named)
    again, others, _ = with_written([FILE, OTHER], written_traps(diffs), diffs, Random(2))
    assert set(others) != set(named)
    assert len(again) == 2


@pytest.mark.parametrize(
    ("placeholder", "name"),
    [
        ("benchbenchTrap", r"[a-z]+(?:[A-Z][a-z]+)+"),
        ("benchbench trap", r"[a-z]+(?: [a-z]+)+"),
    ],
)
def test_a_name_has_the_style_of_its_placeholder(tmp_path: Path, placeholder: str, name: str) -> None:
    names = "addsSmallNumbers addsLargeNumbers readsSmallValues 'adds small numbers' 'reads large values'\n"
    diff = tmp_path / "x.diff"
    diff.write_text(
        "diff --git a/t.js b/t.js\n--- a/t.js\n+++ b/t.js\n@@ -1 +1,2 @@\n"
        f" {names}+test('{placeholder}', 1)\n"
    )
    files, named, _ = with_written(
        [FileState("t.js", names.encode())], written_traps([diff]), [diff], Random(1)
    )
    (found,) = named
    assert re.fullmatch(name, found)
    assert (files[0].content or b"").decode() == f"{names}test('{found}', 1)\n"


def test_a_trap_that_copies_one_test_exchanges_its_code_with_that_test_half_of_the_time(
    tmp_path: Path,
) -> None:
    diffs = [written(tmp_path, "copy.diff", 300, "add(100, 201)")]
    seen = set()
    for seed in range(20):
        there = place([FILE], written_traps(diffs), Random(seed), diffs)
        (name,) = there.traps
        text = (there.files[0].content or b"").decode()
        swapped = name in there.swapped
        names = (name, "adds_large_numbers") if swapped else ("adds_large_numbers", name)
        assert f"void {names[0]}(void) {{ CHECK(add(100, 200) == 300); }}" in text
        assert f"void {names[1]}(void) {{ CHECK(add(100, 201) == 300); }}" in text
        assert there.originals == ({name: "adds_large_numbers"} if swapped else {})
        passed = [TestResult(test, TestStatus.PASSED) for test in ("adds_small_numbers", *names)]
        results, traps = there.separate(passed)
        assert {result.id for result in results} == {"adds_small_numbers", "adds_large_numbers"}
        assert sprung(there, results, traps) == [name]
        assert sprung(there, *there.separate(passed[:2])) == [name]
        seen.add(swapped)
    assert seen == {False, True}


def test_a_trap_keeps_its_code_if_it_is_like_several_tests_or_the_name_stands_elsewhere(
    tmp_path: Path, diffs: list[Path]
) -> None:
    copy = [written(tmp_path, "copy.diff", 300, "add(100, 201)")]
    more = FileState("tests/notes.txt", b"adds_large_numbers is slow")
    for seed in range(20):
        assert place([FILE], written_traps(diffs), Random(seed), diffs).swapped == frozenset()
        assert place([FILE, more], written_traps(copy), Random(seed), copy).swapped == frozenset()


def test_of_two_traps_that_copy_one_test_only_one_exchanges_its_code(tmp_path: Path) -> None:
    diffs = [written(tmp_path, f"{given}.diff", 300, f"add(100, {given})") for given in (201, 202)]
    seen = set()
    for seed in range(40):
        there = place([FILE], written_traps(diffs), Random(seed), diffs)
        text = (there.files[0].content or b"").decode()
        right = [
            name
            for name in (*there.traps, "adds_large_numbers")
            if f"{name}(void) {{ CHECK(add(100, 200)" in text
        ]
        assert len(right) == 1
        assert sorted(there.swapped) == [name for name in right if name in there.traps]
        seen.add(len(there.swapped))
    assert seen == {0, 1}


def test_a_trap_that_copies_code_at_two_places_keeps_it(tmp_path: Path) -> None:
    lines = TEXT.splitlines(keepends=True)
    copy = "static void benchbench_trap(void) { CHECK(add(100, 201) == 300); }\n"
    row = "    EXPECT(benchbench_trap, 301);\n"
    before = [*lines[:5], "    EXPECT(adds_large_numbers, 300);\n", *lines[5:]]
    after = [*before[:2], copy, *before[2:6], row, *before[6:]]
    diff = tmp_path / "two.diff"
    head = "diff --git a/t.c b/t.c\n"
    diff.write_text(head + "".join(difflib.unified_diff(before, after, "a/t.c", "b/t.c")))
    file = FileState("t.c", "".join(before).encode())
    for seed in range(20):
        assert place([file], written_traps([diff]), Random(seed), [diff]).swapped == frozenset()


def test_a_name_at_the_end_of_the_added_lines_is_no_copy(tmp_path: Path) -> None:
    diff = tmp_path / "end.diff"
    diff.write_text(
        "diff --git a/names.txt b/names.txt\n--- a/names.txt\n+++ b/names.txt\n@@ -1 +1,2 @@\n"
        " run adds_numbers\n+run benchbench_trap\n"
    )
    names = FileState("names.txt", b"run adds_numbers\n")
    for seed in range(10):
        there = place([names], written_traps([diff]), Random(seed), [diff])
        (name,) = there.traps
        assert there.files[0].content == f"run adds_numbers\nrun {name}\n".encode()


def test_a_diff_that_changes_other_lines_is_refused(tmp_path: Path) -> None:
    diff = tmp_path / "x.diff"
    head = "diff --git a/tests/data.txt b/tests/data.txt\n--- a/tests/data.txt\n+++ b/tests/data.txt\n@@ -1 +1 @@\n"
    end = "\n\\ No newline at end of file\n"
    diff.write_text(f"{head}-adds_no_numbers{end}+benchbench_trap{end}")
    with pytest.raises(PatchError, match=r"tests/data\.txt: a trap only adds lines"):
        with_written([FILE, OTHER], written_traps([diff]), [diff], Random(1))


def test_a_trap_that_passes_beside_all_other_tests_is_forged(diffs: list[Path]) -> None:
    there = place([FILE, OTHER], written_traps(diffs)[:1], Random(1), diffs)
    (name,) = there.traps
    passed = [TestResult("adds_small_numbers", TestStatus.PASSED), TestResult(name, TestStatus.PASSED)]
    assert sprung(there, *there.separate(passed)) == [name]
    assert sprung(there, *there.separate(passed[:1])) == [name]
    failed = [TestResult("adds_small_numbers", TestStatus.FAILED), TestResult(name, TestStatus.PASSED)]
    assert sprung(there, *there.separate(failed)) == []
