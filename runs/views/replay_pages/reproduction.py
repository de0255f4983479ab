"""How a run can be executed again: the command for it, or where its source is."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from harness.limits import Limits
from harness.records import SUMMARY, RunSummary
from runs.data.queries.visibility import Reader, visible
from runs.data.replay.jsonl import read_at
from runs.models import ResultReport, Run
from runs.models.agent import REPORTED
from runs.presentation.formatting.text import clean, one_line

MAX_BYTES = 1_000_000  # of a run's summary
MAX_SETTINGS_LENGTH = 4_000
MAX_WORD_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Reproduction:
    """`command`: for a shell in this project's directory; '' if there is none. `notes`: what else has to be the same.

    `source_url` and `source_version`: of a reported run; '' if they are not known.
    """

    command: str = ""
    notes: tuple[str, ...] = ()
    source_url: str = ""
    source_version: str = ""


def reproduction_of(run: Run, reader: Reader) -> Reproduction:
    """Of a run in any state. A command has the values of the run's own record, quoted for a shell.

    A run without a complete record has neither a command nor a source. One query for a reported run.
    """
    if run.agent.kind == REPORTED:
        reports = visible(ResultReport.objects.filter(evaluation=run.evaluation_id), reader)
        report = reports.only("url", "version").first()
        return Reproduction(
            source_url=report.url if report else "", source_version=report.version if report else ""
        )
    summary = _summary(run)
    if summary is None:
        return Reproduction()
    if run.agent.is_person:
        return Reproduction(notes=("A person worked on this task. No command does that again.",))
    return Reproduction(" \\\n  ".join(_parts(run, summary)), tuple(_notes(run, summary)))


def _summary(run: Run) -> RunSummary | None:
    """What the run recorded at its end; None without a readable summary."""
    if not run.directory:
        return None
    try:
        stored = json.loads(read_at(run.path / SUMMARY, 0, MAX_BYTES))
        return RunSummary.from_json(stored) if isinstance(stored, dict) else None
    except (ValueError, TypeError, AttributeError, RecursionError, OSError):
        return None


def _parts(run: Run, summary: RunSummary) -> Iterator[str]:
    """The lines of the command."""
    identity = summary.identity
    dataset = run.task.repository.dataset
    # A path outside of this project would tell where the site keeps its files.
    directory = dataset.directory if not dataset.directory.startswith("/") else f"path/to/{dataset.slug}"
    task = _words(directory, identity.repository, identity.task)
    yield f"python -m harness run {task} --attempt {_number(identity.attempt) or 1}"
    agent = f"--agent {_words(identity.agent_kind)}"
    settings = json.dumps(identity.settings, ensure_ascii=True) if identity.settings else ""
    if settings and len(settings) <= MAX_SETTINGS_LENGTH:
        agent += f" --settings {shlex.quote(settings)}"
    yield agent
    if identity.model:
        yield " ".join(_model(run, str(identity.model)))
    if limits := " ".join(_limits(_stored_limits(summary))):
        yield limits
    yield "--output reproduced"


def _model(run: Run, name: str) -> Iterator[str]:
    yield f"--model {_words(name)}"
    model = run.agent.model
    if model is None:
        return
    options = {
        "context-window": model.context_window,
        "price-in": model.input_price,
        "price-out": model.output_price,
        "price-cached": model.cached_price,
        "price-cache-write": model.cache_write_price,
    }
    yield from (f"--{option} {value}" for option, value in options.items() if value is not None)


def _stored_limits(summary: RunSummary) -> Mapping[str, Any]:
    environment: object = summary.environment  # a record may hold anything
    limits = environment.get("limits") if isinstance(environment, Mapping) else None
    return limits if isinstance(limits, Mapping) else {}


def _limits(limits: Mapping[str, Any]) -> Iterator[str]:
    options = {
        "iterations": "iterations",
        "tokens": "tokens",
        "cost_usd": "budget",
        "wall_seconds": "wall-seconds",
        "grade_repeats": "grade-repeats",
    }
    for name, option in options.items():
        if (value := _number(limits.get(name))) is not None:
            yield f"--{option} {value}"


def _notes(run: Run, summary: RunSummary) -> Iterator[str]:
    identity = summary.identity
    version = one_line(str(summary.harness_version), 40) or "of an unknown version"
    dataset_version = one_line(str(identity.dataset_version), 40)
    yield f"Recorded with BenchBench {version}, dataset version {dataset_version}."
    if identity.task_digest != run.task.digest:
        yield "The files of the task have changed since."
    if len(json.dumps(identity.settings)) > MAX_SETTINGS_LENGTH:
        yield "Its settings are too long to be shown here: they are in the first line of the trajectory."
    limits = _stored_limits(summary)
    if not limits:
        yield "Its limits are not in its record: the command has the usual ones."
    unlimited = [name for name in ("iterations", "wall_seconds") if name in limits and limits[name] is None]
    if unlimited:
        names = " and ".join({"iterations": "iterations", "wall_seconds": "time"}[name] for name in unlimited)
        yield f"It had no limit of {names}; the command has the usual one ({Limits().iterations} iterations, an hour)."
    if identity.model:
        yield "A model may answer differently each time."
        if run.agent.model and run.agent.model.api_base:
            yield "Its model is on a server of its own: add --api-base with the address."


def _number(value: object) -> int | float | None:
    """A finite positive number; None for anything else that a record may hold."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e15:
        return None
    return int(value) if value == int(value) else value


def _words(*values: str) -> str:
    """Words for a shell. Control characters and characters that hide text are no part of them."""
    return " ".join(shlex.quote(clean(str(value))[:MAX_WORD_LENGTH]) for value in values)
