"""The shipped dataset follows the rules for datasets."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.dataset import Dataset, Repository, files_below, load_dataset
from harness.patches import split_hunks
from harness.sandbox import open_engine
from harness.sandbox.base import ContainerUse, Owner

ROOT = Path(__file__).parent.parent
STARTER = load_dataset(ROOT / "datasets" / "starter")
REPOSITORIES = pytest.mark.parametrize("repository", STARTER.repositories, ids=lambda one: one.slug)

# As an agent would look: in every file, in git's history, among all its objects and lost ones, by name.
SEARCHES = (
    "grep -rIl --exclude-dir=proc --exclude-dir=sys -e '{canary}' /",
    "git log --all -p | grep -a -e '{canary}'",
    "git cat-file --batch-all-objects --batch | grep -a -e '{canary}'",
    "git fsck --lost-found --no-reflogs | grep -E 'dangling|unreachable'",
    "find / -xdev -name reference.diff -o -xdev -name proof.json -o -xdev -name run_tests.sh",
    "find / -xdev -path '*tests/hidden*'",
)


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    """The starter dataset."""
    return STARTER


def test_each_repository_has_three_tasks_from_easy_to_hard_and_all_are_admitted(dataset: Dataset) -> None:
    assert [repository.slug for repository in dataset.repositories] == ["esim", "netflow"]
    for repository in dataset.repositories:
        assert len(repository.tasks) == 3
        assert {task.category.value for task in repository.tasks} == {"bug", "feature", "optimisation"}
        assert "hard" in {task.difficulty.value for task in repository.tasks}
        assert all(task.admitted for task in repository.tasks)


def test_each_task_has_eight_tests_to_make_pass_and_a_patch_across_files(dataset: Dataset) -> None:
    for _, task in dataset.tasks():
        assert task.proof is not None
        assert len(task.proof.fail_to_pass) >= 8
        assert task.proof.pass_to_pass
        hunks = split_hunks(task.reference_diff.read_bytes())
        assert len(hunks) >= 4
        assert len({hunk.file for hunk in hunks}) >= 2


@REPOSITORIES
def test_the_visible_tests_that_grade_are_copies_of_those_that_agents_see(repository: Repository) -> None:
    visible = {path.name: path.read_bytes() for path in files_below(repository.source.root / "tests")}
    copies = [
        path
        for task in repository.tasks
        for path in task.tests.paths()
        if path.name in visible and (path.parent.name in {"visible", "tests"})
    ]
    assert {path.name for path in copies} >= {name for name in visible if name.startswith("test_")}
    assert [path for path in copies if path.read_bytes() != visible[path.name]] == []


@pytest.mark.engine
@REPOSITORIES
def test_nothing_hidden_can_be_found_from_inside(repository: Repository, dataset: Dataset) -> None:
    with open_engine().workspace(
        repository, ContainerUse(Owner("test-canary", repository.slug))
    ) as workspace:

        def found_by(search: str) -> str:
            quiet = f'cd {repository.workdir}; found=$({search} 2>/dev/null | head -5); echo "<$found>"'
            arguments = {"command": quiet, "explanation": "Look.", "timeout": 100}
            content = workspace.call("run_terminal_cmd", arguments, timeout=100).content
            return content[content.index("<") + 1 : content.rindex(">")]

        searches = [search.format(canary=dataset.canary) for search in SEARCHES]
        assert {search: found_by(search) for search in searches} == dict.fromkeys(searches, "")
        assert found_by("git rev-list --all --count") == "1"

        # The same searches do find what is there.
        plant = f"echo '{dataset.canary}' > planted; git add planted; git commit -qm planted; git reset -q --hard HEAD~"
        found_by(plant)
        assert found_by(searches[2]) == dataset.canary
