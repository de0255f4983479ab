"""What a verifier found, and how names and counts are written in its message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.dataset.verifier_kinds import Occurrences

NAMED = 5
_MAX_NAME = 200


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether a verifier passed. `message`: what it found.

    `broken`: it could not be checked because of the task itself; a run cannot change that. `seconds` and `output` are
    those of its command, if it has one.
    """

    passed: bool
    message: str
    broken: bool = False
    seconds: float | None = None
    output: str = ""


def named(items: Sequence[str], most: int = NAMED) -> str:
    """The first names, and how many more there are: "a, b and 3 more". Names that no line can hold are cleaned."""
    shown = ", ".join(map(shown_text, items[:most]))
    return f"{shown} and {len(items) - most} more" if len(items) > most else shown


def shown_text(text: str, most: int = _MAX_NAME) -> str:
    """Text of a model or a file as part of one line, cut after `most` characters."""
    plain = "".join(letter if letter.isprintable() else "\ufffd" for letter in text[:most])
    return plain + "…" if len(text) > most else plain


def counted(number: int, noun: str) -> str:
    """ "1 match", "2 matches"."""
    plural = noun + ("es" if noun.endswith(("ch", "s", "x")) else "s")
    return f"{number} {noun if number == 1 else plural}"


def expectation(wanted: Occurrences) -> str:
    """ "exactly 2 are expected"."""
    verb = "is" if wanted.expected == 1 else "are"
    return f"{'exactly' if wanted.strict else 'at least'} {wanted.expected} {verb} expected"
