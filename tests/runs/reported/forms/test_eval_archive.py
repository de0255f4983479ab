"""The zip archives of Inspect's logs. The members of that in tests/data/reported were compressed by Inspect."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest

from runs.reported.forms import eval_archive
from runs.reported.forms.eval_archive import is_archive, read_archive
from runs.reported.reported_result import ResultsRefused

DATA = Path(__file__).parents[3] / "data/reported/inspect/sums.eval"


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
    assert "it has no header.json" in refusal(zipped(path, summaries_json=[]))
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
