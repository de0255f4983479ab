from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from harness.dataset import Category, Origin
from harness.patches import FileState, PatchError, apply_patch, make_patch
from tasks.generation.pulls.changes import Files, Issue, MergedChange
from tasks.generation.pulls.splitting import Part, split_patch
from tasks.generation.pulls.writing import (
    TaskFiles,
    TaskSettings,
    description_of,
    lines_in_description,
    slug_of,
    task_files,
)

SETTINGS = TaskSettings("CANARY 1", licence="MIT", command="manage.py collect_pulls x", test_timeout=60.0)


def tree(**texts: str) -> Files:
    """Files by path; `__` stands for a slash and `_py` for a suffix."""
    paths = {name.replace("__", "/").replace("_py", ".py"): text for name, text in texts.items()}
    return {path: FileState(path, text.encode()) for path, text in paths.items()}


SOURCE = tree(a_py="newer\n", tests__test_a_py="0\n")
BASE = tree(a_py="1\n", setup_py="s\n", tests__test_a_py="1\n", tests__old_py="old\n", conftest_py="")
AFTER = {
    **tree(a_py="2\n", setup_py="s\n", tests__test_a_py="2\n", conftest_py=""),
    "CHANGES": FileState("CHANGES", b"2\n"),
}
CHANGE = MergedChange(
    identifier="fix.patch",
    title='Fix\x1b a "title"',
    diff=make_patch(BASE.values(), AFTER.values()),
    base="0" * 40,
    files=lambda: BASE,
    text="It was 1.\n",
    number=12,
    issue=Issue(3, url="https://example.org/3"),
    author="A",
    date="2025-01-01",
)


def made(change: MergedChange = CHANGE, leave_out: tuple[str, ...] = ()) -> dict[str, bytes]:
    """The contents of the task's files by path."""
    task = task_files(change, split_patch(change.diff), SOURCE, SETTINGS, leave_out)
    return {file.path: file.content or b"" for file in task.files}


def test_start_and_reference_lead_from_the_source_to_the_repaired_tree() -> None:
    files = made()
    start = {**SOURCE, **{state.path: state for state in apply_patch(files["start.diff"], SOURCE.get)}}
    begun = {path: state.content for path, state in start.items() if state.content is not None}
    assert begun == {"a.py": b"1\n", "setup.py": b"s\n", "tests/test_a.py": b"1\n", "conftest.py": b""}
    assert apply_patch(files["reference.diff"], start.get) == (FileState("a.py", b"2\n"),)


def test_hidden_tests_are_the_suite_with_the_test_part_applied() -> None:
    tests = {path: content for path, content in made().items() if path.startswith("tests/")}
    assert tests == {
        "tests/BENCHBENCH_CANARY": b"CANARY 1\n",
        "tests/conftest.py": b"",
        "tests/tests/test_a.py": b"2\n",
    }


def test_every_hidden_file_holds_the_canary_and_no_visible_one_does() -> None:
    files = made()
    marked = {path for path, content in files.items() if b"CANARY 1" in content}
    assert marked == {"reference.diff", "start.diff", "generation.json", "tests/BENCHBENCH_CANARY"}


def test_settings_are_toml() -> None:
    assert tomllib.loads(made(leave_out=("b", "a"))["task.toml"].decode()) == {
        "title": 'Fix  a "title"',
        "category": Category.BUG,
        "difficulty": "hard",
        "mode": "pull_request",
        "test_timeout": 60.0,
        "leave_out": ["a", "b"],
    }


def test_the_record_says_where_the_change_comes_from() -> None:
    record = json.loads(made()["generation.json"])
    assert record["origin"] == Origin.PULL_REQUEST
    assert record["measures"]["source_added_lines"] == 1
    found = record["pull_request"]
    assert (found["base"], found["author"], found["licence"], found["number"]) == ("0" * 40, "A", "MIT", 12)
    assert found["issue"] == {"number": 3, "title": "", "url": "https://example.org/3"}
    assert found["counts"]["source"] == {"files": 1, "added": 1, "removed": 1}
    assert found["files"] == {
        "source": ["a.py"],
        "tests": ["tests/old.py", "tests/test_a.py"],
        "rest": ["CHANGES"],
    }
    release = json.loads(made(replace(CHANGE, origin=Origin.RELEASE))["generation.json"])
    assert (release["origin"], release["pull_request"]["kind"]) == ("release", "release")


def test_a_task_that_starts_with_the_source_has_no_start() -> None:
    task = task_files(
        replace(CHANGE, diff=make_patch(BASE.values(), ({**BASE, "a.py": AFTER["a.py"]}).values())),
        split_patch(make_patch([BASE["a.py"]], [AFTER["a.py"]])),
        BASE,
        SETTINGS,
    )
    assert "start.diff" not in {file.path for file in task.files}


