"""What is read of a file, in the words in which tools are asked about it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runs.reported.reported_result import ReportedResult


def written(python: Path, script: str, directory: Path, *arguments: str) -> Any:
    """What a script says, which a tool's Python runs in this directory: JSON in its last line."""
    directory.mkdir(parents=True, exist_ok=True)
    command = [str(python), "-c", script, str(directory), *arguments]
    run = subprocess.run(
        command,
        check=True,
        capture_output=True,
        text=True,
        cwd=directory,
        env={**os.environ, "HOME": str(directory)},
    )
    return json.loads(run.stdout.splitlines()[-1])


def facts_of(result: ReportedResult) -> dict[str, Any]:
    """Counts and sums over the steps of a result, and its patch."""
    assert result.trajectory is not None
    steps = [each.step for each in result.trajectory.steps()]
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
    }


def differences(name: str, stated: Mapping[str, Any], read: Mapping[str, Any]) -> list[str]:
    """A sentence for each value that the tool states and that was read otherwise."""
    return [
        f"{name}: {key} is {str(value)[:200]!r}, read was {str(read.get(key))[:200]!r}"
        for key, value in stated.items()
        if read.get(key) != value
    ]
