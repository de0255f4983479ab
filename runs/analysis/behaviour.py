"""The counts of one trajectory, and their JSON form in the database."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from runs.analysis.exploits.exploit_patterns import STRENGTHS
from runs.analysis.exploits.run_exploits import exploits
from runs.analysis.facts import Behaviour, Exploit, Signs, ToolTotals, ToolUse
from runs.analysis.failures.signs import signs
from runs.analysis.features import features
from runs.analysis.features.base import Evidence
from runs.analysis.features.patch_sketch import is_sketch, patch_sketch
from runs.analysis.iterations.shares import KINDS, labels
from runs.analysis.tools.use import OPENING_LETTERS, tool_use
from runs.analysis.trajectories.trace import Exercise, Trace
from runs.analysis.trajectories.verdict import RunVerdict

# Increase it when the counts change: stored counts of another version are recomputed.
VERSION = 17
_ARROW = "\t"
_OPENING = "".join(OPENING_LETTERS.values())


def behaviour_of(trace: Trace, exercise: Exercise, verdict: RunVerdict) -> Behaviour:
    """Counts one run. Only `signs` may use the verdict; all other counts must not depend on it."""
    return Behaviour(
        labels=labels(trace),
        tools=tool_use(trace),
        signs=signs(trace, exercise, verdict),
        features=features(trace, exercise),
        patch_sketch=patch_sketch(Evidence(trace, exercise)),
        faults=trace.faults,
        responses=tuple((_rounded(seconds), _rounded(cost)) for seconds, cost in trace.responses),
        exploits=exploits(trace, exercise),
    )


def to_json(behaviour: Behaviour) -> dict[str, Any]:
    """The counts as JSON for the database; `from_json` reverses it."""
    tools = behaviour.tools
    return {
        "labels": behaviour.labels,
        "totals": {
            name: [
                *(total.calls, total.failed, round(total.seconds, 6)),
                *(total.unanswered, total.timed, total.unjudged),
            ]
            for name, total in tools.totals.items()
        },
        "bigrams": {_ARROW.join(names): count for names, count in tools.bigrams.items()},
        "trigrams": {_ARROW.join(names): count for names, count in tools.trigrams.items()},
        "before_first_edit": tools.before_first_edit,
        "before_first_change": tools.before_first_change,
        "parallel": {str(size): count for size, count in tools.parallel.items()},
        "phases": dict(tools.phases),
        "opening": tools.opening,
        "found": {mode: list(steps) for mode, steps in behaviour.signs.found.items()},
        "undecided": dict(behaviour.signs.undecided),
        "features": dict(behaviour.features),
        "faults": list(behaviour.faults),
        "responses": [list(taken) for taken in behaviour.responses],
        "patch_sketch": behaviour.patch_sketch,
        "exploits": {slug: [shown.strength, list(shown.steps)] for slug, shown in behaviour.exploits.items()},
    }


def from_json(stored: Mapping[str, Any]) -> Behaviour:
    """Reads the output of `to_json`. KeyError, TypeError or ValueError for anything else."""
    if stored["labels"].strip(KINDS):
        raise ValueError(f"labels {stored['labels']!r}: expected the letters {KINDS}")
    if stored["opening"].lower().strip(_OPENING):
        raise ValueError(f"opening {stored['opening']!r}: expected the letters {_OPENING}")
    if not is_sketch(stored["patch_sketch"]):
        raise ValueError(
            f"patch_sketch {stored['patch_sketch']!r:.100}: expected rising numbers of eight digits"
        )
    return Behaviour(
        labels=stored["labels"],
        tools=ToolUse(
            totals={name: ToolTotals(*total) for name, total in stored["totals"].items()},
            bigrams={_pair(names): count for names, count in stored["bigrams"].items()},
            trigrams={_triple(names): count for names, count in stored["trigrams"].items()},
            before_first_edit=stored["before_first_edit"],
            before_first_change=stored["before_first_change"],
            parallel={int(size): count for size, count in stored["parallel"].items()},
            phases=stored["phases"],
            opening=stored["opening"],
        ),
        signs=Signs(
            found={mode: tuple(steps) for mode, steps in stored["found"].items()},
            undecided=stored["undecided"],
        ),
        features=stored["features"],
        faults=tuple(stored["faults"]),
        responses=tuple((seconds, cost) for seconds, cost in stored["responses"]),
        patch_sketch=stored["patch_sketch"],
        exploits={slug: _exploit(*exploit) for slug, exploit in stored["exploits"].items()},
    )


def _exploit(strength: str, steps: list[int]) -> Exploit:
    if strength not in STRENGTHS:
        raise ValueError(f"strength {strength!r}: expected one of {', '.join(STRENGTHS)}")
    return Exploit(strength, tuple(steps))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


# The same few pairs occur in many runs: each is split once and shared.
@lru_cache(maxsize=1 << 16)
def _pair(names: str) -> tuple[str, str]:
    first, second = names.split(_ARROW)
    return first, second


@lru_cache(maxsize=1 << 16)
def _triple(names: str) -> tuple[str, str, str]:
    first, second, third = names.split(_ARROW)
    return first, second, third
