"""Repositories are mapped from a shell; here without a container, their tests being traced in tests of the mapping."""

from __future__ import annotations

import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tasks.generation.maps.code_map import loads
from tasks.loading import load
from tasks.models import RepositoryMap
from tests.harness.worlds import write_tiny_dataset

pytestmark = pytest.mark.django_db


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write_tiny_dataset(tmp_path)


def mapped(*arguments: object) -> list[str]:
    """The lines that the command prints."""
    said = StringIO()
    call_command("map_repository", *map(str, arguments), stdout=said)
    return said.getvalue().splitlines()


def test_a_loaded_repository_gets_a_page_with_its_map(tiny: Path) -> None:
    load(tiny)
    lines = mapped("calc", "--static-only")
    assert lines[-1] == "page: /repositories/calc/map/"
    assert lines[-2] == "calls between them: 4 static, 0 traced, 4 union"
    assert RepositoryMap.objects.get().repository.slug == "calc"


def test_a_repository_on_disk_is_mapped_into_a_file_also_before_it_has_tasks(
    tiny: Path, tmp_path: Path
) -> None:
    shutil.rmtree(tiny / "calc" / "tasks")
    lines = mapped("calc", "--dataset", tiny, "--static-only", "--output", tmp_path / "calc.json")
    assert lines[-1] == f"map: {tmp_path / 'calc.json'}"
    found = loads((tmp_path / "calc.json").read_bytes())
    assert {node.name for node in found.nodes} >= {"parse", "spell", "add"}
    assert not RepositoryMap.objects.exists()


def test_a_repository_of_the_same_name_in_another_dataset_gets_no_map(tiny: Path, tmp_path: Path) -> None:
    load(tiny)
    other = tiny.rename(tmp_path / "other")
    mapped("calc", "--dataset", other, "--static-only", "--output", tmp_path / "calc.json")
    assert not RepositoryMap.objects.exists()


def test_what_cannot_be_mapped_is_an_error_with_a_remedy(tiny: Path) -> None:
    with pytest.raises(CommandError, match="no repository 'calc' with files is loaded: load its dataset"):
        mapped("calc", "--static-only")
    with pytest.raises(CommandError, match="no page can show its map: add --output FILE"):
        mapped("calc", "--dataset", tiny, "--static-only")
    with pytest.raises(CommandError, match="no 'clac'; there are: calc"):
        mapped("clac", "--dataset", tiny, "--static-only")


def test_tests_are_traced_in_containers_only(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHBENCH_ENGINE", "local")
    load(tiny)
    with pytest.raises(CommandError, match="unset BENCHBENCH_ENGINE, or add --static-only"):
        mapped("calc")
