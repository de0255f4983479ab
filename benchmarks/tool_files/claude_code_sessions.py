"""Claude Code itself works with a scripted model: a session, its continuation and its fork, stored and printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.tool_files.compared import differences, facts_of, run_tool, work_tree
from benchmarks.tool_files.streaming_server import Reply, StreamingServer

QUIET = {
    "ANTHROPIC_API_KEY": "none",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "IS_SANDBOX": "1",
}
OPTIONS = ("--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions")
MODEL = "claude-sonnet-4-5"
EDITS = [("calc.py", 1, 1), ("notes.txt", 2, 0)]


def problems(home: Path, directory: Path) -> list[str]:
    """What is read otherwise than Claude Code says, and than the model was served."""
    work = work_tree(directory / "calc")
    found: list[str] = []
    with StreamingServer(
        {"EXAMINE": _of_agent(work), "REPAIR": _main(work), "LIMITED": _endless()}
    ) as server:

        def work_on(name: str, *words: str) -> dict[str, Any]:
            command = [str(home / "node_modules/.bin/claude"), "-p", *words, *OPTIONS, "--model", MODEL]
            if name == "limited":
                command += ["--max-turns", "2"]
            printed = _printed(command, directory, work, {**QUIET, "ANTHROPIC_BASE_URL": server.address})
            (directory / f"{name}.jsonl").write_text(printed)
            return dict(json.loads(printed.splitlines()[-1]))

        first = work_on("first", "REPAIR the function.")
        stated = {**server.stated("REPAIR", "EXAMINE"), "failed": 1, "edits": EDITS, "last": "Repaired."}
        found += _differences("session", directory, {**stated, **_sums(first)})
        found += _differences("print", directory / "first.jsonl", {**_sums(first), "edits": EDITS})
        second = work_on("second", "Go on.", "--continue")
        stated |= {**server.stated("REPAIR", "EXAMINE"), "last": "Shown."}
        found += _differences("continued", directory, {**stated, **_sums(first, second)})
        forked = work_on("forked", "Another way.", "--continue", "--fork-session")
        one = server.served["REPAIR"][-1]["usage"]
        found += _differences("parent", directory, {**stated, **_sums(first, second)})
        fork = {"sent": one["sent"], "received": one["received"], "last": "Forked.", **_sums(forked)}
        found += _differences("fork", directory, fork, 1)
        limited = work_on("limited", "LIMITED work.")
        found += _differences("limited", directory, {**server.stated("LIMITED"), **_sums(limited)}, 2)
    return found


def _printed(command: list[str], directory: Path, work: Path, environment: dict[str, str]) -> str:
    """What Claude Code prints; it exits with 1 at a limit, so the shell hides its status."""
    line = ["sh", "-c", '"$@"; true', "sh", *command]
    return run_tool(line, directory / "home", work, environment)


def _differences(name: str, path: Path, stated: dict[str, Any], number: int = 0) -> list[str]:
    from runs.intake.reported.reading import read_trajectories  # noqa: PLC0415 - after Django's setup

    results = read_trajectories(path, {}).results
    if number >= len(results):
        return [f"{name}: {len(results)} sessions were read"]
    return differences(name, stated, facts_of(results[number]))


def _sums(*results: dict[str, Any]) -> dict[str, Any]:
    """What the printed results state in all; the last one says how the session ended."""
    used = [one for result in results for one in result["modelUsage"].values()]
    sent = ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
    return {
        "dollars": round(sum(result["total_cost_usd"] for result in results), 9),
        "seconds": round(sum(result["duration_ms"] for result in results) / 1000, 3),
        "sent in all": sum(one[name] for one in used for name in sent),
        "cached in all": sum(one["cacheReadInputTokens"] for one in used),
        "received in all": sum(one["outputTokens"] for one in used),
        "ending": {"success": "completed", "error_max_turns": "iteration_limit"}[results[-1]["subtype"]],
    }


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def _used(replies: list[dict[str, Any]], more: int = 0) -> list[Reply]:
    """The replies with tokens that differ."""
    return [
        {
            **reply,
            "usage": {"sent": 1000 + number, "cached": 500 + number, "written": 100, "received": 20 + number},
        }
        for number, reply in enumerate(replies, more)
    ]


def _main(work: Path) -> list[Reply]:
    calc = str(work / "calc.py")
    check = _call("Bash", command="python3 check.py", description="Check")
    agent = _call("Agent", description="Look", prompt="EXAMINE check.py", subagent_type="general-purpose")
    return _used(
        [
            {"reasoning": "Look first.", "text": "I read it.", "calls": [_call("Read", file_path=calc)]},
            {"text": "I run it.", "calls": [check, _call("Bash", command="ls", description="List")]},
            {"calls": [_call("Edit", file_path=calc, old_string="not there", new_string="x")]},
            {"calls": [_call("Edit", file_path=calc, old_string="a - b", new_string="a + b")]},
            {"calls": [agent]},
            {"calls": [_call("Write", file_path=str(work / "notes.txt"), content="one\ntwo\n")]},
            {"calls": [check]},
            {"text": "Repaired."},
            {"calls": [_call("Bash", command="git diff", description="Show")]},
            {"text": "Shown."},
            {"text": "Forked."},
        ]
    )


def _of_agent(work: Path) -> list[Reply]:
    return _used([{"calls": [_call("Read", file_path=str(work / "check.py"))]}, {"text": "It is right."}], 50)


def _endless() -> list[Reply]:
    return _used([{"calls": [_call("Bash", command="ls", description="List")]}] * 9, 70)
