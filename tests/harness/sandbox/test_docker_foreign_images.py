"""Images of foreign datasets: one unusual Dockerfile, without Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from harness.admission.admit import AdmissionRefused, admit
from harness.dataset import Repository, load_dataset
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.docker import DockerEngine
from tests.harness.worlds import write_tree

pytestmark = pytest.mark.engine

INSTANCE = "test-foreign"
# Stands for node:20-slim and its like. The Dockerfile takes the Python out of it.
BASE_IMAGES = {"shell:1-slim": "benchbench/base:bookworm", "ubuntu:24.04": "benchbench/base:bookworm"}
FILES = {
    "Dockerfile": """\
# syntax=docker/dockerfile:1
ARG FLAVOUR=1-slim
FROM shell:${FLAVOUR} AS tools
RUN --mount=type=cache,target=/root/.cache rm -f /usr/bin/python3* && useradd --create-home dev
RUN mkdir -p /app && chown dev:dev /app
WORKDIR /app/server
FROM tools AS final
USER dev
WORKDIR /app
COPY --link --chown=dev:dev . .
RUN mkdir -m 700 out && cp src/count.sh out/count.sh && chmod +x /app/run_tests.sh
ENTRYPOINT ["/app/run_tests.sh"]
CMD ["all"]
""",
    ".dockerignore": "tests\n",
    ".gitignore": "out/\n",
    "src/count.sh": "echo 1\n",
    "tests/base/seen.sh": "true\n",
    # As make, Maven and their like do: built is what is newer than what was built from it.
    "run_tests.sh": """\
#!/bin/bash
cd /app
if [ src/count.sh -nt out/count.sh ]; then cp src/count.sh out/count.sh; fi
echo 'Test project /app'
echo '    Start 1: counts'
if bash "tasks/$1/task_tests.c"; then
    echo '1/1 Test #1: counts ...........................   Passed    0.01 sec'
    echo '100% tests passed, 0 tests failed out of 1'
else
    echo '1/1 Test #1: counts ...........................***Failed    0.01 sec'
    echo '0% tests passed, 1 tests failed out of 1'
    failed=8
fi
echo 'Total Test time (real) =   0.01 sec'
exit "${failed:-0}"
""",
    "tasks/task-1/task_description.txt": "task_description: |\n  Task: Count to 2\ndifficulty: easy\n",
    "tasks/task-1/task_tests.c": 'test "$(bash out/count.sh)" = 2\n',
    "tasks/task-1/task_diff.txt": ("--- a/src/count.sh\n+++ b/src/count.sh\n@@ -1 +1 @@\n-echo 1\n+echo 2\n"),
}


@pytest.fixture(scope="module")
def engine() -> Iterator[DockerEngine]:
    with closing(DockerEngine(replacements=BASE_IMAGES)) as engine:
        yield engine


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    directory = tmp_path_factory.mktemp("foreign") / "counter"
    write_tree(directory, FILES)
    return load_dataset(directory).repositories[0]


def test_changed_files_are_rebuilt(repository: Repository, engine: DockerEngine) -> None:
    (task,) = repository.tasks
    proof = admit(repository, task, engine, 1, instance=INSTANCE, strength=False)
    assert (task.report, proof.fail_to_pass) == ("ctest", ("counts",))


def test_tool_server_runs_without_python_and_owns_files_of_other_users(
    repository: Repository, engine: DockerEngine
) -> None:
    look = (
        "command -v python3 || echo no Python; git status --porcelain && git log --format=%s; "
        "echo 3 > out/more && echo 4 >> src/count.sh && git status --porcelain; "
        "find . -path ./.git -prune -o ! -user root -print; cat tests/base/seen.sh"
    )
    with engine.workspace(repository, ContainerUse(Owner(INSTANCE, "look"))) as workspace:
        reply = workspace.call("run_terminal_cmd", {"command": look}, timeout=60)
    assert reply.content.splitlines()[1:] == ["no Python", "Start here", " M src/count.sh", "true"]
    assert [edit.path for edit in reply.edits] == ["out/more", "src/count.sh"]


def test_tests_that_need_the_network_are_refused_with_advice(engine: DockerEngine, tmp_path: Path) -> None:
    write_tree(tmp_path, {**FILES, "run_tests.sh": "git ls-remote https://example.org/it\n"})
    (offline,) = load_dataset(tmp_path).repositories
    with pytest.raises(AdmissionRefused) as refused:
        admit(offline, offline.tasks[0], engine, 1, instance=INSTANCE, strength=False)
    advice = "; containers have no network: let the Dockerfile fetch what the tests need; output ends: fatal: unable to"
    assert advice in str(refused.value)
