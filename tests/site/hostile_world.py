"""A world for hostile strings.

    python -m tests.site.hostile_world DIRECTORY

makes a data directory and prints, as JSON on one line, what there is to visit. Then, for each number on a line of its
standard input, it puts the strings of that round into every text field, and says "done".
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":  # Django reads its settings when the models below are imported
    os.environ.update(BENCHBENCH_DATA=str(Path(sys.argv[1]).resolve()), LOG_LEVEL="ERROR")
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchbench.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)

from django.db import transaction

from harness.records import FileEdit, Flag, Grade, Metrics, TestResult, TestStatus, ToolCall, ToolResult
from runs.data.run_facts.count_trajectory import recount
from runs.intake.reported.reported_result import PrintedNumber
from runs.intake.reported.storing import store
from runs.models import Run, Try
from tasks.models import Dataset, Repository
from tests.runs.cast import Cast, add_try, recorder_of
from tests.runs.intake.reported.made_results import reported, two_agents
from tests.site.hostile import ROWS, STEPS, STRINGS, fill, made

if TYPE_CHECKING:
    from collections.abc import Sequence


@transaction.atomic
def build() -> dict[str, list[str]]:
    """ROWS of each model, five times as many runs, one of them with STEPS steps; URLs by kind."""
    cast = Cast()
    agents = [
        cast.add_agent(f"Agent-{number}", "ide", cast.add_model(f"Model-{number}")) for number in range(ROWS)
    ]
    repositories = [_repository(number) for number in range(ROWS)]
    tasks = [task for repository in repositories for task in cast.add_tasks(1, repository)]
    evaluations = [cast.add_evaluation(f"evaluation-{number}", "Title") for number in range(ROWS)]
    runs: list[Run] = []
    for number in range(5 * ROWS):
        agent, task = agents[number % ROWS], tasks[(number + number // ROWS) % ROWS]
        passed = (5, 4, 3)[number % 3]
        run = cast.add_run(agent, task, 1, passed=passed, evaluation=evaluations[number % ROWS])
        add_try(run, 1, Try.State.FAILED, failure="engine")
        runs.append(run)
    long = runs[1]  # one test away: it is a near miss, too
    record(long)
    record(runs[2], steps=2)
    printed = (PrintedNumber("Ben", "resolved_percent", "80.5"), PrintedNumber("Eve", "pass_at_1", "1"))
    store(reported(two_agents(), printed=printed))
    cast.settle()
    recount()
    return {
        "lists": [
            *("/?dataset=lab-bench", "/sources/lab-bench/", "/agents/lab-bench-ada/"),
            *(
                "/?dataset=dataset-0",
                "/?columns=all",
                "/compare/?a=agent-0&b=agent-1",
                "/repositories/",
                "/near-misses/?threshold=1",
            ),
            *("/runs/", "/runs/?page=2", "/evaluations/", "/search/?q=w", "/analysis/", "/status/"),
        ],
        "details": [
            *(repository.get_absolute_url() for repository in repositories),
            *(task.get_absolute_url() for task in tasks),
            *(agent.get_absolute_url() for agent in agents),
            *(evaluation.get_absolute_url() for evaluation in evaluations),
        ],
        "runs": [run.get_absolute_url() for run in runs[: 2 * ROWS]],
        "steps": [f"{long.get_absolute_url()}?step={number}" for number in range(1, STEPS + 1)],
    }


def record(run: Run, steps: int = STEPS) -> None:
    """A run directory with hostile text in every field of every record. All steps together have all strings."""
    recorder = recorder_of(run)
    each = len(STRINGS) // STEPS
    for number in range(steps):
        texts = STRINGS[number * each : (number + 1) * each]
        call = made(ToolCall, texts)
        result = made(ToolResult, texts, call_id=call.id, ok=number % 2 == 0, seconds=0.1)
        metrics = made(Metrics, texts)
        text = "\n".join(texts)
        step = recorder.step("agent", text, reasoning=text, calls=[call], results=[result], metrics=metrics)
        diff = "@@ -1 +1 @@\n" + "".join(f"-{line}\n+{line}!\n" for line in texts)
        edit = made(FileEdit, texts[:3], change="modified", added=1, removed=1, diff=diff)
        recorder.edits(step.step_id, [edit])
    recorder.patch(b"diff --git a/x b/x\n+" + "\n".join(STRINGS[:200]).encode() + b"\n")
    recorder.grade(_grade(each))


def _grade(each: int) -> Grade:
    shares: Sequence[Sequence[str]] = [
        STRINGS[first : first + each] for first in range(0, len(STRINGS), each)
    ]
    tests = tuple(made(TestResult, texts, status=TestStatus.FAILED, seconds=0.1) for texts in shares)
    flags = tuple(made(Flag, texts[:5]) for texts in shares)
    more: dict[str, Any] = {"resolved": False, "tests": tests, "flags": flags, "exit_code": 1, "seconds": 1.0}
    return made(Grade, shares[0], **more)


def _repository(number: int) -> Repository:
    dataset = Dataset.objects.create(
        slug=f"dataset-{number}",
        title="Title",
        description="",
        version="1",
        licence="MIT",
        directory="/nowhere",
    )
    return Repository.objects.create(
        dataset=dataset, slug=f"repository-{number}", title="Title", stack="C", domain="x"
    )


if __name__ == "__main__":
    print(json.dumps(build()), flush=True)
    for line in sys.stdin:
        fill(int(line))
        print("done", flush=True)
