"""Sessions as Claude Code and Codex write them, small ones by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from runs.intake.reported.trajectory import ReadStep

SESSION = "5f0c1a52-0000-4000-8000-000000000001"
HOME = "/home/ada/calc"
MODEL = "claude-sonnet-4-5"
CODEX = "01990000-0000-7000-8000-000000000001"
CODEX_PATCH = "*** Begin Patch\n*** Update File: calc.py\n@@\n-a - b\n+a + b\n*** End Patch\n"
EDITED = {
    "filePath": f"{HOME}/calc.py",
    "oldString": "a - b",
    "newString": "a + b",
    "originalFile": "def add(a, b):\n    return a - b\n",
    "structuredPatch": [
        {
            "oldStart": 1,
            "oldLines": 2,
            "newStart": 1,
            "newLines": 2,
            "lines": [" def add(a, b):", "-    return a - b", "+    return a + b"],
        }
    ],
}


def lines_file(path: Path, lines: Iterable[Any], end: str = "\n") -> Path:
    """A file of JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(line) for line in lines) + end)
    return path


def shown(steps: Iterable[ReadStep]) -> list[tuple[str, str, list[str]]]:
    """Of each step: its source, its message, and the names of its calls."""
    return [(step.source, step.message, [call.name for call in step.calls]) for step, _ in steps]


def claude_line(kind: str, uuid: str, message: Any, **more: Any) -> dict[str, Any]:
    """A line of a session."""
    return {
        **{"type": kind, "uuid": uuid, "parentUuid": None, "isSidechain": False, "sessionId": SESSION},
        **{"cwd": HOME, "version": "2.1.197", "gitBranch": "main", "timestamp": "2026-01-31T12:00:00.000Z"},
        **{"message": message},
        **more,
    }


def said(
    message_id: str, block: dict[str, Any], usage: tuple[int, int, int, int], uuid: str = "", **more: Any
) -> Any:
    """A line with one block of a response. `usage`: input, written to the cache, read from it, output."""
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
    message = {
        **{
            "id": message_id,
            "role": "assistant",
            "model": MODEL,
            "content": [block],
            "stop_reason": "tool_use",
        },
        "usage": dict(zip(names, usage, strict=True)),
    }
    return claude_line(
        "assistant", uuid or f"{message_id}-{block['type']}-{block.get('id')}", message, **more
    )


def text(words: str) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": words}


