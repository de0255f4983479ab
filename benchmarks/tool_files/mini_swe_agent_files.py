"""mini-swe-agent itself writes files: commands that work, fail and end, with usage in version 2."""

from __future__ import annotations

from pathlib import Path

from benchmarks.tool_files.compared import differences, facts_of, written

SCRIPT = """
import json, os, pathlib, sys
directory = pathlib.Path(sys.argv[1])
os.environ.update(MSWEA_CONFIGURED="1", MSWEA_SILENT_STARTUP="1", MSWEA_GLOBAL_CONFIG_DIR=str(directory))
import importlib.metadata
from minisweagent.agents.default import DefaultAgent
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.test_models import DeterministicModel
END = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; echo 'diff --git a/a b/a'"
COMMANDS = ["echo hello", "exit 3", END]
texts = [f"THOUGHT: {number}.\\n\\n```bash\\n{command}\\n```" for number, command in enumerate(COMMANDS)]
path = directory / "lab__one-1.traj.json"
environment = LocalEnvironment(cwd=str(directory))
if importlib.metadata.version("mini-swe-agent").startswith("1."):
    from minisweagent.run.utils.save import save_traj
    agent = DefaultAgent(DeterministicModel(outputs=texts), environment)
    status, result = agent.run("Fix it.")
    save_traj(agent, path, exit_status=status, result=result)
    cost, calls = agent.model.cost, agent.model.n_calls
    sent = received = 0
else:
    outputs = []
    for number, (text, command) in enumerate(zip(texts, COMMANDS)):
        usage = {"prompt_tokens": 100 + number, "completion_tokens": 10}
        extra = {"actions": [{"command": command}], "cost": 0.25, "timestamp": 1769860800.0 + number}
        outputs.append({"role": "assistant", "content": text, "extra": {**extra, "response": {"usage": usage}}})
    model = DeterministicModel(outputs=outputs, cost_per_call=0.25)
    agent = DefaultAgent(model, environment, system_template="You help.", instance_template="Do {{task}}")
    agent.run("Fix it.")
    agent.save(path)
    cost, calls, sent, received = agent.cost, agent.n_calls, 303, 30
stored = json.loads(path.read_text())
print(json.dumps({
    "responses": calls, "dollars": round(cost, 9), "calls": len(COMMANDS), "sent": sent, "received": received,
    "patch": stored["info"]["submission"], "last": "THOUGHT: 2.",
}))
"""


def problems(python: Path, directory: Path) -> list[str]:
    """What is read otherwise than the tool says."""
    from runs.intake.reported.reading import read_trajectories  # noqa: PLC0415 - after Django's setup

    stated = written(python, SCRIPT, directory)
    (result,) = read_trajectories(directory / "lab__one-1.traj.json", {}).results
    return differences("mini-swe-agent", stated, facts_of(result))
