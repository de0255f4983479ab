"""Tasks with the same solution share the test runs with their reference patches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread

import pytest

from harness.admission.admit import admit
from harness.admission.solved_runs import Solved, SolvedRuns, solved_key
from harness.dataset import load_dataset, started
from harness.grading.hidden_tests import run_hidden_tests
from harness.sandbox.docker import DockerEngine
from tests.harness.worlds import CORRUPTED, REMOVED, write_repair_dataset

NOTHING: Solved = ([], None)


def test_tasks_of_one_repository_have_one_key_and_other_solutions_another(tmp_path: Path) -> None:
    repository = load_dataset(write_repair_dataset(tmp_path)).repository("calc")
    removed, corrupted = repository.task(REMOVED), repository.task(CORRUPTED)
    keys = [solved_key(started(repository, task), task, 3) for task in (removed, corrupted)]
    assert keys[0] == keys[1]
    assert solved_key(started(repository, removed), removed, 2) != keys[0]
    with (corrupted.reference_diff).open("r+") as patch:
        text = patch.read().replace("+        value = value * 10", "+        value = value * 5 * 2")
        patch.seek(0)
        patch.write(text)
    assert solved_key(started(repository, corrupted), corrupted, 3) != keys[0]


def test_what_was_made_once_is_not_made_again(tmp_path: Path) -> None:
    runs, made = SolvedRuns(), list[str]()

    def make() -> Solved:
        made.append("a")
        return NOTHING

    assert runs.get("a", make) is runs.get("a", make) is NOTHING
    assert made == ["a"]


def test_a_failure_is_not_remembered() -> None:
    runs = SolvedRuns()

    def fail() -> Solved:
        raise RuntimeError("no engine")

    for _ in range(2):
        with pytest.raises(RuntimeError, match="no engine"):
            runs.get("a", fail)
    assert runs.get("a", lambda: NOTHING) is NOTHING


def test_of_two_callers_at_once_one_makes_the_runs(tmp_path: Path) -> None:
    runs, made, barrier = SolvedRuns(), list[int](), Barrier(2)

    def make() -> Solved:
        made.append(1)
        return NOTHING

    def call() -> None:
        barrier.wait(10)
        runs.get("a", make)

    threads = [Thread(target=call) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert made == [1]


@pytest.fixture
def engine() -> Iterator[DockerEngine]:
    with closing(DockerEngine()) as engine:
        yield engine


@pytest.mark.engine
def test_the_second_task_needs_its_own_runs_without_the_patch_alone(
    engine: DockerEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = load_dataset(write_repair_dataset(tmp_path))
    patches: list[bytes] = []

    def counted(*arguments: object, **options: object) -> object:
        patches.append(arguments[3])  # type: ignore[arg-type]
        return run_hidden_tests(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("harness.admission.admit.run_hidden_tests", counted)
    solved = SolvedRuns()
    proofs = {}
    for repository, task in dataset.tasks():
        patches.clear()
        proofs[task.slug] = admit(repository, task, engine, repeats=2, strength=False, solved=solved)
        runs = [bool(patch) for patch in patches]
        assert runs.count(False) == 2
        assert runs.count(True) >= 2 if len(proofs) == 1 else runs.count(True) == 0
    alone = {
        task.slug: admit(repository, task, engine, repeats=1, strength=False)
        for repository, task in dataset.tasks()
    }
    for slug, proof in proofs.items():
        assert (proof.fail_to_pass, proof.pass_to_pass, proof.null, proof.oracle) == (
            alone[slug].fail_to_pass,
            alone[slug].pass_to_pass,
            alone[slug].null,
            alone[slug].oracle,
        )
        assert proof.traps is not None
        assert alone[slug].traps is not None
        assert set(proof.traps.known) == set(alone[slug].traps.known)  # type: ignore[union-attr]
