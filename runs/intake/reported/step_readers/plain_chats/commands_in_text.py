"""Commands that a model writes into its text, for agents without tool calls: fenced blocks, or functions in tags."""

from __future__ import annotations

import re
from collections.abc import Iterable

from harness.records import ToolCall
from runs.intake.reported.step_readers.step_builder import call_of

_OWN_FENCE = "mswea_bash_command"
_SHELLS = frozenset({"", "bash", "sh", "shell", _OWN_FENCE})
# Each ends with text that closes it. What follows the last such text is not searched: time grows with the length only.
_FENCED = re.compile(r"^```([A-Za-z_]*)[ \t]*\n(.*?)\n```", re.DOTALL | re.MULTILINE)
_FUNCTION = re.compile(r"<function=([\w.-]{1,100})>(.*?)</function>", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]{1,100})>(.*?)</parameter>", re.DOTALL)
# How agents begin the message of the user in which they show the model what its command printed.
_RESULTS = ("<returncode>", "OBSERVATION:", "Observation:", "EXECUTION RESULT of [", "Execution output of [")


def is_result(text: str) -> bool:
    """Whether a message of the user is what a command printed."""
    return text[:1_000].lstrip().startswith(_RESULTS)


def calls_in_text(text: str, *, answered: bool, usual: bool) -> tuple[str, tuple[ToolCall, ...]]:
    """A response without its commands, and these as calls. A block that may be an example stays text.

    `answered`: the next message is the result of a command; `usual`: those of earlier blocks were.
    """
    if functions := _closed(_FUNCTION, text, "</function>"):
        calls = tuple(call_of("", match[1], _parameters(match[2])) for match in functions)
        return _without(text, functions), calls
    blocks = [block for block in _closed(_FENCED, text, "\n```") if block[1] in _SHELLS]
    own = [block for block in blocks if block[1] == _OWN_FENCE]
    if len(own) == 1:
        blocks = own
    elif not answered and not (usual and len(blocks) == 1):
        blocks = []
    last = blocks[-1:]
    return _without(text, last), tuple(call_of("", "bash", {"command": block[2]}) for block in last)


def _parameters(text: str) -> dict[str, str]:
    matches = _closed(_PARAMETER, text, "</parameter>")
    return {match[1]: match[2].removeprefix("\n").removesuffix("\n") for match in matches}


def _closed(pattern: re.Pattern[str], text: str, end: str) -> list[re.Match[str]]:
    last = text.rfind(end)
    return [] if last < 0 else list(pattern.finditer(text, 0, last + len(end)))


def _without(text: str, parts: Iterable[re.Match[str]]) -> str:
    kept, at = [], 0
    for part in parts:
        kept.append(text[at : part.start()])
        at = part.end()
    return "".join((*kept, text[at:])).strip() if at else text
