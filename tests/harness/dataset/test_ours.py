from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.dataset import (
    Category,
    DatasetError,
    Difficulty,
    Problem,
    digest_of,
    load_dataset,
    write_proof,
)
from harness.patches import FileState, make_patch
from tests.harness.arena import tiny_proof
from tests.harness.worlds import CANARY

TASK = "calc/tasks/add-negatives"


def problems(dataset: Path) -> list[Problem]:
    with pytest.raises(DatasetError) as refused:
        load_dataset(dataset)
    return list(refused.value.problems)


def problem(dataset: Path) -> tuple[str, str, str]:
    """The only problem: file (relative), field or line, reason."""
    (only,) = problems(dataset)
    return only.path.relative_to(dataset).as_posix(), only.where, only.reason


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


class TestASoundDataset:
    def test_everything_is_loaded(self, dataset: Path) -> None:
        loaded = load_dataset(dataset)
        assert (loaded.slug, loaded.title, loaded.version, loaded.canary) == ("tiny", "Tiny", "1.0.0", CANARY)
        repository, task = next(loaded.tasks())
        assert (repository.slug, repository.languages, str(repository.workdir)) == (
            "calc",
            ("Python",),
            "/app",
        )
        assert (task.slug, task.category, task.difficulty) == ("add-negatives", Category.BUG, Difficulty.EASY)
        assert task.test_timeout == 60.0
        assert task.description.startswith("Numbers below zero")
        assert not task.admitted

    @pytest.mark.parametrize(
        "part",
        [
            "calc/source/calc/sums.py",
            "calc/Dockerfile",
            "calc/run_tests.sh",
            f"{TASK}/description.md",
            f"{TASK}/tests/hidden/test_negatives.py",
        ],
    )
    def test_a_change_of_any_part_changes_the_digest(self, dataset: Path, part: str) -> None:
        _, before = next(load_dataset(dataset).tasks())
        with (dataset / part).open("a") as file:
            file.write("\n")
        _, after = next(load_dataset(dataset).tasks())
        assert before.digest != after.digest

    def test_the_report_of_a_task_is_junit_unless_the_repository_or_the_task_says_otherwise(
        self, dataset: Path
    ) -> None:
        def report() -> tuple[str, str]:
            _, task = next(load_dataset(dataset).tasks())
            return task.report, task.digest

        name, digest = report()
        assert name == "junit"
        with (dataset / "calc/repository.toml").open("a") as file:
            file.write('report = "pytest"\n')
        name, other = report()
        assert name == "pytest"
        assert other != digest
        with (dataset / TASK / "task.toml").open("a") as file:
            file.write('report = "tap"\n')
        assert report()[0] == "tap"

    def test_naming_the_default_report_in_the_repository_changes_no_digest(self, dataset: Path) -> None:
        _, before = next(load_dataset(dataset).tasks())
        with (dataset / "calc/repository.toml").open("a") as file:
            file.write('report = "junit"\n')
        _, after = next(load_dataset(dataset).tasks())
        assert before.digest == after.digest

    def test_python_caches_make_no_difference(self, dataset: Path) -> None:
        before = digest_of(dataset)
        (dataset / "calc/source/__pycache__").mkdir()
        (dataset / "calc/source/__pycache__/x.pyc").write_bytes(b"x")
        assert digest_of(dataset) == before

    def test_an_executable_bit_makes_a_difference(self, dataset: Path) -> None:
        before = digest_of(dataset)
        (dataset / "calc/source/README.md").chmod(0o755)
        assert digest_of(dataset) != before


