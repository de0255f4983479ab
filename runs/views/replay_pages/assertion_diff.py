"""What a failed test expected and what it got, where its report says so in words that leave no doubt."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 4_000

# Each in the words of one family of runners. Which side is which is only said where the runner says it.
_SAID = tuple(
    (one, two, re.compile(said, re.MULTILINE))
    for one, two, said in (
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
        # Go's habit
        ("got", "expected", r"\bgot:? (?P<one>[^\n,;]{1,400})[,;] want:? (?P<two>[^\n]{1,400})$"),
        # Rust
        ("left", "right", r"^ *left: (?P<one>\S.*)\n *right: (?P<two>\S.*)$"),
        # pytest, unittest: an author may write either on either side
        ("left", "right", r"^(?:E +)?(?:AssertionError: )?assert (?P<one>.{1,400}?) == (?P<two>.{1,400})$"),
        ("left", "right", r"^(?:E +)?AssertionError: (?P<one>.{1,400}?) != (?P<two>.{1,400})$"),
    )
)


@dataclass(frozen=True, slots=True)
class ComparedValues:
    """Two values of a failed comparison, each with what the report calls it."""

    one_is: str
    one: str
    two_is: str
    two: str


def compared(message: str) -> ComparedValues | None:
    """The first comparison that a message tells of; None where it tells of none."""
    text = message[:LONGEST]
    for one_is, two_is, said in _SAID:
        if found := said.search(text):
            return ComparedValues(one_is, found["one"].strip(), two_is, found["two"].strip())
    return None
