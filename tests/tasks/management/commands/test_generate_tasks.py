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
from harness.sandbox.base import Owner
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


@pytest.mark.engine
@pytest.mark.long
@pytest.mark.timeout(600)
def test_generated_tasks_are_admitted_and_resolved_by_their_reference(tmp_path: Path) -> None:
    dataset = write_calc(tmp_path)
    write_map(dataset, tmp_path / "map.json")
    with ModelServer([{"text": "No."}] * 2) as server:
        arguments = (
            "--kinds", "corrupt,multi,adversarial", "--limit", "2", "--least-lines", "1", "--seed", "2", "--jobs", "2",
            "--least-corruption", "1", "--map", str(tmp_path / "map.json"), "--output", str(tmp_path / "out"),
            "--model", "openai/scripted", "--api-base", server.url,
            "--budget", "1", "--price-in", "1", "--price-out", "1",
        )  # fmt: skip
        printed = generate(dataset, *arguments)
        files = candidates(tmp_path / "out")
        asked = len(server.requests)
        again = generate(dataset, *arguments)
        assert len(server.requests) == asked == 4
    assert candidates(tmp_path / "out") == files
    assert again == "".join(f"{line}\n" for line in printed.splitlines() if " candidates" in line)

    repository = load_dataset(tmp_path / "out").repository("calc")
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
            result = grade(engine, repository, task, patch, owner=Owner("generate", task.slug))
            assert result.resolved is resolved
    for task in repository.tasks:
        assert task.generation is not None
        assert str(tmp_path) not in str(task.generation.detail)
        assert task.generation.measures["harmonic"] >= 0
        assert 0 <= task.generation.measures["naming_share"] <= 1


@pytest.mark.engine
@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_killed_run_is_continued_and_nothing_is_done_twice(tmp_path: Path) -> None:
    dataset = write_calc(tmp_path)
    arguments = ["--kinds", "remove,corrupt", "--limit", "1", "--least-lines", "1", "--seed", "2"]
    process = subprocess.Popen(
        [
            sys.executable,
            "manage.py",
            "generate_tasks",
            str(dataset),
            "calc",
            "--least-removal",
            "3",
            *arguments,
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    process.kill()
    process.wait()
    process.stdout.close()
    key = first.split(" ")[0]
    before = candidates(dataset)
    assert f"{key}.json" in before

    printed = generate(dataset, *arguments)

    after = candidates(dataset)
    assert key not in printed
    assert after[f"{key}.json"] == before[f"{key}.json"]
    assert after["baseline.json"] == before["baseline.json"]
    assert set(before) <= set(after)
    assert "remove: " in printed
    assert "waiting" not in printed
    assert not list(dataset.rglob("*.partial"))
    assert all(task.admitted for task in load_dataset(dataset).repository("calc").tasks)


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
