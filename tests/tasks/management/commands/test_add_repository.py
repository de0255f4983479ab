"""`manage.py add_repository`."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from harness.dataset import load_dataset
from tests.tasks.generation.repositories.test_repository_files import PACKAGE, archive


def add(source: Path, dataset: Path, *options: str) -> str:
    output = StringIO()
    call_command("add_repository", str(source), "--dataset", str(dataset), *options, stdout=output)
    return output.getvalue()


@pytest.mark.engine
def test_a_new_dataset_is_made_with_a_canary_of_its_own(tmp_path: Path) -> None:
    dataset = tmp_path / "made"
    shown = add(archive(tmp_path, PACKAGE), dataset, "--pytest=-k 'not inner'", "--domain", "shops")
    assert shown.startswith("shop: 1 tests in ")
    loaded = load_dataset(dataset)
    assert loaded.canary.startswith("BENCHBENCH-CANARY ")
    repository = loaded.repository("shop")
    assert "-k 'not inner'" in repository.run_tests.read_text()
    assert (repository.directory / "tests/BENCHBENCH_CANARY").read_text() == f"{loaded.canary}\n"
    assert repository.domain == "shops"


def test_a_repository_has_the_name_of_its_package(tmp_path: Path) -> None:
    for name, slug in (("py-Shop-1.2.tar.gz", "py-shop"), ("shop_1.2-3.dsc", "shop")):
        (tmp_path / "made" / slug).mkdir(parents=True)
        with pytest.raises(CommandError, match=rf"/{slug} exists already"):
            add(tmp_path / name, tmp_path / "made")


@pytest.mark.parametrize("content", [b"", b"no archive"])
def test_a_damaged_archive_is_refused_and_makes_no_dataset(tmp_path: Path, content: bytes) -> None:
    source = tmp_path / "shop-1.2.tar.gz"
    source.write_bytes(content)
    with pytest.raises(CommandError, match=r"shop-1\.2\.tar\.gz"):
        add(source, tmp_path / "made")
    assert not (tmp_path / "made").exists()


def test_an_existing_dataset_stays_as_it_is_when_an_archive_is_refused(tmp_path: Path) -> None:
    dataset = tmp_path / "made"
    dataset.mkdir()
    (dataset / "dataset.toml").write_text('canary = "CANARY"\n')
    with pytest.raises(CommandError, match="No such file"):
        add(tmp_path / "absent-1.0.tar.gz", dataset)
    assert [path.name for path in dataset.iterdir()] == ["dataset.toml"]
