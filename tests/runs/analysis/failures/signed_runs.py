"""Failed runs with signs of failure modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runs.analysis.estimate import Estimate
from runs.analysis.facts import Behaviour, RunFacts, Signs
from runs.analysis.statistics.intervals import wilson


def shows(number: int, *modes: str, undecided: Sequence[str] = (), **more: Any) -> RunFacts:
    """A failed run with these signs, each in a step of the run's own number."""
    signs = Signs(dict.fromkeys(modes, (number,)), dict.fromkeys(undecided, "unknown"))
    values = {
        "agent": "alice",
        "task": "harbour/tide",
        "repository": "harbour",
        "attempt": 1,
        "outcome": "unresolved",
        "behaviour": Behaviour(signs=signs, faults=more.pop("faults", ())),
        **more,
    }
    return RunFacts(run=number, **values)


def share(part: int, whole: int) -> Estimate:
    return Estimate(part / whole, whole, interval=wilson(part / whole, whole))
