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
        calls = tuple(call_of("", one[1], _parameters(one[2])) for one in functions)
        return _without(text, functions), calls
    blocks = [one for one in _closed(_FENCED, text, "\n```") if one[1] in _SHELLS]
    own = [one for one in blocks if one[1] == _OWN_FENCE]
    if len(own) == 1:
        blocks = own
    elif not answered and not (usual and len(blocks) == 1):
        blocks = []
    return _without(text, blocks[-1:]), tuple(call_of("", "bash", {"command": one[2]}) for one in blocks[-1:])


def _parameters(text: str) -> dict[str, str]:
    found = _closed(_PARAMETER, text, "</parameter>")
    return {one[1]: one[2].removeprefix("\n").removesuffix("\n") for one in found}


def _closed(pattern: re.Pattern[str], text: str, end: str) -> list[re.Match[str]]:
    last = text.rfind(end)
    return [] if last < 0 else list(pattern.finditer(text, 0, last + len(end)))


def _without(text: str, parts: Iterable[re.Match[str]]) -> str:
    found, at = [], 0
    for one in parts:
        found.append(text[at : one.start()])
        at = one.end()
    return "".join((*found, text[at:])).strip() if at else text
