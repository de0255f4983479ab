"""What the readers of printed output share.

The code under test prints into the same stream as its runner. So a reader wants the whole of what a runner says: a
verdict for every test AND the runner's closing totals, which have to agree. A forged verdict makes them disagree, a
forged summary is a second one; either way there is no verdict. What two lines say of one test: the worse one counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from harness.grading.results import ReportError
from harness.records import TestResult, TestStatus

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

    A line of more than MAX_LINE characters is no runner's: it is kept as an empty one.
    """
    plain = _CONTROL.sub("", _LINE_END.sub("\n", _ESCAPES.sub("", output)))
    return [line if len(line) <= MAX_LINE else "" for line in plain.split("\n")]


def count_of(results: Iterable[TestResult], *statuses: TestStatus) -> int:
    """How many of these results have one of these statuses."""
    return sum(result.status in statuses for result in results)


def require_counts(said: Mapping[str, int], listed: Mapping[str, int], hint: str = "") -> None:
    """Raises ReportError unless the closing totals are those of the tests that were listed, word by word.

    A word that only one of them knows counts as 0 for the other.
    """
    for word in {**said, **listed}:
        if said.get(word, 0) != listed.get(word, 0):
            advice = f"; {hint}" if hint else ""
            raise ReportError(
                f"the printed summary counts {said.get(word, 0)} {word}, the output lists {listed.get(word, 0)}{advice}"
            )


def only_one(summaries: Sequence[Mapping[str, int]], runner: str) -> Mapping[str, int]:
    """The closing totals. Raises ReportError when the runner printed none, and when there are two different ones."""
    if not summaries:
        raise ReportError(f"the output holds no closing summary of {runner}: it broke off, or never began")
    if any(summary != summaries[0] for summary in summaries):
        raise ReportError(f"the output holds several different summaries of {runner}")
    return summaries[0]


def seconds_of(number: str, unit: str = "s") -> float:
    """A duration as runners print it; 0 when it is none."""
    try:
        value = float(number.replace(",", ""))
    except ValueError:
        return 0.0
    return value * {"ms": 0.001, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}.get(unit, 0.0)
