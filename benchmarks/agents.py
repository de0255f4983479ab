"""Runs every shipped recipe of an external agent on a real task: installed from its package, with a scripted model.

    python -m benchmarks.agents [NAME …]

Each should resolve the tiny task in four responses. Installing needs a network and takes minutes (Claude Code and Codex
have 400 and 300 MB), so this is not a test: run it after a change of a recipe, a dialect or the relay.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.agents.command.recipe import SHIPPED
from harness.llm.scripted_server import ModelServer
from harness.llm.spec import ModelSpec
from harness.records import Outcome, RunSummary
from tests.harness.arena import Arena
from tests.harness.worlds import SOLUTION

# The shell tool of each agent with the name of its argument, and the command that ends the work where there is one.
SHELLS = {
    "claude-code": ("Bash", "command"),
    "codex": ("exec_command", "cmd"),
    "mini-swe-agent": ("bash", "command"),
}
SUBMIT = {"mini-swe-agent": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}


def script(recipe: str) -> list[dict[str, Any]]:
    """The responses of the model: look, fix, test, submit."""
    tool, argument = SHELLS[recipe]

    def shell(text: str, *commands: str) -> dict[str, Any]:
        calls = [{"name": tool, "arguments": {argument: command}} for command in commands]
        return {"text": text, "calls": calls, "usage": {"prompt": 1000, "completion": 100}}

    writes = [f"cat >{path} <<'EOF'\n{content}EOF" for path, content in SOLUTION.items()]
    end = shell("Submit.", SUBMIT[recipe]) if recipe in SUBMIT else {"text": "All is fixed."}
    return [shell("Look.", "ls"), shell("Fix.", *writes), shell("Try.", "python3 -m calc '-7 + 5'"), end]


def run(recipe: str) -> RunSummary:
    """One run of an agent on the tiny task."""
    with tempfile.TemporaryDirectory() as root, ModelServer(script(recipe)) as server:
        model = ModelSpec("Scripted", "openai/scripted", server.url)
        summary, _ = Arena.make(Path(root)).run("command", {"recipe": recipe}, model=model)
        return summary


def main(names: Sequence[str]) -> None:
    """Prints a line for each agent; exits with 1 if one did not resolve the task in four responses."""
    failed = False
    for name in names or sorted(path.parent.name for path in SHIPPED.glob("*/recipe.toml")):
        began = time.monotonic()
        summary = run(name)
        good = summary.outcome is Outcome.RESOLVED and summary.iterations == 4
        failed = failed or not good
        print(
            f"{name:16}{summary.outcome:12}{summary.iterations} responses, {summary.act_seconds:.0f} s of work, "
            f"{time.monotonic() - began:.0f} s in all {summary.detail}",
            flush=True,
        )
    sys.exit(failed)


if __name__ == "__main__":
    main(sys.argv[1:])
