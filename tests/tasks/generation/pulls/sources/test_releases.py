from __future__ import annotations

from pathlib import Path

import pytest

from harness.dataset import Origin
from harness.errors import ConfigurationError
from harness.patches import apply_patch
from tasks.generation.pulls.changes import MergedChange
from tasks.generation.pulls.sources.releases import change_of_releases
from tasks.generation.pulls.splitting import Part, split_patch
from tests.tasks.generation.pulls.sources.packing import pack, texts

OLD = {"a.py": "1\n", "gone.py": "", "same.py": "", "CHANGES.rst": "1.0\n", "tests/test_a.py": "one\n"}
NEW = {
    "a.py": "2\n",
    "new.py": "",
    "same.py": "",
    "CHANGES.rst": "1.1\n- Two.\n\n1.0\n",
    "tests/test_a.py": "two\n",
}


def test_the_change_of_two_releases_is_labelled_as_such(tmp_path: Path) -> None:
    change = change_of_releases(
        pack(tmp_path / "calc-1.0.tar.gz", OLD, top="calc-1.0"),
        pack(tmp_path / "calc-1.1.tar.gz", NEW, top="c"),
    )
    assert isinstance(change, MergedChange)
    assert (change.identifier, change.origin, change.number) == ("calc-1.0..calc-1.1", Origin.RELEASE, 0)
    assert change.title == "Changes from calc-1.0 to calc-1.1"
    assert change.text == "1.1\n- Two."
    assert change.base.startswith("calc-1.0.tar.gz sha256:")
    assert texts(change.files()) == OLD
    parts = split_patch(change.diff)
    assert parts.paths == {
        Part.SOURCE: ("a.py", "gone.py", "new.py"),
        Part.TESTS: ("tests/test_a.py",),
        Part.REST: ("CHANGES.rst",),
    }
    changed = {state.path: state.content for state in apply_patch(change.diff, change.files().get)}
    assert changed["a.py"] == b"2\n"
    assert changed["gone.py"] is None


def test_an_archive_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(b"no archive")
    with pytest.raises(ConfigurationError, match=r"a.tar is neither a directory nor a zip file"):
        change_of_releases(tmp_path / "a.tar", tmp_path / "a.tar")
    with pytest.raises(ConfigurationError, match="No such file"):
        change_of_releases(tmp_path / "none.tar", tmp_path / "a.tar")
