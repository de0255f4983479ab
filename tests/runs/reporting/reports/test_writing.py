"""A report is written whole or not at all, and never over files of others."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from enum import StrEnum
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from benchmarks.simulation import simulate
from runs.analysis.estimate import Estimate, Exclusion, Interval
from runs.analysis.everything import Options, everything
from runs.analysis.facts import RunFacts
from runs.analysis.prediction.outcome_prediction import predict_outcome
from runs.models import Evaluation
from runs.reporting.reports.gather import gather
from runs.reporting.reports.writing import encoded, files_of, plain
from runs.reporting.topics.registry import TOPICS
from tests.runs.cast import Cast
from tests.runs.reporting.reports.world import DAY, SITE, tides

pytestmark = pytest.mark.django_db
RUNS = simulate(4, 12, 3, steps=8)


def report(out: Path, *names: str, **options: object) -> str:
    """Its Markdown."""
    call_command("report", *names, out=out, site=SITE, stdout=StringIO(), **options)
    return (out / "report.md").read_text()


def test_the_same_data_give_the_same_bytes(tmp_path: Path) -> None:
    evaluation = tides().evaluation
    first, second = (files_of(gather([evaluation]), site=SITE) for _ in range(2))
    assert first == second
    assert {
        "report.md",
        "report.json",
        "plots/leaderboard-standings.svg",
        "plots/time-agents-chart.svg",
    } <= set(first)


def test_a_chart_of_one_value_is_left_out() -> None:
    cast = Cast()
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    files = files_of(gather([cast.evaluation]), site=SITE)
    assert "plots/leaderboard-standings.svg" not in files
    assert b"leaderboard-standings" not in files["report.md"]
    assert b"Alice" in files["report.md"]


def test_the_json_has_all_results_and_names_its_format(tmp_path: Path) -> None:
    tides()
    report(tmp_path / "r", "spring-tide", k=1, seed=5)
    found = json.loads((tmp_path / "r" / "report.json").read_text())
    assert (found["format"], found["schema"]) == ("benchbench report", 1)
    assert found["options"] == {"k": 1, "seed": 5, "floor": "idler", "ceiling": "oracle"}
    assert found["results"]["outcomes"]["outcomes"]["k"] == 1
    assert found["head"]["evaluations"][0]["created_at"] == DAY.isoformat()
    assert found["left_out"][0]["results"]
    (places, *_) = found["chapters"][0]["tables"]
    assert places["name"] == "standings"
    assert places["columns"][3]["name"] == "pass@1"
    agent, _, _, rate, *_ = places["rows"][0]
    assert (agent, rate["value"], rate["n"], rate["reason"]) == ("alice", 0.25, 2, "")
    assert [(row[0], row[1]) for row in places["rows"]][2:] == [("oracle", None), ("idler", None)]
    assert [chapter["name"] for chapter in found["chapters"][1 : 1 + len(TOPICS)]] == [
        topic.slug for topic in TOPICS
    ]
    documented = (Path(__file__).parents[4] / "docs" / "operations.md").read_text()
    assert [key for key in found if f"`{key}`" not in documented] == []


def test_every_chart_is_an_svg_without_scripts_and_links(tmp_path: Path) -> None:
    tides()
    report(tmp_path / "r", "spring-tide")
    for path in (tmp_path / "r" / "plots").iterdir():
        root = ElementTree.fromstring(path.read_text())
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert not [each for each in root.iter() if each.tag.endswith("}script")]
        links = [value for each in root.iter() for name, value in each.items() if name.endswith("href")]
        assert links == []


def test_charts_can_be_embedded(tmp_path: Path) -> None:
    tides()
    written = report(tmp_path / "r", "spring-tide", embed=True)
    assert "](data:image/svg+xml;base64," in written
    assert {path.name for path in (tmp_path / "r").iterdir()} == {"report.md", "report.json"}


def test_other_files_are_never_overwritten(tmp_path: Path) -> None:
    Cast()
    out = tmp_path / "thesis"
    out.mkdir()
    (out / "report.md").write_text("mine")
    with pytest.raises(CommandError, match=r"which is not part of a report"):
        report(out, "spring-tide")
    assert (out / "report.md").read_text() == "mine"
    file = tmp_path / "file"
    file.write_text("mine")
    with pytest.raises(CommandError, match="is not a directory"):
        report(file, "spring-tide")
    report(tmp_path / "r", "spring-tide")
    (tmp_path / "r" / "notes.txt").write_text("mine")
    with pytest.raises(CommandError, match=r"contains notes\.txt"):
        report(tmp_path / "r", "spring-tide")


def test_an_older_report_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    cast = tides()
    report(tmp_path / "r", "spring-tide", embed=True)
    Evaluation.objects.filter(pk=cast.evaluation.pk).update(title="Renamed")
    assert "# Renamed" in report(tmp_path / "r", "spring-tide")
    assert [path.name for path in tmp_path.iterdir()] == ["r"]
    assert (tmp_path / "r" / "plots").is_dir()


def test_a_write_error_is_reported(tmp_path: Path) -> None:
    Cast()
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match=r"writing .* failed"):
        report(tmp_path / "file" / "r", "spring-tide")


class Colour(StrEnum):
    RED = "red"


class Row(NamedTuple):
    name: str
    n: int


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            Estimate(0.5, 6, interval=Interval(0.2, 0.8)),
            {"value": 0.5, "n": 6, "reason": "", "low": 0.2, "high": 0.8},
        ),
        (Estimate.unknown("no run"), {"value": None, "n": 0, "reason": "no run", "low": None, "high": None}),
        (Exclusion("lost", (3, 4)), {"reason": "lost", "runs": [3, 4]}),
        ({("b", "c"): 1, ("a", "b"): 2}, [{"key": ["a", "b"], "value": 2}, {"key": ["b", "c"], "value": 1}]),
        ({2: "b", 1: "a"}, {"1": "a", "2": "b"}),
        ({None: 1}, {"None": 1}),
        (frozenset({"b", "a"}), ["a", "b"]),
        (float("nan"), None),
        (float("-inf"), None),
        (np.float64(0.5), 0.5),
        (np.array([[1, 2]]), [[1, 2]]),
        (True, True),
        (Colour.RED, "red"),
        (Row("x", 1), {"name": "x", "n": 1}),
        (datetime(2026, 1, 2, tzinfo=UTC), "2026-01-02T00:00:00+00:00"),
        ("\ud800", "?"),
    ],
)
def test_values_are_written_plainly(value: object, expected: object) -> None:
    assert plain(value) == expected


def test_other_types_are_refused() -> None:
    with pytest.raises(TypeError, match="function has no form in JSON"):
        plain(test_other_types_are_refused)


@pytest.mark.parametrize("runs", [[], RUNS[:1], RUNS], ids=["none", "one", "many"])
def test_all_results_are_written_and_read_back(runs: list[RunFacts]) -> None:
    results = everything(runs, Options())
    written = encoded(results)

    def refuse(constant: str) -> Any:
        raise AssertionError(constant)

    read = json.loads(written, parse_constant=refuse)
    assert read == plain(results)
    assert {group: set(names) for group, names in read.items()} == {
        group: set(names) for group, names in results.items()
    }
    assert encoded(everything(list(reversed(runs)), Options())) == written


def test_predictions_are_written_too() -> None:
    read = json.loads(encoded(predict_outcome(RUNS[:2], model="forest", seed=0)))
    assert read["scores"]["roc_auc"]["value"] is None
