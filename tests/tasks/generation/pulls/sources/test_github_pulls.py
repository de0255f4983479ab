from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.errors import ConfigurationError
from tasks.generation.pulls.changes import Issue, MergedChange, Reason, Refusal
from tasks.generation.pulls.sources.git_clone import GitClone
from tasks.generation.pulls.sources.github_answers import write_answer
from tasks.generation.pulls.sources.github_pulls import changes_of_github
from tests.tasks.generation.pulls.sources.packing import texts
from tests.tasks.generation.pulls.sources.test_git_clone import ONE, History

LIST = "/repos/a/b/pulls?direction=desc&per_page=100&sort=created&state=closed"


def pull_of(number: int, commit: str | None, **values: Any) -> dict[str, Any]:
    """One pull request as GitHub lists it; merged if it has a commit."""
    url = f"https://api.github.com/repos/a/b/pulls/{number}"
    return {
        "number": number,
        "url": url,
        "title": f"Change {number}",
        "body": "",
        "merged_at": "2025-01-02T03:04:05Z" if commit else None,
        "merge_commit_sha": commit,
        "user": {"login": "zoe"},
        "html_url": f"https://github.com/a/b/pull/{number}",
        "base": {"sha": "f" * 40},
        **values,
    }


class Answers:
    """Recorded answers about the repository `a/b`."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir()
        self.add("/repos/a/b", {"url": "https://api.github.com/repos/a/b"})

    def add(self, path: str, value: object, status: int = 200) -> None:
        write_answer(self.directory, "GET", path, json.dumps(value), status=status)

    def files(self, number: int, *names: str) -> None:
        """The files of a pull request."""
        self.add(f"/repos/a/b/pulls/{number}/files?per_page=100", [{"filename": name} for name in names])


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    return Answers(tmp_path / "answers")


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "clone")


def changes(history: History, answers: Answers) -> list[MergedChange | Refusal]:
    """The changes of all recorded pull requests."""
    return list(changes_of_github("a/b", GitClone(history.path), answers.directory))


def test_a_pull_request_brings_its_issue_and_the_clone_its_patch(history: History, answers: Answers) -> None:
    first = history.commit("First", ONE)
    merged = history.commit("Squashed (#7)", {**ONE, "calc.py": "two\n"}, first)
    answers.add(LIST, [pull_of(7, merged, title="Sums", body="Fixes #3\n")])
    answers.files(7, "calc.py")
    issue = {
        "number": 3,
        "title": "Wrong",
        "body": "It is -1.",
        "html_url": "https://github.com/a/b/issues/3",
    }
    answers.add("/repos/a/b/issues/3", issue)
    (change,) = changes(history, answers)
    assert isinstance(change, MergedChange)
    assert (change.identifier, change.number, change.title, change.author) == ("#7", 7, "Sums", "zoe")
    assert (change.base, change.date) == (first, "2025-01-02T03:04:05+00:00")
    assert change.issue == Issue(3, "Wrong", "It is -1.", "https://github.com/a/b/issues/3")
    assert change.url == "https://github.com/a/b/pull/7"
    assert texts(change.files()) == ONE


def test_all_commits_of_a_rebased_pull_request_are_one_change(history: History, answers: Answers) -> None:
    first = history.commit("First", ONE)
    second = history.commit("Half", {**ONE, "calc.py": "two\n"}, first)
    third = history.commit("Whole", {"calc.py": "two\n", "other.py": "two\n"}, second)
    answers.add(LIST, [pull_of(7, third, commits=2)])
    answers.files(7, "calc.py", "other.py")
    (change,) = changes(history, answers)
    assert isinstance(change, MergedChange)
    assert change.base == first
    assert b"calc.py" in change.diff


def test_a_pull_request_that_may_be_squashed_or_rebased_is_refused(
    history: History, answers: Answers
) -> None:
    first = history.commit("First", ONE)
    second = history.commit("Half", {**ONE, "calc.py": "two\n"}, first)
    third = history.commit("Whole", {**ONE, "calc.py": "three\n"}, second)
    answers.add(LIST, [pull_of(7, third, commits=2)])
    answers.files(7, "calc.py")
    (refusal,) = changes(history, answers)
    assert isinstance(refusal, Refusal)
    assert refusal.detail == "may be squashed or rebased: one commit changes the same files as all of them"


def test_each_refusal_has_its_reason(history: History, answers: Answers) -> None:
    first = history.commit("First", ONE)
    second = history.commit("Second (#3)", {**ONE, "calc.py": "two\n"}, first)
    answers.add(LIST, [pull_of(4, None), pull_of(3, second), pull_of(2, "e" * 40), pull_of(1, first)])
    answers.files(3, "another.py")
    found = changes(history, answers)
    assert [(one.identifier, one.reason, one.detail) for one in found if isinstance(one, Refusal)] == [
        ("#4", Reason.NOT_MERGED, "it was closed without a merge"),
        ("#3", Reason.UNREADABLE, "has other files in the clone than the 1 that GitHub lists"),
        ("#2", Reason.UNREADABLE, f"the clone has no commit '{'e' * 40}': name all 40 digits, or fetch it"),
        ("#1", Reason.UNREADABLE, "the clone does not hold what precedes it"),
    ]


def test_an_issue_that_github_does_not_show_has_no_text(history: History, answers: Answers) -> None:
    first = history.commit("First", ONE)
    merged = history.commit("Squashed (#7)", {**ONE, "calc.py": "two\n"}, first)
    answers.add(LIST, [pull_of(7, merged, body="Closes #3")])
    answers.files(7, "calc.py")
    answers.add("/repos/a/b/issues/3", {"message": "Gone"}, status=410)
    (change,) = changes(history, answers)
    assert isinstance(change, MergedChange)
    assert change.issue == Issue(3)


def test_a_refused_list_is_an_error(history: History, answers: Answers) -> None:
    history.commit("First", ONE)
    answers.add(LIST, {"message": "Not Found"}, status=404)
    with pytest.raises(ConfigurationError, match="GitHub answered 404 to a request about a/b"):
        changes(history, answers)
