"""Tools write trajectories themselves, and what is read of them must equal what the tools say of them.

    python -m benchmarks.tool_files [--only codex] [--venvs DIRECTORY]

installs each tool apart (Inspect, mini-swe-agent 1 and 2, Harbor, Terminal-Bench, OpenHands' SDK, Claude Code, Codex),
lets it work with a scripted model on this machine, and compares responses, calls, failures, tokens, dollars, edits,
patches and scores with what the tool says and with what the model was served. With `--venvs`, tools that are there
already are used, and new ones stay. Most need Python 3.12, the first of this name on the path or `--python`. Claude
Code and Codex need npm; Harbor and Terminal-Bench need Docker and the image of `script/base-image --python`. A tool
that cannot be installed is named and left out. Exits with 1 after a difference, or if no tool was tried.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.command_line import benchmark_parser, conclude
from benchmarks.tool_files import (
    claude_code_sessions,
    codex_sessions,
    harbor_jobs,
    inspect_logs,
    mini_swe_agent_files,
    openhands_conversations,
    terminal_bench_trials,
    terminal_tasks,
)

LITELLM = "litellm==1.100.0"


class Tool(NamedTuple):
    """A tool: its packages, the first one named in the output, and what compares it. `is_npm`: they are npm's.

    `problems` gets the Python of its environment, or the directory of npm's packages, and a new directory.
    """

    packages: tuple[str, ...]
    problems: Callable[[Path, Path], list[str]]
    is_npm: bool = False
    has_containers: bool = False


TOOLS = {
    "inspect": Tool(("inspect-ai==0.3.285",), inspect_logs.problems),
    "mini-swe-agent-1": Tool(("mini-swe-agent==1.17.5",), mini_swe_agent_files.problems),
    "mini-swe-agent-2": Tool(("mini-swe-agent==2.4.6",), mini_swe_agent_files.problems),
    "harbor": Tool(("harbor==0.26.0", LITELLM), harbor_jobs.problems, has_containers=True),
    "terminal-bench": Tool(
        ("terminal-bench==0.2.18", LITELLM), terminal_bench_trials.problems, has_containers=True
    ),
    "openhands": Tool(
        ("openhands-sdk==1.58.2", "openhands-tools==1.58.2", LITELLM), openhands_conversations.problems
    ),
    "claude-code": Tool(("@anthropic-ai/claude-code@2.1.197",), claude_code_sessions.problems, is_npm=True),
    "codex": Tool(("@openai/codex@0.171.0",), codex_sessions.problems, is_npm=True),
}


class NotTried(Exception):
    """A tool that cannot be installed, or not run, here."""


def main() -> int:
    """Prints a line for each tool; 1 when something differs."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--only", choices=TOOLS)
    parser.add_argument("--venvs", type=Path)
    parser.add_argument("--python", default=shutil.which("python3.12") or sys.executable)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchbench.settings")
    import django  # noqa: PLC0415 - settings are read here

    django.setup()
    broken, tried = False, 0
    with tempfile.TemporaryDirectory(prefix="benchbench-") as name:
        for tool in [options.only] if options.only else TOOLS:
            place = (options.venvs or Path(name, "venvs")).absolute() / tool
            try:
                found = _problems(TOOLS[tool], place, options.python, Path(name, tool))
            except NotTried as reason:
                print(f"{TOOLS[tool].packages[0]:<36}not tried: {reason}", flush=True)
                continue
            tried += 1
            broken = broken or bool(found)
            print(f"{TOOLS[tool].packages[0]:<36}{'; '.join(found) or 'read as the tool says'}", flush=True)
    return conclude(bool(tried) and not broken)


def _problems(tool: Tool, place: Path, python: str, directory: Path) -> list[str]:
    """What is read otherwise. Raises NotTried."""
    if tool.has_containers and (missing := terminal_tasks.missing()):
        raise NotTried(f"it needs {missing}")
    try:
        home = _installed_by_npm(tool, place) if tool.is_npm else _environment(tool, place, python)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NotTried(f"it cannot be installed ({error})") from error
    try:
        return tool.problems(home, directory)
    except subprocess.CalledProcessError as error:
        traceback.print_exc()
        return [f"{error.cmd[0]} failed: {str(error.stderr)[-500:]}"]


def _environment(tool: Tool, place: Path, python: str) -> Path:
    """The Python of an environment with the packages of a tool, which is made if it is missing."""
    own = place / "bin/python"
    if not own.exists():
        subprocess.run([python, "-m", "venv", str(place)], check=True)
        subprocess.run([str(own), "-m", "pip", "install", "-q", *tool.packages], check=True)
    return own


def _installed_by_npm(tool: Tool, place: Path) -> Path:
    """A directory with the packages of a tool, which is made if it is missing."""
    if not (place / "node_modules").exists():
        place.mkdir(parents=True, exist_ok=True)
        command = [
            "npm",
            "install",
            "--no-audit",
            "--no-fund",
            "--silent",
            "--prefix",
            str(place),
            *tool.packages,
        ]
        subprocess.run(command, check=True)
    return place


if __name__ == "__main__":
    sys.exit(main())
