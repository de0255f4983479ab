"""Trajectories of mini-swe-agent, versions 1 and 2: one `.traj.json` file for each attempt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from runs.intake.reported.forms.attempt_rows import AttemptRows, agent_with, swe_bench_repository
from runs.intake.reported.report_document import ReportDocument, pick, pick_text
from runs.intake.reported.reported_result import ReportedSet
from runs.intake.reported.result_table import UNKNOWN_OUTCOME
from runs.intake.reported.step_readers.mini_swe_agent_steps import mini_swe_agent_trajectory
from runs.intake.reported.step_readers.step_builder import amount, whole

NAMES: tuple[str, ...] = ("*.json",)  # of its files in a directory

_FORM = "mini-swe-agent"
_ENDINGS = {"Submitted": "completed", "RepeatedFormatError": "agent_error", "TimeExceeded": "time_limit"}


def matches(content: Any) -> bool:
    """Whether this is a trajectory."""
    form = pick_text(content, "trajectory_format")
    return form.startswith(_FORM) and isinstance(pick(content, "messages"), list)


def read(documents: Iterable[ReportDocument], given: Mapping[str, str]) -> ReportedSet:
    """The attempts of all documents; whether they resolved their task is unknown. Raises ResultsRefused."""
    rows = AttemptRows(_FORM)
    for document in documents:
        info = document.content.get("info")
        status = pick(info, "exit_status")
        name = document.path.name.removesuffix(".json").removesuffix(".traj")
        task = document.content.get("instance_id") or name
        rows.add(
            document.place,
            agent_with(
                given.get("agent") or _FORM,
                pick(info, "config", "model", "model_name"),
                version=pick(info, "mini_version"),
            ),
            mini_swe_agent_trajectory(document),
            task=task,
            repository=swe_bench_repository(str(task)),
            outcome=UNKNOWN_OUTCOME,
            ending=_ENDINGS.get(status, "") if isinstance(status, str) else "",
            detail="" if status == "Submitted" else status,
            iterations=whole(pick(info, "model_stats", "api_calls")),
            cost_usd=amount(pick(info, "model_stats", "instance_cost")),
        )
    return rows.finish({"slug": _FORM, "title": "Trajectories of mini-swe-agent"}, given, "agent")
