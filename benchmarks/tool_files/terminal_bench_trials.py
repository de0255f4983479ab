"""Terminal-Bench itself runs trials in containers: its oracle, and its two agents with a scripted model.

It needs `docker compose`; a small program in its place does what its tasks need.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.tool_files import terminal_tasks as tasks
from benchmarks.tool_files.compared import SOURCE, differences, facts_of, run_tool
from harness.llm.scripted_server import ModelServer

COMPOSE = """#!/bin/sh
# `docker compose -p NAME -f FILE VERB` for one service, from the variables of Terminal-Bench; all else is docker's own.
real=$(PATH=${PATH#*:} command -v docker)
[ "$1" = compose ] || exec "$real" "$@"
image=$T_BENCH_TASK_DOCKER_CLIENT_IMAGE_NAME name=$T_BENCH_TASK_DOCKER_CLIENT_CONTAINER_NAME
case $6 in
build) exec "$real" build -q -t "$image" "$(dirname "$5")" ;;
up) exec "$real" run -d --network none --name "$name" -e TEST_DIR="$T_BENCH_TEST_DIR" \\
    -v "$T_BENCH_TASK_LOGS_PATH:$T_BENCH_CONTAINER_LOGS_PATH" \\
    -v "$T_BENCH_TASK_AGENT_LOGS_PATH:$T_BENCH_CONTAINER_AGENT_LOGS_PATH" "$image" sleep infinity ;;
down) "$real" rm -f "$name"; exec "$real" rmi -f "$image" ;;
esac
"""
ABOUT = """instruction: Correct add in /app/calc.py.
difficulty: easy
parser_name: pytest
max_agent_timeout_sec: 60.0
max_test_timeout_sec: 60.0
"""
CHECK = "#!/bin/bash\ncd /app\npython3 -m pytest -rA $TEST_DIR/test_outputs.py\n"


def problems(python: Path, directory: Path) -> list[str]:
    """What is read otherwise than Terminal-Bench says, and than the model was served."""
    tasks.put(directory, "bin/docker", COMPOSE)
    files = {
        **{
            "task.yaml": ABOUT,
            "Dockerfile": f"FROM {tasks.IMAGE}\n",
            "docker-compose.yaml": "services: {}\n",
        },
        **{"run-tests.sh": CHECK, "solution.sh": tasks.SOLUTION, "tests/test_outputs.py": tasks.TESTS},
    }
    for name, text in files.items():
        tasks.put(directory / "tasks/fix-add", name, text)
    scripts = {"two": tasks.replies(*tasks.WORK), "one": tasks.replies(*_older())}
    with tasks.image(), ModelServer(scripts) as server:
        _run(python, directory, "oracle", "--agent", "oracle")
        for number, model in ((1, "one"), (2, "two")):
            options = ["--agent", f"terminus-{number}", "--model", f"openai/{model}"]
            _run(python, directory, model, *options, "-k", f"api_base={server.url}")
    found = _differences(directory, "oracle", {"responses": 1, "calls": 1})
    for model, calls in (("one", 4), ("two", tasks.CALLS)):
        used = [reply["usage"] for reply in scripts[model]]
        served = {
            **{"responses": len(used), "calls": calls, "sent": sum(one["prompt"] for one in used)},
            "received": sum(one["completion"] for one in used),
        }
        found += _differences(directory, model, served)
    return found


def _differences(directory: Path, run: str, served: Mapping[str, Any]) -> list[str]:
    from runs.intake.reported.reading import read_trajectories  # noqa: PLC0415 - after Django's setup

    (path,) = directory.glob(f"runs/{run}/fix-add/*/results.json")
    trial = json.loads(path.read_text())
    # The harness counts the tokens of its agents itself, and says 0 for those of its oracle.
    says = {
        "outcome": "resolved" if trial["is_resolved"] else "unresolved",
        "sent in all": trial["total_input_tokens"] or None,
        "received in all": trial["total_output_tokens"] or None,
        "passed": sorted(name for name, state in trial["parser_results"].items() if state == "passed"),
    }
    (result,) = read_trajectories(directory / "runs" / run, SOURCE).results
    return differences(run, {**says, **served}, facts_of(result))


def _run(python: Path, directory: Path, run: str, *options: str) -> None:
    command = [str(python.parent / "tb"), "run", "--dataset-path", str(directory / "tasks"), "--no-cleanup"]
    command += ["--output-path", str(directory / "runs"), "--run-id", run, "--n-concurrent", "1", *options]
    own = {"PATH": f"{directory / 'bin'}:{os.environ['PATH']}", "OPENAI_API_KEY": "none"}
    run_tool(command, directory / "home", directory, own)


def _older() -> list[str]:
    """Responses in the form of Terminus 1."""
    work: list[tuple[list[str], bool]] = [
        (["cat calc.py\n", "ls\n"], False),
        (["sed -i s/-/+/ calc.py\n"], False),
        ([], True),
    ]
    return [
        json.dumps(
            {
                **{"state_analysis": f"State {number}.", "explanation": f"Why {number}."},
                "commands": [{"keystrokes": key, "is_blocking": True, "timeout_sec": 5} for key in keys],
                "is_task_complete": done,
            }
        )
        for number, (keys, done) in enumerate(work)
    ]
