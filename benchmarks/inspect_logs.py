"""Inspect itself writes logs, and what is read of them must equal what Inspect says of them.

    python -m benchmarks.inspect_logs [--version 0.3.285] [--python PATH]

makes a virtual environment with that version (or uses the Python of one that exists), lets it evaluate a small task
with a scripted model, as `.eval` and as JSON, and compares responses, calls, failures, tokens and scores of each
sample. Fails with the first difference.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

SCRIPT = '''
import json, sys
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import ToolError, tool

@tool
def divide():
    async def execute(a: int, b: int):
        """Divides.

        Args:
            a: The dividend.
            b: The divisor.
        """
        if b == 0:
            raise ToolError("division by zero")
        return str(a // b) + " " + "x" * 300
    return execute

def answers():
    for number in range(1000):
        if number % 3 == 2:
            output = ModelOutput.from_content("mockllm/model", "4")
        else:
            output = ModelOutput.for_tool_call("mockllm/model", "divide", {"a": 8, "b": number % 3})
        output.usage = ModelUsage(
            input_tokens=100 + number, output_tokens=10, total_tokens=145 + number,
            input_tokens_cache_read=30, input_tokens_cache_write=5, reasoning_tokens=3,
        )
        yield output

directory, form = sys.argv[1:]
task = Task([Sample(id="a/b", input="8 / 2 " + "y" * 300, target="4"), Sample(input="9 / 3", target="3")],
            solver=[use_tools(divide()), generate()], scorer=match())
(log,) = eval(task, model=get_model("mockllm/model", custom_outputs=answers()), epochs=2, max_samples=1,
              log_dir=directory, log_format=form, display="none")
log = read_eval_log(log.location)
found = []
for sample in log.samples:
    events = [event for event in sample.events if event.event == "model"]
    usage = sample.model_usage["mockllm/model"]
    found.append({
        "sample": f"{sample.id}, epoch {sample.epoch}",
        "responses": len(events),
        "calls": sum(len(event.output.message.tool_calls or []) for event in events),
        "failed": sum(event.error is not None for event in sample.events if event.event == "tool"),
        "sent": usage.input_tokens + (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0),
        "cached": usage.input_tokens_cache_read,
        "received": usage.output_tokens,
        "reasoning": usage.reasoning_tokens,
        "last": sample.output.completion,
        "results": [message.text or message.error.message for message in sample.messages if message.role == "tool"],
        "resolved": sample.scores["match"].value == "C",
    })
print(json.dumps({"file": log.location, "samples": found}))
'''


def main() -> None:
    """Compares both forms of log."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--version", default="0.3.285")
    parser.add_argument("--python", type=Path)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchbench.settings")
    import django  # noqa: PLC0415 - settings are read here

    django.setup()
    with tempfile.TemporaryDirectory(prefix="inspect-logs-") as name:
        python = options.python or _environment(Path(name, "venv"), options.version)
        for form in ("eval", "json"):
            stated = _log(python, Path(name, form), form)
            read = _read(Path(stated["file"].removeprefix("file://")))
            for theirs in stated["samples"]:
                ours = read[theirs["sample"]]
                if ours != theirs:
                    sys.exit(
                        f"{form}, sample {theirs['sample']}:\n  Inspect says {theirs}\n  read was     {ours}"
                    )
            print(f"{form}: {len(read)} samples are as Inspect says")


def _environment(place: Path, version: str) -> Path:
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", f"inspect-ai=={version}"], check=True)
    return python


def _log(python: Path, directory: Path, form: str) -> dict[str, Any]:
    command = [str(python), "-c", SCRIPT, str(directory), form]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return found


def _read(path: Path) -> dict[str, dict[str, Any]]:
    from runs.reported.reading import read_trajectories  # noqa: PLC0415 - after Django's setup

    found: dict[str, dict[str, Any]] = {}
    for result in read_trajectories(path, {}).results:
        assert result.trajectory is not None
        steps = [each.step for each in result.trajectory.steps()]
        agents = [step for step in steps if step.source == "agent"]
        results = [each for step in steps for each in step.results]
        metrics = [step.metrics for step in agents if step.metrics]
        found[result.trajectory.part] = {
            "sample": result.trajectory.part,
            "responses": len(agents),
            "calls": sum(len(step.calls) for step in agents),
            "failed": sum(each.ok is False for each in results),
            "sent": sum(one.prompt_tokens or 0 for one in metrics),
            "cached": sum(one.cached_tokens or 0 for one in metrics),
            "received": sum(one.completion_tokens or 0 for one in metrics),
            "reasoning": sum(one.reasoning_tokens or 0 for one in metrics),
            "last": agents[-1].message,
            "results": [_plain(each.content) for each in results],
            "resolved": result.outcome == "resolved",
        }
    return found


def _plain(content: str) -> str:
    """A result without the words that mark an error."""
    return (
        content.removeprefix("[error: unknown: ").removesuffix("]")
        if content.startswith("[error")
        else content
    )


if __name__ == "__main__":
    main()
