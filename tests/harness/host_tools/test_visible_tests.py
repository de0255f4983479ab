"""Which command runs the tests that an agent can see."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from harness.dataset import Tree
from harness.host_tools.visible_tests import command_for
from tests.harness.worlds import write_tree

UNIT = "import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        import calc\n"


def source(root: Path, files: Mapping[str, str]) -> Tree:
    write_tree(root, files)
    return Tree(root)


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"Makefile": "all:\n\ntest: all\n\techo\n", "tests/test_a.py": ""}, "make -s test"),
        ({"makefile": "test:\n\ncheck:\n"}, "make -s check"),
        ({"package.json": '{"scripts": {"test": "jest"}}'}, "npm test --silent"),
        ({"Makefile": "test := 1\nall:\n"}, None),
        ({"package.json": '{"scripts": []}'}, None),
        ({"package.json": "[" * 100_000}, None),
        ({"src/tested.py": ""}, None),
    ],
)
def test_the_repositorys_own_command_is_used(
    tmp_path: Path, files: Mapping[str, str], command: str | None
) -> None:
    assert command_for(source(tmp_path, files)) == command


@pytest.mark.parametrize(
    ("name", "path"),
    [("tests/test_a.py", None), ("a_test.py", "a_test.py"), ("more tests/test_a.py", "more tests")],
)
def test_python_tests_run_with_pytest_or_unittest(tmp_path: Path, name: str, path: str | None) -> None:
    command = command_for(source(tmp_path, {name: UNIT, "src/calc.py": ""}), path)
    assert command is not None
    for without_pytest in (
        "",
        "mkdir -p hidden; echo 'raise ImportError' > hidden/pytest.py; export PYTHONPATH=hidden\n",
    ):
        done = subprocess.run(
            ["bash", "-c", without_pytest + command],
            cwd=tmp_path,
            # This test run's own setting would make a pytest with pytest-django look for the site.
            env={name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, "Ran 1 test" in done.stderr or "1 passed" in done.stdout) == (0, True), done


def test_a_path_is_data_and_no_part_of_the_command(tmp_path: Path) -> None:
    command = command_for(source(tmp_path, {}), "$(touch made); --version")
    assert command is not None
    subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, check=False)
    assert not (tmp_path / "made").exists()
