"""Only values that this code and this site signed are read again."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from runs.data.cache import signed_pickle
from runs.data.cache.digests import tree_digest
from runs.data.cache.signed_pickle import SignedPickleSerializer

SERIALIZER = SignedPickleSerializer()


@dataclass(frozen=True, slots=True)
class Facts:
    """As the old code had it."""

    tests: int


@dataclass(frozen=True, slots=True)
class NewFacts:
    """As the new code has it."""

    tests: int
    passed: int = 0


def test_a_value_is_read_again() -> None:
    assert SERIALIZER.loads(SERIALIZER.dumps({"tests": 5})) == {"tests": 5}


@pytest.mark.parametrize("data", [b"", b"7", b"N)R.", pickle.dumps("unsigned")])
def test_bytes_without_a_signature_are_a_miss(data: bytes) -> None:
    assert SERIALIZER.loads(data) is None


def test_another_secret_key_is_a_miss(settings: Any) -> None:
    data = SERIALIZER.dumps("value")
    settings.SECRET_KEY = "another"
    assert SERIALIZER.loads(data) is None


def test_a_dataclass_that_has_a_new_field_since_is_a_miss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "requirements.txt").touch()
    source = tmp_path / "runs" / "facts.py"
    source.parent.mkdir()
    monkeypatch.setattr(signed_pickle, "source_digest", lambda: tree_digest(tmp_path))
    source.write_text("tests: int")
    data = SERIALIZER.dumps(Facts(5))
    assert SERIALIZER.loads(data) == Facts(5)

    source.write_text("tests: int\npassed: int = 0")
    NewFacts.__qualname__ = "Facts"
    monkeypatch.setitem(globals(), "Facts", NewFacts)

    assert SERIALIZER.loads(data) is None
    incomplete = pickle.loads(data[signed_pickle._LENGTH :])
    with pytest.raises(AttributeError):  # what a reader would get without the digest
        _ = incomplete.passed
