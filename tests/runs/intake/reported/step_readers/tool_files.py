"""Files as other tools write them, small ones by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PATCH = "diff --git a/calc.py b/calc.py\n--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-a - b\n+a + b\n"


def written(path: Path, content: Any) -> Path:
    """A JSON file with this content."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
    return path


def atif(**changes: Any) -> dict[str, Any]:
    """A trajectory of two responses, as Harbor's agents write it."""
    return {
        "schema_version": "ATIF-v1.7",
        "session_id": "s-1",
        "agent": {"name": "terminus-2", "version": "2.0.0", "model_name": "openai/gpt-5"},
        "steps": [
            {"step_id": 1, "source": "user", "message": "Fix add.", "timestamp": "2026-01-31T12:00:00Z"},
            {
                "step_id": 2,
                "source": "agent",
                "message": "I look.",
                "reasoning_content": "Where is it?",
                "timestamp": "2026-01-31T12:00:05+00:00",
                "tool_calls": [
                    {
                        "tool_call_id": "c1",
                        "function_name": "bash_command",
                        "arguments": {"keystrokes": "ls\n"},
                    }
                ],
                "observation": {"results": [{"source_call_id": "c1", "content": "calc.py"}]},
                "metrics": {
                    "prompt_tokens": 1000,
                    "completion_tokens": 50,
                    "cached_tokens": 900,
                    "cost_usd": 0.002,
                    "extra": {"reasoning_tokens": 20},
                },
            },
            {"step_id": 3, "source": "agent", "message": "Done.", "metrics": {"prompt_tokens": 1100}},
        ],
        "final_metrics": {
            "total_prompt_tokens": 2100,
            "total_completion_tokens": 60,
            "total_cost_usd": 0.005,
        },
        **changes,
    }


def _response(usage: tuple[int, int, int], finish: str = "tool_calls") -> dict[str, Any]:
    sent, received, cached = usage
    return {
        "choices": [{"finish_reason": finish}],
        "usage": {
            "prompt_tokens": sent,
            "completion_tokens": received,
            "prompt_tokens_details": {"cached_tokens": cached},
        },
    }


def mini_swe_agent_2(**changes: Any) -> dict[str, Any]:
    """An attempt of mini-swe-agent 2 with tool calls: a response without a command, then two commands."""
    refused = {**_response((900, 10, 0), "stop"), "choices": [{"message": {"content": "No command."}}]}
    return {
        "info": {
            "model_stats": {"instance_cost": 0.006, "api_calls": 3},
            "config": {"model": {"model_name": "openai/gpt-5"}, "environment": {"cwd": "/testbed"}},
            "mini_version": "2.4.6",
            "exit_status": "Submitted",
            "submission": PATCH,
        },
        "messages": [
            {"role": "system", "content": "You are helpful."},
            {"role": "user", "content": "Fix add."},
            {"role": "user", "content": "Format error.", "extra": {"cost": 0.001, "response": refused}},
            {
                "role": "assistant",
                "content": "I look and change.",
                "tool_calls": [
                    _call("c1", "cat calc.py"),
                    _call("c2", "sed -i 's/-/+/' calc.py"),
                ],
                "extra": {"response": _response((1000, 50, 900)), "cost": 0.002, "timestamp": 1769860800.5},
            },
            _output("c1", "a - b\n", 0),
            _output("c2", "", 0, exception="timed out"),
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [_call("c3", "echo COMPLETE")],
                "extra": {"response": _response((1100, 40, 1000)), "cost": 0.003, "timestamp": 1769860810},
            },
            {"role": "exit", "content": PATCH, "extra": {"exit_status": "Submitted", "submission": PATCH}},
        ],
        "trajectory_format": "mini-swe-agent-1.1",
        **changes,
    }


def _call(call_id: str, command: str) -> dict[str, Any]:
    return {"id": call_id, "function": {"name": "bash", "arguments": json.dumps({"command": command})}}


def _output(call_id: str, text: str, code: int, exception: str = "") -> dict[str, Any]:
    return {
        "role": "tool",
        "tool_call_id": call_id,
        "content": f"<returncode>{code}</returncode>\n<output>\n{text}</output>",
        "extra": {"raw_output": text, "returncode": code, "exception_info": exception},
    }


def mini_swe_agent_1(**changes: Any) -> dict[str, Any]:
    """An attempt of mini-swe-agent 1: commands are in the text, and no result says whether it failed."""
    return {
        "info": {
            "exit_status": "LimitsExceeded",
            "submission": "",
            "model_stats": {"instance_cost": 0.5, "api_calls": 1},
        },
        "messages": [
            {"role": "system", "content": "You are helpful.", "timestamp": 1769860790.0},
            {"role": "user", "content": "Fix add.", "timestamp": 1769860790.0},
            {
                "role": "assistant",
                "content": "THOUGHT: look.\n\n```bash\ncat calc.py\n```",
                "timestamp": 1769860800.0,
                "extra": {"response": _response((1000, 50, 0), "stop")},
            },
            {"role": "user", "content": "<returncode>0</returncode>\n<output>\na - b\n</output>"},
        ],
        "trajectory_format": "mini-swe-agent-1",
        **changes,
    }


def swe_agent(**changes: Any) -> dict[str, Any]:
    """An attempt of SWE-agent: an edit of the open file, a command, and a step without an action."""
    state = {"working_dir": "/calc", "open_file": "/calc/calc.py"}
    return {
        "environment": "main",
        "trajectory": [
            {
                "action": "edit 1:1\na + b\nend_of_edit",
                "observation": "[File: /calc/calc.py (1 lines total)]\n1:a + b\n",
                "thought": "I edit.",
                "response": "I edit.",
                "execution_time": 0.5,
                "state": json.dumps(state),
            },
            {
                "action": "str_replace_editor str_replace /calc/b.py --old_str 'x = 1' --new_str 'x = 2'",
                "observation": "The file has been edited.",
                "thought": "",
                "response": "And b.",
                "execution_time": 0.25,
                "state": state,
            },
            {"action": "", "observation": "", "thought": "No action.", "response": "", "state": state},
            {
                "action": "python test.py",
                "observation": "ok\r\n",
                "thought": "I test.",
                "execution_time": 1.0,
            },
            {"action": "submit", "observation": PATCH, "thought": "", "execution_time": 0.1},
        ],
        "history": [
            {"role": "system", "content": "You are helpful."},
            {"role": "user", "content": "Look how it is done.", "is_demo": True},
            {"role": "user", "content": [{"type": "text", "text": "Fix add."}]},
            {"role": "assistant", "content": "I edit."},
        ],
        "info": {
            "exit_status": "submitted (exit_cost)",
            "submission": PATCH,
            "swe_agent_version": "1.1.0",
            "model_stats": {
                "instance_cost": 0.034,
                "tokens_sent": 12000,
                "tokens_received": 410,
                "api_calls": 6,
            },
        },
        "replay_config": json.dumps({"agent": {"model": {"name": "anthropic/claude-sonnet-4"}}}),
        **changes,
    }
