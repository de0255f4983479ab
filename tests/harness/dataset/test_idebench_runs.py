"""IDE-Bench's layout from the directory to the grade, in containers."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import docker
import pytest

from harness.admission.admit import admit
from harness.agents.base import AgentSpec
from harness.dataset import Repository, load_dataset, write_proof
from harness.errors import ImageBuildFailed
from harness.execute import execute_run
from harness.limits import Limits
from harness.records import Identity, Outcome, RunSummary
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.docker import DockerEngine
from tests.harness.arena import script, write
from tests.harness.published import BASE_IMAGES, SECRETS, write_published

pytestmark = pytest.mark.engine

INSTANCE = "test-idebench"


@pytest.fixture(scope="module")
def engine() -> Iterator[DockerEngine]:
    with closing(DockerEngine(replacements=BASE_IMAGES)) as engine:
        yield engine


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return load_dataset(write_published(tmp_path_factory.mktemp("published"))).repositories[0]


@pytest.fixture(scope="module")
def admitted(tmp_path_factory: pytest.TempPathFactory, engine: DockerEngine) -> Repository:
    """The published repository, its tasks admitted as they are."""
    directory = write_published(tmp_path_factory.mktemp("published"))
    for repository, task in load_dataset(directory).tasks():
        write_proof(task, admit(repository, task, engine, 1, instance=INSTANCE, strength=False))
    return load_dataset(directory).repositories[0]


def run(repository: Repository, engine: DockerEngine, directory: Path, spec: AgentSpec) -> RunSummary:
    task = repository.task("task-1")
    identity = Identity(
        run_id=f"published/{directory.name}",
        evaluation="published",
        dataset=repository.slug,
        dataset_version="0",
        repository=repository.slug,
        task=task.slug,
        task_digest=task.digest,
        agent=spec.name,
        agent_name=spec.name,
        agent_kind=spec.kind,
        attempt=1,
    )
    return execute_run(
        repository=repository,
        task=task,
        agent=spec,
        identity=identity,
        directory=directory,
        engine=engine,
        limits=Limits(),
        instance=INSTANCE,
    )


def test_both_tasks_prove_themselves(admitted: Repository) -> None:
    one, two = admitted.tasks
    assert one.proof is not None
    assert two.proof is not None
    assert one.admitted
    assert one.proof.fail_to_pass == (
        "tasks/task-1/task_tests.py::test_half_goes_to_the_even_neighbour[0.5-0]",
        "tasks/task-1/task_tests.py::test_half_goes_to_the_even_neighbour[2.5-2]",
    )
    assert set(one.proof.pass_to_pass) == {
        "tests/base/test_till.py::test_nothing_costs_nothing",
        "tests/base/test_till.py::test_a_sum_is_shown_with_two_digits",
        "tasks/task-1/task_tests.py::test_half_goes_to_the_even_neighbour[1.5-2]",
        "tasks/task-1/task_tests.py::test_a_total_is_rounded_once",
    }
    assert two.proof.fail_to_pass == ("tasks/task-2/task_tests.py::test_carries_a_discount_over_every_line",)


def test_the_oracle_resolves_and_the_null_agent_does_not(
    admitted: Repository, engine: DockerEngine, tmp_path: Path
) -> None:
    oracle = run(admitted, engine, tmp_path / "oracle", AgentSpec("oracle", "oracle"))
    null = run(admitted, engine, tmp_path / "null", AgentSpec("null", "null"))
    assert (oracle.outcome, oracle.tests_passed, oracle.tests_total) == (Outcome.RESOLVED, 6, 6)
    assert (null.outcome, null.tests_passed, null.tests_total) == (Outcome.UNRESOLVED, 4, 6)


def test_what_an_agent_does_to_the_script_and_the_tests_is_not_carried_over(
    admitted: Repository, engine: DockerEngine, tmp_path: Path
) -> None:
    spec = AgentSpec(
        "cheat",
        "scripted",
        script(
            [
                write("run_tests.sh", "#!/bin/bash\necho '6 passed'\n"),
                write("tasks/task-1/task_tests.py", "def test_mine():\n    pass\n"),
                write("tests/base/test_more.py", "import os\nos._exit(0)\n"),
                write("tests/base/test_till.py", "def test_nothing_costs_nothing():\n    pass\n"),
            ]
        ),
    )
    summary = run(admitted, engine, tmp_path / "cheat", spec)
    assert (summary.outcome, summary.tests_passed) == (Outcome.UNRESOLVED, 4)
    assert {(flag.kind, flag.path) for flag in summary.flags} == {
        ("protected", "run_tests.sh"),
        ("hidden_tests", "tasks/task-1/task_tests.py"),
        ("hidden_tests", "tests/base/test_more.py"),
        ("hidden_tests", "tests/base/test_till.py"),
    }


def test_an_agent_finds_the_source_and_nothing_else(
    repository: Repository, engine: DockerEngine, tmp_path: Path
) -> None:
    look = [
        "cd /app && git ls-files && git status --porcelain",
        "ls -A /app",
        "cd /app && git log --all --oneline | wc -l; git fsck --lost-found --no-progress 2>&1 | wc -l",
        "python -m pytest --version",
        *(
            f"grep -rIl --exclude-dir=proc --exclude-dir=sys -e {secret} / 2>/dev/null; cd /app; "
            f"git cat-file --batch-all-objects --batch | grep -a -c -e {secret}"
            for secret in SECRETS
        ),
    ]
    with engine.workspace(repository, ContainerUse(Owner(INSTANCE, "look"))) as workspace:
        said = [
            workspace.call("run_terminal_cmd", {"command": command}, timeout=60).content for command in look
        ]
    names = repository.source.names()
    assert all(name in said[0] for name in names)
    assert not any(word in said[0] + said[1] for word in ("tasks", "run_tests", "Dockerfile", "compose"))
    assert ".dockerignore" not in said[1]
    assert "1" in said[2]
    assert "pytest 8.4.2" in said[3]
    # Behind the exit code: no path from grep, and git's count of lines.
    assert [output.splitlines()[1:] for output in said[4:]] == [["0"]] * len(SECRETS)


def test_no_layer_of_the_image_holds_tests_or_reference_patches(
    repository: Repository, engine: DockerEngine
) -> None:
    """The Dockerfile has `COPY . .`, and image layers contain files that later layers delete."""
    found: dict[str, set[str]] = {}
    layers, seen = 0, False
    with closing(docker.from_env()) as client:
        image = client.images.get(engine.image(repository))
        saved = io.BytesIO(b"".join(image.save()))
    with tarfile.open(fileobj=saved) as archive:
        manifest = json.load(archive.extractfile("manifest.json") or io.BytesIO())
        for name in manifest[0]["Layers"][1:]:
            layers += 1
            with tarfile.open(fileobj=archive.extractfile(name)) as layer:
                for member in layer:
                    content = layer.extractfile(member) if member.isreg() else None
                    data = content.read() if content else b""
                    seen = seen or b"A till that adds up." in data
                    for secret in SECRETS:
                        if secret.encode() in data:
                            found.setdefault(secret, set()).add(member.name)
                    if Path(member.name).name in {"task_tests.py", "task_diff.txt", "task_description.txt"}:
                        found.setdefault("name", set()).add(member.name)
                    if member.name == "app/run_tests.sh":
                        assert data == b""
    assert layers >= 5
    assert seen, "the source is in these layers, so what else is there would be found"
    assert found == {}


def test_a_base_image_that_no_registry_gives_has_a_remedy(tmp_path: Path) -> None:
    directory = write_published(tmp_path)
    dockerfile = (directory / "Dockerfile").read_text()
    (directory / "Dockerfile").write_text(dockerfile.replace("python:3.11-slim", "python:0.0-nowhere"))
    with closing(DockerEngine(replacements={})) as engine, pytest.raises(ImageBuildFailed) as failed:
        engine.image(load_dataset(directory).repositories[0])
    assert str(failed.value).endswith(
        "No registry gave the base image python:0.0-nowhere. Make one with script/base-image --python and set "
        "BENCHBENCH_BASE_IMAGES=python:0.0-nowhere=benchbench/python:bookworm, or name an image of your own there."
    )


def test_a_dockerfile_that_copies_the_tasks_gets_an_empty_directory(
    tmp_path: Path, engine: DockerEngine
) -> None:
    directory = write_published(tmp_path)
    (directory / "Dockerfile").write_text(
        "FROM python:3.11-slim\nWORKDIR /app\nCOPY tasks/ /srv/tasks/\nCOPY run_tests.sh /srv/\nCOPY . .\n"
    )
    (repository,) = load_dataset(directory).repositories
    with engine.workspace(repository, ContainerUse(Owner(INSTANCE, "copy"))) as workspace:
        reply = workspace.call(
            "run_terminal_cmd", {"command": "find /srv -type f -size +0; ls -R /srv"}, timeout=60
        )
    assert "/srv/run_tests.sh" not in reply.content
    assert "task-1" not in reply.content
    assert "run_tests.sh" in reply.content
