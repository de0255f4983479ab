"""Hidden parts in files that agents can see."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness.dataset import Problem, load_dataset
from harness.dataset.leaks import find_leaks
from tests.harness.dataset.test_idebench import problems, tasks
from tests.harness.published import SOURCE, diff
from tests.harness.worlds import HIDDEN_TESTS, SOLUTION, reference_diff


@pytest.mark.parametrize("name", ["tasks/task-1/task_tests.py", "tasks/task-2/task_diff.txt"])
def test_hidden_parts_in_the_source(root: Path, name: str) -> None:
    shutil.copy(root / name, root / "till/copy.txt")
    what = "the reference patch of task-2" if "diff" in name else f"the hidden tests of task-1 ({name})"
    assert problems(root) == [("till/copy.txt", "", f"holds {what}, which agents must not see")]


def test_code_that_the_reference_patch_moves_is_no_leak(root: Path) -> None:
    shown = SOURCE["till/money.py"][SOURCE["till/money.py"].index("def shown") :]
    moved = {
        "till/money.py": SOURCE["till/money.py"].removesuffix(shown),
        "till/register.py": SOURCE["till/register.py"] + shown,
    }
    (root / "tasks/task-1/task_diff.txt").write_bytes(diff(moved))
    assert tasks(root)[0].slug == "task-1"


TESTS = "holds the hidden tests of add-negatives (hidden/test_negatives.py), which agents must not see"
PATCH = "holds the reference patch of add-negatives, which agents must not see"


def leaks(directory: Path, text: str, name: str = "calc/source/notes.txt") -> list[Problem]:
    """The leaks when a visible file holds this text, too."""
    found = load_dataset(directory)
    with (directory / name).open("a") as file:
        file.write(text)
    return list(find_leaks(found))


def test_a_sound_dataset_has_none(dataset: Path) -> None:
    assert leaks(dataset, "nothing\n") == []


@pytest.mark.parametrize("name", ["calc/Dockerfile", "calc/source/README.md", "calc/source/new.txt"])
def test_every_visible_file_is_searched(dataset: Path, name: str) -> None:
    assert leaks(dataset, HIDDEN_TESTS, name) == [Problem(dataset / name, "", TESTS)]


def test_neither_order_nor_indentation_nor_marks_of_a_patch_hide_it(dataset: Path) -> None:
    lines = "".join(f"+\t  {line.strip()}  \n" for line in reversed(HIDDEN_TESTS.splitlines()))
    assert [leak.reason for leak in leaks(dataset, lines)] == [TESTS]


def test_a_part_is_no_leak(dataset: Path) -> None:
    assert leaks(dataset, HIDDEN_TESTS.replace('self.assertEqual(parse("-12"), -12)', "pass")) == []


def test_the_solved_code_is_a_leak_of_the_patch(dataset: Path) -> None:
    assert [leak.reason for leak in leaks(dataset, "".join(SOLUTION.values()))] == [PATCH]
    assert [leak.reason for leak in leaks(dataset, reference_diff(), "calc/Dockerfile")] == [PATCH, PATCH]


@pytest.mark.parametrize(
    ("last", "expected"), [("a line of text.2", [TESTS]), ("a line of text.", []), ("a line of text.1", [])]
)
def test_three_different_lines_of_sixteen_characters_are_needed(
    dataset: Path, last: str, expected: list[str]
) -> None:
    canary = HIDDEN_TESTS.splitlines()[0]
    text = f"{canary}\na line of text.1\n{last}\n"
    (dataset / "calc/tasks/add-negatives/tests/hidden/test_negatives.py").write_text(text)
    assert [leak.reason for leak in leaks(dataset, text)] == expected


def test_links_are_not_followed(dataset: Path) -> None:
    found = load_dataset(dataset)
    (dataset / "calc/source/link.py").symlink_to(
        dataset / "calc/tasks/add-negatives/tests/hidden/test_negatives.py"
    )
    assert list(find_leaks(found)) == []
