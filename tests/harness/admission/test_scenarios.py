"""The proof of a scenario: the reference conversation in a real workspace, and its verifiers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from harness.admission.admit import admit
from harness.admission.refusal import AdmissionRefused
from harness.dataset import Proof, Tally, load_dataset
from harness.sandbox.docker import DockerEngine
from tests.harness.worlds import CANARY, add_workflow, write_tiny_dataset

pytestmark = pytest.mark.engine

DIGITS, FINISHED = "the digits were changed", "the agent says that it is finished"


@pytest.fixture
def engine() -> Iterator[DockerEngine]:
    with closing(DockerEngine()) as engine:
        yield engine


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    return add_workflow(write_tiny_dataset(tmp_path))


def admission(scenario: Path, engine: DockerEngine, repeats: int = 1) -> Proof:
    repository = load_dataset(scenario.parents[2]).repository("calc")
    task = repository.task("talk-negatives.default")
    return admit(repository, task, engine, repeats, instance="test-admission")


def refusal(scenario: Path, engine: DockerEngine) -> AdmissionRefused:
    with pytest.raises(AdmissionRefused) as refused:
        admission(scenario, engine)
    return refused.value


def verifiers(scenario: Path, *tables: str) -> None:
    text = "".join(f"[[verifiers]]\n{table}\n" for table in tables)
    (scenario / "verifiers.toml").write_text(f"# {CANARY}\n{text}")


def test_the_verifiers_are_the_tests_of_the_proof(scenario: Path, engine: DockerEngine) -> None:
    with (scenario / "verifiers.toml").open("a") as file:
        file.write('[[verifiers]]\nkind = "no_changes"\nname = "docs stay"\nforbidden = ["*.md"]\n')
    proof = admission(scenario, engine, repeats=2)
    assert proof.fail_to_pass == (DIGITS, FINISHED)
    assert proof.pass_to_pass == ("docs stay",)
    assert (proof.repeats, proof.floor_passed, proof.traps) == (2, 1, None)
    assert Proof.from_json(proof.to_json()) == proof


def test_results_of_calls_are_those_of_the_workspace(scenario: Path, engine: DockerEngine) -> None:
    verifiers(
        scenario,
        'kind = "chat_or_tool_regexp"\nname = "looked"\npattern = "digits\\\\.py"',
    )
    text = (scenario / "conversation.toml").read_text()
    (scenario / "conversation.toml").write_text(text.replace('path = "."', 'path = "calc"'))
    assert admission(scenario, engine).fail_to_pass == ("looked",)


def test_a_reference_that_fails_a_verifier_is_refused(scenario: Path, engine: DockerEngine) -> None:
    text = (scenario / "conversation.toml").read_text()
    (scenario / "conversation.toml").write_text(text.replace("It is finished.", "Done."))
    refused = refusal(scenario, engine)
    assert refused.reason.startswith(
        f"after the reference conversation 1 of 2 verifiers do not pass: {FINISHED} (failed): "
    )
    assert refused.oracle == Tally(passed=1, failed=1)


def test_a_scenario_without_anything_to_do_is_refused(scenario: Path, engine: DockerEngine) -> None:
    verifiers(scenario, 'kind = "no_changes"\nname = "docs stay"\nforbidden = ["*.md"]')
    reason = "without a conversation all 1 verifiers pass: there is nothing to do"
    assert refusal(scenario, engine).reason == reason


def test_a_command_that_cannot_fail_is_refused(scenario: Path, engine: DockerEngine) -> None:
    with (scenario / "verifiers.toml").open("a") as file:
        file.write('[[verifiers]]\nkind = "build_task"\nname = "it builds"\ncommand = "echo built"\n')
    reason = "verifiers that pass without a conversation, and even in a workspace without files: it builds"
    assert refusal(scenario, engine).reason == reason
