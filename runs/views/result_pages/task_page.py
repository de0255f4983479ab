"""The page of a task: its description, its proof of admission, its results and how runs fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from harness.dataset import Strength
from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.cell_counts import mean_test_rate
from runs.analysis.outcomes.passes import TaskScore
from runs.analysis.outcomes.standings import Rate, rate_of
from runs.analysis.statistics.contingency import share
from runs.analysis.statistics.summaries import ratio
from runs.analysis.tasks.grid import task_rate
from runs.data.cells.boards import all_boards
from runs.data.cells.open_cells import groups_with_tests
from runs.data.queries.blind_sessions import is_hidden_while_playing
from runs.data.queries.near_miss_query import attempts_of
from runs.data.queries.visibility import Reader, is_operator, is_player, visible, visible_tasks
from runs.data.run_facts.behaviour_summary import MAX_RUNS, summary_at_task
from runs.data.run_facts.task_difficulty import reference_size
from runs.models import Agent, Cell, RecallProbe, Run
from runs.models.agent import UNRANKED_KINDS
from runs.play.play_tools import can_be_played
from runs.presentation.formatting.numbers import duration
from runs.views.result_pages.test_matrix import limit_runs, matrix
from runs.views.source_display.prose import blocks
from tasks.generation.recall.probing import UNPAID
from tasks.generation.recall.question import prompt_version
from tasks.models import Task

MODES = 6


@dataclass(frozen=True, slots=True)
class Resolver:
    """One agent at this task. `rate`: None without a graded attempt. `unshown`: attempts not in the strip."""

    agent: Agent
    cell: Cell
    rate: Rate | None
    tests: Estimate
    seconds: Estimate
    attempts: tuple[Run, ...]
    unshown: int

    def merit(self) -> tuple[bool, float, float]:
        """Sort key: competing agents first, then by rate and by share of tests."""
        rate = self.rate.value if self.rate else -1.0
        return self.agent.is_calibration, -rate, -(self.tests.value or 0.0)


@require_safe
def task(request: HttpRequest, repository: str, task: str) -> HttpResponse:
    """One task with the results of all agents."""
    found = get_object_or_404(visible_tasks(request.user), repository__slug=repository, slug=task)
    cells = list(visible(found.cells.select_related("agent", "agent__model"), request.user))
    strips = attempts_of(cells)
    dataset, reporting = found.repository.dataset_id, groups_with_tests()
    resolvers = [
        _resolver(
            cell,
            strips[cell.agent_id, cell.task_id],
            reported=(cell.agent_id, dataset) in reporting,
        )
        for cell in cells
    ]
    competing = [each.cell for each in resolvers if each.agent.kind not in UNRANKED_KINDS]
    behaviour = summary_at_task(found)
    hidden = is_hidden_while_playing(found, request.user)
    by_name = sorted(resolvers, key=lambda each: (each.agent.is_calibration, each.agent.name.casefold()))
    attempts = limit_runs([run for each in by_name for run in each.attempts if run.tests_total])
    unknown = visible(Run.objects.filter(task=found, state=Run.State.FINISHED, outcome=""), request.user)
    proof = found.proof
    context = {
        "section": "tasks",
        "task": found,
        "board": all_boards().of_task(found.repository.dataset.slug, found.origin),
        "description": blocks(found.description),
        "unknown_outcomes": unknown.count() if found.repository.dataset.reported_by else 0,
        "proof": proof,
        "strength": strength(found, proof),
        **_dialogue(found, request.user),
        "hidden": hidden,
        "size": None if hidden else reference_size(found),
        "resolvers": sorted(by_name, key=Resolver.merit),
        "known": {
            # One attempt is its own rate, its only one, and the mean and the best of tests.
            "once": all(each.cell.attempts <= 1 for each in resolvers),
            "tests": any(each.tests.value is not None for each in resolvers),
            "crosses": any(
                run.outcome != Run.Outcome.RESOLVED and run.test_rate is None
                for each in resolvers
                for run in each.attempts
            ),
            "time": any(each.seconds.value is not None for each in resolvers),
            "excluded": any(each.cell.infrastructure_failed for each in resolvers),
        },
        "measured": task_rate([TaskScore(cell.attempts, cell.resolved) for cell in competing]),
        "solved_by": sum(cell.resolved > 0 for cell in competing),
        "tried_by": sum(cell.attempts > 0 for cell in competing),
        "behaviour": behaviour,
        "modes": behaviour.modes[:MODES],
        "most_runs": MAX_RUNS,
        "recall": recall_probes(found, request.user),
        "operator": is_operator(request.user),
        "playable": is_player(request.user) and can_be_played(found),
        "matrix": None if hidden else matrix(attempts, sum(cell.tested for cell in cells)),
    }
    return render(request, "runs/tasks/page.html", context)


def strength(task: Task, proof: Mapping[str, Any] | None) -> list[str]:
    """Sentences on the strength of the task's tests; empty if its proof has no data."""
    match proof:
        case {"strength": dict(stored)}:
            return Strength.from_json(stored).sentences(task.tests_total)
    return []


