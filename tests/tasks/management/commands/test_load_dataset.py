"""Datasets are loaded from a shell."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tasks.models import Dataset
from tests.harness.worlds import write_tiny_dataset

pytestmark = pytest.mark.django_db


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """The directory of the tiny dataset, without a proof."""
    return write_tiny_dataset(tmp_path)


def last_line(*arguments: object) -> str:
    """The last line that the command prints."""
    said = StringIO()
    call_command("load_dataset", *arguments, stdout=said)
    return said.getvalue().splitlines()[-1]


def test_tasks_and_admitted_ones_are_counted(tiny: Path) -> None:
    assert last_line(tiny) == "Tiny 1.0.0: 0 of 1 tasks admitted"


def test_a_hidden_dataset_stays_hidden_until_it_is_opened(tiny: Path) -> None:
    hidden = "Tiny 1.0.0: 0 of 1 tasks admitted, hidden"
    assert last_line(tiny, "--hidden") == hidden
    assert last_line(tiny) == hidden
    assert last_line(tiny, "--open") == "Tiny 1.0.0: 0 of 1 tasks admitted"
    assert not Dataset.objects.get().hidden
    with pytest.raises(CommandError, match="not allowed with"):
        last_line(tiny, "--open", "--hidden")


def test_it_stops_at_an_invalid_dataset_after_loading_the_earlier_ones(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="none was rejected and not loaded:\n"):
        last_line(tiny, tmp_path / "none", tmp_path / "later")
    assert [dataset.slug for dataset in Dataset.objects.all()] == ["tiny"]
