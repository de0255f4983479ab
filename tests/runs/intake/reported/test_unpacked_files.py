"""Archives of trajectories: what is read of them, and what is refused."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

import pytest
from django.conf import settings

from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.unpacked_files import unpacked_files
from runs.transfer import unpacking

FILES = {"runs/one/a.traj.json": b"{}", "runs/b.json": b"[]", "runs/.secret": b"x", "__MACOSX/b.json": b"x"}


def as_zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return path


def as_tar(path: Path, directory: Path) -> Path:
    with tarfile.open(path, "w:gz") as packed:
        packed.add(directory, "runs")
    return path


def left() -> list[Path]:
    return list(Path(settings.RUNS_ROOT).parent.glob("benchbench-scratch-*"))


def test_a_zip_file_is_read_without_hidden_files_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with unpacked_files(as_zip(tmp_path / "a.zip", FILES)) as directory:
        found = {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*.*")}

    assert found == {"runs/one/a.traj.json": b"{}", "runs/b.json": b"[]"}
    assert left() == []


def test_a_tar_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/b.json").write_bytes(b"[]")
    with unpacked_files(as_tar(tmp_path / "a.tgz", tmp_path / "in")) as directory:
        assert (directory / "runs/b.json").read_bytes() == b"[]"


@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("table.csv", {}),
        ("log.eval", {"header.json": b"{}"}),
        ("renamed.zip", {"_journal/start.json": b"{}"}),
    ],
)
def test_other_files_and_logs_of_inspect_are_read_where_they_are(
    name: str, members: dict[str, bytes], tmp_path: Path
) -> None:
    path = tmp_path / name
    if members:
        as_zip(path, members)
    else:
        path.write_text("a,b\n")
    with unpacked_files(path) as found:
        assert found == path
    with unpacked_files(tmp_path) as found:
        assert found == tmp_path


def test_a_place_in_a_refusal_is_inside_the_archive(tmp_path: Path) -> None:
    archive = as_zip(tmp_path / "a.zip", FILES)
    with (
        pytest.raises(ResultsRefused, match=r"^runs/b\.json: it is empty$"),
        unpacked_files(archive) as found,
    ):
        raise ResultsRefused(found / "runs/b.json", "it is empty")
    with (
        pytest.raises(ResultsRefused, match=r"^a\.zip: its form is unknown$"),
        unpacked_files(archive) as found,
    ):
        raise ResultsRefused(found, "its form is unknown")


def test_an_archive_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "MAX_BYTES", 1000)
    archive = as_zip(tmp_path / "a.zip", {"a.json": bytes(1001)})
    refused = pytest.raises(ResultsRefused, match=r"^a\.zip: the member 'a.json' of 1001 bytes is too large")
    with refused, unpacked_files(archive):
        pass
    assert left() == []


@pytest.mark.parametrize("name", ["../a.json", "/tmp/a.json", "a/../../b.json"])
def test_a_name_that_points_out_of_the_archive_is_refused(name: str, tmp_path: Path) -> None:
    archive = as_zip(tmp_path / "a.zip", {name: b"{}"})
    with pytest.raises(ResultsRefused, match="points out of the archive"), unpacked_files(archive):
        pass


def test_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/b.json").symlink_to("/etc/passwd")
    archive = as_tar(tmp_path / "a.tgz", tmp_path / "in")
    with pytest.raises(ResultsRefused, match="neither a file nor a directory"), unpacked_files(archive):
        pass
