"""Codex itself works with a scripted model, in its three ways to call tools: sessions, with a fork and a sub-agent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.tool_files.compared import differences, facts_of, run_tool, work_tree
from benchmarks.tool_files.streaming_server import Reply, StreamingServer

OLD_WAY, NEW_WAY, SCRIPTS = "gpt-5", "gpt-5.5", "gpt-6-sol"
"""Models for which Codex has a shell alone, a tool for patches, and a tool for scripts that call the others."""
CONFIGURATION = """
model = "{model}"
model_provider = "local"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.local]
name = "local"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
"""
EDITS = [("calc.py", 1, 1), ("notes.txt", 2, 0)]
GOOD = """*** Begin Patch
*** Update File: calc.py
@@
 def add(a, b):
-    return a - b
+    return a + b
*** End Patch
"""
NEW = "*** Begin Patch\n*** Add File: notes.txt\n+one\n+two\n*** End Patch\n"
BAD = "*** Begin Patch\n*** Update File: calc.py\n@@\n-not there\n+x\n*** End Patch\n"


def problems(home: Path, directory: Path) -> list[str]:
    """What is read otherwise than Codex says, and than the model was served."""
    return [
        each for model in (OLD_WAY, NEW_WAY, SCRIPTS) for each in _of_model(home, directory / model, model)
    ]


def _of_model(home: Path, directory: Path, model: str) -> list[str]:
    work = work_tree(directory / "calc")
    sessions = directory / "home/.codex/sessions"
    found: list[str] = []
    with StreamingServer({"EXAMINE": _of_agent(), "REPAIR": _replies(model)}) as server:
        sessions.mkdir(parents=True)
        (sessions.parent / "config.toml").write_text(CONFIGURATION.format(model=model, url=server.address))
        program = [str(home / "node_modules/.bin/codex"), "exec", "--json"]

        def work_on(name: str, *words: str) -> list[dict[str, Any]]:
            command = [*program, "--dangerously-bypass-approvals-and-sandbox", *words]
            printed = run_tool(command, directory / "home", work, {"LOCAL_KEY": "none"})
            (directory / f"{name}.jsonl").write_text(printed)
            return [json.loads(line) for line in printed.splitlines()]

        lines = work_on("first", "REPAIR the function.")
        name = lines[0]["thread_id"]
        stated = {"failed": 2 if model == SCRIPTS else 1, "edits": EDITS, "last": "Repaired."}
        found += _differences(f"{model}, session", sessions, {**stated, **_stated(server, lines, model)})
        found += _differences(
            f"{model}, print", directory / "first.jsonl", {**_in_all(lines), "last": "Repaired."}
        )
        lines += work_on("second", "resume", "--last", "Go on.")
        stated |= {**_stated(server, lines, model), "last": "Shown."}
        found += _differences(f"{model}, continued", sessions, stated)
        work_on("forked", "fork", name, "Another way.")
        used = server.served["REPAIR"][-1]["usage"]
        fork = {
            "responses": 1,
            "sent": used["sent"],
            "sent in all": used["sent"],
            "received in all": used["received"],
        }
        found += _differences(f"{model}, parent", sessions, stated)
        found += _differences(f"{model}, fork", sessions, fork, -1)
        if model == OLD_WAY:
            found += _differences(f"{model}, sub-agent", sessions, server.stated("EXAMINE"), 1)
    return found


def _differences(name: str, path: Path, stated: dict[str, Any], number: int = 0) -> list[str]:
    from runs.intake.reported.reading import read_trajectories  # noqa: PLC0415 - after Django's setup

    results = read_trajectories(path, {}).results
    if number >= len(results) or -number > len(results):
        return [f"{name}: {len(results)} sessions were read"]
    return differences(name, stated, facts_of(results[number]))


def _stated(server: StreamingServer, lines: list[dict[str, Any]], model: str) -> dict[str, Any]:
    """What was served and printed so far. Calls of scripts are printed, and count beside the scripts."""
    found: dict[str, Any] = {**server.stated("REPAIR"), **_in_all(lines), "ending": "completed"}
    items = [line["item"] for line in lines if line["type"] == "item.completed"]
    commands = [item["exit_code"] for item in items if item["type"] == "command_execution"]
    found["exit codes"] = sorted(commands)
    if model == SCRIPTS:
        found["calls"] += len(commands) + sum(item["type"] == "file_change" for item in items)
    return found


def _in_all(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """The tokens of the whole session, which the end of its last turn states."""
    used = next(line["usage"] for line in reversed(lines) if line["type"] == "turn.completed")
    return {
        "sent in all": used["input_tokens"],
        "cached in all": used["cached_input_tokens"],
        "received in all": used["output_tokens"],
    }


def _replies(model: str) -> list[Reply]:
    replies: list[dict[str, Any]] = [
        {"reasoning": "Look first.", "text": "I read it.", "calls": [_shell(model, "cat calc.py")]},
        {"text": "I run it.", "calls": [_shell(model, "python3 check.py"), _shell(model, "ls")]},
        {"calls": [_patch(model, BAD)]},
        {"calls": [_patch(model, GOOD)]},
        {"calls": [_patch(model, NEW)]},
        *([{"calls": [{"name": "exec", "input": "throw new Error('no')"}]}] if model == SCRIPTS else []),
        *(_delegation() if model == OLD_WAY else []),
        {"calls": [_shell(model, "python3 check.py")]},
        {"text": "Repaired."},
        {"calls": [_shell(model, "git diff")]},
        {"text": "Shown."},
        {"text": "Forked."},
    ]
    return _used(replies)


def _of_agent() -> list[Reply]:
    return _used([{"calls": [_shell(OLD_WAY, "cat check.py")]}, {"text": "It is right."}], 50)


def _delegation() -> list[dict[str, Any]]:
    """A sub-agent, and time for its work: a session that ends stops it."""
    agent = {"name": "spawn_agent", "namespace": "multi_agent_v1", "arguments": {"message": "EXAMINE it."}}
    return [{"calls": [agent]}, {"calls": [_shell(OLD_WAY, "sleep 3")]}]


def _used(replies: list[dict[str, Any]], more: int = 0) -> list[Reply]:
    """The replies with tokens that differ."""
    return [
        {
            **reply,
            "usage": {"sent": 1000 + number, "cached": 500 + number, "received": 20 + number, "reasoning": 5},
        }
        for number, reply in enumerate(replies, more)
    ]


def _shell(model: str, command: str) -> dict[str, Any]:
    if model == SCRIPTS:
        return {"name": "exec", "input": f"text(await tools.exec_command({json.dumps({'cmd': command})}));"}
    return {"name": "exec_command", "arguments": {"cmd": command}}


def _patch(model: str, text: str) -> dict[str, Any]:
    if model == SCRIPTS:
        return {"name": "exec", "input": f"text(await tools.apply_patch({json.dumps(text)}));"}
    if model == NEW_WAY:
        return {"name": "apply_patch", "input": text}
    return _shell(model, f"apply_patch <<'EOF'\n{text}EOF")
