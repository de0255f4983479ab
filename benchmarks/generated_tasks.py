"""Generated tasks from end to end: four agents on all tasks of a dataset, executed by the workers of a site.

    python -m benchmarks.generated_tasks DATASET [--workers 2] [--save DIR]

The agents are the null agent, the oracle, a calibration agent with a success rate of 60 %, and the `ide` agent with the
profile `breakpoint` on a scripted model, which submits the originals of every second task with targets and the code
of the start for the others. Promised: the null agent resolves nothing, the oracle everything, the two others exactly
what they mean to, except that a part of a merged change may be enough, because tests need not check each line of it; no
run fails for another reason, and no container is left. Exits with 1 otherwise. `--save`: a directory for the runs of
calibration agents, one archive for each repository, as `manage.py import_runs` reads them. Needs a container engine,
and takes about half a minute a task.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.command_line import benchmark_parser, conclude, mark
from benchmarks.worker_site import WorkerSite, worker_site
from harness.agents.scripted import Calibration, random_numbers
from harness.dataset import Mode, Repository, Target, Task, load_dataset, started
from harness.functions import find, source_of
from harness.llm.scripted_server import ModelServer, Request
from harness.patches import apply_patch
from harness.sandbox.base import INSTANCE_LABEL

if TYPE_CHECKING:
    from runs.models import Evaluation, Run

MODEL, MODEL_AGENT = "scripted", "scripted-model"
CALIBRATED = "calibration-60"
AGENTS = ("null", "oracle", CALIBRATED, MODEL_AGENT)


class Solver:
    """The scripted model: it knows the originals, and submits those of every second task."""

    def __init__(self, repositories: Sequence[Repository]) -> None:
        self.repositories = {one.slug: one for one in repositories}
        pairs = [(one, task) for one in repositories for task in one.tasks if task.targets]
        self._tasks = {task.description.strip(): (one, task) for one, task in pairs}
        self.solved = {f"{one.slug}/{task.slug}" for one, task in pairs[::2]}

    def reply(self, request: Request) -> Mapping[str, Any]:
        """A look at the directory, then a submission for each target, then the end."""
        prompt = "\n".join(str(message.get("content")) for message in request.messages[:2])
        found = next((pair for text, pair in self._tasks.items() if text in prompt), None)
        if found is None or request.turn == 0:
            return _said("list_directory", path=".") if request.turn == 0 else {"text": "Done."}
        repository, task = found
        if request.turn > len(task.targets):
            return {"text": "Done."}
        return _submission(repository, task, task.targets[request.turn - 1], self.is_solved(repository, task))

    def is_solved(self, repository: Repository, task: Task) -> bool:
        """Whether the model submits the originals of this task."""
        return f"{repository.slug}/{task.slug}" in self.solved


def _submission(repository: Repository, task: Task, target: Target, solved: bool) -> Mapping[str, Any]:
    source = started(repository, task).source
    state = source.read(target.path)
    if solved:
        patch = task.reference_diff.read_bytes()
        (state,) = [one for one in apply_patch(patch, source.read) if one.path == target.path]
    text = ((state and state.content) or b"").decode()
    code = source_of(text, find(target.path, text, target.name, target.occurrence))
    if task.mode is Mode.REMOVE:
        return _said("submit_attempt", code=code)
    place = {"path": target.path, "name": target.name, "occurrence": target.occurrence}
    return _said("replace_function", **place, code=code)


def _said(tool: str, **arguments: Any) -> Mapping[str, Any]:
    return {"calls": [{"name": tool, "arguments": {"explanation": "As scripted.", **arguments}}]}


def main() -> int:
    """Prints the outcomes of each agent, and what differs from what is promised; 1 if anything does."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--save", type=Path, help="a directory for the runs of calibration agents")
    options = parser.parse_args()
    repositories = list(load_dataset(options.dataset).repositories)
    solver, began = Solver(repositories), time.monotonic()
    with ModelServer(solver.reply) as server, worker_site(options.dataset) as site:
        evaluations = _evaluated(site, repositories, server.url)
        code = site.manage("work", "--burst", "--workers", str(options.workers)).wait()
        trouble = [line for each in evaluations for line in _differences(each, solver)]
        left = _containers(site.instance)
        seconds = time.monotonic() - began
        if options.save and not (trouble or code):
            _save(evaluations, options.save)
    for line in (*trouble, *(f"left: {name}" for name in left)):
        print(f"  {line}")
    number = sum(len(one.tasks) for one in repositories)
    met = number > 0 and not (code or trouble or left)
    return conclude(met, f"{number} tasks, {len(AGENTS)} agents, {seconds / 60:.0f} min")


