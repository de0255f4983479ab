"""Which tests of a Python file are found, where they stand, and where a copy of them may stand."""

from __future__ import annotations

import pytest

from harness.grading.traps.grammars import read_tests
from tests.harness.grading.traps.readers import only_test, read
from tests.harness.grading.traps.samples import PYTHON

ASSERTION = "    assert f() == 5\n"


def test_functions_and_methods_of_test_classes_are_found() -> None:
    file = read(
        "test_a.py",
        "def test_a():\n    assert f() == 1\nasync def test_b():\n    pass\ndef helper():\n    pass\n"
        "class TestC:\n    def test_d(self):\n        pass\n"
        "    class TestE:\n        def test_f(self):\n            pass\n"
        "class CaseG(unittest.TestCase):\n    def test_h(self):\n        pass\n    def setUp(self):\n        pass\n"
        "class Helper:\n    def test_i(self):\n        pass\n",
    )
    assert [test.path for test in file.tests] == [
        "test_a",
        "test_b",
        "TestC.test_d",
        "TestC.TestE.test_f",
        "CaseG.test_h",
    ]
    assert [test.name for test in file.tests] == ["test_a", "test_b", "test_d", "test_f", "test_h"]


def test_a_test_begins_with_its_comments_and_decorators_and_ends_with_its_line() -> None:
    text = (
        "import a\n\n# One.\n\n# Two.\n# Three.\n@b\ndef test_a():\n    assert f() == 5  # four\n\n\nc = 1\n"
    )
    file, test = only_test("test_a.py", text)
    assert file.text[test.start : test.end].decode() == (
        "# Two.\n# Three.\n@b\ndef test_a():\n    assert f() == 5  # four"
    )


@pytest.mark.parametrize(
    "text",
    [
        f"@pytest.mark.skip(reason='no')\ndef test_a():\n{ASSERTION}",
        f"@unittest.skipIf(True, 'no')\ndef test_a():\n{ASSERTION}",
        f"@pytest.mark.xfail\ndef test_a():\n{ASSERTION}",
        f"@unittest.expectedFailure\ndef test_a():\n{ASSERTION}",
        f"slow = pytest.mark.skipif(True)\n@slow\ndef test_a():\n{ASSERTION}",
        f"pytestmark = [pytest.mark.skip]\ndef test_a():\n{ASSERTION}",
        f"@pytest.mark.skip\nclass TestA:\n    def test_a(self):\n    {ASSERTION}",
        f"def test_a():\n    pytest.skip('no')\n{ASSERTION}",
    ],
)
def test_what_is_skipped_or_expected_to_fail_has_no_alteration(text: str) -> None:
    assert only_test("test_a.py", text)[1].alterations == ()


def test_a_copy_stays_where_the_names_of_its_decorators_are_defined() -> None:
    text = (
        "def test_b():\n    pass\nROWS = [1]\n"
        f"@pytest.mark.parametrize('a', ROWS)\ndef test_a(a):\n{ASSERTION}ROWS = [2]\n"
    )
    file = read("test_a.py", text)
    test = file.tests[1]
    assert test.earliest == text.index("ROWS = [1]") + len("ROWS = [1]")
    assert test.latest == text.index("ROWS = [2]")
    assert file.tests[0].earliest == 0
    assert file.tests[0].latest > len(text)


def test_positions_count_bytes() -> None:
    file = read("test_a.py", PYTHON)
    for test in file.tests:
        assert file.text[test.name_start : test.name_end].decode() == test.name


@pytest.mark.parametrize("text", ["def test_a(:\n    pass\n", "", "x = 1\n", "\ud800"])
def test_a_text_without_tests_or_sense_has_none(text: str) -> None:
    file = read_tests("test_a.py", text)
    assert file is None or file.tests == ()
