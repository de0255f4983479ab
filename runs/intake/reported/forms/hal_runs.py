"""Runs of the HAL harness: RUN_UPLOAD.json, in which each task has one attempt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from runs.intake.reported.forms.attempt_rows import AttemptRows, agent_with, slug_of
from runs.intake.reported.report_document import ReportDocument, pick, printed, texts
from runs.intake.reported.reported_result import ReportedSet, ResultsRefused, outcome_of

NAMES: tuple[str, ...] = ("*.json",)  # of its files in a directory


def matches(content: Any) -> bool:
    """Whether this is a run of HAL."""
    return isinstance(pick(content, "config", "benchmark_name"), str) and isinstance(
        pick(content, "results"), dict
    )


def read(documents: Iterable[ReportDocument], given: Mapping[str, str]) -> ReportedSet:
    """The attempts of all runs. Raises ResultsRefused."""
    rows = AttemptRows("HAL")
    runs: list[str] = []
    benchmark = ""
    for document in documents:
        config = document.content["config"]
        if benchmark not in ("", config["benchmark_name"]):
            raise ResultsRefused(
                document.place, "its benchmark differs from that of other runs: import them apart"
            )
        benchmark = config["benchmark_name"]
        runs.append(str(config.get("run_id") or ""))
        rows.add_day(config.get("date"))
        _add(rows, document)
    found = {
        "slug": slug_of("hal", benchmark),
        "title": f"HAL, {benchmark}",
        "version": runs[0] if len(runs) == 1 else None,
        "unknown": [
            "Costs and tokens of single attempts and single tests are not reported.",
            "Seconds are those between the first and the last call of a model.",
        ],
    }
    return rows.finish(found, given)


def _add(rows: AttemptRows, document: ReportDocument) -> None:
    config, results = document.content["config"], document.content["results"]
    agent = agent_with(config.get("agent_name"), pick(config, "agent_args", "model_name"))
    resolved = texts(document.place, "successful_tasks", results.get("successful_tasks"))
    failed = texts(document.place, "failed_tasks", results.get("failed_tasks"))
    if both := set(resolved) & set(failed):
        raise ResultsRefused(document.place, f"task {min(both)[:80]!r} is successful and failed")
    if not resolved and not failed:
        raise ResultsRefused(document.place, "it lists no 'successful_tasks' and no 'failed_tasks'")
    rows.begin_run(agent)
    outcomes = {**dict.fromkeys(resolved, True), **dict.fromkeys(failed, False)}
    for task, good in outcomes.items():
        latency = pick(results, "latencies", task)
        rows.add(
            f"{document.place}, task {task[:80]!r}",
            agent,
            task=task,
            outcome=outcome_of(resolved=good),
            seconds=pick(latency, "total_time"),
            started_at=pick(latency, "first_call_timestamp"),
        )
    rows.add_printed(document.place, agent, "pass_at_1", printed(results.get("accuracy")))
