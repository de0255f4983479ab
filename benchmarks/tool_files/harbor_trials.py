"""Harbor's own models write a trial: the result, and a trajectory that Harbor's validator accepts."""

from __future__ import annotations

from pathlib import Path

from benchmarks.tool_files.compared import differences, facts_of, written

SCRIPT = """
import json, pathlib, sys
from harbor.models.trajectories import (
    Agent, FinalMetrics, Metrics, Observation, ObservationResult, Step, ToolCall, Trajectory,
)
from harbor.utils.trajectory_validator import TrajectoryValidator
trial = pathlib.Path(sys.argv[1]) / "job" / "fix-add__AAAA111"
(trial / "agent").mkdir(parents=True)
steps = [Step(step_id=1, source="user", message="Fix add.", timestamp="2026-01-31T12:00:00Z")]
for number in range(2, 5):
    call = ToolCall(tool_call_id=f"c{number}", function_name="bash_command", arguments={"keystrokes": "ls\\n"})
    observed = Observation(results=[ObservationResult(source_call_id=f"c{number}", content=f"seen {number}")])
    metrics = Metrics(prompt_tokens=100 * number, completion_tokens=10, cached_tokens=50, cost_usd=0.25)
    steps.append(Step(step_id=number, source="agent", message=f"Step {number}.", tool_calls=[call],
                      observation=observed, metrics=metrics))
final = FinalMetrics(total_prompt_tokens=900, total_completion_tokens=30, total_cached_tokens=150,
                     total_cost_usd=0.75, total_steps=4)
agent = Agent(name="terminus-2", version="2.0.0", model_name="openai/gpt-5")
trajectory = Trajectory(session_id="s", agent=agent, steps=steps, final_metrics=final)
path = trial / "agent" / "trajectory.json"
path.write_text(json.dumps(trajectory.to_json_dict()))
validator = TrajectoryValidator()
assert validator.validate(path), validator.errors
result = {
    "id": "00000000-0000-0000-0000-000000000001", "task_name": "fix-add", "trial_name": trial.name,
    "trial_uri": trial.as_uri(), "task_id": {"path": "/tasks/fix-add"}, "source": "lab-bench", "task_checksum": "0",
    "config": {"task": {"path": "/tasks/fix-add"}},
    "agent_info": {"name": "terminus-2", "version": "2.0.0", "model_info": {"name": "gpt-5", "provider": "openai"}},
    "agent_result": {"n_input_tokens": 900, "n_cache_tokens": 150, "n_output_tokens": 30, "cost_usd": 0.75},
    "verifier_result": {"rewards": {"reward": 1.0}},
    "started_at": "2026-01-31T12:00:00Z", "finished_at": "2026-01-31T12:01:00Z",
}
from harbor.models.trial.result import TrialResult
(trial / "result.json").write_text(TrialResult.model_validate(result).model_dump_json())
totals = trajectory.final_metrics
print(json.dumps({
    "responses": 3, "calls": 3, "sent": totals.total_prompt_tokens, "received": totals.total_completion_tokens,
    "cached": totals.total_cached_tokens, "dollars": totals.total_cost_usd, "last": "Step 4.",
    "results": ["seen 2", "seen 3", "seen 4"], "outcome": "resolved",
}))
"""


def problems(python: Path, directory: Path) -> list[str]:
    """What is read otherwise than Harbor says."""
    from runs.reported.reading import read_trajectories  # noqa: PLC0415 - after Django's setup

    stated = written(python, SCRIPT, directory)
    (result,) = read_trajectories(directory, {}).results
    return differences("Harbor", stated, facts_of(result))
