"""A file's suffix decides how it is read."""

from __future__ import annotations

import pytest

from harness.grading.traps.grammars import READERS, read_tests
from tests.harness.grading.traps.samples import JAVASCRIPT, JUNIT_4, PYTHON, TYPESCRIPT


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("tests/test_a.py", PYTHON, "test_counts_what_is_added"),
        ("a.test.js", JAVASCRIPT, "adds two numbers"),
        ("a.test.mjs", JAVASCRIPT, "adds two numbers"),
        ("a.spec.TS", TYPESCRIPT, "adds up prices"),
        ("a.spec.tsx", TYPESCRIPT, "adds up prices"),
        ("src/test/java/FourTest.java", JUNIT_4, "addsTwoNumbers"),
    ],
)
def test_a_file_is_read_by_its_suffix(path: str, text: str, name: str) -> None:
    file = read_tests(path, text)
    assert file is not None
    assert file.tests[0].name == name


@pytest.mark.parametrize("path", ["test_a.rb", "test_a", "py", "a.py/b.txt"])
def test_another_file_is_not_read(path: str) -> None:
    assert read_tests(path, PYTHON) is None


@pytest.mark.parametrize("suffix", READERS)
def test_a_text_that_cannot_be_parsed_is_not_read(suffix: str) -> None:
    assert read_tests(f"a{suffix}", "class ( { def ]") is None


@pytest.mark.parametrize("suffix", READERS)
def test_half_a_character_is_not_read(suffix: str) -> None:
    assert read_tests(f"a{suffix}", "'\ud800'") is None


@pytest.mark.parametrize("suffix", READERS)
def test_an_empty_file_has_no_tests(suffix: str) -> None:
    file = read_tests(f"a{suffix}", "")
    assert file is not None
    assert file.tests == ()
