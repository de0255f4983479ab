"""`manage.py report` chooses evaluations by name, and refuses what it cannot use."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def report(out: Path, *names: str, **options: object) -> str:
    """Its Markdown."""
    call_command("report", *names, out=out, site="http://site", stdout=StringIO(), **options)
    return (out / "report.md").read_text()


def test_an_unknown_evaluation_names_those_that_exist(tmp_path: Path) -> None:
    Cast()
    with pytest.raises(CommandError, match="there is no evaluation 'none'; there are: spring-tide"):
        report(tmp_path / "r", "none")
    with pytest.raises(CommandError, match="which evaluation"):
        report(tmp_path / "r")
    with pytest.raises(CommandError, match="--k 0: at least one attempt"):
        report(tmp_path / "r", "spring-tide", k=0)


def test_evaluations_are_named_by_slug_or_number_or_are_all_listed_ones(tmp_path: Path) -> None:
    cast = Cast()
    neap = cast.add_evaluation("neap-tide", "Neap tide")
    cast.add_evaluation("unlisted", "Unlisted", listed=False)
    alice, task = cast.alice(), cast.add_tasks(1)[0]
    for evaluation in (cast.evaluation, neap):
        cast.add_run(alice, task, evaluation=evaluation)
    for place, found in enumerate(
        (
            report(tmp_path / "named", "spring-tide", str(neap.pk)),
            report(tmp_path / "listed", all_listed=True),
        )
    ):
        assert found.startswith("# Spring tide, Neap tide\n"), place
