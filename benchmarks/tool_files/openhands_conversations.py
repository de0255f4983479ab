"""OpenHands' SDK itself works with a scripted model: with a sub-agent, with summaries, and in a loop."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.tool_files.compared import differences, facts_of, work_tree, written
from harness.llm.scripted_server import Entry, ModelServer, Request

SCRIPT = """
import json, pathlib, sys
from openhands.sdk import LLM, Agent, Conversation
from openhands.sdk.context.condenser import LLMSummarizingCondenser
from openhands.tools.preset.default import get_default_tools, register_builtins_agents
directory, url = pathlib.Path(sys.argv[1]), sys.argv[2]
register_builtins_agents(enable_browser=False)

def model(name):
    prices = {"input_cost_per_token": 1e-6, "output_cost_per_token": 1e-5}
    return LLM(usage_id=name, model="openai/scripted", api_key="none", base_url=url, num_retries=0, **prices)

def converse(*messages):
    condenser = LLMSummarizingCondenser(llm=model("condenser"), max_size=12, keep_first=2)
    tools = get_default_tools(enable_browser=False, enable_sub_agents=True)
    agent = Agent(llm=model("agent"), tools=tools, condenser=condenser if len(messages) == 1 else None)
    conversation = Conversation(agent=agent, workspace=str(directory / "calc"), visualizer=None,
                                persistence_dir=str(directory / "conversations"), delete_on_close=False)
    for message in messages:
        conversation.send_message(message)
        conversation.run()
    sums = conversation.conversation_stats.get_combined_metrics()
    used = sums.accumulated_token_usage
    conversation.close()
    return {"dollars": round(sums.accumulated_cost, 9), "sent in all": used.prompt_tokens,
            "cached in all": used.cache_read_tokens, "received in all": used.completion_tokens}

