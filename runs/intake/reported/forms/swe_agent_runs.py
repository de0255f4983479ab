"""Trajectories of SWE-agent: one `.traj` file for each attempt, named after its task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from runs.intake.reported.forms.attempt_rows import AttemptRows, agent_with, swe_bench_repository
from runs.intake.reported.report_document import ReportDocument, pick
from runs.intake.reported.reported_result import ReportedSet
from runs.intake.reported.result_table import UNKNOWN_OUTCOME
from runs.intake.reported.step_readers.step_builder import amount, whole
from runs.intake.reported.step_readers.swe_agent_steps import model_of, swe_agent_trajectory

NAMES: tuple[str, ...] = ("*.traj", "*.traj.json")  # of its files in a directory

_ENDINGS = {
    "submitted": "completed",
    "exit_cost": "cost_limit",
    "exit_context": "context_limit",
    "exit_format": "agent_error",
    "exit_total_execution_time": "time_limit",
    "exit_command_timeout": "time_limit",
    "exit_environment_error": "infrastructure",
    "early_exit": "agent_error",
}


def matches(content: Any) -> bool:
    """Whether this is a trajectory."""
    steps = pick(content, "trajectory")
    return isinstance(steps, list) and isinstance(pick(content, "info"), dict) and "history" in content


def read(documents: Iterable[ReportDocument], given: Mapping[str, str]) -> ReportedSet:
    """The attempts of all documents; whether they resolved their task is unknown. Raises ResultsRefused."""
    rows = AttemptRows("SWE-agent")
    for document in documents:
        info = document.content["info"]
        stats = info.get("model_stats")
        status = str(info.get("exit_status") or "")
        task = document.path.name.removesuffix(".json").removesuffix(".traj")
        rows.add(
            document.place,
            agent_with(
                given.get("agent") or "SWE-agent",
                model_of(document.content),
                version=info.get("swe_agent_version"),
            ),
            swe_agent_trajectory(document),
            task=task,
            repository=swe_bench_repository(task),
            outcome=UNKNOWN_OUTCOME,
            ending=_ending(status),
            detail="" if status == "submitted" else status,
            iterations=whole(pick(stats, "api_calls")),
            prompt_tokens=whole(pick(stats, "tokens_sent")),
            completion_tokens=whole(pick(stats, "tokens_received")),
            cost_usd=amount(pick(stats, "instance_cost")),
        )
    return rows.finish({"slug": "swe-agent", "title": "Trajectories of SWE-agent"}, given, "agent")


def _ending(status: str) -> str:
    """Of a status such as "submitted", or "submitted (exit_cost)" where a limit made it submit what it had."""
    first, _, reason = status.partition(" ")
    return _ENDINGS.get(reason.strip("()"), "") or _ENDINGS.get(first, "")
