"""Stores imported trajectories again from the directory of runs, after a loss of the database."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings

from runs.models import Evaluation
from runs.models.result_report import ORIGINALS
from runs.reported.listed_runs import LIST, ListedRun, read_list
from runs.reported.reading import read_trajectories
from runs.reported.reported_result import ReportedSet, ResultsRefused
from runs.reported.staged_records import IMPORTED, OPTIONS, placed_records
from runs.reported.storing import restore, store


def restore_trajectories() -> int:
    """Stores what the database does not know, each evaluation as it was. Returns how many runs. Raises ResultsRefused.

    Runs come from the lists beside them, so that the order of the imports, and what is beside a file, do not matter.
    Imports of older versions have no list: their files are read again, with the options of then, and add to what is
    there. Where a run of one has grown since, the others are then in an evaluation of their own.
    """
    root = Path(settings.RUNS_ROOT) / IMPORTED
    evaluations: dict[str, list[ListedRun]] = defaultdict(list)
    for path in sorted(root.glob(f"*/{LIST}")):
        for run in read_list(path.parent):
            evaluations[run.evaluation].append(run)
    restored = 0
    lost = {path.name for path in root.glob("*") if not Evaluation.objects.filter(slug=path.name).exists()}
    for slug, runs in sorted(evaluations.items(), key=lambda each: min(run.imported_at for run in each[1])):
        if not Evaluation.objects.filter(slug=slug).exists():
            restored += _restore(slug, _latest(runs))
    for path in sorted(root.glob(f"*/{OPTIONS}")):
        home = path.parent
        if home.name in lost and not (home / LIST).is_file():
            restored += store(read_trajectories(home / ORIGINALS, _options(path))).new
    return restored


def _latest(runs: Sequence[ListedRun]) -> list[ListedRun]:
    """Each run once: of one that has grown when the site broke off, both states may be there."""
    ordered = sorted(runs, key=lambda run: (run.recorded.steps, run.imported_at))
    return list({run.result.name: run for run in ordered}.values())


def _restore(slug: str, runs: Sequence[ListedRun]) -> int:
    runs = sorted(runs, key=lambda run: run.number)
    agents = {run.agent.name: run.agent for run in runs}
    results = [run.completed() for run in runs]
    restore(
        ReportedSet(runs[0].source, results, tuple(agents.values()), adds=True), placed_records(runs), slug
    )
    return len(runs)


def _options(path: Path) -> dict[str, str]:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): str(value) for name, value in stored.items()}
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        raise ResultsRefused(path, f"unreadable: {error}") from error
