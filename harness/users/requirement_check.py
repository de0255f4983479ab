"""Asks the user's own model whether a message of the user asks for something new, before the agent gets it.

The answer is a call of one tool. It may be wrong, like every answer of a model: the check finds some invented
requirements that `checks`, which knows names only, cannot find.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.dataset import Workflow
from harness.errors import ContentRefused, ContextLimitReached, ModelError
from harness.llm.replies import Message, Reply
from harness.tools.schema import function_tool, object_schema
from harness.users.rendering import MAX_MESSAGE, cut, quoted

RULES = Path(__file__).parent / "requirement_check.md"
NAME = "report_check"
ASKS = 2  # the first one, and one repeat for an answer that does not fit
TOOL: Mapping[str, Any] = function_tool(
    NAME,
    "Reports the result of the check. Call it exactly once.",
    object_schema(
        {
            "asks_for_something_new": {"type": "boolean"},
            "words": {
                "type": "string",
                "description": "The words of the message that ask for it, copied exactly; empty if false.",
            },
        }
    ),
)
Complete = Callable[[list[Message]], Reply]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """`words`: those that ask for something new; '' if none do. `asks`: requests to the model.

    `unchecked`: why there is no answer; '' if there is one. Then the message counts as one that asks for nothing new.
    """

    words: str = ""
    asks: int = 0
    unchecked: str = ""


def check_message(workflow: Workflow, agents: str, message: str, complete: Complete) -> CheckResult:
    """Checks the user's answer `message` to the agent's last message `agents`.

    `complete` sends a conversation, and makes the model call TOOL. An error of the provider leaves the message
    unchecked: the agent's message, which is part of the request, must not be able to end the run. Raises LimitReached.
    """
    conversation = [
        {"role": "system", "content": RULES.read_text(encoding="utf-8")},
        {"role": "user", "content": _request(workflow, agents, message)},
    ]
    problem = ""
    for ask in range(1, ASKS + 1):
        try:
            reply = complete(conversation)
        except (ContentRefused, ContextLimitReached, ModelError) as error:
            return CheckResult(asks=ask, unchecked=str(error))
        if reply.refusal:
            return CheckResult(asks=ask, unchecked=f"the model refused: {reply.refusal}")
        words, problem = _read(reply, message)
        if not problem:
            return CheckResult(words, ask)
        # The answer itself is not repeated: a call without its result would be no valid conversation.
        again = f"Your last answer was no valid result: {problem}. Call {NAME} once."
        conversation = [*conversation[:2], {"role": "user", "content": again}]
    return CheckResult(asks=ASKS, unchecked=problem)


def _request(workflow: Workflow, agents: str, message: str) -> str:
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(workflow.instructions, 1))
    parts = {
        "WHAT THE PERSON WANTS": f"{workflow.objective.strip()}\n{numbered}",
        "THE FIRST MESSAGE": workflow.first_message,
        "THE AGENT'S LAST MESSAGE": cut(agents, MAX_MESSAGE),
        "THE MESSAGE": message,
    }
    return "\n\n".join(f"{title}\n{quoted(text)}" for title, text in parts.items())


def _read(reply: Reply, message: str) -> tuple[str, str]:
    """The words that ask for something new, and what is wrong with the answer; each may be ''."""
    if len(reply.calls) != 1 or reply.calls[0].name != NAME:
        return "", f"it must be one call of {NAME}"
    (call,) = reply.calls
    if call.id in reply.malformed:
        return "", "its arguments are no JSON"
    match dict(call.arguments):
        case {"asks_for_something_new": bool(new), "words": str(words), **more} if not more:
            if not new:
                return "", ""
            found = _plain(words)
            if not found or found not in _plain(message):
                return "", "its words do not stand in the message"
            return words.strip(), ""
    return "", "its arguments must be asks_for_something_new, true or false, and words, a text"


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
