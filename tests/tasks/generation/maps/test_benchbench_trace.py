"""The plugin that traces tests; what it records is tested with `traced_calls`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from harness.grading.junit import parse_junit
from tasks.generation.maps import benchbench_trace
from tasks.generation.maps.benchbench_trace import OUTPUT, SETTINGS

TESTS = """\
import pytest
from code_under_test import f

class TestOuter:
    class TestInner:
        @pytest.mark.parametrize("word", ["a::b", "c[d]", "e/f.py"])
        def test_words(self, word):
            f()

def test_plain():
    f()
"""


@pytest.fixture
def record(tmp_path: Path) -> dict[str, Any]:
    """Of a traced run, with the ids of the tests in its JUnit report."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/test_ids.py").write_text(TESTS)
    (tmp_path / "code_under_test.py").write_text("def f(): pass\n")
    copy(benchbench_trace.__file__, tmp_path)
    (tmp_path / SETTINGS).write_text(json.dumps({"files": ["code_under_test.py"], "calls": True}))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "benchbench_trace", "--junitxml=junit.xml", "deep"]
    environment = {"PYTHONPATH": str(tmp_path), "RESULTS_DIR": str(tmp_path)}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    junit = parse_junit((tmp_path / "junit.xml").read_bytes())
    return {**json.loads((tmp_path / OUTPUT).read_bytes()), "junit": [result.id for result in junit]}


def test_tests_have_the_ids_of_their_junit_report_and_the_places_that_they_enter(
    record: dict[str, Any],
) -> None:
    assert record["tests"] == record["junit"]
    assert len(record["tests"]) == 4
    assert record["places"] == [[0, 1, "<module>"], [0, 1, "f"]]
    assert record["reached"] == [[1]] * 4
