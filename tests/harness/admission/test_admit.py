from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from harness.admission.admit import AdmissionRefused, admit
from harness.dataset import Proof, Strength, Tally, load_dataset, write_proof
from harness.sandbox.docker import DockerEngine
from tests.harness.arena import test_id as hidden
from tests.harness.worlds import FAIL_UNTOUCHED, PASS_UNTOUCHED, write_tiny_dataset

pytestmark = pytest.mark.engine

TASK = "calc/tasks/add-negatives"
TESTS = f"{TASK}/tests/hidden/test_negatives.py"


@pytest.fixture
def engine() -> Iterator[DockerEngine]:
    with closing(DockerEngine()) as engine:
        yield engine


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    return write_tiny_dataset(tmp_path)


def admission(dataset: Path, engine: DockerEngine, repeats: int = 1, *, strength: bool = True) -> Proof:
    repository, task = next(load_dataset(dataset).tasks())
    return admit(repository, task, engine, repeats, instance="test-admission", strength=strength)


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> Proof:
    """The proof of the task as it is, from two repeats."""
    with closing(DockerEngine()) as engine:
        return admission(write_tiny_dataset(tmp_path_factory.mktemp("good")), engine, repeats=2)


def refusal(dataset: Path, engine: DockerEngine, repeats: int = 1) -> str:
    with pytest.raises(AdmissionRefused) as refused:
        admission(dataset, engine, repeats)
    return str(refused.value)


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_good_task_is_admitted_with_its_manifest(proof: Proof) -> None:
    assert set(proof.fail_to_pass) == set(map(hidden, FAIL_UNTOUCHED))
    assert set(proof.pass_to_pass) == set(map(hidden, PASS_UNTOUCHED))
    assert (proof.repeats, proof.floor_passed) == (2, len(PASS_UNTOUCHED))
    assert proof.closing == "# tests, 0 failures, 0 errors"
    assert Proof.from_json(proof.to_json()) == proof


def test_results_of_null_and_oracle_are_in_the_proof(proof: Proof) -> None:
    assert (proof.null, proof.oracle) == (Tally(passed=3, failed=1, errors=4), Tally(passed=8))
    assert proof.strength == Strength(("calc/digits.py", "calc/sums.py"), (), ())


def test_vacuous_and_static_tests_are_named(dataset: Path, engine: DockerEngine) -> None:
    with (dataset / TESTS).open("a") as tests:
        tests.write(
            "\n    def test_nothing(self):\n        self.assertTrue(NegativesTest)\n"
            "\n    def test_the_text(self):\n"
            '        with open("calc/digits.py") as file:\n'
            '            self.assertIn("return -parse(text[1:])", file.read())\n'
            "\n    def test_the_syntax_tree(self):\n"
            "        import ast\n"
            '        with open("calc/sums.py") as file:\n'
            "            names = [getattr(node, 'name', '') for node in ast.parse(file.read()).body]\n"
            '        self.assertIn("largest", names)\n'
        )
    (dataset / TESTS).with_name("test_there.py").write_text(
        "import os\nimport unittest\n\n\nclass ThereTest(unittest.TestCase):\n"
        "    def test_if_it_is_there(self):\n"
        '        if os.path.exists("calc/sums.py"):\n'
        "            from calc.sums import add\n\n"
        '            self.assertEqual(add("1 + 2"), "3")\n'
    )
    proof = admission(dataset, engine)
    assert hidden("test_the_text") in proof.fail_to_pass
    assert proof.strength == Strength(
        ("calc/digits.py", "calc/sums.py"),
        vacuous=(hidden("test_nothing"), "test_there.ThereTest::test_if_it_is_there"),
        static=(hidden("test_the_syntax_tree"), hidden("test_the_text")),
    )
    assert proof.strength.sentences(12) == ["2 of 12 tests are vacuous", "2 of 12 tests are static"]
    _, task = next(load_dataset(dataset).tasks())
    write_proof(task, proof)
    assert next(load_dataset(dataset).tasks())[1].proof == proof


