"""Trajectories of any length for tests, written as the harness writes them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from runs.data.replay.open_index import outline
from runs.data.replay.step_filter import StepCondition

HEADER = {"schema_version": "ATIF-v1.8"}


def step(
    number: int,
    tool: str = "",
    arguments: Mapping[str, Any] | None = None,
    *,
    message: str = "",
    result: str = "done",
    ok: bool = True,
    seconds: float = 0.5,
    tokens: int = 100,
) -> dict[str, Any]:
    """One step of an agent, with one call where a tool is named."""
    entry: dict[str, Any] = {
        "step_id": number,
        "source": "agent",
        "message": message or f"Step {number}.",
        "metrics": {"prompt_tokens": tokens, "completion_tokens": 10, "cached_tokens": 0},
    }
    if tool:
        call = {"tool_call_id": "c", "function_name": tool, "arguments": dict(arguments or {})}
        entry["tool_calls"] = [call]
        entry["observation"] = {"results": [{"source_call_id": "c", "content": result}]}
        entry["extra"] = {"results": [{"ok": ok, "seconds": seconds}]}
    return entry


def edit(number: int, *paths: str) -> dict[str, Any]:
    """What a step changed: one line in each of these files."""
    change = {"change": "modified", "added": 1, "removed": 1, "diff": "@@ -1 +1 @@\n-a\n+b\n"}
    return {"step_id": number, "files": [{"path": path, **change} for path in paths]}


def write(
    directory: Path, steps: Iterable[Mapping[str, Any]], edits: Iterable[Mapping[str, Any]] = ()
) -> Path:
    """A run directory with a header, these steps and these edits; appended where there is one."""
    directory.mkdir(parents=True, exist_ok=True)
    trajectory = directory / "trajectory.jsonl"
    if not trajectory.exists():
        steps = [HEADER, *steps]
    append(trajectory, steps)
    append(directory / "edits.jsonl", edits)
    return directory


def append(path: Path, entries: Iterable[Mapping[str, Any]]) -> None:
    """One line for each entry; no file for none."""
    lines = [json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries]
    if lines:
        with path.open("a", encoding="utf-8", errors="replace") as file:
            file.write("".join(lines))


def tamper(directory: Path, old: bytes, new: bytes, *, unseen: bool = False) -> None:
    """Overwrites bytes of the trajectory in place, so that reading them again is visible.

    `unseen`: the file says that it was not written since.
    """
    assert len(old) == len(new)
    path = directory / "trajectory.jsonl"
    before = path.stat()
    with path.open("r+b") as file:
        content = file.read()
        assert old in content
        file.seek(0)
        file.write(content.replace(old, new))
    if unseen:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def numbers(directory: Path) -> list[int]:
    """The numbers of all steps, as a reader of the run sees them."""
    with outline(directory) as steps:
        return [row.number for row in steps.rows(StepCondition(), 0, 1_000)]
