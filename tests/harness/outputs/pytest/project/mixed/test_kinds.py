"""Every verdict that pytest knows, names that are hard to read, and output in between."""

import sys
import unittest

import pytest


def test_passes():
    print("FAILED test_kinds.py::test_passes - printed by the test itself")
    assert True


def test_fails():
    print("half a line without an end", end="")
    assert [1] == [2], "first line\nPASSED test_kinds.py::test_fails"


@pytest.fixture
def broken():
    raise RuntimeError("no set-up")


@pytest.fixture
def untidy():
    yield
    raise RuntimeError("no tear-down")


def test_breaks_in_setup(broken):
    pass


def test_breaks_in_teardown(untidy):
    pass


def test_fails_and_breaks_in_teardown(untidy):
    assert False


@pytest.mark.skip(reason="not today - perhaps tomorrow")
def test_skipped():
    pass


def test_skipped_within():
    pytest.skip("found out [late]")


@pytest.mark.xfail(reason="known")
def test_expected_to_fail():
    assert False


@pytest.mark.xfail
def test_passes_unexpectedly():
    pass


@pytest.mark.xfail(strict=True, reason="known")
def test_passes_unexpectedly_and_must_not():
    pass


@pytest.mark.parametrize("text", ["", " ", "a b", "a - b", "[x]", "a::b", "x]", "tür", "日本", "a\nb", "PASSED", "100%", "é" * 60])
def test_names(text):
    assert len(text) != 3 or text in ("tür", "[x]")


@pytest.mark.parametrize("name", ["skip me", "fail me", "break - me", "expect me"])
def test_verdicts(name, request):
    if name == "skip me":
        pytest.skip("as - told")
    if name == "expect me":
        request.applymarker(pytest.mark.xfail)
    if name == "break - me":
        request.getfixturevalue("broken")
    raise ValueError(name)


class TestClass:
    class TestNested:
        def test_deep(self):
            sys.stderr.write("on stderr\n")


class TestUnit(unittest.TestCase):
    def test_unit(self):
        self.assertTrue(True)

    @unittest.expectedFailure
    def test_expected(self):
        self.assertTrue(False)

    def test_subtests(self):
        for number in range(3):
            with self.subTest("number - %d" % number):
                self.assertNotEqual(number, 1)


def test_subtests(subtests):
    for number in range(3):
        with subtests.test(msg="number", i=number):
            assert number < 2


def test_subtests_that_hold(subtests):
    with subtests.test("one"):
        assert True
