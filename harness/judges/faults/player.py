"""Plays faults and decoys: a scripted agent takes the steps in a real container, so the results of tools are real."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from harness.agents.base import AgentSpec
from harness.dataset import Dataset, load_dataset
from harness.execute import execute_run
from harness.judges.faults.catalogue import Case, Decoy, Variant
from harness.limits import Limits
from harness.records import SUMMARY, TESTS, Identity, RunRecord, RunSummary
from harness.sandbox.base import Engine

STARTER = Path(__file__).parents[3] / "datasets" / "starter"
_KIND = "scripted"


def play(
    case: Case, variant: Variant, engine: Engine, directory: Path, *, instance: str = "shell"
) -> RunSummary:
    """Plays one twin, and grades it like any run. Writes its records to `directory`, which must not exist yet.

    Raises what `execute_run` raises.
    """
    story = case.find_story()
    repository = _starter().repository(story.repository)
    task = repository.task(story.task)
    agent = AgentSpec(_KIND, _KIND, {"script": case.script(variant)})
    summary = execute_run(
        repository=repository,
        task=task,
        agent=agent,
        identity=Identity(
            run_id=f"faults/{case.id}/{variant}",
            evaluation="faults",
            dataset=_starter().slug,
            dataset_version=_starter().version,
            repository=repository.slug,
            task=task.slug,
            task_digest=task.digest,
            agent=_metadata(case, variant, "agent") or _KIND,
            agent_name=_metadata(case, variant, "agent") or _KIND,
            agent_kind=_KIND,
            attempt=1,
            model=_metadata(case, variant, "model"),
            settings=agent.settings,
            calibration=True,
        ),
        directory=directory,
        engine=engine,
        limits=Limits(),
        instance=instance,
    )
    outcome = _metadata(case, variant, "outcome")
    return _with_outcome(directory, outcome) if outcome else summary


def play_all(
    cases: Iterable[Case], engine: Engine, output: Path, report: Callable[[RunSummary, Path], None]
) -> None:
    """Plays both twins of each case into `output/CASE/VARIANT`. Those that are finished there are skipped."""
    for case in cases:
        for variant in Variant:
            directory = output / case.id / variant
            if not (directory / SUMMARY).is_file():
                report(play(case, variant, engine, directory), directory)


@cache
def _starter() -> Dataset:
    return load_dataset(STARTER)


def _metadata(case: Case, variant: Variant, name: str) -> str:
    """What a decoy changes in the metadata of its changed run; '' for all other runs."""
    return str(getattr(case, name)) if isinstance(case, Decoy) and variant is Variant.CHANGED else ""


def _with_outcome(directory: Path, outcome: str) -> RunSummary:
    """Writes another outcome into a finished record, and returns its summary."""
    for name, field, value in ((SUMMARY, "outcome", outcome), (TESTS, "resolved", outcome == "resolved")):
        path = directory / name
        stored = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**stored, field: value}, ensure_ascii=False) + "\n", encoding="utf-8")
    summary = RunRecord(directory).summary()
    assert summary is not None
    return summary
