"""Ratings are rebuilt from the files in run directories, if this site made them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User

from runs.judging.raters.next_rating import text_of
from runs.judging.raters.rating_file import RATINGS, RatedDimension
from runs.judging.raters.saving_ratings import save_rating
from runs.models import Evaluation, Rating, Run
from runs.transfer.importing import import_runs
from runs.transfer.run_directories import ImportRefused
from runs.work.execution.run_signature import sign_run
from runs.work.execution.settling import settle
from tests.runs.tiny import Tiny, claimed, summary_of, write_run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def rated(tmp_path: Path) -> Run:
    """A finished run of this site, rated by two people, by one of them twice."""
    run = claimed(Tiny(tmp_path).start(title="Recorded").runs.get())
    write_run(run.path, summary_of(run))
    settle(run, 1, summary_of(run))
    run.refresh_from_db()
    rendered = text_of(run)
    assert rendered is not None
    people = [User.objects.create_user(name) for name in ("ada", "bea")]
    for user, number, score in ((people[0], 1, 0.5), (people[0], 2, 1.0), (people[1], 1, 0.0)):
        given = (RatedDimension("pitfalls", score, f"Because {score}."), RatedDimension("tool_calls", 1.0))
        save_rating(user, run, number, given, rendered=rendered, seconds=30.0)
    return run


def database() -> list[tuple[Any, ...]]:
    """The ratings without their numbers."""
    return list(
        Rating.objects.order_by("rater_name", "round", "dimension").values_list(
            *("rater__username", "rater_name", "run__key", "run_try", "dimension", "round", "score", "text"),
            *("evidence", "seconds", "key", "created_at"),
        )
    )


def paths_of(run: Run) -> list[Path]:
    return sorted((run.path / RATINGS).glob("*.json"))


def test_ratings_are_rebuilt_from_their_directories(rated: Run) -> None:
    before = database()
    Evaluation.objects.all().delete()

    import_runs(Path(settings.RUNS_ROOT))

    assert database() == before
    assert len(before) == 6


def test_an_unknown_account_keeps_its_pseudonym(rated: Run) -> None:
    name = Rating.objects.filter(rater__username="bea").values_list("rater_name", flat=True)[0]
    Evaluation.objects.all().delete()
    User.objects.get(username="bea").delete()

    import_runs(Path(settings.RUNS_ROOT))

    assert set(Rating.objects.filter(rater=None).values_list("rater_name", flat=True)) == {name}


def test_a_backup_brings_only_signed_ratings_back(rated: Run, tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    shutil.copytree(settings.RUNS_ROOT, backup)
    shutil.rmtree(settings.RUNS_ROOT)
    forged, *_ = sorted(backup.rglob(f"{RATINGS}/*.json"))
    forged.write_text(forged.read_text().replace("Because", "FORGED"))
    Evaluation.objects.all().delete()

    import_runs(backup)

    assert Rating.objects.count() == 4
    assert not Rating.objects.filter(text__contains="FORGED").exists()


def test_a_rating_of_another_run_refuses_all(rated: Run) -> None:
    sign_run(rated.path)
    path = paths_of(rated)[0]
    path.write_text(json.dumps(json.loads(path.read_text()) | {"run_id": "x/y/z/w/1"}))
    Evaluation.objects.all().delete()

    with pytest.raises(ImportRefused, match="key: must be that of its run"):
        import_runs(Path(settings.RUNS_ROOT))
    assert not Run.objects.exists()