def test_a_change_without_an_effect_on_the_source_is_no_task() -> None:
    diff = make_patch([BASE["tests/test_a.py"]], [AFTER["tests/test_a.py"]])
    with pytest.raises(PatchError, match="the source part changes nothing"):
        task_files(CHANGE, split_patch(diff), SOURCE, SETTINGS)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (CHANGE, 'Fix  a "title"\n\nIt was 1.\n'),
        (replace(CHANGE, text=""), 'Fix  a "title"\n'),
        (replace(CHANGE, issue=Issue(3, "Sums", "Wrong.\r\n")), "Sums\n\nWrong.\n"),
        (replace(CHANGE, title="T", text="Why.\n\ndiff --git a/a.py b/a.py\n+2\n"), "T\n\nWhy.\n"),
        (replace(CHANGE, title="T", text="Why.\n> @@ -1 +1 @@\n+2\n"), "T\n\nWhy.\n"),
    ],
)
def test_the_description_is_the_issue_or_the_message_without_a_patch(change: MergedChange, text: str) -> None:
    assert description_of(change) == text


def test_lines_of_the_solution_in_the_description_are_counted() -> None:
    added = b"    return left + right\n    return left + right\n    x = 1\n    raise ValueError(left)\n"
    diff = make_patch([], [FileState("a.py", added)])
    assert lines_in_description(diff, "It should `return left + right` with x = 1.") == 1
    assert lines_in_description(diff, "Sums are wrong.") == 0
    leaking = replace(
        CHANGE, diff=make_patch([BASE["a.py"]], [FileState("a.py", added)]), text=added.decode()
    )
    assert json.loads(made(leaking)["generation.json"])["measures"]["source_lines_in_description"] == 2


@pytest.mark.parametrize(
    ("identifier", "slug"),
    [
        ("0001-XML Attr.patch", "0001-xml-attr"),
        ("sqlparse-0.6.0..sqlparse-0.6.1", "sqlparse-0-6-0-to-sqlparse-0-6-1"),
        ("a" * 40, "commit-aaaaaaaaaaaa"),
        ("x" * 200, "x" * 60),
        ("../..", "to-to"),
        ("ß", slug_of(replace(CHANGE, number=0, identifier="ß"))),
    ],
)
def test_names_of_tasks_are_slugs(identifier: str, slug: str) -> None:
    assert slug_of(replace(CHANGE, number=0, identifier=identifier)) == slug
    assert slug_of(CHANGE) == "pr-12"


def test_files_are_written_with_modes_and_links(tmp_path: Path) -> None:
    files = (FileState("a/run.sh", b"1\n", 0o755), FileState("a/link", b"run.sh", link=True))
    TaskFiles("x", files).write(tmp_path / "t")
    assert (tmp_path / "t/a/run.sh").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "t/a/link").readlink() == Path("run.sh")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([FileState("../x", b"")], r"must be a plain path below the tree"),
        ([FileState("a", b"/etc", link=True)], "a: is a link that leads out of the tree"),
        ([FileState("a", b"b", link=True), FileState("a/x", b"")], "a/x: is below a, which is no directory"),
    ],
)
def test_nothing_is_written_outside_the_directory(
    files: list[FileState], message: str, tmp_path: Path
) -> None:
    with pytest.raises(PatchError, match=message):
        TaskFiles("x", tuple(files)).write(tmp_path / "t")
    assert list(tmp_path.iterdir()) == []


def test_a_test_part_that_puts_a_link_in_the_place_of_a_directory_is_no_task(tmp_path: Path) -> None:
    link = make_patch([], [FileState("tests", b"/tmp", link=True)])
    change = replace(CHANGE, diff=make_patch([BASE["a.py"]], [AFTER["a.py"]]) + link)
    settings = replace(SETTINGS, overrides={"tests": Part.TESTS})
    task = task_files(change, split_patch(change.diff, settings.overrides), BASE, settings)
    assert {"tests/tests", "tests/tests/test_a.py"} <= {file.path for file in task.files}
    with pytest.raises(PatchError, match=r"leads out of the tree|is no directory"):
        task.write(tmp_path / "t")


def test_overrides_decide_which_files_are_hidden() -> None:
    settings = replace(SETTINGS, overrides={"setup.py": Part.TESTS})
    task = task_files(CHANGE, split_patch(CHANGE.diff, settings.overrides), SOURCE, settings)
    assert "tests/setup.py" in {file.path for file in task.files}


def test_files_that_no_agent_gets_are_hidden_tests_all_the_same() -> None:
    settings = replace(SETTINGS, without=("setup.py", "tests/"))
    source = settings.kept(SOURCE)
    task = task_files(CHANGE, split_patch(CHANGE.diff), source, settings)
    contents = {file.path: file.content or b"" for file in task.files}
    begun = set(source) | {state.path for state in apply_patch(contents["start.diff"], source.get)}
    assert begun == {"a.py", "conftest.py"}
    assert contents["tests/tests/test_a.py"] == b"2\n"
