"""Functions for all parsers of printed output.

The code under test prints into the same stream as its runner. So a parser needs a status for every test AND the
runner's final totals, and both must agree. A forged status contradicts the totals, and a forged summary is a second
summary; in both cases there is no verdict. If two lines give a status for one test, the worse one counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from harness.grading.results import ReportError, plausible_seconds

MAX_LINE = 4_000

_ESCAPES = re.compile(
    r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]"  # control sequences: colours, cursor
    r"|\x1b\][^\x07\x1b]{0,512}(?:\x07|\x1b\\)"  # operating-system commands: titles, links
    r"|\x1b[@-Z\\^_()][0-9A-B]?"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff]")
_LINE_END = re.compile(r"\r+\n?")


def clean_lines(output: str) -> list[str]:
    """The lines without colours, control characters and carriage returns.

    A line of more than MAX_LINE characters is not from a runner and is returned as an empty line.
    """
    plain = _CONTROL.sub("", _LINE_END.sub("\n", _ESCAPES.sub("", output)))
    return [line if len(line) <= MAX_LINE else "" for line in plain.split("\n")]


def require_counts(said: Mapping[str, int], listed: Mapping[str, int], hint: str = "") -> None:
    """Raises ReportError unless the final totals equal the counts of the listed tests, for each status word.

    A word that is missing in one of them counts as 0.
    """
    for word in {**said, **listed}:
        if said.get(word, 0) != listed.get(word, 0):
            advice = f"; {hint}" if hint else ""
            raise ReportError(
                f"the printed summary counts {said.get(word, 0)} {word}, the output lists {listed.get(word, 0)}{advice}"
            )


def only_one(summaries: Sequence[Mapping[str, int]], runner: str) -> Mapping[str, int]:
    """The final totals. Raises ReportError if there are none, or several different ones."""
    if not summaries:
        raise ReportError(f"the output holds no closing summary of {runner}: it broke off, or never began")
    if any(summary != summaries[0] for summary in summaries):
        raise ReportError(f"the output holds several different summaries of {runner}")
    return summaries[0]


def seconds_of(number: str, unit: str = "s") -> float:
    """A duration in seconds from a runner's output; 0 if it is not a duration."""
    try:
        value = float(number.replace(",", ""))
    except ValueError:
        return 0.0
    scale = {"ms": 0.001, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}.get(unit, 0.0)
    return plausible_seconds(value * scale)
