"""Candidates as tasks of a dataset."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from harness.dataset import Origin, Tree
from harness.dataset.generation import read_generation
from harness.patches import apply_patch
from harness.patches.git import tree_reader
from tasks.generation.corrupting.candidates import Candidate, Kind, candidate
from tasks.generation.corrupting.removal import removed
from tasks.generation.writing import description, task_slug, write_task
from tests.tasks.generation.small import MODULE, place_of, source_in, tree_of

CANARY = "CANARY 1234"
SCREENING = {
    "failing": ["t::a", "t::b", "t::c", "t::d"],
    "failures": {f"t::{letter}": f"AssertionError: {{{letter}}} ``" for letter in "abcd"},
}


@pytest.fixture
def source(tmp_path: Path) -> Tree:
    return source_in(tmp_path / "source")


@pytest.fixture
def remove(source: Tree) -> Candidate:
    tree = tree_of(source)
    return replace(removed(tree, place_of(tree, "Shelf.add"), seed=7), screening=SCREENING)


@pytest.fixture
def corrupt(source: Tree) -> Candidate:
    tree = tree_of(source)
    after = tree.texts[MODULE].replace("len(self.boxes) <", "len(self.boxes) <=")
    made = candidate(
        tree, place_of(tree, "Shelf.add"), "comparison_boundary", after, seed=7, kind=Kind.CORRUPT
    )
    return replace(made, screening=SCREENING)


def test_start_and_reference_lead_there_and_back(source: Tree, corrupt: Candidate, tmp_path: Path) -> None:
    written = write_task(tmp_path / "tasks", corrupt, source, canary=CANARY, measures={})
    start, reference = ((written / name).read_bytes() for name in ("start.diff", "reference.diff"))
    (state,) = apply_patch(start, source.read)
    assert b"<= self.places" in (state.content or b"")
    (back,) = apply_patch(reference, lambda path: state if path == MODULE else None)
    assert back == tree_reader(source.root)(MODULE)
    for name in ("start.diff", "reference.diff", "generation.json"):
        assert CANARY in (written / name).read_text()


def test_the_record_says_how_the_task_was_made(source: Tree, corrupt: Candidate, tmp_path: Path) -> None:
    model = {"prompt": "Change it.", "replies": ["Done."]}
    screening = {**SCREENING, "seconds": 1.5, "cpu_seconds": 1.2, "baseline_cpu_seconds": 1.0}
    made = replace(corrupt, kind=Kind.ADVERSARIAL, model=model, screening=screening)
    written = write_task(
        tmp_path / "tasks", made, source, canary=CANARY, measures={"code_lines": 4}, command="generate_tasks"
    )
    problems: list[tuple[str, str]] = []
    found = read_generation(
        written / "generation.json", lambda where, reason: problems.append((where, reason))
    )
    assert problems == []
    assert found is not None
    assert found.origin is Origin.CORRUPTED
    assert [str(target) for target in found.targets] == ["stock/shelf.py: Shelf.add"]
    assert found.measures == {"code_lines": 4.0}
    stored = json.loads((written / "generation.json").read_text())
    assert (stored["seed"], stored["command"], stored["model"]) == (7, "generate_tasks", model)
    assert (stored["screening"], stored["candidate"]) == (SCREENING, made.key)
    assert set(stored["targets"][0]) == {
        "path", "name", "occurrence", "operator", "digest_before", "digest_after",
    }  # fmt: skip


def test_a_task_in_mode_remove_names_the_function(source: Tree, remove: Candidate, tmp_path: Path) -> None:
    written = write_task(tmp_path / "tasks", remove, source, canary=CANARY, measures={"code_lines": 40})
    settings = tomllib.loads((written / "task.toml").read_text())
    assert settings == {
        "title": "Write Shelf.add in stock/shelf.py",
        "category": "feature",
        "difficulty": "hard",
        "mode": "remove",
        "test_timeout": 300,
    }
    assert written.name.startswith("remove-shelf-add-")
    text = (written / "description.md").read_text()
    assert "`Shelf.add` in `stock/shelf.py`" in text
    assert "4 tests fail" in text
    assert text.count("- `t::") == 3


def test_only_python_has_docstrings(remove: Candidate) -> None:
    in_c = replace(remove, targets=(replace(remove.targets[0], path="src/shelf.c"),))
    assert "Its signature is still there, and so is its\ndocstring, if it had one. Write" in description(
        remove
    )
    assert "Its signature is still there. Write" in description(in_c)


@pytest.mark.parametrize("faults", [1, 2])
def test_a_task_in_mode_discovery_names_failing_tests_and_no_place(
    source: Tree, corrupt: Candidate, tmp_path: Path, faults: int
) -> None:
    kind = Kind.CORRUPT if faults == 1 else Kind.MULTI
    made = replace(corrupt, kind=kind, targets=corrupt.targets * faults)
    written = write_task(tmp_path / "tasks", made, source, canary=CANARY, measures={})
    settings = tomllib.loads((written / "task.toml").read_text())
    assert (settings["mode"], settings["category"]) == ("discovery", "bug")
    text = (written / "description.md").read_text()
    for shown in (written.name, settings["title"], text):
        assert "shelf" not in shown.lower()
        assert "add" not in shown.lower()
    assert "4 tests fail" in text
    assert text.count("- `t::") == 3
    if faults == 2:
        assert "faults in 2 functions" in text
        assert json.loads((written / "generation.json").read_text())["measures"] == {"targets": 2}


def test_the_name_of_a_task_cannot_be_computed_without_the_canary(corrupt: Candidate) -> None:
    assert task_slug(corrupt, CANARY) == task_slug(corrupt, CANARY) != task_slug(corrupt, "other")


def test_a_task_is_written_as_a_whole_and_once(source: Tree, corrupt: Candidate, tmp_path: Path) -> None:
    tasks = tmp_path / "tasks"
    (tmp_path / f".{task_slug(corrupt, CANARY)}.partial").mkdir()
    written = write_task(tasks, corrupt, source, canary=CANARY, measures={})
    (written / "proof.json").write_text("{}")
    assert write_task(tasks, corrupt, source, canary=CANARY, measures={"code_lines": 1}) == written
    assert (written / "proof.json").exists()
    assert list(tasks.iterdir()) == [written]
    assert not list(tmp_path.glob("*.partial"))


def test_failures_are_shown_as_code(corrupt: Candidate) -> None:
    assert "`` AssertionError: {a} ` ` ``" in description(corrupt) + description(replace(corrupt, key="0"))
