"""The exit codes of commands, if the record has them."""

from __future__ import annotations

import re

from runs.analysis.trajectories.trace import TracedCall

# The formats at the start of results: ours, Claude Code's, mini-swe-agent's, older ones of Codex.
_EXIT = re.compile(r"\W{0,4}(?:exit|return) ?_?code\W{1,3}?(-?\d{1,10})", re.IGNORECASE)

_CODEX = re.compile(
    r"(?:Chunk ID: \w{1,40}\n)?Wall time: [\d.]{1,20} seconds\n"
    r"(?:Process exited with code (-?\d{1,10})|Output:\nExit code: (-?\d{1,10}))"
)
_OPENHANDS = re.compile(r"\[Command finished with exit code (-?\d{1,10})\]\s{0,5}\Z")


def exit_code(call: TracedCall) -> int | None:
    """The exit code of the command of a call; None if it ran none, or the result shows no code."""
    return exit_code_in(call.content) if call.kind == "run" and call.returned else None


def exit_code_in(content: str) -> int | None:
    """The exit code with which the result of a command begins, or ends in OpenHands; None if there is none."""
    match = _EXIT.match(content[:60]) or _CODEX.match(content[:200]) or _OPENHANDS.search(content[-100:])
    return None if match is None else int(match[match.lastindex or 1])
