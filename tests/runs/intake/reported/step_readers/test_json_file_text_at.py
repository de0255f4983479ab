"""One text of a JSON file, however long it and the file are."""

from __future__ import annotations

from pathlib import Path

import pytest

from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.json_file import text_at


def file(path: Path, content: str) -> Path:
    (path / "a.json").write_text(content)
    return path / "a.json"


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ('{"b": {"patch": "no"}, "patch": "no", "extra": {"x": {"patch": "no"}, "patch": "+a"}}', "+a"),
        ('{"extra": {"x": [{"patch": "no"}], "patch": 7}}', None),
        ('{"extra": [{"patch": "no"}]}', None),
        ('{"extra": ["patch", "no"]}', None),
        ('[{"extra": {"patch": "no"}}]', None),
        ('{"extra": {"patch": "' + "x" * 200_000 + '"}, "steps": [', "x" * 200_000),
    ],
)
def test_the_text_stands_at_these_names_and_nowhere_else(
    tmp_path: Path, content: str, found: str | None
) -> None:
    assert text_at(file(tmp_path, content), "a.json", "extra", "patch") == found


def test_what_is_no_json_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(ResultsRefused, match=r"^a\.json, before byte 12: it is not JSON: "):
        text_at(file(tmp_path, '{"extra": no'), "a.json", "extra", "patch")
