"""Screened candidates as proved tasks of a dataset; the proof itself is the harness's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.admission.admit import AdmissionRefused
from harness.dataset import Proof, Repository, Task, Tree, load_dataset
from harness.errors import ConfigurationError
from tasks.generation.admitting import Admitter, Prove, prepare_output
from tasks.generation.corrupting.candidates import Candidate, Reason
from tasks.generation.corrupting.removal import removed
from tasks.generation.corrupting.source_tree import SourceTree
from tests.harness.worlds import CANARY
from tests.tasks.generation.small import place_of, write_calc


class Proving:
    """Stands for the admission: gives a proof, or refuses with a reason. `proved`: the names of the tasks."""

    def __init__(self, refusal: str = "") -> None:
        self.refusal = refusal
        self.proved: list[str] = []

    def __call__(self, repository: Repository, task: Task) -> Proof:
        self.proved.append(task.slug)
        if self.refusal:
            raise AdmissionRefused(repository, task, self.refusal, None, None)
        return Proof(
            digest=task.digest,
            fail_to_pass=("a",),
            pass_to_pass=(),
            repeats=3,
            proved_at="2026-01-01T00:00:00Z",
            harness_version="0",
            floor_passed=0,
            ceiling_seconds=1.0,
        )


def admitter(root: Path, prove: Prove) -> tuple[Admitter, Candidate]:
    dataset, repository = prepare_output(root / "tiny", "calc", root / "tiny")
    tree = SourceTree.read(repository.source, Tree(repository.directory / "tests"))
    made = removed(tree, place_of(tree, "parse"), seed=1)
    screening = {"failing": ["t::a"], "failures": {"t::a": "wrong"}}
    found = Admitter(dataset, repository, prove, lambda key: {"code_lines": 9.0}, "generate_tasks")
    return found, replace(made, screening=screening)


def test_a_candidate_becomes_a_task_of_a_valid_dataset(tmp_path: Path) -> None:
    write_calc(tmp_path)
    admit, made = admitter(tmp_path, Proving())
    found = admit(made)
    (task,) = load_dataset(tmp_path / "tiny").repository("calc").tasks
    assert (task.slug, task.admitted, task.mode) == (found.task, True, "remove")
    assert [str(target) for target in task.targets] == ["calc/digits.py: parse"]
    assert found == replace(made, task=task.slug)


def test_a_proved_task_is_not_proved_again(tmp_path: Path) -> None:
    """A run was killed after it had stored the proof, and before it had stored the candidate."""
    write_calc(tmp_path)
    proving = Proving()
    admit, made = admitter(tmp_path, proving)
    assert admit(made) == admit(made)
    assert len(proving.proved) == 1


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("repeats 1 and 2 do not agree, the tests are flaky: a", Reason.FLAKY),
        ("the script ends with exit code 3", Reason.NOT_ADMITTED),
    ],
)
def test_a_refused_task_leaves_nothing_but_its_reason(tmp_path: Path, said: str, reason: Reason) -> None:
    write_calc(tmp_path)
    admit, made = admitter(tmp_path, Proving(said))
    found = admit(made)
    assert found.refusal is not None
    assert (found.refusal.reason, found.refusal.detail, found.task) == (reason, said, "")
    assert list((tmp_path / "tiny/calc/tasks").iterdir()) == []


def test_another_dataset_gets_a_copy_without_tasks(tmp_path: Path) -> None:
    source = write_calc(tmp_path)
    (source / "calc/tasks/old").mkdir(parents=True)
    (source / "calc/tests/__pycache__").mkdir()
    dataset, repository = prepare_output(source, "calc", tmp_path / "out")
    assert (dataset.canary, repository.tasks) == (CANARY, ())
    assert repository.directory == (tmp_path / "out/calc").resolve()
    assert {path.name for path in repository.directory.iterdir()} == {
        "Dockerfile", "environment", "repository.toml", "run_tests.sh", "source", "tests",
    }  # fmt: skip
    assert [path.name for path in (tmp_path / "out/calc/tests").iterdir()] == ["hidden"]
    assert prepare_output(source, "calc", tmp_path / "out")[1].digest == repository.digest


def test_a_dataset_with_another_version_of_the_repository_is_refused(tmp_path: Path) -> None:
    source = write_calc(tmp_path)
    prepare_output(source, "calc", tmp_path / "out")
    (source / "calc/source/README.md").write_text("other")
    with pytest.raises(ConfigurationError, match=r"another version of calc.*another output"):
        prepare_output(source, "calc", tmp_path / "out")
