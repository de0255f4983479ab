"""Calls that a script of Codex made: newer models write JavaScript for one tool, which calls the other tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.records import ToolCall, ToolResult
from runs.intake.reported.report_document import pick, pick_text, text_of
from runs.intake.reported.step_readers.chat_messages import content_text
from runs.intake.reported.step_readers.step_builder import amount, call_of, id_of

SCRIPT_TOOL = "exec"
_MAX_FILES = 200
_OK = {"completed": True, "failed": False, "declined": False}


def script_call(item: Mapping[str, Any]) -> tuple[ToolCall, ToolResult] | None:
    """The call of a completed item and its result, named as in scripts; None for an item that is no call."""
    call_id, kind = id_of(item.get("id")), pick_text(item, "type")
    if kind == "CommandExecution":
        call = call_of(call_id, "exec_command", {"cmd": _command(item.get("command"))})
        ran = with_exit_code(text_of(item.get("aggregated_output")), item)
        return call, ToolResult(call_id, *ran, seconds_of(item))
    ok = _OK.get(pick_text(item, "status"))
    if kind == "FileChange":
        changes = item.get("changes")
        paths = list(changes)[:_MAX_FILES] if isinstance(changes, dict) else []
        call = call_of(call_id, "apply_patch", {"changes": [{"path": path} for path in paths]})
        said = text_of(item.get("stdout")) + text_of(item.get("stderr"))
        return call, ToolResult(call_id, said, ok, seconds_of(item))
    if kind == "McpToolCall":
        call = call_of(call_id, item.get("tool"), item.get("arguments"))
        said = content_text(pick(item, "result", "content")) or text_of(pick(item, "error", "message"))
        return call, ToolResult(call_id, said, ok, seconds_of(item))
    return None


def script_result(content: str) -> bool | None:
    """Whether the result of a script says that it ran to its end; None if it does not say."""
    return next((ok for start, ok in _SCRIPT.items() if content.startswith(start)), None)


_SCRIPT = {"Script completed\n": True, "Script failed\n": False}


def seconds_of(about: Mapping[str, Any]) -> float | None:
    """The seconds in the duration of an event or item."""
    seconds, rest = amount(pick(about, "duration", "secs")), amount(pick(about, "duration", "nanos"))
    return None if seconds is None else seconds + (rest or 0.0) / 1e9


def _command(command: Any) -> Any:
    """What a shell was given: ["/bin/bash", "-lc", "make"]; another command as it is."""
    is_shell = isinstance(command, list) and len(command) == 3 and text_of(command[1]).startswith("-")
    return text_of(command[2]) if is_shell else command


def with_exit_code(output: str, item: Mapping[str, Any]) -> tuple[str, bool | None]:
    """The output of an item, with the exit code of a command before it, and whether the call succeeded."""
    code = item.get("exit_code")
    if isinstance(code, int) and not isinstance(code, bool):
        return f"Exit code: {code}\nOutput:\n{output}", True
    return output, _OK.get(pick_text(item, "status"))
