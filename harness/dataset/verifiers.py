"""Reads `verifiers.toml`: what is checked after the conversation of a workflow task."""

from __future__ import annotations

from pathlib import Path

from harness.dataset.tables import Reporter, Table
from harness.dataset.verifier_kinds import Verifier

__all__ = ["Verifier", "read_verifiers"]


def read_verifiers(reader: Reporter, path: Path) -> tuple[Verifier, ...]:
    """The verifiers of `verifiers.toml`, in order; reports each problem with file and field."""
    table = Table(reader, path)
    found = []
    for each in table.array("verifiers"):
        kind, name = each.text("kind"), each.text("name")
        found.append(
            Verifier(kind, name, {key: value for key, value in each.values.items() if key not in each.known})
        )
    table.close()
    return tuple(found)
