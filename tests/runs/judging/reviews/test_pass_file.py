"""The file of a pass in a run directory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.judges.dimensions import dimension_named
from harness.judges.questions import dimension_digest
from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.judging.reviews.pass_file import PASSES, PassFileError, read_passes, stored_pass, write_pass
from runs.models import JudgingPass
from tests.runs.cast import Cast
from tests.runs.panels import add_pass

pytestmark = pytest.mark.django_db


@pytest.fixture
def judging_pass() -> JudgingPass:
    panel = create_panel(
        slug="harbour-panel",
        title="Harbour panel",
        dimensions=["pitfalls"],
        judges=[NewJudge("Portia", Cast().add_model("Bench"), "ada", {"seed": 7})],
        samples=2,
    )
    return add_pass(panel.judges.get())


def test_what_is_written_is_read(judging_pass: JudgingPass, tmp_path: Path) -> None:
    write_pass(tmp_path, judging_pass)

    (found,) = read_passes(tmp_path)

    assert found == stored_pass(judging_pass)
    assert found.dimensions == (("pitfalls", dimension_digest(dimension_named("pitfalls"))),)
    assert (found.judges[0].model, found.judges[0].parameters["seed"]) == ("ada/Bench", 7)


def test_a_pass_is_written_once(judging_pass: JudgingPass, tmp_path: Path) -> None:
    write_pass(tmp_path, judging_pass)
    (path,) = (tmp_path / PASSES).glob("*.json")
    before = path.stat().st_mtime_ns
    write_pass(tmp_path, judging_pass)
    assert path.stat().st_mtime_ns == before


def test_a_directory_without_passes_has_none(tmp_path: Path) -> None:
    assert list(read_passes(tmp_path)) == []


def test_an_invalid_file_is_refused_with_its_place(judging_pass: JudgingPass, tmp_path: Path) -> None:
    write_pass(tmp_path, judging_pass)
    path = tmp_path / PASSES / "night-watch.json"
    good = json.loads(path.read_text())

    for change, place in (
        ({"samples": 0}, "samples"),
        ({"extra": 1}, "extra"),
        ({"slug": "other"}, "slug"),
        ({"judges": [{"name": "x"}]}, r"judges\.0\.model"),
        ({"schema_version": 2}, "schema_version"),
    ):
        path.write_text(json.dumps({**good, **change}))
        with pytest.raises(PassFileError, match=rf"night-watch\.json: {place}"):
            list(read_passes(tmp_path))
    path.write_text("x" * 300_000)
    with pytest.raises(PassFileError, match="larger than"):
        list(read_passes(tmp_path))
    path.unlink()
    path.symlink_to("/etc/hostname")
    with pytest.raises(PassFileError, match="not a link"):
        list(read_passes(tmp_path))
