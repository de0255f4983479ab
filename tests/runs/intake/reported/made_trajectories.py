"""Small trajectories of other tools, for tests of how they arrive."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def mini_trajectory(task: str = "lab__one-1", **more: Any) -> dict[str, Any]:
    """A trajectory of mini-swe-agent with one command."""
    return {
        "trajectory_format": "mini-swe-agent-1",
        "instance_id": task,
        "info": {
            "exit_status": "Submitted",
            "submission": "",
            "model_stats": {"instance_cost": 0.25, "api_calls": 1},
            "mini_version": "1.17.3",
        },
        "messages": [
            {"role": "system", "content": "You solve tasks."},
            {"role": "user", "content": "Mend it."},
            {"role": "assistant", "content": "I look.\n\n```bash\nls\n```"},
            {"role": "user", "content": "calc.py"},
        ],
        **more,
    }


def write_trajectories(directory: Path, *tasks: str) -> Path:
    """A directory with a file for each task."""
    directory.mkdir(parents=True, exist_ok=True)
    for task in tasks:
        (directory / f"{task}.traj.json").write_text(json.dumps(mini_trajectory(task)))
    return directory
