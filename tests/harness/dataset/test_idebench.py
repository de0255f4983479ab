from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.dataset import OPTIONAL_TOOLS, Category, DatasetError, Difficulty, Task, load_dataset
from harness.patches import FileState, make_patch
from tests.harness.published import DESCRIPTION_1, FILES, SOURCE, diff
from tests.harness.worlds import write_tree


def problems(directory: Path) -> list[tuple[str, str, str]]:
    """Every problem: file (relative), field or line, reason."""
    with pytest.raises(DatasetError) as refused:
        load_dataset(directory)
    return [
        (problem.path.relative_to(directory).as_posix(), problem.where, problem.reason)
        for problem in refused.value.problems
    ]


def tasks(directory: Path) -> tuple[Task, ...]:
    return load_dataset(directory).repositories[0].tasks


class TestALayoutAsPublished:
    def test_one_repository_is_a_dataset(self, root: Path) -> None:
        dataset = load_dataset(root)
        assert (dataset.slug, dataset.title, dataset.licence) == ("till-service", "Till service", "unknown")
        (repository,) = dataset.repositories
        assert (repository.slug, repository.languages, str(repository.workdir)) == (
            "till-service",
            ("Python",),
            "/app",
        )
        one, two = repository.tasks
        assert (one.slug, one.title, one.category, one.difficulty, one.report, one.test_timeout) == (
            "task-1",
            "Round halves to even: not up",
            Category.BUG,
            Difficulty.EASY,
            "pytest",
            300.0,
        )
        assert (two.title, two.category, two.difficulty) == (
            "Discounts",
            Category.FEATURE,
            Difficulty.MEDIUM,
        )
        assert not one.admitted

    def test_its_stack_is_spelt_as_its_users_do(self, root: Path) -> None:
        write_tree(root, {f"web/{number}.js": "" for number in range(3)})
        assert load_dataset(root).repositories[0].stack == "Python, JavaScript"

    def test_a_directory_of_repositories_is_a_dataset(self, root: Path) -> None:
        shutil.copytree(root, root.parent / "Second_Till")
        (root.parent / "README.md").write_text("hello\n")
        dataset = load_dataset(root.parent)
        assert [repository.slug for repository in dataset.repositories] == ["second-till", "till-service"]
        assert [task.slug for _, task in dataset.tasks()] == ["task-1", "task-2"] * 2

    def test_names_become_ours_and_the_script_is_called_with_theirs(self, root: Path) -> None:
        (root / "tasks/task-2").rename(root / "tasks/Task 2_final")
        longer = root.rename(root.with_name("My.Till_" + "long" * 20))
        (repository,) = load_dataset(longer).repositories
        assert repository.slug == ("my-till-" + "long" * 20)[:50]
        first, _ = repository.tasks
        assert (first.slug, first.directory.name) == ("task-2-final", "Task 2_final")

    def test_a_small_file_beside_it_says_more(self, root: Path) -> None:
        version = load_dataset(root).version
        (root / "dataset.toml").write_text('title = "Tills"\nlicence = "MIT"\n')
        dataset = load_dataset(root)
        assert (dataset.title, dataset.licence, dataset.version) == ("Tills", "MIT", version)
        assert "dataset.toml" not in dataset.repositories[0].source.names()

    def test_compose_files_are_ignored_and_that_is_said(self, root: Path) -> None:
        assert load_dataset(root).notes == (
            f"{root}/docker-compose.yaml: ignored, a run is one container made from the Dockerfile",
        )

    def test_the_source_is_everything_but_tasks_script_and_docker_files(self, root: Path) -> None:
        assert load_dataset(root).repositories[0].source.names() == sorted(
            SOURCE, key=lambda name: Path(name).parts
        )

    def test_the_hidden_tree_holds_the_tests_and_not_the_reference_patch(self, root: Path) -> None:
        write_tree(
            root, {"tasks/task-1/fixtures/sales.csv": "tea,1\n", "tasks/task-1/proof.json.partial": "{"}
        )
        assert tasks(root)[0].tests.names() == [
            "tasks/task-1/fixtures/sales.csv",
            "tasks/task-1/task_tests.py",
            "tests/base/test_till.py",
        ]

    def test_visible_tests_that_the_reference_patch_changes_are_left_to_it(self, root: Path) -> None:
        changed = {"tests/base/test_till.py": SOURCE["tests/base/test_till.py"] + "\n\n# more\n"}
        (root / "tasks/task-1/task_diff.txt").write_bytes(diff(changed))
        assert tasks(root)[0].tests.names() == ["tasks/task-1/task_tests.py"]

    @pytest.mark.parametrize(
        ("name", "changed"),
        [
            ("README.md", True),
            ("Dockerfile", True),
            (".dockerignore", True),
            ("run_tests.sh", True),
            ("tests/base/test_till.py", True),
            ("tasks/task-1/task_tests.py", True),
            ("tasks/task-1/task_description.txt", True),
            ("tasks/task-2/task_tests.py", False),
            ("docker-compose.yaml", False),
            (".git/HEAD", False),
        ],
    )
    def test_a_digest_covers_what_the_task_is_made_of(self, root: Path, name: str, changed: bool) -> None:
        before = tasks(root)[0].digest
        with (root / name).open("a") as file:
            file.write("\n# changed\n" if not name.endswith("description.txt") else "\ntags: [x]\n")
        assert (tasks(root)[0].digest != before) is changed

    @pytest.mark.parametrize(
        ("suffix", "parser", "report"),
        [
            ("js", "parser_name: jest\n", "jest"),
            ("js", "", "jest"),
            ("java", "parser_name: maven\n", "surefire"),
            ("java", "parser_name: junit\n", "junit-console"),
            ("java", "", "surefire"),
            ("py", "parser_name: go test\n", "go"),
            ("py", "parser_name: dotnet_test\n", "dotnet"),
            ("py", "", "pytest"),
            ("ts", "", "jest"),
            ("cpp", "", "ctest"),
            ("go", "", "go"),
        ],
    )
    def test_tests_in_other_languages(self, root: Path, suffix: str, parser: str, report: str) -> None:
        task = root / "tasks/task-1"
        (task / "task_tests.py").rename(task / f"task_tests.{suffix}")
        text = DESCRIPTION_1.replace("parser_name: pytest\n", parser)
        (task / "task_description.txt").write_text(text)
        assert tasks(root)[0].report == report

    @pytest.mark.parametrize(
        ("category", "tags", "expected"),
        [
            ("Bug-Fix", "", Category.BUG),
            ("debugging", "", Category.BUG),
            ("performance optimization", "", Category.OPTIMISATION),
            ("code refactoring", "", Category.REFACTORING),
            ("enhancement", "", Category.FEATURE),
            ("software-engineering", "refactor, api", Category.REFACTORING),
            ("software-engineering", "api", Category.OTHER),
            ("", "", Category.OTHER),
        ],
    )
    def test_categories_become_ours(self, root: Path, category: str, tags: str, expected: Category) -> None:
        text = DESCRIPTION_1.replace("\ncategory: bug fixing\n", f"\ncategory: {category}\n")
        path = root / "tasks/task-1/task_description.txt"
        path.write_text(text.replace("tags: [money, rounding]", f"tags: [{tags}]"))
        assert tasks(root)[0].category is expected

    @pytest.mark.parametrize(
        ("tags", "offered"),
        [
            ("mern, full-stack", OPTIONAL_TOOLS),
            ("MERN", OPTIONAL_TOOLS),
            ("mern-stack", OPTIONAL_TOOLS),
            ("api, Full Stack", OPTIONAL_TOOLS),
            ("fullstack", OPTIONAL_TOOLS),
            ("react, express", ()),
            ("not-mern", ()),
            ("", ()),
        ],
    )
    def test_tags_of_full_stack_tasks_offer_the_full_stack_tools(
        self, root: Path, tags: str, offered: tuple[str, ...]
    ) -> None:
        path = root / "tasks/task-1/task_description.txt"
        path.write_text(DESCRIPTION_1.replace("tags: [money, rounding]", f"tags: [{tags}]"))
        first, second = tasks(root)
        assert (first.tools, second.tools) == (offered, ())

    def test_a_list_of_tools_in_the_small_file_replaces_what_tags_say(self, root: Path) -> None:
        path = root / "tasks/task-1/task_description.txt"
        path.write_text(DESCRIPTION_1.replace("tags: [money, rounding]", "tags: [mern]"))
        without = tasks(root)
        (root / "dataset.toml").write_text('tools = ["ui_test", "api_call"]\n')
        assert [task.tools for task in tasks(root)] == [("api_call", "ui_test")] * 2
        assert all(task.digest != before.digest for task, before in zip(tasks(root), without, strict=True))
        (root / "dataset.toml").write_text("tools = []\n")
        assert [task.tools for task in tasks(root)] == [(), ()]