def recall_probes(task: Task, reader: Reader) -> list[RecallProbe]:
    """What models recall of this version of the task, the newest answer of each, the most first.

    A probe whose budget ended is none: it says nothing of the model.
    Of a task that does not name its targets only for operators: see `models.open_rows`.
    """
    if task.origin == Task.Origin.HAND_MADE or not (is_operator(reader) or task.mode == Task.Mode.REMOVE):
        return []
    found = visible(RecallProbe.objects.select_related("model"), reader).filter(
        task=task, task_digest=task.digest, prompt=prompt_version()
    )
    answers = found.exclude(reason__startswith=UNPAID)
    newest = {one.model_id: one for one in answers.order_by("pk")}.values()
    return sorted(newest, key=lambda one: -1.0 if one.similarity is None else one.similarity, reverse=True)


def workflow_limits(task: Task) -> list[str]:
    """The limits of a workflow as sentences without a full stop; empty for other tasks."""
    match task.workflow.get("limits"):
        case {
            "messages": int(messages),
            "turn_seconds": int() | float() as turn,
            "scenario_seconds": int() | float() as scenario,
            "verifier_seconds": int() | float() as verifier,
        }:
            return [
                f"{messages} messages of the user, with the first one",
                f"{duration(turn)} for each turn of the agent",
                f"{duration(scenario)} for the whole dialogue",
                f"{duration(verifier)} for each verifier that runs a command",
            ]
    return []


def _dialogue(task: Task, reader: Reader) -> dict[str, object]:
    """What the page says of a workflow, and the words for its checks."""
    if task.mode != Task.Mode.WORKFLOW:
        return {"check": "test", "reference": "with the reference patch"}
    same = visible_tasks(reader).filter(repository=task.repository, scenario=task.scenario)
    return {
        "check": "verifier",
        "reference": "after the reference conversation",
        "objective": blocks(str(task.workflow.get("objective", ""))),
        "instructions": [blocks(str(text)) for text in task.workflow.get("instructions", ())],
        "limits": workflow_limits(task),
        # The tasks of the same scenario with another persona.
        "personas": list(same.exclude(pk=task.pk).order_by("persona")),
    }


def _resolver(cell: Cell, attempts: Sequence[Run], *, reported: bool) -> Resolver:
    return Resolver(
        agent=cell.agent,
        cell=cell,
        rate=rate_of(share(cell.resolved, cell.attempts, "no graded attempt")),
        tests=mean_test_rate(cell, reported=reported),
        seconds=ratio(cell.seconds, cell.timed, cell.timed, "no attempt has a duration"),
        attempts=tuple(attempts),
        unshown=max(0, cell.attempts - len(attempts)),
    )
