"""A trajectory before it is stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runs.intake.reported.trajectory import Trajectory, file_digest


def trajectory(place: str = "a.json", **more: Any) -> Trajectory:
    """One without steps."""
    values = {
        "form": "Tool",
        "part": "",
        "digest": "0" * 64,
        "place": place,
        "files": {},
        "steps": lambda: iter(()),
    }
    return Trajectory(**{**values, **more})


def test_two_are_equal_if_their_contents_are_wherever_they_lie() -> None:
    one, two = trajectory("a.json"), trajectory("b/c.json", workdir="/x")
    assert one == two
    assert repr(one) == repr(two)
    assert one.key == two.key


def test_parts_of_a_file_differ() -> None:
    keys = {trajectory().key, trajectory(part="1").key, trajectory(digest="1" * 64).key}
    assert len(keys) == 3


def test_the_digest_is_that_of_the_content(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert file_digest(tmp_path / "a") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
