"""Which forms of a reference patch the tests are run with, and what follows from what passes.

That real tests are measured like this is tested in test_admit.py.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from harness.admission.inert_sources import hollow, inert
from harness.admission.strength import measure
from harness.dataset import Strength, load_dataset
from harness.patches import FileState, apply_patch, make_patch
from tests.harness.worlds import CANARY, SOLUTION, SOURCE, write_tiny_dataset

FILES = ("calc/digits.py", "calc/sums.py")


class Grading:
    """Stands for the runs of the tests: each passes these tests, and the files of its patch are recorded."""

    def __init__(self, directory: Path, *passing: Collection[str]) -> None:
        self.repository, self.task = next(load_dataset(directory).tasks())
        self.passing = iter(passing)
        self.tried: list[dict[str, bytes | None]] = []

    def run(self, patch: bytes) -> frozenset[str]:
        states = apply_patch(patch, self.repository.source.read)
        self.tried.append({state.path: state.content for state in states})
        return frozenset(next(self.passing))

    def measure(self) -> Strength:
        return measure(self.repository, self.task, self.run)


def test_tests_are_run_without_the_files_and_with_three_forms_of_them(tmp_path: Path) -> None:
    grading = Grading(write_tiny_dataset(tmp_path), *[()] * 4)
    assert grading.measure() == Strength(FILES, (), ())
    solved = [FileState(path, SOLUTION[path].encode()) for path in FILES]
    missing, empty, hollowed, text = grading.tried
    assert missing == dict.fromkeys(FILES)
    assert empty == dict.fromkeys(FILES, b"")
    assert hollowed == {state.path: hollow(state).content for state in solved}
    made = [inert(state) for state in solved]
    assert text == {state.path: state.content for state in made if state is not None}
    assert len(text) == 2


def test_what_passes_without_code_is_vacuous_and_with_its_text_alone_static(tmp_path: Path) -> None:
    grading = Grading(write_tiny_dataset(tmp_path), ["c"], ["b"], ["a", "c"], ["d", "a", "e"])
    assert grading.measure() == Strength(FILES, vacuous=("a", "b", "c"), static=("d", "e"))


def test_a_file_without_an_inert_form_leaves_static_tests_unknown(tmp_path: Path) -> None:
    directory = write_tiny_dataset(tmp_path)
    reference = directory / "calc/tasks/add-negatives/reference.diff"
    added = [FileState(name, b"?\n") for name in ("Table.java", "Lists.java", "Makefile")]
    reference.write_bytes(reference.read_bytes() + make_patch([], added))
    grading = Grading(directory, ["a"], [], [])
    found = grading.measure()
    assert (found.vacuous, found.static) == (("a",), None)
    assert found.note.startswith("static tests were not looked for: no inert form is known of files like ")
    assert ".java" in found.note
    assert found.note.count(".java") == 1


def test_a_patch_that_only_deletes_leaves_nothing_to_take_away(tmp_path: Path) -> None:
    directory = write_tiny_dataset(tmp_path)
    patch = make_patch([FileState("README.md", SOURCE["README.md"].encode())], [FileState("README.md", None)])
    reference = directory / "calc/tasks/add-negatives/reference.diff"
    reference.write_bytes(f"{CANARY}\n".encode() + patch)
    note = "the reference patch leaves nothing behind that could be taken away"
    assert Grading(directory).measure() == Strength((), None, None, note)
