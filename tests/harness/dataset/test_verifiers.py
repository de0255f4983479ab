"""Verifiers, as they are read."""

from __future__ import annotations

from pathlib import Path

from harness.dataset.reading import Reader
from harness.dataset.verifiers import read_verifiers


def test_they_are_read_in_order(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    (tmp_path / "v.toml").write_text(
        '[[verifiers]]\nkind = "chat_regexp"\nname = "says it"\npattern = "it"\n'
    )
    (verifier,) = read_verifiers(reader, tmp_path / "v.toml")
    assert (verifier.kind, verifier.name, verifier.parameters) == (
        "chat_regexp",
        "says it",
        {"pattern": "it"},
    )
    assert reader.problems == []
