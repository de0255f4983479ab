"""Whether a test failed because something was not as it expected, told from what its runner says of it."""

from __future__ import annotations

import re

# The name of an exception that assertions raise, at the start of a line or behind pytest's "E ", with its package.
_NAMED = re.compile(
    r"""
    ^(?:E\ +)?(?:Uncaught\ |Caused\ by:\ |Failure/Error:\ )?[\w.\\$]{0,200}
      (?: Assert\w{0,40}?(?:Error|Exception) | ExpectationFailedException | ExpectationNotMetError | ComparisonFailure
        | (?<=Xunit\.Sdk\.)\w{1,40}Exception )\b
    """,
    re.MULTILINE | re.VERBOSE,
)
# What only assertions print.
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
# What assertions without a name of their own say: JUnit, Chai, RSpec, NUnit, and Go's habit. Other errors say it, too.
_COMPARED = re.compile(
    r"\bexpect(?:ed)?\b:?.{0,400}?(?:\bwas\b|\bgot\b|\bto\b|\breceived\b|\bactual\b)"
    r"|\bgot\b.{0,400}?\b(?:want|expected)|\bwant(?:ed)?\b.{0,400}?\bgot\b",
    re.DOTALL | re.IGNORECASE,
)
_OTHER_ERROR = re.compile(r"(?:\A\s*|^E +)[\w.\\$]{0,200}\w(?:Error|Exception|Warning)\b", re.MULTILINE)
_NOTHING = re.compile(r"\W*(?:failed|failure|fail)?\W*(?:\d[\d.]*\s*(?:ms|s|sec))?\W*", re.IGNORECASE)


def says_nothing(message: str) -> bool:
    """Whether there is no word about why the test failed. Many runners print none beside the test's name."""
    return _NOTHING.fullmatch(message[:200]) is not None


def by_assertion(message: str) -> bool:
    """Whether the message of a failed test is that of an assertion, in the words of the usual libraries.

    Known are pytest, unittest, JUnit, AssertJ, Jest, Vitest, Chai, node:assert, RSpec, PHPUnit, NUnit, xUnit, MSTest,
    testify and Go's habit (got … want …), Rust, GoogleTest, Catch2 and C's assert. Words that nobody foresaw are
    taken for another kind of failure.
    """
    if _NAMED.search(message) or _PRINTED.search(message):
        return True
    return not _OTHER_ERROR.search(message) and _COMPARED.search(message) is not None
