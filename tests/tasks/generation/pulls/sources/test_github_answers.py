from __future__ import annotations

import json
from pathlib import Path

import pytest
from github import UnknownObjectException
from github.Requester import HTTPSRequestsConnectionClass, Requester, RequestsResponse

from harness.errors import ConfigurationError
from tasks.generation.pulls.sources import github_answers
from tasks.generation.pulls.sources.github_answers import answer_file, github_of, read_answer, write_answer

ISSUE = "/repos/a/b/issues/1"


def write_repository(answers: Path) -> None:
    """The answer about the repository itself."""
    write_answer(answers, "GET", "/repos/a/b", '{"url": "https://api.github.com/repos/a/b"}')


def test_recorded_answers_need_no_network(tmp_path: Path) -> None:
    write_repository(tmp_path)
    write_answer(tmp_path, "GET", ISSUE, '{"number": 1, "title": "Sums"}')
    write_answer(tmp_path, "GET", "/repos/a/b/issues/2", '{"message": "Not Found"}', status=404)
    with github_of(tmp_path) as github:
        repository = github.get_repo("a/b")
        assert repository.get_issue(1).title == "Sums"
        with pytest.raises(UnknownObjectException):
            repository.get_issue(2)
        with pytest.raises(ConfigurationError, match="holds no answer to GET /repos/a/b/issues/3: record it"):
            repository.get_issue(3)
        with pytest.raises(ConfigurationError, match="would change something at GitHub"):
            repository.create_issue("x")
    assert Requester._Requester__httpsConnectionClass is HTTPSRequestsConnectionClass  # type: ignore[attr-defined]


def test_with_a_token_answers_are_recorded_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "github").mkdir()
    write_repository(tmp_path / "github")
    write_answer(tmp_path / "github", "GET", ISSUE, '{"number": 1, "title": "Sums"}')
    sent = []

    def ask(connection: HTTPSRequestsConnectionClass) -> RequestsResponse:
        sent.append(connection.headers["Authorization"])
        return RequestsResponse(read_answer(tmp_path / "github", "GET", connection.url))

    monkeypatch.setattr(HTTPSRequestsConnectionClass, "getresponse", ask)
    with github_of(tmp_path / "own", "secret-token") as github:
        assert github.get_repo("a/b").get_issue(1).title == "Sums"
    assert sent == ["token secret-token"] * 2
    assert "secret-token" not in answer_file(tmp_path / "own", "GET", ISSUE).read_text()
    with github_of(tmp_path / "own") as github:
        assert github.get_repo("a/b").get_issue(1).title == "Sums"
    assert len(sent) == 2


def test_damaged_answers_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigurationError, match="holds no recorded answers: record them with a token first"):
        github_of(tmp_path / "none").__enter__()
    place = answer_file(tmp_path, "GET", ISSUE)
    for text in ("{", "[]", json.dumps({"status": "x", "headers": {}, "body": ""}), "[" * 100_000):
        place.write_text(text)
        with pytest.raises(ConfigurationError, match="is no recorded answer"):
            read_answer(tmp_path, "GET", ISSUE)
    monkeypatch.setattr(github_answers, "MAX_ANSWER_BYTES", 3)
    with pytest.raises(ConfigurationError, match="is longer than 0 MB"):
        read_answer(tmp_path, "GET", ISSUE)
