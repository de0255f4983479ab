"""Finds the expected and the actual value in the message of a failed test, if its format is known."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_LENGTH = 4_000

# One pattern for each format of message. "left" and "right" where the runner does not say which value was expected.
_PATTERNS = tuple(
    (one, two, re.compile(pattern, re.MULTILINE))
    for one, two, pattern in (
        # Jest, Vitest
        ("expected", "got", r"^ *Expected[^:\n]{0,40}: +(?P<one>\S.*)\n+ *Received.{0,40}?: +(?P<two>\S.*)$"),
        # JUnit
        ("expected", "got", r"expected: ?<(?P<one>[^>\n]*)> but was: ?<(?P<two>[^>\n]*)>"),
        # xUnit, NUnit
        ("expected", "got", r"^ *Expected: +(?P<one>\S.*)\n+ *(?:Actual|But was): +(?P<two>\S.*)$"),
        # RSpec
        ("expected", "got", r"^ *expected: (?P<one>\S.*)\n+ *got: (?P<two>\S.*)$"),
        # testify
        ("expected", "got", r"^\s*expected: +(?P<one>\S.*)\n\s*actual *: +(?P<two>\S.*)$"),
        # Go, by convention
        ("got", "expected", r"\bgot:? (?P<one>[^\n,;]{1,400})[,;] want:? (?P<two>[^\n]{1,400})$"),
        # Rust
        ("left", "right", r"^ *left: (?P<one>\S.*)\n *right: (?P<two>\S.*)$"),
        # pytest, unittest
        ("left", "right", r"^(?:E +)?(?:AssertionError: )?assert (?P<one>.{1,400}?) == (?P<two>.{1,400})$"),
        ("left", "right", r"^(?:E +)?AssertionError: (?P<one>.{1,400}?) != (?P<two>.{1,400})$"),
    )
)


@dataclass(frozen=True, slots=True)
class ComparedValues:
    """The two values of a failed comparison, each with its label."""

    one_is: str
    one: str
    two_is: str
    two: str


def compared(message: str) -> ComparedValues | None:
    """The first comparison in a message; None without one."""
    text = message[:MAX_LENGTH]
    for one_is, two_is, pattern in _PATTERNS:
        if found := pattern.search(text):
            return ComparedValues(one_is, found["one"].strip(), two_is, found["two"].strip())
    return None
