"""`manage.py import_results FILE`."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from runs.models import Run
from tasks.models import Dataset

pytestmark = pytest.mark.django_db
TABLE = "agent,task,outcome\nAda,one,1\nBen,one,0\n"
OPTIONS = (
    "--slug",
    "lab-bench",
    "--title",
    "Lab bench",
    "--reported-by",
    "The Lab",
    "--source-version",
    "a1",
)


def ran(*arguments: str | Path) -> str:
    output = StringIO()
    call_command("import_results", *map(str, arguments), stdout=output)
    return output.getvalue()


def test_a_table_is_imported_once(tmp_path: Path) -> None:
    table = tmp_path / "results.csv"
    table.write_text(TABLE)

    assert ran(table, *OPTIONS) == f"{table}: 2 new results of lab-bench a1\n"
    assert ran(table, *OPTIONS).startswith(f"{table}: known since ")
    assert Run.objects.count() == 2


def test_a_directory_describes_its_source(tmp_path: Path) -> None:
    (tmp_path / "results.csv").write_text(TABLE)
    (tmp_path / "source.toml").write_text(
        'slug = "lab-bench"\ntitle = "Lab bench"\nreported_by = "The Lab"\nversion = "a1"\n'
    )

    assert ran(tmp_path) == f"{tmp_path}: 2 new results of lab-bench a1\n"


def test_a_refusal_names_the_place_and_stores_nothing(tmp_path: Path) -> None:
    table = tmp_path / "results.csv"
    table.write_text(TABLE + "Cleo,one,maybe\n")

    with pytest.raises(CommandError, match=r"results.csv: row 4, column 'outcome': 'maybe' is invalid"):
        ran(table, *OPTIONS)
    with pytest.raises(CommandError, match="options: slug is missing"):
        ran(table)

    assert not Dataset.objects.exists()
