"""The runs of an evaluation are packed from a shell."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db


def test_an_unknown_evaluation_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"there is no evaluation 'x'; there are: none$"):
        call_command("export_runs", "x", tmp_path / "x.tar.xz")
    Cast().add_evaluation("neap", "Neap")
    with pytest.raises(CommandError, match=r"there is no evaluation 'x'; there are: .*neap"):
        call_command("export_runs", "x", tmp_path / "x.tar.xz")
    assert not (tmp_path / "x.tar.xz").exists()


def test_the_number_of_packed_runs_is_printed(tmp_path: Path) -> None:
    cast = Cast()
    (run,) = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    (record(run) / "run_summary.json").write_text("{}")
    said = StringIO()
    call_command("export_runs", "spring-tide", tmp_path / "x.tar.xz", stdout=said)
    assert said.getvalue() == f"{tmp_path / 'x.tar.xz'}: 1 runs\n"
    assert (tmp_path / "x.tar.xz").is_file()


def test_a_run_without_its_directory_is_a_refusal(tmp_path: Path) -> None:
    cast = Cast()
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    with pytest.raises(CommandError, match="is missing or incomplete"):
        call_command("export_runs", "spring-tide", tmp_path / "x.tar.xz")
