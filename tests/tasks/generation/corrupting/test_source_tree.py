"""Which functions of a repository can be targets."""

from __future__ import annotations

from pathlib import Path

from harness.dataset import Tree
from tasks.generation.corrupting.source_tree import SourceTree
from tests.tasks.generation.small import MODULE, place_of, source_in, tree_of


def test_functions_of_the_source_are_targets_and_those_of_tests_and_classes_are_none(tmp_path: Path) -> None:
    names = [place.function.name for place in tree_of(source_in(tmp_path)).places]
    assert names == [
        "Shelf.__init__",
        "Shelf.add",
        "Shelf.free",
        "Shelf.abstract",
        "fill",
        "heaviest",
        "unused",
    ]


def test_what_hidden_tests_overwrite_is_no_target(tmp_path: Path) -> None:
    source = source_in(tmp_path / "source")
    hidden = Tree(source_in(tmp_path / "tests", {MODULE: "x = 1\n"}).root)
    assert SourceTree.read(source, hidden).places == ()


def test_names_are_those_of_all_texts(tmp_path: Path) -> None:
    tree = tree_of(source_in(tmp_path))
    assert {"places", "weight", "echo", "helper"} <= tree.names


def test_files_that_cannot_be_read_have_no_targets(tmp_path: Path) -> None:
    source = source_in(tmp_path, {"a.py": "def broken(:\n", "c.ts": "function f() { return 1; }\n"})
    (tmp_path / "b.py").write_bytes(b"# \xff\ndef f(): pass\n")
    (tmp_path / "d.py").symlink_to("a.py")
    assert [(place.path, place.function.name) for place in tree_of(source).places] == [("c.ts", "f")]


def test_draws_for_a_function_do_not_depend_on_other_functions(tmp_path: Path) -> None:
    before = tree_of(source_in(tmp_path))
    text = (tmp_path / MODULE).read_text()
    (tmp_path / MODULE).write_text("def new(a):\n    return a\n\n\n" + text)
    after = tree_of(Tree(tmp_path))
    assert after.digest != before.digest
    assert place_of(before, "fill").draw("x") == place_of(after, "fill").draw("x")
    assert place_of(before, "fill").draw("x") != place_of(after, "fill").draw("y")
