"""The zip archives of Inspect's logs. The members of that in tests/data/reported were compressed by Inspect."""

from __future__ import annotations

import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from runs.intake.reported.forms import eval_archive
from runs.intake.reported.forms.eval_archive import is_archive, name_of_member, read_archive, sample_parts
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers import json_part
from runs.intake.reported.step_readers.json_part import JsonPart

DATA = Path(__file__).parents[4] / "data/reported/inspect/sums.eval"


def zipped(path: Path, method: int = zipfile.ZIP_DEFLATED, /, **members: object) -> Path:
    """An archive of these members as JSON; bytes as they are. `__` stands for a slash, `_json` for the suffix."""
    with zipfile.ZipFile(path, "w", method) as file:
        for name, content in members.items():
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            file.writestr(name.replace("__", "/").replace("_json", ".json"), data)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(ResultsRefused) as refused:
        read_archive(path, "a.eval")
    return str(refused.value)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_stored_and_a_deflated_log_are_read(method: int, tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "a", method, header_json={"eval": {}}, summaries_json=[{"id": 1}], samples__x_json=b"?"
    )
    assert is_archive(path)
    assert read_archive(path, "a.eval") == {"eval": {}, "samples": [{"id": 1}]}


def test_a_log_of_inspect_itself_is_read() -> None:
    with zipfile.ZipFile(DATA) as packed:
        assert {entry.compress_type for entry in packed.infolist()} == {eval_archive.ZSTANDARD}
    found = read_archive(DATA, "a.eval")
    assert found["eval"]["task"] == "sums"
    assert len(found["samples"]) == 6


def test_a_log_that_was_not_closed_has_its_summaries_in_parts(tmp_path: Path) -> None:
    parts = {"_journal__summaries__1_json": [{"id": 1}], "_journal__summaries__2_json": [{"id": 2}]}
    path = zipped(tmp_path / "a", zipfile.ZIP_STORED, header_json={}, **parts)
    assert [sample["id"] for sample in read_archive(path, "a.eval")["samples"]] == [1, 2]


def test_odd_archives_are_refused(tmp_path: Path) -> None:
    assert not is_archive(tmp_path / "missing")
    path = tmp_path / "a"
    neither = "it has neither header.json nor _journal/start.json: it is no log of Inspect"
    assert neither in refusal(zipped(path, summaries_json=[]))
    assert "header.json is not an object" in refusal(zipped(path, header_json=[]))
    assert "a.eval: summaries.json is not a list" in refusal(zipped(path, header_json={}, summaries_json={}))
    assert "a.eval, header.json: it is not JSON" in refusal(zipped(path, header_json=b"{"))
    path.write_bytes(DATA.read_bytes()[:-30])
    assert "it cannot be unpacked: is cut off" in refusal(path)


@pytest.mark.parametrize("at", [60, 800])
def test_a_damaged_member_is_refused(at: int, tmp_path: Path) -> None:
    data = bytearray(DATA.read_bytes())
    data[at] ^= 0xFF
    path = tmp_path / "a"
    path.write_bytes(data)
    assert "it cannot be unpacked: " in refusal(path)


def _with_zstandard(path: Path, content: bytes, size: int) -> Path:
    """A header.json that unpacks to `content` and is said to have `size` bytes."""
    packed = pa.Codec("zstd").compress(content, asbytes=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:
        file.writestr("header.json", packed)
    data = bytearray(path.read_bytes())
    for signature, method, length in ((b"PK\3\4", 8, 22), (b"PK\1\2", 10, 24)):
        place = data.index(signature)
        data[place + method : place + method + 2] = (93).to_bytes(2, "little")
        data[place + length : place + length + 4] = size.to_bytes(4, "little")
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (100, "header.json is damaged: its checksum is wrong"),
        (200_000_000, "header.json is damaged: its checksum is wrong"),
        (4_000_000_000, "header.json has more than 268,435,456 bytes"),
    ],
)
def test_a_bomb_is_unpacked_as_far_as_its_size_says(said: int, message: str, tmp_path: Path) -> None:
    path = _with_zstandard(tmp_path / "a", bytes(100_000_000), said)
    assert path.stat().st_size < 20_000
    assert message in refusal(path)