class TestOptionalTools:
    def test_a_task_offers_none_unless_it_says_so(self, dataset: Path) -> None:
        _, task = next(load_dataset(dataset).tasks())
        assert task.tools == ()

    def test_a_task_offers_its_own_tools_and_those_of_its_repository(self, dataset: Path) -> None:
        with (dataset / TASK / "task.toml").open("a") as file:
            file.write('tools = ["ui_test", "api_call"]\n')
        with (dataset / "calc/repository.toml").open("a") as file:
            file.write('tools = ["database_query", "ui_test"]\n')
        _, task = next(load_dataset(dataset).tasks())
        assert task.tools == ("api_call", "database_query", "ui_test")

    @pytest.mark.parametrize("name", [f"{TASK}/task.toml", "calc/repository.toml"])
    def test_offering_a_tool_changes_the_digest(self, dataset: Path, name: str) -> None:
        _, before = next(load_dataset(dataset).tasks())
        with (dataset / name).open("a") as file:
            file.write('tools = ["api_call"]\n')
        _, after = next(load_dataset(dataset).tasks())
        assert before.digest != after.digest

    @pytest.mark.parametrize("name", [f"{TASK}/task.toml", "calc/repository.toml"])
    @pytest.mark.parametrize(
        ("tools", "reason"),
        [
            (
                '["api_call", "shell"]',
                "names 'shell'; known are: api_call, database_query, websocket_test, ui_test",
            ),
            ('["ui_test", "ui_test"]', "names one twice: ui_test, ui_test"),
            ('"ui_test"', "must be a list of strings, not 'ui_test'"),
            ("[1]", "must be a list of strings, not [1]"),
        ],
    )
    def test_an_unknown_tool_is_refused(self, dataset: Path, name: str, tools: str, reason: str) -> None:
        with (dataset / name).open("a") as file:
            file.write(f"tools = {tools}\n")
        assert problem(dataset) == (name, "tools", reason)


