"""Packages that are added to a dataset, with their own tests run in containers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from harness.dataset import load_dataset
from harness.errors import ConfigurationError
from harness.sandbox.docker import DockerEngine
from tasks.generation.repositories.adding_repository import add_repository
from tasks.generation.repositories.repository_files import RepositorySettings
from tasks.generation.suite.screening import RepositoryRefused
from tests.harness.worlds import write_tree
from tests.tasks.generation.repositories.test_repository_files import PACKAGE, archive

pytestmark = pytest.mark.engine

TESTS = """\
import pytest

from shop.cart import add


def test_add():
    assert add() == 1


@pytest.mark.skip
def test_skipped():
    pass


@pytest.mark.xfail
def test_expected_to_fail():
    assert add() == 2
"""


@pytest.fixture(scope="module")
def engine() -> Iterator[DockerEngine]:
    with closing(DockerEngine()) as engine:
        yield engine


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    settings = (
        'title = "Made"\ndescription = "Made."\nversion = "1.0.0"\nlicence = "MIT"\ncanary = "CANARY"\n'
    )
    write_tree(tmp_path / "made", {"dataset.toml": settings})
    return tmp_path / "made"


def test_a_package_is_added_and_tests_that_do_not_run_are_left_out(
    engine: DockerEngine, dataset: Path, tmp_path: Path
) -> None:
    source = archive(tmp_path, {**PACKAGE, "tests/test_cart.py": TESTS})
    settings = RepositorySettings("shop", "shops", "CANARY")
    found = add_repository(source, dataset, settings, engine)
    assert found.passed == ("shop.tests.test_inner::test_inner", "tests.test_cart::test_add")
    left_out = ("tests.test_cart::test_expected_to_fail", "tests.test_cart::test_skipped")
    assert found.left_out == left_out
    repository = load_dataset(dataset).repository("shop")
    assert (repository.licence, repository.tasks) == ("MIT", ())
    assert [test for test in left_out if test in (repository.directory / "repository.toml").read_text()] == [
        *left_out
    ]
    with pytest.raises(ConfigurationError, match="shop exists already: remove it"):
        add_repository(source, dataset, settings, engine)


def test_source_and_tests_are_left_to_merged_changes(
    engine: DockerEngine, dataset: Path, tmp_path: Path
) -> None:
    settings = RepositorySettings("shop", "shops", "CANARY", for_changes=True)
    found = add_repository(archive(tmp_path, PACKAGE), dataset, settings, engine)
    assert found.passed == ("shop.tests.test_inner::test_inner", "tests.test_cart::test_add")
    assert sorted(path.name for path in (dataset / "shop").iterdir()) == [
        *("Dockerfile", "environment", "repository.toml", "run_tests.sh")
    ]


def test_a_package_that_the_environment_has_anyway_is_refused(
    engine: DockerEngine, dataset: Path, tmp_path: Path
) -> None:
    files = {name.replace("shop/", "pluggy/"): text for name, text in PACKAGE.items()}
    with pytest.raises(
        RepositoryRefused, match=r"copy of the package, .*: /usr/lib/python3/dist-packages/pluggy\. A"
    ):
        add_repository(
            archive(tmp_path, files), dataset, RepositorySettings("shop", "shops", "CANARY"), engine
        )


def test_a_package_with_a_failing_test_is_refused_and_leaves_nothing(
    engine: DockerEngine, dataset: Path, tmp_path: Path
) -> None:
    source = archive(tmp_path, {**PACKAGE, "tests/test_cart.py": "def test_add():\n    assert False\n"})
    with pytest.raises(
        RepositoryRefused, match=r"1 of 2 hidden tests do not pass .* tests\.test_cart::test_add"
    ):
        add_repository(source, dataset, RepositorySettings("shop", "shops", "CANARY"), engine)
    assert [path.name for path in dataset.iterdir()] == ["dataset.toml"]