class TestABrokenOne:
    def test_an_unknown_tool_in_the_small_file(self, root: Path) -> None:
        (root / "dataset.toml").write_text('tools = ["read_file"]\n')
        known = "api_call, database_query, websocket_test, ui_test"
        assert problems(root) == [("dataset.toml", "tools", f"names 'read_file'; known are: {known}")]

    @pytest.mark.parametrize(
        ("name", "path", "where", "reason"),
        [
            ("Dockerfile", "Dockerfile", "", "is missing: the environment is built from it"),
            ("run_tests.sh", "run_tests.sh", "", "is missing: it runs the hidden tests"),
            (
                "tasks/task-1/task_description.txt",
                "tasks/task-1/task_description.txt",
                "",
                "is missing: it is the agent's instructions",
            ),
            (
                "tasks/task-1/task_diff.txt",
                "tasks/task-1/task_diff.txt",
                "",
                "is missing: the oracle applies it",
            ),
            ("tasks/task-1/task_tests.py", "tasks/task-1/task_tests.*", "", "is missing: it grades the task"),
        ],
    )
    def test_a_missing_file(self, root: Path, name: str, path: str, where: str, reason: str) -> None:
        (root / name).unlink()
        assert problems(root) == [(path, where, reason)]

    @pytest.mark.parametrize(
        ("old", "new", "where", "reason"),
        [
            ("difficulty: easy\n", "", "difficulty", "is missing: one of easy, medium, hard"),
            (
                "difficulty: easy",
                "difficulty: 7",
                "difficulty",
                "must be one of easy, medium, hard; not '7'",
            ),
            (
                "parser_name: pytest",
                "parser_name: cobol",
                "parser_name",
                "must be one of cargo, cargotest, ctest, ctrf, dotnet, dotnettest, go, gotest, jest, junit, "
                "junit-console, junit5, maven, mocha, mvn, phpunit, pytest, rspec, surefire, tap; not 'cobol'",
            ),
        ],
    )
    def test_a_bad_field(self, root: Path, old: str, new: str, where: str, reason: str) -> None:
        (root / "tasks/task-1/task_description.txt").write_text(DESCRIPTION_1.replace(old, new))
        assert problems(root) == [("tasks/task-1/task_description.txt", where, reason)]

    def test_an_empty_description(self, root: Path) -> None:
        (root / "tasks/task-1/task_description.txt").write_text("task_description: |\n\ndifficulty: easy\n")
        assert problems(root) == [("tasks/task-1/task_description.txt", "task_description", "is empty")]

    def test_names_that_are_one_to_us(self, root: Path) -> None:
        shutil.copytree(root / "tasks/task-1", root / "tasks/Task_1")
        assert problems(root) == [("tasks/task-1", "name", "has the slug 'task-1', as another one does")]

    def test_a_link_out_of_the_dataset(self, root: Path) -> None:
        (root / "till/etc").symlink_to("/etc/passwd")
        assert problems(root) == [("till/etc", "", "leads out of the dataset")]

    @pytest.mark.parametrize("name", ["till/history.db", "tasks/task-1/fixture.bin"])
    def test_what_is_too_big_is_named_before_it_is_read(self, root: Path, name: str) -> None:
        with (root / name).open("wb") as file:
            file.truncate(500 << 20)
        ((path, where, reason),) = problems(root)
        assert (path, where) == (name, "")
        assert reason.startswith("is too big: with its 500 MB the tree ")
        assert reason.endswith("at most 256 MB are read. Let the Dockerfile fetch or make what is big")

    def test_a_patch_that_is_too_big(self, root: Path) -> None:
        with (root / "tasks/task-1/task_diff.txt").open("wb") as file:
            file.truncate(100 << 20)
        assert problems(root) == [
            ("tasks/task-1/task_diff.txt", "", "is too big: 100 MB, at most 64 MB are read")
        ]

    def test_names_and_texts_that_are_not_utf_8(self, root: Path) -> None:
        (root / os.fsdecode(b"till/caf\xe9.py")).write_text("")
        (root / "tasks/task-1/task_description.txt").write_bytes(b"task_description: |\n  caf\xe9\n")
        assert problems(root) == [
            ("till/caf\\xe9.py", "name", "is not UTF-8"),
            ("tasks/task-1/task_description.txt", "byte 25", "is not UTF-8"),
        ]

    def test_a_dockerfile_that_needs_buildkit(self, root: Path) -> None:
        (root / "Dockerfile").write_text("FROM python:3.11-slim\nWORKDIR /app\nCOPY --chmod=755 . .\n")
        assert problems(root) == [
            ("Dockerfile", "line 3", "COPY --chmod needs BuildKit: leave it out, and RUN chmod after it")
        ]

    def test_a_workdir_elsewhere_is_noted(self, root: Path) -> None:
        (root / "docker-compose.yaml").unlink()
        (root / "Dockerfile").write_text("FROM node:20-slim\nWORKDIR /usr/src/app\nCOPY . .\n")
        (note,) = load_dataset(root).notes
        assert note.startswith(
            f"{root}/Dockerfile: its WORKDIR is /usr/src/app, but agents work and tests run in /app"
        )

    def test_a_canary_that_it_names_has_to_be_in_every_hidden_part(self, root: Path) -> None:
        (root / "dataset.toml").write_text('canary = "till-canary-1"\n')
        assert {reason for _, _, reason in problems(root)} == {
            "does not contain the dataset's canary",
            "no file contains the dataset's canary",
        }


