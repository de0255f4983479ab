from __future__ import annotations

import json
from pathlib import Path

import pytest

from tasks.generation.pulls.changes import Issue, MergedChange, Reason, Refusal
from tasks.generation.pulls.sources.git_clone import GitClone
from tasks.generation.pulls.sources.published_tasks import changes_of_published
from tasks.generation.pulls.writing import description_of
from tests.tasks.generation.pulls.published import BEFORE, PATCH, paper_record, swe_record
from tests.tasks.generation.pulls.sources.packing import texts
from tests.tasks.generation.pulls.sources.test_git_clone import History

FILES = {state.path: (state.content or b"").decode() for state in BEFORE}


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "clone")


def test_a_published_task_is_a_change_of_the_clone(history: History, tmp_path: Path) -> None:
    commit = history.commit("First", FILES)
    path = tmp_path / "tasks.jsonl"
    records = [paper_record(base_commit=commit), swe_record(base_commit=commit)]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    paper, swe = changes_of_published(path, GitClone(history.path))
    for change in (paper, swe):
        assert isinstance(change, MergedChange)
        assert (change.identifier, change.base, change.diff) == ("calc__calc-7", commit, PATCH.encode())
        assert texts(change.files()) == FILES
        assert description_of(change) == "Sums are wrong\n\n`add(1, 2)` is -1.\n"
    assert isinstance(paper, MergedChange)
    assert paper.issue == Issue(3, "Sums are wrong", "`add(1, 2)` is -1.", "https://example.org/issues/3")
    assert paper.url == "https://example.org/pull/7"


def test_records_that_cannot_be_used_are_refused(history: History, tmp_path: Path) -> None:
    history.commit("First", FILES)
    path = tmp_path / "tasks.jsonl"
    path.write_text(f"{json.dumps(swe_record())}\n{{\n")
    missing, broken = changes_of_published(path, GitClone(history.path))
    assert isinstance(missing, Refusal)
    assert missing.detail == f"the clone has no commit '{'0' * 40}': name all 40 digits, or fetch it"
    assert isinstance(broken, Refusal)
    assert (broken.identifier, broken.reason) == (f"{path}, line 2", Reason.UNREADABLE)
