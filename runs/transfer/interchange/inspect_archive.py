"""Runs of one agent as a log of Inspect, an `.eval` file that is sent while it is written.

It is a zip archive with a member for each run, `samples/TASK_epoch_ATTEMPT.json`, their list in `summaries.json`, and
the log without samples in `header.json`. Inspect and Inspect View read it; so does `manage.py import_trajectories`.
"""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, QuerySet

from harness import __version__
from runs.models import Agent, Evaluation, Run
from runs.transfer.interchange.json_stream import listed, written
from runs.transfer.interchange.sample_document import SCORER, SampleDocument, model_in_log
from runs.transfer.run_rows import moment
from runs.transfer.sink import Sink

MAX_SAMPLES = 10_000
VERSION = 2  # of the form
_NO_DATE = (1980, 1, 1, 0, 0, 0)
_BATCH = 100
_STATES = {
    Evaluation.State.FINISHED: "success",
    Evaluation.State.CANCELLED: "cancelled",
    Evaluation.State.FAILED: "error",
}


class NotALog(Exception):
    """These runs are not exported as a log. The message gives the reason for readers."""


def log_of(runs: QuerySet[Run]) -> InspectLog:
    """The log of the finished ones among these runs of one agent in one evaluation. Raises NotALog."""
    finished = runs.filter(state=Run.State.FINISHED)
    count = finished.count()
    if not count:
        raise NotALog("No such run has ended.")
    if count > MAX_SAMPLES:
        raise NotALog(f"These are {count:,} runs, and a log has at most {MAX_SAMPLES:,}.")
    first = finished.select_related("evaluation", "agent__model").earliest("pk")
    datasets = sorted(
        set(
            finished.order_by().values_list(
                "task__repository__dataset__slug", "task__repository__dataset__version"
            )
        )
    )
    tasks, attempts = (finished.aggregate(n=Count(name, distinct=True))["n"] for name in ("task", "attempt"))
    return InspectLog(first.evaluation, first.agent, tuple(datasets), finished, tasks, attempts)


@dataclass(slots=True)
class InspectLog:
    """One log. `datasets`: those of its tasks, each with its version. `tasks`, `attempts`: how many different ones."""

    evaluation: Evaluation
    agent: Agent
    datasets: tuple[tuple[str, str], ...]
    runs: QuerySet[Run]
    tasks: int
    attempts: int
    _summaries: list[dict[str, Any]] = field(default_factory=list)
    _usage: dict[str, Counter[str]] = field(default_factory=dict)

    def chunks(self) -> Generator[bytes]:
        """The archive, chunk by chunk. In memory are one step of one run, and a few lines for each run."""
        sink = Sink()
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            yield from self._written(archive, sink)
        yield sink.take()

    def _written(self, archive: zipfile.ZipFile, sink: Sink) -> Iterator[bytes]:
        start = {"version": VERSION, "eval": self._spec(), "plan": self._plan()}
        yield from _added(archive, sink, "_journal/start.json", [written(start)])
        for run in _in_batches(self.runs):
            sample = SampleDocument(run)
            yield from _added(archive, sink, sample.file_name, sample.chunks())
            self._summaries.append(sample.summary())
            if usage := sample.usage():
                self._usage.setdefault(sample.model, Counter()).update(usage)
        yield from _added(archive, sink, "summaries.json", listed(self._summaries))
        yield from _added(archive, sink, "header.json", [written(self._header(start))])

    def _spec(self) -> dict[str, Any]:
        evaluation, agent = self.evaluation, self.agent
        name = "+".join(slug for slug, _ in self.datasets)
        return {
            "eval_id": f"{evaluation.slug}/{agent.slug}",
            "run_id": evaluation.slug,
            "created": moment(evaluation.created_at),
            "task": name,
            "task_id": f"{name}@{evaluation.slug}/{agent.slug}",  # Inspect View takes logs with one id for retries
            "task_version": "+".join(version for _, version in self.datasets),
            "task_display_name": evaluation.title,
            "solver": agent.slug,
            "dataset": {"name": name, "samples": self.tasks, "shuffled": False},
            "model": model_in_log(agent),
            "config": {"epochs": self.attempts},
            "packages": {"benchbench": __version__},
            "metadata": {"agent": agent.name, "agent_kind": agent.kind, "listed": evaluation.listed},
            "scorers": [{"name": SCORER, "metrics": [{"name": "accuracy"}]}],
        }

    def _plan(self) -> dict[str, Any]:
        return {"name": "plan", "steps": [{"solver": self.agent.slug, "params": {}}], "config": {}}

    def _header(self, start: dict[str, Any]) -> dict[str, Any]:
        values = [one["scores"][SCORER]["value"] for one in self._summaries if one["scores"]]
        accuracy = values.count("C") / len(values) if values else 0.0
        score = {
            **{"name": SCORER, "scorer": SCORER, "params": {}},
            **{"scored_samples": len(values), "unscored_samples": len(self._summaries) - len(values)},
            "metrics": {"accuracy": {"name": "accuracy", "value": accuracy, "params": {}}},
        }
        ended = [one["completed_at"] for one in self._summaries if "completed_at" in one]
        return {
            **start,
            "status": _STATES.get(Evaluation.State(self.evaluation.state), "started"),
            "results": {
                "total_samples": len(self._summaries),
                "completed_samples": sum("error" not in one for one in self._summaries),
                "scores": [score] if values else [],
            },
            "stats": {
                "started_at": moment(self.evaluation.created_at),
                "completed_at": max(ended, default=""),
                "model_usage": {model: dict(usage) for model, usage in self._usage.items()},
            },
        }


def _added(archive: zipfile.ZipFile, sink: Sink, name: str, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Adds a member, and returns what was compressed so far."""
    entry = zipfile.ZipInfo(name, _NO_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    with archive.open(entry, "w", force_zip64=True) as member:
        for chunk in chunks:
            member.write(chunk)
            if content := sink.take():
                yield content


def _in_batches(runs: QuerySet[Run]) -> Iterator[Run]:
    """These runs, oldest first, without those that are added meanwhile. Each batch is a query of its own."""
    related = runs.select_related("task__repository__dataset", "agent__model", "evaluation").order_by("pk")
    above = 0
    while batch := list(related.filter(pk__gt=above)[:_BATCH]):
        above = batch[-1].pk
        yield from batch
