"""What a run's row says about it, for forms that have no field of their own for it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, BinaryIO

from harness.records import PATCH
from runs.data.run_facts.public_grading import public_detail, public_reason
from runs.models import Agent, Run
from runs.models.agent import UNKNOWN_MODEL
from runs.transfer.run_archive import is_plain, opened
from runs.transfer.run_rows import moment

MAX_PATCH_BYTES = 32 << 20
WORKDIR = "/app"  # of our own containers


def about(run: Run, header: Mapping[str, Any]) -> dict[str, Any]:
    """Task, result, times and tests of a run, without what is unknown. `header`: that of its trajectory."""
    found = header.get("extra")
    recorded = found if isinstance(found, dict) else {}
    dataset = run.task.repository.dataset
    reported = bool(dataset.reported_by)
    values = {
        "dataset": dataset.slug,
        "repository": run.task.repository.title if reported else run.task.repository.slug,
        "task": run.task.title if reported else run.task.slug,
        "attempt": run.attempt,
        "evaluation": run.evaluation.slug,
        "agent": run.agent.slug,
        "outcome": run.outcome,
        "ending": run.ending,
        "detail": public_detail(run.detail),
        "grading_reason": public_reason(run.grading_reason),
        "tests_total": run.tests_total if run.test_rate is not None else None,
        "tests_passed": run.tests_passed if run.test_rate is not None else None,
        "seconds": run.act_seconds if run.has_duration else None,
        "started_at": moment(run.started_at),
        "finished_at": moment(run.finished_at),
        "workdir": recorded.get("workdir") if reported else WORKDIR,
    }
    known = {name: value for name, value in values.items() if value not in (None, "")}
    return {**{name: value for name, value in recorded.items() if name != "patch"}, **known}


def model_of(agent: Agent) -> str | None:
    """An agent's model, as LiteLLM spells it if that is known; None for an agent without one, or if it is unknown."""
    model = agent.model
    if model is None or model.name == UNKNOWN_MODEL:
        return None
    return model.litellm_id or "/".join(filter(None, (model.provider, model.name)))


def user_of(run: Run) -> dict[str, Any]:
    """The simulated user, whose tokens and cost are in no other total; empty without one."""
    values = {
        "turns": run.user_turns,
        "ending": run.user_ending or None,
        "prompt_tokens": run.user_prompt_tokens,
        "completion_tokens": run.user_completion_tokens,
        "cost_usd": run.user_cost_usd,
    }
    return (
        {} if run.user_turns is None else {name: value for name, value in values.items() if value is not None}
    )


def totals_of(run: Run) -> dict[str, int | float | None]:
    """Tokens and dollars of all responses; None: unknown, or the record holds an invalid value."""
    names = ("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens", "cost_usd")
    invalid = set(run.odd.split())
    return {name: None if name in invalid else getattr(run, name) for name in names}


def patch_file(run: Run) -> BinaryIO | None:
    """The final patch, open for reading; None if there is none, or if it is too long to stand in another file."""
    path = run.path / PATCH
    with suppress(OSError):
        if is_plain(path) and 0 < path.lstat().st_size <= MAX_PATCH_BYTES:
            return opened(path)
    return None


def notes(run: Run, left_out: int) -> str:
    """What the document does not hold of the record, in sentences; ''."""
    found = []
    if left_out:
        found.append(f"{left_out} lines of the record are no steps, or too long: they are left out.")
    with suppress(OSError):
        if (run.path / PATCH).lstat().st_size > MAX_PATCH_BYTES:
            found.append(f"The patch has more than {MAX_PATCH_BYTES:,} bytes: it is left out.")
    return " ".join(found)
