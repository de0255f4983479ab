"""What other programs may build on: the names of the package itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

import harness
from harness import execute


def test_every_public_name_is_there() -> None:
    for name in harness.__all__:
        assert getattr(harness, name).__name__ == name


def test_a_public_name_is_the_thing_itself_and_not_a_copy() -> None:
    assert harness.execute_run is execute.execute_run


def test_the_public_names_are_a_dozen_and_listed_in_the_documentation() -> None:
    assert len(harness.__all__) == 12
    assert set(harness.__all__) <= set(dir(harness))


def test_a_missing_name_is_reported() -> None:
    with pytest.raises(AttributeError, match="no attribute 'run_everything'"):
        _ = harness.run_everything  # type: ignore[attr-defined]


def test_importing_the_package_loads_neither_docker_nor_litellm_nor_django() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import harness, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert {"docker", "litellm", "django", "pydantic"}.isdisjoint(done.stdout.split())
