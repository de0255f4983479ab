from __future__ import annotations

import tarfile
from pathlib import Path

from harness.records.packing import pack, unpack


def test_equal_files_give_equal_archives_without_owner_and_date(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "patch.diff").write_text("+ text\n")
        pack(tmp_path / f"{name}.tar.xz", [(tmp_path / name / "patch.diff", "run/patch.diff")])
    assert (tmp_path / "one.tar.xz").read_bytes() == (tmp_path / "two.tar.xz").read_bytes()
    with tarfile.open(tmp_path / "one.tar.xz") as packed:
        assert [(entry.name, entry.mtime, entry.uid, entry.mode) for entry in packed] == [
            ("run/patch.diff", 0, 0, 0o644)
        ]


def test_an_archive_replaces_the_old_one_in_one_move(tmp_path: Path) -> None:
    (tmp_path / "a.tar.xz").write_bytes(b"old")
    pack(tmp_path / "a.tar.xz", [])
    assert [path.name for path in tmp_path.iterdir()] == ["a.tar.xz"]
    assert tarfile.is_tarfile(tmp_path / "a.tar.xz")


def test_what_was_packed_is_unpacked(tmp_path: Path) -> None:
    (tmp_path / "patch.diff").write_text("+ text\n")
    pack(tmp_path / "a.tar.xz", [(tmp_path / "patch.diff", "run/patch.diff")])
    unpack(tmp_path / "a.tar.xz", tmp_path / "found")
    assert (tmp_path / "found/run/patch.diff").read_text() == "+ text\n"