def _evaluated(site: WorkerSite, repositories: Sequence[Repository], address: str) -> list[Evaluation]:
    """An evaluation of the agents on the tasks of each repository."""
    from runs.models import Agent, LanguageModel  # noqa: PLC0415
    from runs.operations.evaluations.default_agents import create_standard_agents  # noqa: PLC0415 - needs Django

    model = LanguageModel.objects.create(
        slug=MODEL, name="Scripted", litellm_id=f"openai/{MODEL}", api_base=address, context_window=200_000
    )
    create_standard_agents()
    Agent.objects.create(
        slug=MODEL_AGENT, name="Scripted", kind="ide", model=model, settings={"profile": "breakpoint"}
    )
    agents = list(Agent.objects.filter(slug__in=AGENTS))
    return [site.evaluate(f"Calibration on {one.slug}", agents, repository=one.slug) for one in repositories]


def _differences(evaluation: Evaluation, solver: Solver) -> list[str]:
    """The runs whose outcome is not what is promised. Prints the outcomes of each agent."""
    runs = list(evaluation.runs.select_related("agent", "task__repository", "evaluation").order_by("pk"))
    counts = Counter((run.agent.slug, run.outcome or run.state) for run in runs)
    wrong = [run for run in runs if run.outcome not in _promised(run, solver)]
    shown = ", ".join(f"{agent} {outcome} {number}" for (agent, outcome), number in sorted(counts.items()))
    print(f"{evaluation.title}: {shown}{mark(not wrong)}", flush=True)
    return [
        f"{run.key}: {run.outcome or run.state}, not {' or '.join(_promised(run, solver))}; {run.detail[:200]}"
        for run in wrong
    ]


def _promised(run: Run, solver: Solver) -> Sequence[str]:
    """The outcomes that a run may have."""
    repository = solver.repositories[run.task.repository.slug]
    task = repository.task(run.task.slug)
    match run.agent.slug:
        case "oracle":
            resolved = True
        case "scripted-model":
            resolved = solver.is_solved(repository, task)
        case "calibration-60":
            calibration = Calibration.from_settings(run.agent.settings)
            chance = random_numbers(task, repository, calibration, run.attempt, run.evaluation.slug)
            resolved = chance.random() < calibration.success_rate
            if not (resolved or task.targets):
                return ("unresolved", "resolved")
        case _:
            resolved = False
    return ("resolved",) if resolved else ("unresolved",)


def _containers(instance: str) -> list[str]:
    command = [
        "docker",
        "ps",
        "-a",
        "--filter",
        f"label={INSTANCE_LABEL}={instance}",
        "--format",
        "{{.Names}}",
    ]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def _save(evaluations: list[Evaluation], directory: Path) -> None:
    """The runs of the calibration agents of each evaluation, as an archive."""
    from runs.models import Run  # noqa: PLC0415 - needs Django
    from runs.transfer.evaluation_archive import export_runs  # noqa: PLC0415

    directory.mkdir(parents=True, exist_ok=True)
    for evaluation in evaluations:
        Run.objects.filter(evaluation=evaluation, agent__slug=MODEL_AGENT).delete()
        path = directory / f"{evaluation.slug}.tar.xz"
        print(f"{path}: {export_runs(evaluation, path)} runs, {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    sys.exit(main())
