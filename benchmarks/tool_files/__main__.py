"""Tools write trajectories themselves, and what is read of them must equal what the tools say of them.

    python -m benchmarks.tool_files [--only mini-swe-agent-2] [--venvs DIRECTORY]

makes a virtual environment for each tool (Inspect, mini-swe-agent 1 and 2, Harbor), lets it write files with a scripted
model, and compares responses, calls, failures, tokens, dollars, patches and scores. With `--venvs`, environments that
are there already are used, and new ones stay. Inspect and Harbor need Python 3.12, the first of this name on the path
or `--python`. Exits with 1 after the first difference.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.command_line import benchmark_parser, conclude
from benchmarks.tool_files import harbor_trials, inspect_logs, mini_swe_agent_files

TOOLS = {
    "inspect": ("inspect-ai==0.3.285", inspect_logs.problems),
    "mini-swe-agent-1": ("mini-swe-agent==1.17.5", mini_swe_agent_files.problems),
    "mini-swe-agent-2": ("mini-swe-agent==2.4.6", mini_swe_agent_files.problems),
    "harbor": ("harbor==0.26.0", harbor_trials.problems),
}


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
    broken = False
    with tempfile.TemporaryDirectory(prefix="benchbench-") as name:
        for tool, (package, problems) in TOOLS.items():
            if options.only in (None, tool):
                python = _environment((options.venvs or Path(name, "venvs")) / tool, package, options.python)
                found = problems(python, Path(name, tool))
                broken = broken or bool(found)
                print(f"{package:<24}{'; '.join(found) or 'read as the tool says'}", flush=True)
    return conclude(not broken)


def _environment(place: Path, package: str, python: str) -> Path:
    """The Python of an environment with this package, which is made if it is missing."""
    own = place / "bin/python"
    if not own.exists():
        subprocess.run([python, "-m", "venv", str(place)], check=True)
        subprocess.run([str(own), "-m", "pip", "install", "-q", package], check=True)
    return own


if __name__ == "__main__":
    sys.exit(main())
