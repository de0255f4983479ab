"""Whether a test failed in an assertion, from the message of its test runner."""

from __future__ import annotations

import re

# The name of an exception raised by assertions, with its package, at the start of a line or after pytest's "E ".
_NAMED = re.compile(
    r"""
    ^(?:E\ +)?(?:Uncaught\ |Caused\ by:\ |Failure/Error:\ )?[\w.\\$]{0,200}
      (?: Assert\w{0,40}?(?:Error|Exception) | ExpectationFailedException | ExpectationNotMetError | ComparisonFailure
        | (?<=Xunit\.Sdk\.)\w{1,40}Exception )\b
    """,
    re.MULTILINE | re.VERBOSE,
)
# Texts that only assertions print.
_PRINTED = re.compile(
    r"""
      ^E\ +assert\b | \A\s*assert\b                                   # pytest, explaining a bare assert
    | \b[Aa]ssertion\ (?:[`'"].{0,400}\ )?failed\b                    # Rust, C
    | \bAssert\.\w{1,40}(?:\(\))?\ (?:Failure|failed)\b               # xUnit, MSTest
    | ^\s{0,80}Failed\ asserting\ that\b                              # PHPUnit
    | ^\s{0,80}(?:Error:\s{1,40})?expect\(.{0,400}\)\.(?:\w{1,40}\.){0,3}to[A-Z]      # Jest, Vitest
    | ^\s{0,80}Expected\ equality\ of\ these\ values | ^\s{0,80}Value\ of:\           # GoogleTest
    | ^\s{0,80}(?:REQUIRE|CHECK|ASSERT|EXPECT)(?:_[A-Z_]{1,40})?\ ?\(                 # Catch2, doctest
    | ^\s{0,80}Error:\s{1,40}(?:Not\ equal|Should\ |An\ error\ is\ expected|Received\ unexpected)    # testify
    """,
    re.MULTILINE | re.VERBOSE,
)
# Texts of assertions without an exception name (JUnit, Chai, RSpec, NUnit, Go). Other errors may contain them, too.
_COMPARED = re.compile(
    r"\bexpect(?:ed)?\b:?.{0,400}?(?:\bwas\b|\bgot\b|\bto\b|\breceived\b|\bactual\b)"
    r"|\bgot\b.{0,400}?\b(?:want|expected)|\bwant(?:ed)?\b.{0,400}?\bgot\b",
    re.DOTALL | re.IGNORECASE,
)
_OTHER_ERROR = re.compile(r"(?:\A\s*|^E +)[\w.\\$]{0,200}\w(?:Error|Exception|Warning)\b", re.MULTILINE)
_NOTHING = re.compile(r"\W*(?:failed|failure|fail)?\W*(?:\d[\d.]*\s*(?:ms|s|sec))?\W*", re.IGNORECASE)


def says_nothing(message: str) -> bool:
    """Whether the message does not explain the failure. Many runners print only the name of the test."""
    return _NOTHING.fullmatch(message[:200]) is not None


def by_assertion(message: str) -> bool:
    """Whether the message of a failed test is that of an assertion in one of the usual libraries.

    Known are pytest, unittest, JUnit, AssertJ, Jest, Vitest, Chai, node:assert, RSpec, PHPUnit, NUnit, xUnit, MSTest,
    testify and the Go convention (got … want …), Rust, GoogleTest, Catch2 and C's assert. Unknown messages count as
    another kind of failure.
    """
    if _NAMED.search(message) or _PRINTED.search(message):
        return True
    return not _OTHER_ERROR.search(message) and _COMPARED.search(message) is not None
