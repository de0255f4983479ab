from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from harness.archive_stream import ArchiveRefused
from harness.patches import FileState
from tasks.generation.pulls.sources import archives
from tasks.generation.pulls.sources.archives import read_archive
from tests.tasks.generation.pulls.sources.packing import pack, texts


@pytest.mark.parametrize("suffix", ["tar", "tar.gz", "tar.xz", "tar.bz2"])
def test_files_are_read_without_the_directory_at_the_top(suffix: str, tmp_path: Path) -> None:
    path = pack(tmp_path / f"a-1.{suffix}", {"a.py": "1\n", "b/c.sh": "2\n"}, top="a-1")
    assert read_archive(path) == {
        "a.py": FileState("a.py", b"1\n", 0o644),
        "b/c.sh": FileState("b/c.sh", b"2\n", 0o755),
    }
    assert set(read_archive(path, top=False)) == {"a-1/a.py", "a-1/b/c.sh"}


def test_links_stay_inside_or_are_left_out(tmp_path: Path) -> None:
    links = {
        "b/in": "../a.py",
        "out": "../../etc/passwd",
        "abs": "/etc/passwd",
        "odd": "b/../../x",
        "dir": "b",
    }
    path = pack(tmp_path / "a.tar", {"a.py": "", "dir/below": ""}, top="a", links=links)
    found = read_archive(path)
    assert found["b/in"] == FileState("b/in", b"../a.py", link=True)
    assert set(found) == {"a.py", "b/in", "dir"}


def test_files_of_git_and_compiled_python_are_left_out(tmp_path: Path) -> None:
    files = {".git/config": "", "tests/__pycache__/test_a.cpython-311.pyc": "", "x": ""}
    assert set(read_archive(pack(tmp_path / "a.tar", files, top="a"))) == {"x"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../x", "a.tar the member 'a/../x' points out of the archive"),
        (".Git/config", "a.tar .Git/config: belongs to git"),
        ("n" * 1001, "has too long a name"),
    ],
)
def test_names_that_no_tree_has_are_refused(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ArchiveRefused, match=message):
        read_archive(pack(tmp_path / "a.tar", {name: ""}, top="a"))


def test_an_absolute_name_and_a_second_top_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ArchiveRefused, match="the member '/etc/x' points out"):
        read_archive(pack(tmp_path / "a.tar", {"/etc/x": ""}))
    with pytest.raises(ArchiveRefused, match="holds more than one directory at the top: 'a', 'b'"):
        read_archive(pack(tmp_path / "a.tar", {"a/x": "", "b/x": ""}))


def test_bombs_and_damaged_archives_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_TREE_BYTES", 1 << 20)
    bomb = pack(tmp_path / "bomb.tar.gz", {"zeros": "0" * (2 << 20)}, top="a")
    assert bomb.stat().st_size < 100_000
    with pytest.raises(ArchiveRefused, match=r"bomb.tar.gz holds more than 1 MB"):
        read_archive(bomb)
    monkeypatch.setattr(archives, "MAX_FILES", 2)
    with pytest.raises(ArchiveRefused, match="holds more than 2 members"):
        read_archive(pack(tmp_path / "many.tar", dict.fromkeys("abc", ""), top="a"))
    monkeypatch.setattr(archives, "MAX_ARCHIVE_BYTES", 100)
    with pytest.raises(ArchiveRefused, match="at most 100 are read"):
        read_archive(tmp_path / "many.tar")
    (tmp_path / "no.tar.gz").write_bytes(gzip.compress(b"x")[:-3])
    with pytest.raises(ArchiveRefused, match=r"no\.tar\.gz is cut off"):
        read_archive(tmp_path / "no.tar.gz")


def test_the_texts_are_those_that_were_packed(tmp_path: Path) -> None:
    assert texts(read_archive(pack(tmp_path / "a.tar.xz", {"ä": "ö"}, top="a"))) == {"ä": "ö"}
