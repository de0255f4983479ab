"""Tasks from a repository, in containers: made, proved, counted, and continued after a kill."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from harness.dataset import Origin, load_dataset, load_repository
from harness.functions import functions_in
from harness.grading.grade import grade
from harness.llm.scripted_server import ModelServer
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.docker import DockerEngine
from tasks.generation.maps.code_map import Node, build, dumps
from tests.tasks.generation.small import write_calc

ROOT = Path(__file__).parents[4]


def generate(dataset: Path, *arguments: str) -> str:
    printed = StringIO()
    call_command("generate_tasks", str(dataset), "calc", "--least-removal", "3", *arguments, stdout=printed)
    return printed.getvalue()


def candidates(dataset: Path) -> Mapping[str, bytes]:
    return {path.name: path.read_bytes() for path in (dataset / "candidates/calc").glob("*.json")}


def write_map(dataset: Path, path: Path) -> None:
    """A map in which each function calls the next one."""
    _, repository = load_repository(dataset, "calc")
    nodes = [
        Node(file.path, one.name, one.occurrence, one.kind, one.start, one.end, {"code_lines": 3.0})
        for file in repository.source.files()
        if file.path in ("calc/digits.py", "calc/sums.py")
        for one in functions_in(file.path, (file.content or b"").decode())
    ]
    calls = [(one.key, other.key) for one, other in pairwise(nodes)]
    path.write_bytes(dumps(build("calc", repository.digest, nodes, static=calls)))


def first_line(dataset: Path, *arguments: str) -> str:
    """What a process prints first. It is killed then."""
    command = [sys.executable, "manage.py", "generate_tasks", str(dataset), "calc", *arguments]
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "PYTHONUNBUFFERED": "1"}, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process.stdout as printed:
        line = printed.readline()
        process.kill()
        process.wait()
    return line


@pytest.mark.engine
@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("proved_by_one_repeat")
def test_generated_tasks_are_admitted_and_resolved_by_their_reference_also_after_a_kill(
    tmp_path: Path,
) -> None:
    dataset, output = write_calc(tmp_path), tmp_path / "out"
    write_map(dataset, tmp_path / "map.json")
    with ModelServer([{"text": "No."}] * 2) as server:
        arguments = (
            "--kinds", "corrupt,multi,adversarial", "--limit", "2", "--least-lines", "1", "--seed", "2",
            "--least-corruption", "1", "--map", str(tmp_path / "map.json"), "--output", str(output),
            "--model", "openai/scripted", "--api-base", server.url,
            "--budget", "1", "--price-in", "1", "--price-out", "1",
        )  # fmt: skip
        key = first_line(dataset, *arguments).split(" ")[0]
        before = candidates(output)

        printed = generate(dataset, *arguments, "--jobs", "2")

        files = candidates(output)
        again = generate(dataset, *arguments)
        assert len(server.requests) == 4
    # Nothing is lost, nothing is done twice, and nothing is left half-written.
    assert key not in printed
    assert set(before) <= set(files)
    assert {name: files[name] for name in (f"{key}.json", "baseline.json")} == {
        name: before[name] for name in (f"{key}.json", "baseline.json")
    }
    assert candidates(output) == files
    assert again == "".join(f"{line}\n" for line in printed.splitlines() if " candidates" in line)
    assert not list(output.rglob("*.partial"))

    repository = load_dataset(output).repository("calc")
    assert all(task.admitted for task in repository.tasks)
    assert "adversarial: 0 tasks of 2 candidates, 2 no_answer\n" in printed
    assert sorted(task.origin for task in repository.tasks) == [Origin.CORRUPTED] * 2 + [Origin.MULTIPLE]
    for line in again.splitlines():
        tasks, made = map(int, re.findall(r"(\d+) tasks of (\d+)", line)[0])
        refused = re.findall(r", (\d+) (\w+)", line)
        assert made == tasks + sum(int(number) for number, _ in refused)
        assert "waiting" not in line
    with closing(DockerEngine()) as engine:
        (task,) = (one for one in repository.tasks if one.origin is Origin.MULTIPLE)
        for patch, resolved in ((task.reference_diff.read_bytes(), True), (b"", False)):
            result = grade(engine, repository, task, patch, use=ContainerUse(Owner("generate", task.slug)))
            assert result.resolved is resolved
    for task in repository.tasks:
        assert task.generation is not None
        assert str(tmp_path) not in str(task.generation.detail)
        assert task.generation.measures["harmonic"] >= 0
        assert 0 <= task.generation.measures["naming_share"] <= 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--kinds", "multi"], "needs --map FILE"),
        (["--kinds", "adversarial"], "needs --model"),
        (
            ["--kinds", "corrupt,other"],
            "'other' is not a valid Kind; there are: remove, corrupt, multi, adversarial",
        ),
        (["--limit", "0"], "must be at least 1"),
    ],
)
def test_wrong_options_are_refused(tmp_path: Path, arguments: list[str], said: str) -> None:
    dataset = write_calc(tmp_path)
    with pytest.raises(CommandError, match=re.escape(said)):
        generate(dataset, *arguments)


def test_a_repository_without_shared_tests_is_refused(tmp_path: Path) -> None:
    dataset = write_calc(tmp_path)
    (dataset / "calc/tests").rename(tmp_path / "elsewhere")
    with pytest.raises(CommandError, match=r"tiny/calc/tests is missing"):
        generate(dataset)


def test_tests_of_unknown_code_run_in_containers_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHBENCH_ENGINE", "local")
    with pytest.raises(CommandError, match="in containers"):
        generate(write_calc(tmp_path))
