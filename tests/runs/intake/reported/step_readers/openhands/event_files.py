"""Events as OpenHands writes them, small ones by hand: version 0, its evaluations, and the SDK."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HOME = "/workspace/calc"
PATCH = "diff --git a/calc.py b/calc.py\n--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-a - b\n+a + b\n"
CONVERSATION = "0f0f0f0f-0000-4000-8000-000000000001"


def used(sent: int, received: int, cached: int, written: int, **more: Any) -> dict[str, Any]:
    """A count of tokens."""
    return {
        **{"prompt_tokens": sent, "completion_tokens": received},
        **{"cache_read_tokens": cached, "cache_write_tokens": written, **more},
    }


def sums(cost: float, *tokens: int) -> dict[str, Any]:
    """What was used so far."""
    return {"accumulated_cost": cost, "accumulated_token_usage": used(*tokens)}


def response(number: int, *calls: tuple[str, str, dict[str, Any]], content: str = "") -> dict[str, Any]:
    """What the model sent, as LiteLLM stores it."""
    made = [
        {"id": name, "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}
        for name, tool, arguments in calls
    ]
    message = {
        "role": "assistant",
        "content": content,
        "tool_calls": made,
        "reasoning_content": f"Why {number}?",
    }
    return {
        **{
            "id": f"r{number}",
            "model": "openai/gpt-5",
            "usage": {"prompt_tokens": 7, "completion_tokens": 3},
        },
        "choices": [{"finish_reason": "tool_calls", "message": message}],
    }


def event(number: int, source: str, **values: Any) -> dict[str, Any]:
    """An event of version 0."""
    return {"id": number, "timestamp": f"2026-01-31T12:00:{number:02}", "source": source, **values}


def _of(answer: dict[str, Any], call: str, tool: str) -> dict[str, Any]:
    return {
        "tool_call_id": call,
        "function_name": tool,
        "model_response": answer,
        "total_calls_in_response": 2,
    }


def version_0() -> list[dict[str, Any]]:
    """A trajectory: two commands of one response, an edit, an error, and the end."""
    look = ("c1", "execute_bash", {"command": "cat calc.py"})
    make = ("c2", "execute_bash", {"command": "make", "is_input": "false"})
    edit = ("c3", "str_replace_editor", {"command": "str_replace", "path": f"{HOME}/calc.py"})
    first, second = response(1, look, make, content="I look."), response(2, edit)
    one, two = sums(0.001, 1000, 50, 0, 900), sums(0.003, 2200, 90, 900, 1000)
    changed = {
        "path": f"{HOME}/calc.py",
        "prev_exist": True,
        "old_content": "a - b\n",
        "new_content": "a + b\n",
    }
    return [
        event(0, "agent", action="system", args={"content": "You are OpenHands.", "openhands_version": "0.62.0"}),
        event(1, "user", action="message", args={"content": "Fix add."}, message="Fix add."),
        event(2, "agent", action="recall", args={"query": "Fix add."}),
        event(3, "agent", action="run", args={"command": "cat calc.py", "thought": "I look."},
              tool_call_metadata=_of(first, "c1", "execute_bash"), llm_metrics=one),
        event(4, "agent", observation="run", cause=3, content="a - b", success=True,
              tool_call_metadata=_of(first, "c1", "execute_bash"),
              extras={"metadata": {"exit_code": 0, "working_dir": HOME}}),
        event(5, "agent", action="run", args={"command": "make", "thought": ""},
              tool_call_metadata=_of(first, "c2", "execute_bash"), llm_metrics=one),
        event(6, "agent", observation="run", cause=5, content="no rule", success=False,
              extras={"metadata": {"exit_code": 2, "working_dir": HOME}}),
        event(7, "agent", action="edit", args={"path": f"{HOME}/calc.py", "thought": "I fix."},
              tool_call_metadata=_of(second, "c3", "str_replace_editor"), llm_metrics=two),
        event(8, "agent", observation="edit", cause=7, content="edited", extras=changed),
        event(9, "agent", action="browse", args={"url": "http://a", "thought": "", "security_risk": -1}),
        event(10, "agent", observation="error", cause=9, content="no network", extras={"error_id": "E"}),
        event(11, "agent", action="message", args={"content": "Done."}, llm_metrics=sums(0.006, 3500, 100, 1900, 1050)),
        event(12, "environment", observation="agent_state_changed", content="",
              extras={"agent_state": "finished", "reason": ""}),
    ]  # fmt: skip


def row(**changes: Any) -> dict[str, Any]:
    """A line of an evaluation."""
    return {
        **{"instance_id": "lab__calc-1", "instruction": "Fix add.", "error": None},
        **{"test_result": {"git_patch": PATCH}, "history": version_0()},
        "metadata": {"llm_config": {"model": "openai/gpt-5"}, "start_time": "2026-01-31 12:00:00"},
        **{"metrics": sums(0.006, 3500, 100, 1900, 1050), "instance": {"patch": "hidden"}, **changes},
    }


def sdk_event(number: int, kind: str, source: str, **values: Any) -> dict[str, Any]:
    """An event of the SDK."""
    return {
        "id": f"e{number}",
        "timestamp": f"2026-01-31T12:00:{number:02}.5",
        "source": source,
        "kind": kind,
        **values,
    }


def _acts(number: int, call: str, tool: str, answer: str, arguments: Any, **values: Any) -> dict[str, Any]:
    return sdk_event(
        *(number, "ActionEvent", "agent"),
        **{"tool_name": tool, "tool_call_id": call, "llm_response_id": answer, "thought": [], **values},
        tool_call={"id": call, "name": tool, "arguments": json.dumps(arguments)},
    )


def sdk() -> list[dict[str, Any]]:
    """A conversation: two calls of one response, one of them invalid, and results in another order."""

    def content(words: str) -> list[dict[str, Any]]:
        return [{"type": "text", "text": words, "cache_prompt": False}]

    path = f"{HOME}/calc.py"
    edited = {"path": path, "prev_exist": True, "old_content": "a - b\n", "new_content": "a + b\n"}
    return [
        sdk_event(0, "SystemPromptEvent", "agent", system_prompt={"type": "text", "text": "You are OpenHands."}),
        sdk_event(1, "MessageEvent", "user", llm_message={"role": "user", "content": content("Fix add.")}),
        _acts(2, "c1", "terminal", "r1", {"command": "make"}, thought=content("I look."), reasoning_content="Why?"),
        sdk_event(3, "ObservationEvent", "environment", tool_call_id="c1", observation={
            "content": content("no rule"), "is_error": False, "exit_code": 2,
            "metadata": {"exit_code": 2, "working_dir": HOME}}),
        _acts(4, "c2", "file_editor", "r2", {"command": "str_replace", "path": path}),
        _acts(5, "c3", "file_editor", "r2", {"command": "bogus"}),
        sdk_event(6, "AgentErrorEvent", "agent", tool_call_id="c3", error="Error validating tool"),
        sdk_event(7, "ObservationEvent", "environment", tool_call_id="c2", observation={
            "content": content("edited"), "is_error": False, "command": "str_replace", **edited}),
        sdk_event(8, "PauseEvent", "user"),
        sdk_event(9, "Condensation", "environment", summary="We fixed add."),
        sdk_event(10, "MessageEvent", "agent", llm_response_id="r3",
                  llm_message={"role": "assistant", "content": content("Done.")}),
    ]  # fmt: skip


def state() -> dict[str, Any]:
    """The state of that conversation. A third party of it, the condenser, uses tokens as well."""
    tables = {
        "token_usages": [
            used(1000, 50, 0, 0, reasoning_tokens=20, response_id="r1"),
            used(1100, 51, 900, 0, reasoning_tokens=0, response_id="r2"),
            used(1200, 52, 900, 10, reasoning_tokens=5, response_id="r3"),
        ],
        "costs": [{"cost": 0.001}, {"cost": 0.002}, {"cost": 0.004}],
        "response_latencies": [{"latency": 0.5, "response_id": "r1"}],
    }
    agent = {**sums(0.007, 3300, 153, 1800, 10), **tables}
    return {
        **{"id": CONVERSATION, "agent": {"llm": {"model": "openai/gpt-5"}}, "execution_status": "finished"},
        "workspace": {"working_dir": HOME},
        "stats": {"usage_to_metrics": {"agent": agent, "condenser": sums(0.001, 100, 10, 0, 0)}},
    }


def conversation(home: Path, events: list[dict[str, Any]] | None = None) -> Path:
    """The directory of a conversation."""
    (home / "events").mkdir(parents=True)
    (home / "base_state.json").write_text(json.dumps(state()))
    for number, one in enumerate(sdk() if events is None else events):
        (home / f"events/event-{number:05}-{one['id']}.json").write_text(json.dumps(one))
    return home
