from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.errors import ConfigurationError
from tasks.generation.pulls.sources.opening import Pulls, open_source
from tests.tasks.generation.pulls.published import paper_record
from tests.tasks.generation.pulls.sources.packing import names, pack, texts
from tests.tasks.generation.pulls.sources.test_debian_package import PATCHES, UPSTREAM, write_package
from tests.tasks.generation.pulls.sources.test_git_clone import ONE, History


def test_pull_requests_need_a_clone(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="pull requests of GitHub need a clone as their source"):
        open_source([write_package(tmp_path, PATCHES)], pulls=Pulls("a/b", tmp_path))


def test_each_kind_of_source_has_changes_and_a_tree(tmp_path: Path) -> None:
    history = History(tmp_path / "clone")
    first = history.commit("First", ONE)
    second = history.commit("Second", {**ONE, "calc.py": "2\n"}, first)
    clone = open_source([tmp_path / "clone"], most=1)
    assert (names(clone.changes), texts(clone.files)["calc.py"]) == ([second], "2\n")
    assert names(open_source([tmp_path / "clone"], start=first).changes) == [first]
    package = open_source([write_package(tmp_path, PATCHES)])
    assert names(package.changes)[0] == "fix.patch"
    assert texts(package.files) == UPSTREAM
    (tmp_path / "tasks.json").write_text(json.dumps(paper_record(base_commit=first)))
    published = open_source([tmp_path / "tasks.json", tmp_path / "clone"])
    assert (names(published.changes), texts(published.files)["calc.py"]) == (["calc__calc-7"], "2\n")
    archives = [pack(tmp_path / f"a-{number}.tar.gz", {"a.py": f"{number}\n"}, top="a") for number in (1, 2)]
    releases = open_source(archives)
    assert (names(releases.changes), texts(releases.files)) == (["a-1..a-2"], {"a.py": "1\n"})


@pytest.mark.parametrize("given", [["none"], ["a.txt"], ["a.txt", "a.txt", "a.txt"], ["a.txt", "."]])
def test_what_is_no_source_is_refused_with_the_kinds_there_are(given: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    with pytest.raises(ConfigurationError, match=r"name a git clone, a .dsc file, two source archives"):
        open_source([tmp_path / name for name in given])
