"""Inspect itself evaluates a small task with a scripted model, and writes logs in both forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.tool_files.compared import differences, facts_of, written

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
        "outcome": "resolved" if sample.scores["match"].value == "C" else "unresolved",
    })
print(json.dumps({"file": log.location, "samples": found}))
'''


def problems(python: Path, directory: Path) -> list[str]:
    """What is read otherwise than Inspect says, of each sample of each form."""
    found: list[str] = []
    for form in ("eval", "json"):
        stated = written(python, SCRIPT, directory / form, form)
        read = _read(Path(stated["file"].removeprefix("file://")))
        for theirs in stated["samples"]:
            name = theirs.pop("sample")
            found += differences(f"{form}, {name}", theirs, read[name])
    return found


def _read(path: Path) -> dict[str, dict[str, Any]]:
    from runs.intake.reported.reading import read_trajectories  # noqa: PLC0415 - after Django's setup

    found: dict[str, dict[str, Any]] = {}
    for result in read_trajectories(path, {}).results:
        assert result.trajectory is not None
        facts = facts_of(result)
        found[result.trajectory.part] = {
            **facts,
            "results": [_plain(content) for content in facts["results"]],
        }
    return found


def _plain(content: str) -> str:
    """A result without the words that mark an error."""
    inner = content.removeprefix("[error: unknown: ").removesuffix("]")
    return inner if content.startswith("[error") else content
