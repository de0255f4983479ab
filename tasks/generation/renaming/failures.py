"""Which renamed names the failures of a test run mention."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tasks.generation.renaming.renamer import words
from tasks.generation.suite.hidden_suite import SuiteRun

_ERROR = "E "  # begins the lines with pytest's error; the others quote code, which mentions many names
MAX_LINES = 10  # of one failure


def mentioned_names(run: SuiteRun, failing: Collection[str], new: Mapping[str, str]) -> frozenset[str]:
    """The old names of which the old or the new spelling is in an error of these tests, or in the output without one.

    `new`: new names by old ones.
    """
    said = "\n".join(_error(result.message) for result in run.results if result.id in failing)
    found = words(said or run.output)
    return frozenset(old for old, name in new.items() if old in found or name in found)


def _error(message: str) -> str:
    lines = message.strip().splitlines()
    marked = [line for line in lines if line.startswith(_ERROR)]
    return "\n".join(marked[:MAX_LINES] or lines[:1])
