"""Recognition of assertion messages of runners and libraries."""

from __future__ import annotations

import pytest

from runs.analysis.failures.assertions import by_assertion, says_nothing


@pytest.mark.parametrize(
    "message",
    [
        # pytest, unittest
        "AssertionError: assert 1 == 2\n +  where 1 = f()",
        "assert [(96, 96)] == [(96, 1054)]\n  At index 0 diff",
        "def test_a():\n>       assert f() == 2\nE       assert 1 == 2\n\ntest_a.py:3: AssertionError",
        "AssertionError: 1 != 2 : sums",
        # JUnit 4 and 5, AssertJ, and the message alone
        "java.lang.AssertionError: expected:<1> but was:<2>\n\tat org.junit.Assert.fail(Assert.java:89)",
        "org.opentest4j.AssertionFailedError: expected: <1> but was: <2>",
        "expected: <1> but was: <2>",
        "org.junit.ComparisonFailure: expected:<[a]> but was:<[b]>",
        # Jest, Vitest, Chai under Mocha, node:assert
        "Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 2\nReceived: 1",
        "expect(jest.fn()).not.toHaveBeenCalled()",
        "AssertionError: expected 1 to equal 2",
        "expected [ 1 ] to deeply equal [ 2 ]",
        "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n1 !== 2",
        # RSpec, PHPUnit
        "Failure/Error: expect(sum).to eq 3\n\n  expected: 3\n       got: 2",
        "RSpec::Expectations::ExpectationNotMetError\nexpected true\ngot false",
        "SumsTest::adds\nFailed asserting that 1 matches expected 2.",
        "PHPUnit\\Framework\\ExpectationFailedException: no",
        # NUnit, xUnit, MSTest
        "  Expected: 1\n  But was:  2",
        "Assert.Equal() Failure: Values differ\nExpected: 1\nActual:   2",
        "Xunit.Sdk.EqualException : differ",
        "Assert.AreEqual failed. Expected:<1>. Actual:<2>.",
        # Go: the habit, and testify
        "    sums_test.go:9: got 1, want 2",
        "    sums_test.go:9: Add(1, 1) = 1; want 2, got 1",
        "Error Trace: sums_test.go:9\n        Error:          Not equal:\n            expected: 2",
        # Rust, C, GoogleTest, Catch2
        "thread 'adds' panicked at src/lib.rs:7:9:\nassertion `left == right` failed\n  left: 1\n right: 2",
        "assertion failed: sum > 3",
        "calc: main.c:9: main: Assertion `sum == 2' failed.",
        "sums_test.cc:7: Failure\nExpected equality of these values:\n  add(1, 1)\n  3",
        "sums.cpp:7: FAILED:\n  REQUIRE( add(1, 1) == 3 )\nwith expansion:\n  2 == 3",
    ],
)
def test_assertions_are_known_by_their_words(message: str) -> None:
    assert by_assertion(message)
    assert not says_nothing(message)


@pytest.mark.parametrize(
    "message",
    [
        "ValueError: not enough values to unpack (expected 1, got 0)\n    assert x == y",
        "def test_a():\n>       assert f() == 2\n\ntest_a.py:3:\nE       KeyError: 'expected a, but was b'",
        "TypeError: f() takes 1 positional argument but 2 were given",
        "java.lang.NullPointerException: expected a value but was null",
        "System.ArgumentNullException : Value cannot be null",
        "panic: runtime error: index out of range [3] with length 3",
        "TypeError: Cannot read properties of undefined (reading 'x')",
        "no method named `sum` found",
        "Timeout of 2000ms exceeded.",
        "assertion_helpers.py:10: in check",
        "Segmentation fault",
    ],
)
def test_other_errors_are_not_taken_for_assertions(message: str) -> None:
    assert not by_assertion(message)
    assert not says_nothing(message)


@pytest.mark.parametrize(
    "message", ["", "  \n", "Failed", "***Failed    0.01 sec", "FAILED", "failure: 3 ms"]
)
def test_a_verdict_alone_says_nothing(message: str) -> None:
    assert says_nothing(message)
    assert not by_assertion(message)


def test_hostile_messages_take_no_time() -> None:
    for message in ("E " * 2000, "a.b" * 1300, "expected " * 450, "assert" * 600, "got " * 1000):
        by_assertion(message)
        says_nothing(message)