print(json.dumps([converse("REPAIR the function.", "Go on."), converse("CONDENSE all."), converse("LOOP for ever.")]))
"""
USED = {"prompt": 1000, "cached": 500, "completion": 20, "reasoning": 5}


def problems(python: Path, directory: Path) -> list[str]:
    """What is read otherwise than OpenHands says, and than the model was served."""
    from runs.intake.reported.reading import read_trajectories  # noqa: PLC0415 - after Django's setup

    work = work_tree(directory / "calc")
    model = _Model(work)
    with ModelServer({"scripted": model}) as server:
        says = written(python, SCRIPT, directory, server.url)
    results = read_trajectories(directory / "conversations", {}).results
    if len(results) != len(says):
        return [f"{len(says)} conversations, read were {len(results)}"]
    edits = [("calc.py", 1, 1), ("notes.txt", 2, 0)]
    more = [
        {"edits": edits, "failed": 3, "last": "Shown.", "ending": "completed", "exit codes": [0, 0, 0, 1]},
        {"failed": 0, "ending": "completed"},
        {"failed": 0, "ending": "agent_error"},
    ]
    found: list[str] = []
    for mark, stated, own in zip(model.marks, says, more, strict=True):
        read = next(each for each in map(facts_of, results) if each["sent in all"] == stated["sent in all"])
        found += differences(mark, {**model.stated(mark), **stated, **own}, read)
    return found


class _Model:
    """Replies by the mark in the first message; a request without tools is for a summary."""

    marks = ("REPAIR", "CONDENSE", "LOOP")

    def __init__(self, work: Path) -> None:
        self._scripts: dict[str, Callable[[int], Entry]] = {
            "EXAMINE": lambda turn: _at(
                turn, [_ends_after("cat check.py"), {"calls": [_call("finish", message="Right.")]}]
            ),
            "REPAIR": lambda turn: _at(turn, _repairs(work)),
            "CONDENSE": lambda turn: (
                _ends_after(f"echo {turn}") if turn < 14 else {"calls": [_call("finish", message="ok")]}
            ),
            "LOOP": lambda _: _ends_after("ls"),
        }
        self._count = 0
        self._served: dict[str, list[int]] = {mark: [] for mark in self._scripts}
        self._calls = dict.fromkeys(self._scripts, 0)

    def __call__(self, request: Request) -> Entry:
        """The reply, as a provider sends it: with ids that never come again."""
        self._count += 1
        said = json.dumps([one for one in request.messages if one.get("role") == "user"][:1])
        mark = next((mark for mark in self._scripts if mark in said), "CONDENSE")
        sent = USED["prompt"] + self._count
        usage = {
            **{"prompt_tokens": sent, "completion_tokens": USED["completion"]},
            "prompt_tokens_details": {"cached_tokens": USED["cached"]},
            "completion_tokens_details": {"reasoning_tokens": USED["reasoning"]},
        }
        reply: Entry = {"text": "So far."}
        if request.body.get("tools"):
            reply = self._scripts[mark](len(self._served[mark]))
            self._served[mark].append(sent)
            self._calls[mark] += len(reply.get("calls") or [])
        return {"body": {"id": f"r{self._count}", "object": "chat.completion", "created": 0, "model": "scripted",
                         "choices": [_choice(self._count, reply)], "usage": usage}}  # fmt: skip

    def stated(self, mark: str) -> dict[str, Any]:
        """What was served in a conversation, sub-agents included and summaries not."""
        marks = (mark, "EXAMINE") if mark == "REPAIR" else (mark,)
        sent = [one for each in marks for one in self._served[each]]
        return {
            "responses": len(sent),
            "calls": sum(self._calls[each] for each in marks),
            "sent": sum(sent),
            "cached": USED["cached"] * len(sent),
            "received": USED["completion"] * len(sent),
            "reasoning": USED["reasoning"] * len(sent),
        }


def _choice(number: int, reply: Entry) -> dict[str, Any]:
    calls = [
        {"id": f"call-{number}-{place}", "type": "function", "function": call}
        for place, call in enumerate(reply.get("calls") or [])
    ]
    message = {"role": "assistant", "content": reply.get("text"), "reasoning_content": reply.get("reasoning")}
    more = {"tool_calls": calls} if calls else {}
    return {"index": 0, "message": {**message, **more}, "finish_reason": "tool_calls" if calls else "stop"}


def _at(turn: int, replies: list[Entry]) -> Entry:
    return replies[turn] if turn < len(replies) else {"text": "Done."}


def _call(name: str, **arguments: Any) -> dict[str, str]:
    return {"name": name, "arguments": json.dumps({"summary": "It acts", **arguments})}


def _ends_after(command: str) -> Entry:
    return {"calls": [_call("terminal", command=command, security_risk="LOW")]}


def _repairs(work: Path) -> list[Entry]:
    calc, check = str(work / "calc.py"), _call("terminal", command="python3 check.py", security_risk="LOW")
    edit = {"path": calc, "security_risk": "LOW"}
    ls = _call("terminal", command="ls", security_risk="LOW")
    return [
        {"reasoning": "Look.", "text": "I read it.", "calls": [_call("file_editor", command="view", **edit)]},
        {"text": "I run it.", "calls": [check, ls]},
        {"calls": [_call("file_editor", command="str_replace", old_str="not there", new_str="x", **edit)]},
        {"calls": [_call("file_editor", command="str_replace", old_str="a - b", new_str="a + b", **edit)]},
        {"calls": [_call("file_editor", command="create", file_text="one\ntwo\n",
                         **{**edit, "path": str(work / "notes.txt")})]},
        {"calls": [_call("unknown_tool")]},
        {"calls": [{"name": "terminal", "arguments": "{not JSON"}]},
        {"calls": [_call("task", description="Look", prompt="EXAMINE it.", subagent_type="general-purpose")]},
        {"calls": [check]},
        {"calls": [_call("finish", message="Repaired.")]},
        {"text": "Shown."},
    ]  # fmt: skip
