"""A build context has the source and nothing that is hidden from agents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harness.dataset import Layout, load_dataset
from harness.patches import FileState
from harness.sandbox.engine.build_context import below, build_context, removed_names
from tests.harness import published, worlds
from tests.harness.published import write_published


def test_it_is_the_source_in_its_directory(tmp_path: Path) -> None:
    context = build_context(worlds.tiny_dataset(tmp_path).repository("calc"))
    assert {file.path: file.content for file in context.files} == {
        f"source/{name}": text.encode() for name, text in worlds.SOURCE.items()
    }
    assert context.directories == ("source",)


def test_it_holds_the_source_and_empty_stand_ins_and_obeys_dockerignore(tmp_path: Path) -> None:
    context = build_context(load_dataset(write_published(tmp_path)).repositories[0])
    names = {file.path: file for file in context.files}
    assert names.keys() == {*published.SOURCE, "run_tests.sh"} - {"notes/scratch.log"}
    assert (names["run_tests.sh"].content, names["run_tests.sh"].mode) == (b"", 0o755)
    assert context.directories == ("tasks",)


def test_a_dockerignore_that_takes_everything_back_but_one(tmp_path: Path) -> None:
    root = write_published(tmp_path)
    (root / ".dockerignore").write_text("*\n!till\ntill/money.py\n")
    context = build_context(load_dataset(root).repositories[0])
    assert {file.path for file in context.files} == {
        "till/__init__.py",
        "till/register.py",
        "run_tests.sh",
    }


def test_what_only_the_build_needs_is_removed_by_name(tmp_path: Path) -> None:
    repository = worlds.tiny_dataset(tmp_path).repository("calc")
    assert removed_names(repository) == ()
    other = replace(repository, layout=Layout(context_directory="", stand_ins=("tasks/", "run.sh")))
    assert removed_names(other) == ("Dockerfile", "tasks", "run.sh")


def test_files_below_a_directory_have_their_kinds() -> None:
    files = [FileState("a", b"1", 0o755), FileState("l", b"a", link=True), FileState("gone", None)]
    assert list(below("d", files)) == [
        FileState("d/a", b"1", 0o755),
        FileState("d/l", b"a", link=True),
        FileState("d/gone", None),
    ]
