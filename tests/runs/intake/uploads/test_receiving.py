"""Files of requests are stored on disk, with a row that says what they are."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site

from runs.intake.uploads.receiving import DiskHandler, SentFile, UploadRefused, plain_name_of, store_upload
from runs.models import AuditEntry, Upload
from tests.runs.intake.uploads.made_uploads import add_upload

pytestmark = pytest.mark.django_db


def files_of(upload: Upload) -> dict[str, bytes]:
    return {
        str(path.relative_to(upload.path)): path.read_bytes()
        for path in upload.path.rglob("*")
        if path.is_file()
    }


def leftovers() -> list[Path]:
    return [*Path(site.DATA).glob("benchbench-scratch-*"), *Path(site.DATA).glob("uploads/*")]


def test_a_file_is_stored_as_it_came_with_its_size_and_digest() -> None:
    upload = store_upload([SentFile("a.json", [b"[1,", b"2]"])], "trajectories", {"slug": "lab"})

    assert files_of(upload) == {"a.json": b"[1,2]"}
    assert (upload.name, upload.files, upload.size) == ("a.json", 1, 5)
    assert upload.digest == hashlib.sha256(b"[1,2]").hexdigest()
    assert (upload.state, upload.given) == ("queued", {"slug": "lab"})
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.kind, entry.after["digest"]) == ("created", "upload", upload.digest)  # type: ignore[index]


def test_files_of_one_name_do_not_replace_each_other() -> None:
    sent = [SentFile("a.json", [b"1"]), SentFile("3", [b"2"]), SentFile("x/a.json", [b"3"])]
    upload = store_upload(sent, "trajectories", {})

    assert files_of(upload) == {"a.json": b"1", "3": b"2", "3:/a.json": b"3"}
    assert str(upload) == "a.json and 2 more"


def test_the_digest_of_several_files_does_not_depend_on_their_order() -> None:
    one, other = add_upload({"a": b"1", "b": b"2"}), add_upload({"b": b"2", "a": b"1"})
    assert one.digest == other.digest
    assert one.digest != add_upload({"a": b"2", "b": b"1"}).digest


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\runs\\a.json", "a.json"),
        (".hidden", "hidden"),
        ("a\x00\n\u202eb.json", "a_b.json"),
        ("lab__one-1.traj.json", "lab__one-1.traj.json"),
        ("", "file-7"),
        ("../..", "file-7"),
        ("x" * 500 + ".json", "x" * 145 + ".json"),
    ],
)
def test_names_of_files_are_plain(sent: str, stored: str) -> None:
    assert plain_name_of(sent, 7) == stored


def test_too_much_is_refused_and_leaves_nothing(settings: Any) -> None:
    settings.UPLOAD_BYTES = 1 << 20
    read: list[int] = []

    def parts() -> Iterator[bytes]:
        for number in range(100):
            read.append(number)
            yield bytes(1 << 18)

    with pytest.raises(UploadRefused, match=r"^a\.json: at most 1 MB are allowed\.$") as refused:
        store_upload([SentFile("a.json", parts())], "trajectories", {})
    assert refused.value.status == 413
    assert len(read) == 5
    assert leftovers() == []
    assert not Upload.objects.exists()


def test_empty_files_are_refused() -> None:
    with pytest.raises(UploadRefused, match="No file was sent, or only empty ones"):
        store_upload([SentFile("a.json", [])], "trajectories", {})
    with pytest.raises(UploadRefused, match="No file was sent"):
        store_upload([], "trajectories", {})
    assert leftovers() == []


def test_a_sender_that_breaks_off_leaves_nothing() -> None:
    def parts() -> Iterator[bytes]:
        yield b"1"
        raise ConnectionResetError("gone")

    with pytest.raises(UploadRefused, match=r"could not be stored: gone"):
        store_upload([SentFile("a.json", parts())], "trajectories", {})
    assert leftovers() == []


def test_a_form_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    handler = DiskHandler()
    handler.new_file("files", "a.json", "application/json", 0)

    def full(_: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(handler.file, "write", full)
    with pytest.raises(UploadRefused, match="No space left on device") as refused:
        handler.receive_data_chunk(b"x", 0)
    assert refused.value.status == 507
    handler.upload_interrupted()


def test_a_file_of_a_form_is_in_a_file_without_a_name() -> None:
    handler = DiskHandler()
    handler.new_file("files", "a.json", "application/json", 0)
    for number in range(8):
        handler.receive_data_chunk(bytes([number]) * (1 << 16), number << 16)
    file = handler.file_complete(1 << 19)

    assert (file.name, file.size) == ("a.json", 1 << 19)
    assert [part[:1] for part in file.chunks(1 << 16)] == [bytes([number]) for number in range(8)]
    inner: Any = file.file
    assert isinstance(inner._file.name, int), "it has a number and no name"
    assert leftovers() == []
    handler.upload_interrupted()
    assert file.closed
