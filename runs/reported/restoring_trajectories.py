"""Imports trajectories again from their files in the directory of runs, after a loss of the database."""

from __future__ import annotations

import json
from pathlib import Path

from django.conf import settings

from runs.models import Evaluation
from runs.models.result_report import ORIGINALS
from runs.reported.reading import read_trajectories
from runs.reported.reported_result import ResultsRefused
from runs.reported.staged_records import IMPORTED, OPTIONS
from runs.reported.storing import store


def restore_trajectories() -> int:
    """Imports what the database does not know, each import as it was. Returns how many runs. Raises ResultsRefused."""
    restored = 0
    for home in sorted((Path(settings.RUNS_ROOT) / IMPORTED).glob(f"*/{OPTIONS}")):
        if not Evaluation.objects.filter(slug=home.parent.name).exists():
            restored += store(read_trajectories(home.parent / ORIGINALS, _options(home))).new
    return restored


def _options(path: Path) -> dict[str, str]:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): str(value) for name, value in stored.items()}
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        raise ResultsRefused(path, f"unreadable: {error}") from error
