"""What the iterations of a run did, in order, as one letter each: a run in so few letters that a list can draw it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from runs.analysis.trajectories.kinds import Kind
from runs.analysis.trajectories.trace import Iteration, Trace

MAX_LETTERS = 60
FAILED = "f"
# In the order in which one of several calls names its iteration.
LETTERS: Mapping[Kind, str] = {"edit": "e", "run": "x", "search": "s", "read": "r", "other": "o"}


def step_kinds(trace: Trace) -> str:
    """A letter for each iteration, or for several neighbours of a long run: at most MAX_LETTERS.

    f: a call failed; else what its calls did: e edit, x run a command, s search, r read, o other or no call. Several
    neighbours have the letter of most of them; of equally many, that of the first.
    """
    letters = "".join(map(_letter, trace.iterations))
    size = -(-len(letters) // MAX_LETTERS) or 1
    parts = (letters[start : start + size] for start in range(0, len(letters), size))
    return "".join(Counter(part).most_common(1)[0][0] for part in parts)


def _letter(iteration: Iteration) -> str:
    if any(call.returned and not call.ok for call in iteration.calls):
        return FAILED
    kinds = {call.kind for call in iteration.calls}
    return next((letter for kind, letter in LETTERS.items() if kind in kinds), LETTERS["other"])