def test_static_tests_are_unknown_without_an_inert_form(dataset: Path, engine: DockerEngine) -> None:
    with (dataset / TASK / "reference.diff").open("a") as diff:
        diff.write("--- /dev/null\n+++ b/calc/Table.java\n@@ -0,0 +1 @@\n+class Table {}\n")
    strength = admission(dataset, engine).strength
    assert strength is not None
    assert (strength.vacuous, strength.static) == ((), None)
    assert strength.sentences(8) == [
        "none of 8 tests are vacuous",
        "static tests were not looked for: no inert form is known of files like .java",
    ]


def test_a_stored_proof_admits_these_files_and_no_others(dataset: Path, proof: Proof) -> None:
    _, task = next(load_dataset(dataset).tasks())
    write_proof(task, proof)
    assert next(load_dataset(dataset).tasks())[1].admitted
    change(dataset / TESTS, "seven", "eight")
    assert not next(load_dataset(dataset).tasks())[1].admitted


def test_an_older_proof_decides_nothing(dataset: Path, engine: DockerEngine, proof: Proof) -> None:
    _, task = next(load_dataset(dataset).tasks())
    older = replace(
        proof, fail_to_pass=tuple(f"older.{test}" for test in proof.fail_to_pass), closing="2 tests"
    )
    write_proof(task, older)
    again = admission(dataset, engine, strength=False)
    assert again.traps is not None
    assert proof.traps is not None
    assert {trap.key for trap in again.traps.known} == {trap.key for trap in proof.traps.known}


def test_a_task_that_the_pristine_tree_passes_is_refused(dataset: Path, engine: DockerEngine) -> None:
    text = (dataset / TESTS).read_text()
    (dataset / TESTS).write_text(text[: text.index("    def test_reads_a_negative_number")])
    assert refusal(dataset, engine) == (
        "calc/add-negatives: the pristine tree passes all 3 tests: there is nothing to do"
    )


def test_a_reference_patch_that_does_not_pass_is_refused(dataset: Path, engine: DockerEngine) -> None:
    change(dataset / TESTS, '"-105"', '"-106"')
    assert "with the reference patch (repeat 1) 1 of 8 tests do not pass: " + hidden(
        "test_spells_a_negative_sum"
    ) in refusal(dataset, engine)


def test_a_script_without_a_report_is_refused(dataset: Path, engine: DockerEngine) -> None:
    (dataset / "calc/run_tests.sh").write_text("#!/bin/sh\necho 8 passed\n")
    reason = refusal(dataset, engine)
    assert "the test script left no report" in reason
    assert reason.endswith("output ends: 8 passed\n")


def test_zero_tests_are_refused(dataset: Path, engine: DockerEngine) -> None:
    (dataset / "calc/run_tests.sh").write_text('#!/bin/sh\necho "<testsuite/>" > "$RESULTS_DIR/junit.xml"\n')
    assert "the report holds no test" in refusal(dataset, engine)


def test_script_with_an_exit_code_is_refused(dataset: Path, engine: DockerEngine) -> None:
    change(dataset / "calc/run_tests.sh", "sys.exit(0 if", "sys.exit(3 if")
    assert "the test script ends with exit code 3" in refusal(dataset, engine)


def test_tests_that_take_too_long_are_refused(dataset: Path, engine: DockerEngine) -> None:
    (dataset / "calc/run_tests.sh").write_text("#!/bin/sh\nsleep 60\n")
    change(dataset / TASK / "task.toml", "test_timeout = 60", "test_timeout = 1")
    assert "the tests were stopped after 1 s" in refusal(dataset, engine)


def test_flaky_tests_are_refused_by_name(dataset: Path, engine: DockerEngine) -> None:
    change(
        dataset / TESTS,
        "    def test_adds_one_number",
        "    def test_flaky(self):\n        pass\n\n    def test_adds_one_number",
    )
    change(
        dataset / TESTS,
        "import unittest\n",
        'import unittest\nimport uuid\nNAME = "test_" + uuid.uuid4().hex\n',
    )
    with (dataset / TESTS).open("a") as tests:
        tests.write("\nsetattr(NegativesTest, NAME, NegativesTest.test_flaky)\n")
    assert "with the reference patch repeats 1 and 2 do not agree, the tests are flaky: " in refusal(
        dataset, engine, repeats=2
    )
