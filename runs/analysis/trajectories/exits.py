"""The exit codes of commands, if the record has them."""

from __future__ import annotations

import re

from runs.analysis.trajectories.trace import TracedCall

# The formats at the start of results: ours, Claude Code's, mini-swe-agent's.
_EXIT = re.compile(r"\W{0,4}(?:exit|return) ?_?code\W{1,3}?(-?\d{1,10})", re.IGNORECASE)


def exit_code(call: TracedCall) -> int | None:
    """The exit code of the command of a call; None if it ran none, or the result does not begin with a code."""
    return exit_code_in(call.content) if call.kind == "run" and call.returned else None


def exit_code_in(content: str) -> int | None:
    """The exit code with which the result of a command begins; None if it begins otherwise."""
    found = _EXIT.match(content[:60])
    return None if found is None else int(found[1])
