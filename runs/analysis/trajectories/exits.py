"""How the commands of a run ended, as far as the record tells."""

from __future__ import annotations

import re

from runs.analysis.trajectories.trace import TracedCall

# How commands say it, at the head of their result: ours, Claude Code's, mini-swe-agent's.
_EXIT = re.compile(r"\W{0,4}(?:exit|return) ?_?code\W{1,3}(-?\d{1,10})", re.IGNORECASE)


def exit_code(call: TracedCall) -> int | None:
    """With what the command ended that a call ran; None: it ran none, or its result does not begin with it."""
    found = _EXIT.match(call.content[:60]) if call.kind == "run" and call.answered else None
    return None if found is None else int(found[1])