class TestABrokenDataset:
    def test_bad_toml(self, dataset: Path) -> None:
        (dataset / TASK / "task.toml").write_text('title = "x"\ncategory = ')
        path, _, reason = next(
            (p.path.relative_to(dataset).as_posix(), p.where, p.reason) for p in problems(dataset)
        )
        assert path == f"{TASK}/task.toml"
        assert reason.startswith("is not TOML: Invalid value (at ")

    def test_text_that_is_not_utf8(self, dataset: Path) -> None:
        (dataset / TASK / "description.md").write_bytes(b"ok \xff")
        assert problem(dataset) == (f"{TASK}/description.md", "byte 3", "is not UTF-8")

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("calc/Dockerfile", "is missing: the environment is built from it"),
            ("calc/run_tests.sh", "is missing: it runs the hidden tests"),
            (f"{TASK}/description.md", "is missing: it is the agent's instructions"),
            (f"{TASK}/reference.diff", "is missing: the oracle applies it"),
        ],
    )
    def test_a_missing_file(self, dataset: Path, name: str, reason: str) -> None:
        (dataset / name).unlink()
        assert problem(dataset) == (name, "", reason)

    def test_missing_tests(self, dataset: Path) -> None:
        (dataset / TASK / "tests/hidden/test_negatives.py").unlink()
        assert problem(dataset) == (f"{TASK}/tests", "", "is empty: they grade the task")

    @pytest.mark.parametrize(
        ("name", "old", "new", "where", "reason"),
        [
            (f"{TASK}/task.toml", 'category = "bug"\n', "", "category", "is missing"),
            (
                f"{TASK}/task.toml",
                '"bug"',
                '"chore"',
                "category",
                "must be one of bug, feature, refactoring, optimisation, other; not 'chore'",
            ),
            (
                f"{TASK}/task.toml",
                'category = "bug"\n',
                'category = "bug"\nreport = "cobol"\n',
                "report",
                "must be one of junit, ctrf, tap, pytest, jest, mocha, surefire, junit-console, go, cargo, rspec, "
                "phpunit, dotnet, ctest; not 'cobol'",
            ),
            (
                f"{TASK}/task.toml",
                "= 60",
                "= -1",
                "test_timeout",
                "must be a positive number of seconds, not -1",
            ),
            (
                f"{TASK}/task.toml",
                "test_timeout",
                "timeout",
                "timeout",
                "is unknown; known are: category, difficulty, leave_out, mode, report, test_timeout, title, tools",
            ),
            (
                "calc/repository.toml",
                '"/app"',
                '"app"',
                "workdir",
                "must be an absolute path below /, not 'app'",
            ),
            (
                "calc/repository.toml",
                '"/app"',
                '"/app/../etc"',
                "workdir",
                "must be an absolute path below /, not '/app/../etc'",
            ),
            (
                "calc/repository.toml",
                '["python"]',
                "[]",
                "languages",
                "must be a non-empty list of strings, not []",
            ),
            ("dataset.toml", '"Tiny"', '" "', "title", "must be a non-empty string, not ' '"),
        ],
    )
    def test_a_bad_field(  # noqa: PLR0917
        self, dataset: Path, name: str, old: str, new: str, where: str, reason: str
    ) -> None:
        change(dataset / name, old, new)
        assert problem(dataset) == (name, where, reason)

    def test_a_patch_that_does_not_apply_names_its_hunk(self, dataset: Path) -> None:
        change(dataset / "calc/source/calc/digits.py", "letters = []", "letters = list()")
        assert problem(dataset) == (
            f"{TASK}/reference.diff",
            "calc/digits.py, hunk 2, line 15",
            "does not apply: the file has other lines there",
        )

    def test_a_patch_with_a_path_outside_the_tree(self, dataset: Path) -> None:
        change(dataset / TASK / "reference.diff", "calc/sums.py", "../sums.py")
        path, where, reason = problem(dataset)
        assert (path, where) == (f"{TASK}/reference.diff", "../sums.py")
        assert "without '..'" in reason

    def test_a_patch_with_a_link_that_leads_out(self, dataset: Path) -> None:
        reference = dataset / TASK / "reference.diff"
        link = make_patch([], [FileState("out", b"/etc/passwd", link=True)])
        reference.write_bytes(reference.read_bytes() + link)
        assert problem(dataset) == (
            f"{TASK}/reference.diff",
            "out",
            "is a link that leads out of the tree: /etc/passwd",
        )

    def test_a_link_in_the_source_that_leads_out(self, dataset: Path) -> None:
        (dataset / "calc/source/out").symlink_to("/etc/passwd")
        assert problem(dataset) == ("calc/source/out", "", "leads out of the dataset")

    def test_hidden_parts_without_the_canary(self, dataset: Path) -> None:
        change(dataset / TASK / "reference.diff", CANARY, "a comment")
        assert problem(dataset) == (
            f"{TASK}/reference.diff",
            "",
            "does not contain the dataset's canary",
        )

    def test_the_canary_where_agents_see_it(self, dataset: Path) -> None:
        with (dataset / "calc/source/README.md").open("a") as readme:
            readme.write(CANARY)
        path, _, reason = problem(dataset)
        assert path == "calc/source/README.md"
        assert reason == "contains the canary, which belongs to the hidden parts only"

    @pytest.mark.parametrize(
        ("key", "value", "where", "reason"),
        [
            ("fail_to_pass", [], "fail_to_pass", "is empty: an untouched workspace would resolve the task"),
            ("schema_version", 99, "schema_version", "must be 1"),
            ("pass_to_pass", ["a", "a"], "fail_to_pass, pass_to_pass", "name a test twice"),
        ],
    )
    def test_a_bad_proof(self, dataset: Path, key: str, value: object, where: str, reason: str) -> None:
        _, task = next(load_dataset(dataset).tasks())
        path = write_proof(task, tiny_proof(task))
        path.write_text(json.dumps(json.loads(path.read_text()) | {key: value}))
        assert problem(dataset) == (f"{TASK}/proof.json", where, reason)

    def test_an_invalid_proof(self, dataset: Path) -> None:
        (dataset / TASK / "proof.json").write_text("[]")
        path, _, reason = problem(dataset)
        assert path == f"{TASK}/proof.json"
        assert reason.startswith("is not a proof of admission")

    def test_a_bad_name(self, dataset: Path) -> None:
        (dataset / TASK).rename(dataset / "calc/tasks/Add Negatives")
        path, where, _ = problem(dataset)
        assert (path, where) == ("calc/tasks/Add Negatives", "name")

    def test_an_empty_directory(self, tmp_path: Path) -> None:
        tmp_path.joinpath("empty").mkdir()
        reasons = [problem.reason for problem in problems(tmp_path / "empty")]
        assert reasons == [
            "is missing",
            "holds no repository: expected */repository.toml, or tasks/*/task_description.txt of IDE-Bench",
        ]

    def test_all_problems_are_listed_at_once(self, dataset: Path) -> None:
        change(dataset / "dataset.toml", '"MIT"', '""')
        change(dataset / "calc/repository.toml", '"/app"', '"app"')
        (dataset / TASK / "description.md").unlink()
        assert sorted(found.path.name for found in problems(dataset)) == [
            "dataset.toml",
            "description.md",
            "repository.toml",
        ]