def use(call_id: str, name: str, **arguments: Any) -> dict[str, Any]:
    """A block with a call."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def returned(call_id: str, content: Any, told: Any = None, **more: Any) -> dict[str, Any]:
    """A line with the result of a call."""
    block = {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}
    return claude_line("user", f"result-{call_id}", {"role": "user", "content": [block]}, toolUseResult=told)


def claude_code_session() -> list[dict[str, Any]]:
    """A session with parallel calls, an edit, a sub-agent in a file of its own, and a compaction."""
    first, second = (10, 5000, 0, 120), (12, 300, 5000, 60)
    return [
        {"type": "summary", "summary": "Correct the sum", "leafUuid": "last"},
        {"type": "summary", "summary": "Of another session", "leafUuid": "elsewhere"},
        claude_line("user", "prompt", {"role": "user", "content": "Fix add."}),
        said("m1", {"type": "thinking", "thinking": "Where is it?", "signature": "c2ln"}, (10, 5000, 0, 1)),
        said("m1", text("I look."), first),
        said("m1", use("t1", "Bash", command="cat calc.py"), first),
        returned("t1", "return a - b", {"stdout": "return a - b", "durationMs": 250}, is_error=False),
        said("m1", use("t2", "Bash", command="make"), first),
        returned("t2", "Exit code 2\nno rule", "Error: Exit code 2\nno rule", is_error=True),
        said(
            "m2",
            use("t3", "Edit", file_path=f"{HOME}/calc.py", old_string="a - b", new_string="a + b"),
            second,
        ),
        returned("t3", "The file was updated.", EDITED),
        said("m3", use("t4", "Task", prompt="Check it."), (14, 0, 5300, 40)),
        returned("t4", [text("It is right.")], {"agentId": "a1", "totalDurationMs": 1500}),
        {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "uuid": "b"},
        claude_line("user", "sum", {"role": "user", "content": "We fixed add."}, isCompactSummary=True),
        claude_line("user", "meta", {"role": "user", "content": "Caveat: local."}, isMeta=True),
        claude_line("assistant", "lost", {"model": "<synthetic>", "content": [text("API Error")]}),
        said("m4", text("Done."), (16, 100, 0, 20), "last"),
    ]


def claude_code_agent() -> list[dict[str, Any]]:
    """The file of the sub-agent of that session."""
    side: dict[str, Any] = {"isSidechain": True, "agentId": "a1"}
    return [
        claude_line("user", "asked", {"role": "user", "content": "Check it."}, **side),
        said("m5", use("t5", "Read", file_path=f"{HOME}/calc.py"), (5, 900, 0, 11), **side),
        {**returned("t5", "return a + b"), **side},
        said("m6", text("It is right."), (6, 0, 900, 7), **side),
    ]


def stream_json() -> list[dict[str, Any]]:
    """What that session printed."""
    lines = [
        {"type": "system", "subtype": "init", "cwd": HOME, "session_id": SESSION, "model": MODEL,
         "claude_code_version": "2.1.197", "tools": ["Bash"]},
        said("m1", text("I look."), (10, 5000, 0, 1)),
        said("m1", use("t1", "Bash", command="make"), (10, 5000, 0, 1)),
        returned("t1", "Exit code 2\nno rule", is_error=True),
        said("m5", use("t5", "Read", file_path="/a"), (5, 900, 0, 1), parent_tool_use_id="t4"),
        said("m2", text("Done."), (12, 300, 5000, 60)),
    ]  # fmt: skip
    printed = [_printed(line) for line in lines]
    printed[-1]["message"]["stop_reason"] = "end_turn"
    by_model = {"inputTokens": 27, "cacheCreationInputTokens": 6200, "cacheReadInputTokens": 5000}
    return [
        *printed,
        {
            **{"type": "result", "subtype": "success", "is_error": False, "session_id": SESSION},
            **{"duration_ms": 2500, "total_cost_usd": 0.0336, "num_turns": 2, "usage": {"input_tokens": 22}},
            "modelUsage": {MODEL: {**by_model, "outputTokens": 258, "costUSD": 0.0336}},
        },
    ]


def _printed(line: dict[str, Any]) -> dict[str, Any]:
    stored = {"sessionId", "timestamp", "cwd", "version", "gitBranch", "isSidechain", "parentUuid"}
    if line["type"] == "system":
        return line
    line["message"]["stop_reason"] = None
    return {
        "session_id": SESSION,
        "parent_tool_use_id": None,
        **{name: value for name, value in line.items() if name not in stored},
    }


def codex_line(kind: str, payload: dict[str, Any], second: int = 0) -> dict[str, Any]:
    """A line of a session of Codex."""
    return {"timestamp": f"2026-01-31T12:00:{second:02}.000Z", "type": kind, "payload": payload}


def item(kind: str, second: int = 0, **values: Any) -> dict[str, Any]:
    """A line with an item of a response."""
    return codex_line("response_item", {"type": kind, **values}, second)


def usage(sent: int, cached: int, received: int, reasoning: int) -> dict[str, int]:
    """A count of tokens."""
    return {
        **{"input_tokens": sent, "cached_input_tokens": cached},
        **{"output_tokens": received, "reasoning_output_tokens": reasoning},
    }


def token_count(last: dict[str, int], total: dict[str, int]) -> dict[str, Any]:
    """A line with counts of tokens."""
    info = {"last_token_usage": last, "total_token_usage": total}
    return codex_line("event_msg", {"type": "token_count", "info": info})


FIRST, SECOND = usage(2000, 0, 90, 30), usage(2300, 1900, 60, 10)
BOTH = usage(4300, 1900, 150, 40)


def _beginning() -> list[dict[str, Any]]:
    def words(role: str, said: str) -> dict[str, Any]:
        return item("message", role=role, content=[{"type": "input_text", "text": said}])

    about = {"id": CODEX, "cwd": HOME, "cli_version": "0.58.0", "instructions": "You are Codex."}
    return [
        codex_line("session_meta", {**about, "git": {"branch": "main"}}),
        words("user", f"<environment_context>\n  <cwd>{HOME}</cwd>"),
        words("user", "Fix add."),
        codex_line("event_msg", {"type": "user_message", "message": "Fix add."}),
        codex_line("turn_context", {"cwd": HOME, "model": "gpt-5-codex"}),
        codex_line("event_msg", {"type": "token_count", "info": None}),
    ]


def _answer(words: str) -> dict[str, Any]:
    return item("message", 5, role="assistant", content=[{"type": "output_text", "text": words}])


def _shell_output(output: str, code: int, seconds: float) -> str:
    return json.dumps({"output": output, "metadata": {"exit_code": code, "duration_seconds": seconds}})


def codex_counts_first() -> list[dict[str, Any]]:
    """A session in which counts come before the items of their response, and come again later."""
    shell = {"name": "shell", "arguments": json.dumps({"command": ["bash", "-lc", "cat calc.py"]})}
    other = {"name": "shell", "arguments": json.dumps({"command": ["bash", "-lc", "make"]})}
    return [
        *_beginning(),
        token_count(FIRST, FIRST),
        item("ghost_snapshot", ghost_commit={"id": "f"}),
        item("reasoning", 1, summary=[{"type": "summary_text", "text": "Where?"}], encrypted_content="gAAA"),
        _answer("I look."),
        item("function_call", 2, call_id="c1", **shell),
        item("function_call_output", call_id="c1", output=_shell_output("return a - b\n", 0, 0.5)),
        item("function_call", 2, call_id="c2", **other),
        item("function_call_output", call_id="c2", output=_shell_output("no rule\n", 2, 0.25)),
        token_count(FIRST, FIRST),
        token_count(SECOND, BOTH),
        item("custom_tool_call", 3, name="apply_patch", call_id="c3", input=CODEX_PATCH),
        item("custom_tool_call_output", call_id="c3", output=_shell_output("Success.\n", 0, 0.0)),
        _answer("Done."),
    ]


def codex_counts_last() -> list[dict[str, Any]]:
    """A session in which counts come after the items of their response."""
    done = {
        "type": "CommandExecution",
        "id": "c1",
        "status": "failed",
        "duration": {"secs": 1, "nanos": 5 * 10**8},
    }
    patch = {
        **{"type": "FileChange", "id": "c2", "status": "completed"},
        "changes": {f"{HOME}/calc.py": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-a - b\n+a + b\n"}},
    }
    output = "Chunk ID: b2\nWall time: 1.5000 seconds\nProcess exited with code 2\nOutput:\nno rule\n"
    return [
        *_beginning(),
        item("function_call", 2, name="exec_command", call_id="c1", arguments='{"cmd": "make"}'),
        codex_line("token_usage_record", {"usage": FIRST, "thread_token_usage": FIRST}),
        codex_line("event_msg", {"type": "item_completed", "item": done}),
        item("function_call_output", call_id="c1", output=output),
        token_count(FIRST, FIRST),
        item("function_call", 3, name="exec_command", call_id="c2", arguments='{"cmd": "apply_patch <<EOF"}'),
        token_count(SECOND, BOTH),
        codex_line("event_msg", {"type": "item_completed", "item": patch}),
        item(
            "function_call_output", call_id="c2", output="Wall time: 0.1 seconds\nOutput:\nExit code: 1\nno"
        ),
        codex_line("compacted", {"message": "We fixed add."}),
        _answer("Done."),
        codex_line("event_msg", {"type": "task_complete", "duration_ms": 2500}),
    ]


def codex_script() -> list[dict[str, Any]]:
    """A response with a script that calls three tools, one response with a script that fails."""

    def completed(kind: str, number: int, **values: Any) -> dict[str, Any]:
        made = {"type": kind, "id": f"exec-{number}", "status": "completed", **values}
        return codex_line("event_msg", {"type": "item_completed", "item": made})

    def output(call_id: str, said: str) -> dict[str, Any]:
        parts = [
            {"type": "input_text", "text": part}
            for part in (f"{said}\nWall time 0.5 seconds\nOutput:\n", "{}")
        ]
        return item("custom_tool_call_output", call_id=call_id, output=parts)

    command = {"command": ["/bin/bash", "-lc", "make"], "aggregated_output": "no rule\n", "exit_code": 2}
    changes = {f"{HOME}/calc.py": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-a - b\n+a + b\n"}}
    return [
        *_beginning(),
        item(
            "custom_tool_call",
            name="exec",
            call_id="c1",
            input="text(await tools.exec_command({cmd: 'make'}))",
        ),
        codex_line("token_usage_record", {"usage": FIRST, "thread_token_usage": FIRST}),
        completed("UserMessage", 0),
        completed("CommandExecution", 1, duration={"secs": 1, "nanos": 0}, **command),
        completed("CommandExecution", 2, source="user_shell", **command),
        completed("FileChange", 3, changes=changes, stdout="Success.\n"),
        completed(
            "McpToolCall", 4, tool="find", arguments={"q": "a"}, result={"content": [{"text": "none"}]}
        ),
        output("c1", "Script completed"),
        item("custom_tool_call", name="exec", call_id="c2", input="throw 1"),
        token_count(SECOND, BOTH),
        output("c2", "Script failed"),
        _answer("Done."),
    ]


def codex_first_form() -> list[dict[str, Any]]:
    """A session of the first versions: items without counts and times."""
    return [
        {"id": CODEX, "timestamp": "2025-05-31T12:00:00.000Z", "instructions": "You are Codex."},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Fix add."}]},
        {"type": "function_call", "name": "shell", "call_id": "c1", "arguments": '{"command": ["ls"]}'},
        {"type": "function_call_output", "call_id": "c1", "output": {"content": "calc.py", "success": False}},
        {"type": "local_shell_call", "call_id": "c2", "action": {"type": "exec", "command": ["make"]}},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]},
    ]


def codex_exec() -> list[dict[str, Any]]:
    """What `codex exec --json` prints."""

    def done(kind: str, **values: Any) -> dict[str, Any]:
        return {"type": "item.completed", "item": {"id": f"item_{kind}", "type": kind, **values}}

    command = "/bin/bash -lc 'cat calc.py'"
    return [
        {"type": "thread.started", "thread_id": CODEX},
        {"type": "turn.started"},
        done("reasoning", text="Where?"),
        done("agent_message", text="I look."),
        {"type": "item.started", "item": {"id": "item_1", "type": "command_execution", "command": command}},
        done("command_execution", command=command, aggregated_output="no\n", exit_code=2, status="failed"),
        done("file_change", changes=[{"path": f"{HOME}/calc.py", "kind": "update"}], status="completed"),
        done(
            "mcp_tool_call",
            server="s",
            tool="find",
            arguments={"q": "a"},
            status="failed",
            error={"message": "no"},
        ),
        done("error", message="slow"),
        done("agent_message", text="Done."),
        {"type": "turn.completed", "usage": usage(4300, 1900, 150, 40)},
    ]
