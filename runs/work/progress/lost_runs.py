"""Why all runs of an evaluation were lost, and what helps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Max

from harness.agents.model_calls import model_calls
from harness.errors import ConfigurationError, ModelError
from harness.llm.refusals import known_remedy
from harness.llm.spec import CallSettings
from runs.data.queries.visibility import Reader, sees_grading_output, visible
from runs.data.run_facts.public_grading import public_detail
from runs.models import Agent, Evaluation, Run
from runs.operations.evaluations.harness_specs import agent_spec, model_spec
from runs.operations.evaluations.paused_models import OF_MODELS


@dataclass(frozen=True, slots=True)
class LostCause:
    """The most frequent reason of the lost runs. `runs` were lost, `same` of them for this reason.

    `remedy`: what helps, for operators, where it can be named; else ''. `model`: the number of the model that did not
    answer, None if none is to blame.
    """

    runs: int
    same: int
    reason: str
    remedy: str = ""
    model: int | None = None


def lost_causes(evaluations: Sequence[Evaluation], reader: Reader) -> Mapping[int, LostCause]:
    """Why the failed ones of these evaluations failed, by their numbers. At most two queries."""
    failed = [one.pk for one in evaluations if one.state == Evaluation.State.FAILED]
    if not failed:
        return {}
    lost = visible(Run.objects.filter(evaluation__in=failed), reader).filter(
        outcome=Run.Outcome.INFRASTRUCTURE_FAILED
    )
    groups = lost.order_by().values_list("evaluation", "failure", "detail")
    rows: dict[int, list[tuple[str, str, int, int]]] = {}
    for key, failure, detail, n, agent in groups.annotate(n=Count("pk"), agent=Max("agent")):
        rows.setdefault(key, []).append((failure, detail, n, agent))
    # The most frequent one; of equally frequent ones the first of the alphabet, so that a page does not flicker.
    chosen = {key: min(found, key=lambda row: (-row[2], row[1])) for key, found in rows.items()}
    agents = {
        run.agent_id: run.agent
        for run in lost.filter(agent__in={row[3] for row in chosen.values()}).select_related("agent__model")
    }
    whole = sees_grading_output(reader)
    return {
        key: _cause(sum(row[2] for row in rows[key]), one, agents[one[3]], whole)
        for key, one in chosen.items()
    }


def lost_cause(found: Evaluation, reader: Reader) -> LostCause | None:
    """Why this evaluation failed; None if it did not."""
    return lost_causes([found], reader).get(found.pk)


def _cause(runs: int, row: tuple[str, str, int, int], agent: Agent, whole: bool) -> LostCause:
    failure, detail, same, _ = row
    reason = detail or "No reason is known."
    if not whole:
        return LostCause(runs, same, public_detail(reason))
    if failure not in OF_MODELS or agent.model is None:
        return LostCause(runs, same, reason)
    try:
        calls = model_calls(agent_spec(agent))
    except ConfigurationError:
        calls = None
    settings = calls.settings if calls else CallSettings()
    remedy = known_remedy(model_spec(agent.model), settings, ModelError(reason), whose=f"of {agent.name}")
    return LostCause(runs, same, reason, remedy, agent.model.pk)
