"""What is read of a file, in the words in which tools are asked about it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from runs.analysis.trajectories.exits import exit_code_in
from runs.analysis.trajectories.kinds import called, kind_of
from runs.intake.reported.reported_result import ReportedResult
from runs.intake.reported.trajectory import ReadStep

Source = Mapping[str, str]
SOURCE: Source = {"slug": "tools", "title": "Tools", "reported_by": "A benchmark", "version": "1"}
"""Options of an import, for tools that name no dataset."""


def written(python: Path, script: str, directory: Path, *arguments: str) -> Any:
    """What a script says, which a tool's Python runs in this directory: JSON in its last line."""
    directory.mkdir(parents=True, exist_ok=True)
    command = [str(python), "-c", script, str(directory), *arguments]
    return json.loads(run_tool(command, directory, directory).splitlines()[-1])


def run_tool(
    command: list[str], home: Path, directory: Path, environment: Mapping[str, str] | None = None
) -> str:
    """What a command prints, with a home of its own and no variables of this process. Raises CalledProcessError."""
    home.mkdir(parents=True, exist_ok=True)
    own = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
    return subprocess.run(
        command,
        check=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=directory,
        env={**own, **(environment or {})},
        timeout=600,
    ).stdout


def work_tree(directory: Path) -> Path:
    """A small repository with a wrong function and a check that fails."""
    directory.mkdir(parents=True)
    (directory / "calc.py").write_text("def add(a, b):\n    return a - b\n")
    (directory / "check.py").write_text("from calc import add\n\nassert add(1, 2) == 3\nprint('ok')\n")
    author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    for command in (["init"], ["add", "."], [*author, "commit", "-m", "Begin"]):
        subprocess.run(["git", *command], check=True, cwd=directory, capture_output=True)
    return directory


def facts_of(result: ReportedResult) -> dict[str, Any]:
    """Counts and sums over the steps of a result, its patch, and what its file says in all."""
    assert result.trajectory is not None
    read = list(result.trajectory.steps())
    steps = [each.step for each in read]
    agents = [step for step in steps if step.source == "agent"]
    results = [each for step in steps for each in step.results]
    metrics = [step.metrics for step in agents if step.metrics]
    return {
        "responses": len(agents),
        "calls": sum(len(step.calls) for step in agents),
        "failed": sum(each.ok is False for each in results),
        "sent": sum(one.prompt_tokens or 0 for one in metrics),
        "cached": sum(one.cached_tokens or 0 for one in metrics),
        "received": sum(one.completion_tokens or 0 for one in metrics),
        "reasoning": sum(one.reasoning_tokens or 0 for one in metrics),
        "dollars": round(result.cost_usd or 0.0, 9),
        "last": agents[-1].message if agents else "",
        "results": [each.content for each in results],
        "patch": result.trajectory.patch,
        "outcome": result.outcome,
        "ending": result.ending,
        "edits": [(one.path, one.added, one.removed) for each in read for one in each.edits or ()],
        "exit codes": sorted(_exit_codes(read)),
        "sent in all": result.prompt_tokens,
        "cached in all": result.cached_tokens,
        "received in all": result.completion_tokens,
        "seconds": None if result.seconds is None else round(result.seconds, 3),
        "passed": sorted(result.passed_tests),
    }


def _exit_codes(steps: Iterable[ReadStep]) -> Iterable[int]:
    """Those of all commands."""
    for step, _ in steps:
        for call in step.calls:
            result = step.result(call)
            code = exit_code_in(result.content) if result else None
            if code is not None and kind_of(called(call.name, call.arguments)) == "run":
                yield code


def differences(name: str, stated: Mapping[str, Any], read: Mapping[str, Any]) -> list[str]:
    """A sentence for each value that the tool states and that was read otherwise."""
    return [
        f"{name}: {key} is {str(value)[:200]!r}, read was {str(read.get(key))[:200]!r}"
        for key, value in stated.items()
        if read.get(key) != value
    ]
