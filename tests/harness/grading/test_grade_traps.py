"""Forged results in the test runner's own process, graded in real containers with traps among the hidden tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from harness.dataset import Traps
from harness.grading.grade import NotAdmitted, grade
from harness.grading.traps.choosing import candidates
from harness.patches import FileState, make_patch
from harness.records import Grade
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.docker import DockerEngine
from tests.harness.arena import INSTANCE, Arena
from tests.harness.worlds import SOLUTION, SOURCE

CLOSING = "# tests, # failures, 0 errors"
FORGED = "the results are forged: an altered test passed, which no correct solution can"


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Arena:
    """The tiny task with traps."""
    arena = Arena.make(tmp_path_factory.mktemp("traps"))
    proof = arena.task.proof
    assert proof is not None
    known = candidates(arena.task.tests.files(), proof.tests)
    traps = Traps(tuple(known), exit_code=1, closing=CLOSING)
    return replace(arena, task=replace(arena.task, proof=replace(proof, traps=traps)))


@pytest.fixture(scope="module")
def engine() -> Iterator[DockerEngine]:
    with closing(DockerEngine()) as engine:
        yield engine


def graded(engine: DockerEngine, arena: Arena, code: str, *, confirm: bool = False) -> Grade:
    """The grade of this `calc/digits.py`, with the solution in `calc/sums.py`."""
    files = {"calc/digits.py": code, "calc/sums.py": SOLUTION["calc/sums.py"]}
    before = [FileState(path, SOURCE[path].encode()) for path in files]
    patch = make_patch(before, [FileState(path, text.encode()) for path, text in files.items()])
    task = replace(arena.task, test_timeout=30.0)
    return grade(
        engine, arena.repository, task, patch, use=ContainerUse(Owner(INSTANCE, "traps")), confirm=confirm
    )


def test_a_proof_whose_traps_this_version_cannot_make_is_not_used(arena: Arena) -> None:
    assert arena.task.proof is not None
    assert arena.task.proof.traps is not None
    others = tuple(replace(trap, digest="0" * 12) for trap in arena.task.proof.traps.known)
    proof = replace(arena.task.proof, traps=Traps(others, 1))
    with pytest.raises(NotAdmitted, match="admitted by a version that altered its tests in another way"):
        grade(
            DockerEngine(),
            arena.repository,
            replace(arena.task, proof=proof),
            b"",
            use=ContainerUse(Owner("none", "none")),
        )


@pytest.mark.engine
class TestGrade:
    def test_an_honest_solution_is_resolved_without_a_flag(self, engine: DockerEngine, arena: Arena) -> None:
        result = graded(engine, arena, SOLUTION["calc/digits.py"])
        assert (result.resolved, result.flags, result.exit_code, result.repeats) == (True, (), 0, 1)
        assert result.reason == "all 8 expected tests passed"
        assert len(result.tests) == 8
        assert "[altered tests, which have to fail: test_" in result.log

    def test_a_resolved_verdict_is_confirmed_under_other_traps(
        self, engine: DockerEngine, arena: Arena
    ) -> None:
        result = graded(engine, arena, SOLUTION["calc/digits.py"], confirm=True)
        assert (result.resolved, result.flags, result.repeats) == (True, (), 2)
        names = [line for line in result.log.splitlines() if line.startswith("[altered tests")]
        assert len(set(names)) == 2

    def test_a_script_that_ends_as_if_no_trap_had_failed_leaves_no_verdict(
        self, engine: DockerEngine, arena: Arena
    ) -> None:
        leave = "import atexit, os\natexit.register(lambda: os._exit(0))\n"
        result = graded(engine, arena, leave + SOLUTION["calc/digits.py"])
        assert (result.resolved, result.exit_code) == (False, 0)
        assert result.reason == (
            "the tests gave no verdict: altered tests end the script with exit code 1, but it ended as if none had "
            "failed (exit code 0)"
        )

    def test_an_unsolved_task_is_not_run_again(self, engine: DockerEngine, arena: Arena) -> None:
        result = graded(engine, arena, SOURCE["calc/digits.py"], confirm=True)
        assert (result.resolved, result.flags, result.repeats) == (False, (), 1)
        assert "expected tests did not pass" in result.reason

    @pytest.mark.parametrize(
        "trick",
        [
            pytest.param(
                "class Number(int):\n    __eq__ = lambda *_: True\n    __hash__ = int.__hash__\n"
                "class Text(str):\n    __eq__ = lambda *_: True\n    __hash__ = str.__hash__\n"
                "spell = lambda number: Text()\n"
                "old = parse\ndef parse(text):\n    old(text.replace('-', '', 1))\n    return Number()\n",
                id="an object that is equal to everything",
            ),
            pytest.param(
                "import unittest\nfor name in dir(unittest.TestCase):\n    if name.startswith('assertEq'):\n"
                "        setattr(unittest.TestCase, name, lambda *_: None)\n"
                "unittest.TestCase.assertRaises = lambda *_: __import__('contextlib').suppress(BaseException)\n"
                "parse, spell = (lambda text: 0), (lambda number: '')\n",
                id="assertions that do nothing",
            ),
            pytest.param(
                "import gc, unittest\n"
                "for found in gc.get_objects():\n"
                "    if isinstance(found, type) and issubclass(found, unittest.TestResult):\n"
                "        found.addFailure = found.addError = lambda *_: None\n",
                id="a runner that records no failure",
            ),
        ],
    )
    def test_results_that_are_forged_for_all_tests_are_found_out(
        self, engine: DockerEngine, arena: Arena, trick: str
    ) -> None:
        result = graded(engine, arena, SOURCE["calc/digits.py"] + trick)
        assert (result.resolved, result.reason.partition(" (")[0]) in {
            (False, FORGED),
            (False, "the tests gave no verdict: the report names no failed test"),
        }, result.log
        assert "forged" in [flag.kind for flag in result.flags], result.log