class TestReferencePatches:
    """What git accepts is accepted; the rest is refused with its place."""

    def put(self, root: Path, change: Callable[[bytes], bytes]) -> None:
        path = root / "tasks/task-1/task_diff.txt"
        path.write_bytes(change(path.read_bytes()))

    @pytest.mark.parametrize(
        "change",
        [
            lambda diff: b"\n".join(line for line in diff.split(b"\n") if not line.startswith(b"index ")),
            lambda diff: diff[diff.index(b"--- ") :],
            lambda diff: b"commit 1234\nAuthor: A <a@b>\n\n    Round: to even\n\n---\n" + diff,
            lambda diff: diff + b"\n\n",
            lambda diff: diff.replace(b"a/till", b"old/till").replace(b"b/till", b"new/till"),
        ],
        ids=["no index line", "plain", "mail", "blank lines behind", "other prefixes"],
    )
    def test_odd_forms_are_read(self, root: Path, change: Callable[[bytes], bytes]) -> None:
        self.put(root, change)
        assert len(tasks(root)) == 2

    def test_a_source_with_other_line_ends_takes_a_patch_with_them(self, root: Path) -> None:
        before = FileState("till/prices.csv", b"tea,1\r\ncake,3\r\n")
        (root / before.path).write_bytes(before.content or b"")
        after = FileState("till/prices.csv", b"tea,2\r\ncake,3\r\n")
        (root / "tasks/task-1/task_diff.txt").write_bytes(make_patch([before], [after]))
        assert len(tasks(root)) == 2

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            (lambda diff: b"Here is what to do.\n", "changes no file"),
            (
                lambda diff: diff.replace(b"a/till", b"till").replace(b"b/till", b"till"),
                "money.py: does not exist in index",
            ),
            (
                lambda diff: diff.replace(b"int(amount", b"long(amount"),
                "does not apply: the file has other lines there",
            ),
            (
                lambda diff: diff.replace(b"\n", b"\r\n"),
                "does not apply: the file has other lines there (lines of the patch end in CR LF)",
            ),
            (lambda diff: diff[:-1], "corrupt patch (the last line of the patch has no end)"),
        ],
        ids=["no patch", "no prefixes", "another tree", "other line ends", "cut off"],
    )
    def test_what_does_not_apply_is_reported(
        self, root: Path, change: Callable[[bytes], bytes], reason: str
    ) -> None:
        self.put(root, change)
        ((path, _, found),) = problems(root)
        assert (path, found) == ("tasks/task-1/task_diff.txt", reason)


def test_files_are_written_as_published(root: Path) -> None:
    assert {name for name in FILES if (root / name).read_text() != FILES[name]} == set()
