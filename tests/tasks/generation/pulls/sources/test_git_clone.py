from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pygit2
import pytest
from pygit2.enums import FileMode

from harness.errors import ConfigurationError
from harness.patches import PatchError
from tasks.generation.pulls.changes import Issue, MergedChange, Reason, Refusal
from tasks.generation.pulls.sources import git_clone
from tasks.generation.pulls.sources.git_clone import GitClone, change_of_commit, changes_of_clone
from tasks.generation.pulls.splitting import Part, split_patch
from tests.tasks.generation.pulls.sources.packing import texts

WHO = pygit2.Signature("A", "a@example.org", 1_700_000_000, 0)


class History:
    """A clone whose commits are made without a working tree."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.git = pygit2.init_repository(path, bare=True, initial_head="main")

    def commit(
        self, message: str, files: Mapping[str, str], *parents: str, links: Mapping[str, str] = {}
    ) -> str:
        """A commit of exactly these files; the branch `main` points to it."""
        index = pygit2.Index()
        for path, text in {**files, **links}.items():
            mode = FileMode.LINK if path in links else FileMode.BLOB
            index.add(pygit2.IndexEntry(path, self.git.create_blob(text.encode()), mode))
        tree = index.write_tree(self.git)
        made = self.git.create_commit(
            None, WHO, WHO, message, tree, [pygit2.Oid(hex=name) for name in parents]
        )
        self.git.references.create("refs/heads/main", made, force=True)
        return str(made)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "clone")


ONE = {"calc.py": "one\n", "other.py": "one\n"}
TESTED = {"tests/test_calc.py": "two\n"}


def test_the_base_of_a_merge_is_where_its_branch_began(history: History) -> None:
    first = history.commit("First", ONE)
    main = history.commit("Others\n\nFixes #1", {**ONE, "other.py": "two\n"}, first)
    branch = history.commit("Work\n\nFixes #7", {**ONE, "calc.py": "two\n", **TESTED}, first)
    merged = history.commit(
        "Merge pull request #12 from a/b\n\nSums are right\n\nMore.",
        {"calc.py": "two\n", "other.py": "two\n", **TESTED},
        *(main, branch),
    )
    change, others, start = changes_of_clone(GitClone(history.path))
    assert isinstance(change, MergedChange)
    assert (change.identifier, change.base) == (merged, first)
    assert (change.title, change.text, change.number) == ("Sums are right", "More.", 12)
    assert change.issue == Issue(7)
    assert (change.author, change.date) == ("A <a@example.org>", "2023-11-14T22:13:20+00:00")
    assert texts(change.files()) == ONE
    assert split_patch(change.diff).paths == {
        Part.SOURCE: ("calc.py",),
        Part.TESTS: ("tests/test_calc.py",),
        Part.REST: (),
    }
    assert isinstance(others, MergedChange)
    assert others.issue == Issue(1)
    assert start == Refusal(first, "First", Reason.UNREADABLE, "the clone does not hold what precedes it")


def test_a_merge_that_says_nothing_has_the_words_of_its_branch(history: History) -> None:
    first = history.commit("First", ONE)
    branch = history.commit("Sums are right\n\nFixes #7", {**ONE, "calc.py": "two\n"}, first)
    history.commit("Merge branch 'sums'", {**ONE, "calc.py": "two\n"}, first, branch)
    change = next(changes_of_clone(GitClone(history.path)))
    assert isinstance(change, MergedChange)
    assert (change.title, change.text, change.issue) == ("Sums are right", "Fixes #7", Issue(7))


def test_a_squashed_change_has_the_number_of_its_pull_request(history: History) -> None:
    first = history.commit("First", ONE)
    history.commit("Sums are right (#12)\n\n* fix\n\nCloses #3", {**ONE, "calc.py": "two\n"}, first)
    change = next(changes_of_clone(GitClone(history.path), most=1))
    assert isinstance(change, MergedChange)
    assert (change.title, change.number, change.issue, change.base) == ("Sums are right", 12, Issue(3), first)


def test_configuration_hooks_and_attributes_of_the_clone_have_no_effect(history: History) -> None:
    files = {"a.txt": "one\n", ".gitattributes": "* binary diff=evil\n"}
    first = history.commit("First", files)
    history.commit("Second", {**files, "a.txt": "two\n"}, first)
    (history.path / "config").write_text("this is no configuration\n")
    (history.path / "hooks" / "post-checkout").write_text("#!/bin/sh\nexit 1\n")
    change = next(changes_of_clone(GitClone(history.path)))
    assert isinstance(change, MergedChange)
    assert b"-one\n+two\n" in change.diff


def test_links_that_lead_out_are_left_out(history: History) -> None:
    links = {"in": "a/b", "a/up": "../b", "out": "../x", "abs": "/etc/passwd"}
    commit = history.commit("Links", {"b": "b\n"}, links=links)
    clone = GitClone(history.path)
    assert texts(clone.files(commit)) == {"b": "b\n", "in": "a/b", "a/up": "../b"}
    read = clone.reader(commit)
    assert read("out") is None
    assert read("none") is None
    assert (state := read("a/up")) is not None
    assert state.link


def test_names_times_and_authors_that_no_tree_or_calendar_has_do_no_harm(history: History) -> None:
    evil = history.git.TreeBuilder()
    evil.insert("x", history.git.create_blob(b"x"), FileMode.BLOB)
    raw = history.git[evil.write()].read_raw().replace(b" x\0", b" ..\0")
    tree = history.git.odb.write(pygit2.enums.ObjectType.TREE, raw)
    who = b"\xff <a@example.org> 99999999999999 +0000"
    first = history.commit("First", ONE)
    text = b"tree %s\nparent %s\nauthor %s\ncommitter %s\n\nFixes #1\xff\n"
    commit = history.git.odb.write(
        pygit2.enums.ObjectType.COMMIT, text % (str(tree).encode(), first.encode(), who, who)
    )
    clone = GitClone(history.path)
    with pytest.raises(PatchError, match="must be a plain path below the tree"):
        clone.files(str(commit))
    refused = change_of_commit(clone, clone.commit(str(commit)))
    assert isinstance(refused, Refusal)
    good = text % (str(clone.commit(first).tree_id).encode(), first.encode(), who, who)
    name = str(history.git.odb.write(pygit2.enums.ObjectType.COMMIT, good))
    change = change_of_commit(clone, clone.commit(name))
    assert isinstance(change, MergedChange)
    assert (change.author, change.date, change.issue) == ("\ufffd <a@example.org>", "", Issue(1))


def test_changes_that_are_too_large_are_refused(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    first = history.commit("First", ONE)
    second = history.commit("Second", {"calc.py": "2\n", "other.py": "2\n"}, first)
    clone = GitClone(history.path)
    monkeypatch.setattr(git_clone, "MAX_CONTENT_BYTES", 3)
    large = change_of_commit(clone, clone.commit(second))
    assert isinstance(large, Refusal)
    assert "changes files of more than" in large.detail
    monkeypatch.setattr(git_clone, "MAX_CHANGED", 1)
    many = change_of_commit(clone, clone.commit(second))
    assert isinstance(many, Refusal)
    assert many.detail == "changes 2 files; at most 1 are read"
    monkeypatch.setattr(git_clone, "MAX_FILES", 1)
    with pytest.raises(PatchError, match="beyond what is read of one commit"):
        clone.files(second)


def test_what_is_no_clone_is_refused_with_a_remedy(history: History, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="is no git clone"):
        GitClone(tmp_path)
    clone = GitClone(history.path)
    with pytest.raises(ConfigurationError, match="HEAD names no commit"):
        clone.head()
    with pytest.raises(LookupError, match="the clone has no commit '0000"):
        clone.commit("0" * 40)
    commit = history.commit("First", ONE)
    history.git.references.compress()
    assert clone.head() == commit
    (history.path / "HEAD").write_text("ref: ../../etc/passwd\n")
    with pytest.raises(ConfigurationError, match="HEAD names no commit"):
        clone.head()
    (history.path / "objects/info").mkdir(exist_ok=True)
    (history.path / "objects/info/alternates").write_text("/elsewhere\n")
    with pytest.raises(
        ConfigurationError, match="borrows objects from another clone: run `git repack -a -d`"
    ):
        GitClone(history.path)
