"""The resolved run that a run is best compared with."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import Case, IntegerField, QuerySet, Value, When

from runs.data.queries.visibility import Reader, visible
from runs.models import Run
from runs.models.agent import CALIBRATION_KINDS, COMMAND

# In what the agents of two runs are alike, by distance.
ALIKE = ("the same agent", "the same model", "the same harness", "another agent", "a calibration agent")


class ClosestRun(NamedTuple):
    """A run, with its agent, and in what this agent is like that of the other run, in words."""

    run: Run
    alike: str


def closest_resolved_run(run: Run, reader: Reader) -> ClosestRun | None:
    """Another run that resolved the same task, as this reader may see it; None if there is none. One query.

    The agent that is most alike comes first: the same one, then one with the same model, then one with the same
    harness, then any other; calibration agents, which know the solution, come last. Among these a run that can be
    replayed here comes first, then one of the same evaluation, then the newest.
    """
    nearest = _nearest_first(_resolved_runs(run, reader), run).select_related("agent", "evaluation", "task")
    found = nearest.first()
    return None if found is None else ClosestRun(found, ALIKE[found.distance])


def _resolved_runs(run: Run, reader: Reader) -> QuerySet[Run]:
    """The other runs that resolved this run's task, as this reader may see them."""
    return visible(Run.objects.filter(task=run.task_id, outcome=Run.Outcome.RESOLVED), reader).exclude(
        pk=run.pk
    )


def _nearest_first(runs: QuerySet[Run], run: Run) -> QuerySet[Any]:
    """Runs of one task, with their `distance`, in the order that `closest_resolved_run` describes."""
    agent = run.agent
    alike = [When(agent=agent.pk, then=0), When(agent__kind__in=CALIBRATION_KINDS, then=4)]
    if agent.model_id is not None:
        alike.append(When(agent__model=agent.model_id, then=1))
    if agent.harness:
        alike.append(When(agent__harness=agent.harness, then=2))
    elif agent.kind == COMMAND:
        alike.append(When(agent__kind=COMMAND, agent__settings__recipe=agent.settings.get("recipe"), then=2))
    elif agent.shown_harness:
        alike.append(When(agent__kind=agent.kind, then=2))
    return runs.annotate(
        distance=Case(*alike, default=Value(3), output_field=IntegerField()),
        elsewhere_only=Case(When(directory="", then=1), default=0, output_field=IntegerField()),
        other_evaluation=Case(
            When(evaluation=run.evaluation_id, then=0), default=1, output_field=IntegerField()
        ),
    ).order_by("distance", "elsewhere_only", "other_evaluation", "-pk")