def test_a_log_whose_run_has_not_ended_has_the_summaries_so_far(tmp_path: Path) -> None:
    members = {"_journal__start_json": {"eval": {"task": "t"}}, "_journal__summaries__1_json": [{"id": 1}]}
    found = read_archive(zipped(tmp_path / "a", **members), "a.eval")
    assert found == {"eval": {"task": "t"}, "status": "started", "samples": [{"id": 1}]}


SAMPLE = {"id": "a/b", "messages": [{"role": "user", "content": "x" * 500}] * 50}


def compressed(path: Path, method: str, data: bytes) -> JsonPart:
    """The only sample of an archive, of these bytes, compressed in this way."""
    name = "samples/a/b_epoch_1.json"
    if method == "zstandard":
        codec = pa.Codec("zstd")
        parts = [data[:700], data[700:]]  # Inspect writes a large sample in several frames
        content = b"".join(codec.compress(part, asbytes=True) for part in parts)
        zipped(path, zipfile.ZIP_STORED, **{name: content})
        _say(path, method=93, size=len(data), checksum=zlib.crc32(data))
    else:
        zipped(path, zipfile.ZIP_STORED if method == "stored" else zipfile.ZIP_DEFLATED, **{name: data})
    return sample_parts(path, "a.eval")[name_of_member("a/b", 1)]


def _say(path: Path, *, method: int, size: int, checksum: int) -> None:
    """Changes what an archive says of its only member."""
    data = bytearray(path.read_bytes())
    for signature, at in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        place = data.index(signature)
        data[place + at : place + at + 2] = method.to_bytes(2, "little")
        data[place + at + 6 : place + at + 10] = checksum.to_bytes(4, "little")
        data[place + at + 14 : place + at + 18] = size.to_bytes(4, "little")
    path.write_bytes(data)


@pytest.mark.parametrize("small", [True, False])
@pytest.mark.parametrize("method", ["stored", "deflated", "zstandard"])
def test_a_sample_is_streamed_from_its_member(
    method: str, small: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not small:
        monkeypatch.setattr(json_part, "SMALL", 0)
    part = compressed(tmp_path / "a", method, json.dumps(SAMPLE).encode())
    assert part.place == "a.eval, samples/a/b_epoch_1.json"
    for _ in range(2):
        assert list(part.elements("messages")) == SAMPLE["messages"]


@pytest.mark.parametrize("method", ["stored", "deflated", "zstandard"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": 10}, "it has another size than the archive says"),
        ({"size": 10**6}, "it has another size than the archive says"),
        ({"checksum": 1}, "its checksum is wrong"),
        ({"method": 14}, "its compression 14 is unknown"),
    ],
)
def test_a_damaged_sample_is_refused(
    method: str, change: dict[str, int], message: str, tmp_path: Path
) -> None:
    data = json.dumps(SAMPLE).encode()
    compressed(tmp_path / "a", method, data)
    own: dict[str, Any] = {"method": {"stored": 0, "deflated": 8, "zstandard": 93}[method]}
    own |= {"size": len(data), "checksum": zlib.crc32(data)}
    _say(tmp_path / "a", **{**own, **change})
    part = sample_parts(tmp_path / "a", "a.eval")["samples/a/b_epoch_1.json"]
    with pytest.raises(
        ResultsRefused, match=rf"^a.eval, samples/a/b_epoch_1.json: it cannot be unpacked: {message}"
    ):
        list(part.elements("messages"))


def test_of_members_with_the_same_name_the_last_one_counts(tmp_path: Path) -> None:
    path = tmp_path / "a"
    name = "samples/a_epoch_1.json"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(name, json.dumps({"id": 1}))
        with pytest.warns(UserWarning, match="Duplicate name"):
            file.writestr(name, json.dumps({"id": 2}))
    ((_, part),) = sample_parts(path, "a.eval").items()
    assert part.fields(("id",)) == {"id": 2}


def test_samples_that_are_too_large_together_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eval_archive, "MAX_UNPACKED", 10)
    path = zipped(tmp_path / "a", samples__a_epoch_1_json={"id": "a", "epoch": 1})
    with pytest.raises(ResultsRefused, match="its samples have more than 10 bytes"):
        sample_parts(path, "a.eval")
