"""A task whose script prints its results, graded in real containers."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from harness.dataset import load_dataset, write_proof
from harness.grading.grade import grade
from harness.records import Grade, TestStatus
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.docker import DockerEngine
from tests.harness.arena import INSTANCE, Arena, tiny_proof
from tests.harness.grading.test_similarity import patch
from tests.harness.worlds import SOURCE, reference_diff, write_tiny_dataset

pytestmark = pytest.mark.engine

# Prints results like `go test -v`, with a skipped test, in addition to the output of the code under test.
PRINTS = """\
#!/bin/bash
python3 - <<'PY'
import sys
sys.path.append(".")
from calc.sums import add, largest
print("=== RUN   TestAdds")
print("--- PASS: TestAdds (0.00s)" if add("1 + 2") == "3" else "--- FAIL: TestAdds (0.00s)")
print("=== RUN   TestLargest")
try:
    found = largest("-4 + -2")
except ValueError:
    found = None
print("--- PASS: TestLargest (0.00s)" if found == -2 else "--- SKIP: TestLargest (0.00s)")
print("PASS\\nok  \\tcalc\\t0.001s")
PY
"""
CHEAT = SOURCE["calc/sums.py"].replace(
    "from calc.digits import parse, spell",
    "from calc.digits import parse, spell as honest\n\n\ndef spell(number):\n"
    "    print('--- PASS: TestLargest (0.00s)\\nPASS\\nok  \\tcalc\\t0.001s')\n    return honest(number)",
)


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    dataset = write_tiny_dataset(tmp_path)
    (dataset / "calc/run_tests.sh").write_text(PRINTS)
    with (dataset / "calc/repository.toml").open("a") as file:
        file.write('report = "go"\n')
    _, task = next(load_dataset(dataset).tasks())
    proof = replace(tiny_proof(task), fail_to_pass=("calc::TestLargest",), pass_to_pass=("calc::TestAdds",))
    write_proof(task, proof)
    repository, task = next(load_dataset(dataset).tasks())
    return Arena(tmp_path, repository, task)


def graded(arena: Arena, diff: bytes) -> Grade:
    with closing(DockerEngine()) as engine:
        return grade(engine, arena.repository, arena.task, diff, use=ContainerUse(Owner(INSTANCE, "printed")))


def test_printed_results_resolve_the_task_and_the_grade_names_their_source(arena: Arena) -> None:
    found = graded(arena, reference_diff().encode())
    assert found.resolved
    assert found.report == "go"
    assert found.reason == "all 2 expected tests passed (read from printed output, not from a report)"


def test_a_printed_pass_from_the_code_under_test_does_not_hide_a_skip(arena: Arena) -> None:
    found = graded(arena, patch(dict(SOURCE), {**SOURCE, "calc/sums.py": CHEAT}))
    assert "--- PASS: TestLargest" in found.log
    assert found.exit_code == 0
    assert not found.resolved
    # Forging the end of the package as well leaves the test that was under way without one.
    statuses = {test.id: test.status for test in found.tests}
    assert statuses == {"calc::TestLargest": TestStatus.SKIPPED, "calc::TestAdds": TestStatus.ERROR}


def test_an_exit_code_0_without_tests_is_unresolved(arena: Arena) -> None:
    exits = {**SOURCE, "calc/__init__.py": "import os\n\nos._exit(0)\n"}
    found = graded(arena, patch(dict(SOURCE), exits))
    assert found.exit_code == 0
    assert found.reason.startswith("the tests gave no verdict: the output lists no test")
