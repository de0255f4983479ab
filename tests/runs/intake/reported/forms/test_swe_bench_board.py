"""leaderboards.json of swebench.com, written from the shipped results of one of its boards."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from runs.intake.reported.reading import read_results
from runs.intake.reported.reported_result import PrintedNumber, ReportedAgent, ResultsRefused
from runs.intake.reported.source_file import read_directory

SHIPPED = Path(__file__).parents[5] / "datasets/reported/swe-bench-verified-bash-only"


def entry(name: str = "Ada", **values: Any) -> dict[str, Any]:
    detail = {"resolved": True, "cost": 0.5, "api_calls": 3}
    return {
        "name": name,
        "date": "2026-01-31",
        "resolved": 100.0,
        "tags": ["Model: m-1", "Org: Maker", "System: Attempts - 1"],
        "os_model": True,
        "per_instance_details": {"astropy__astropy-1": detail},
        **values,
    }


def write(directory: Path, boards: Mapping[str, object]) -> Path:
    path = directory / "any name.json"
    content = {"leaderboards": [{"name": name, "results": results} for name, results in boards.items()]}
    path.write_text(json.dumps(content))
    return path


def test_the_shipped_board_is_read_as_it_is(tmp_path: Path) -> None:
    """All 12,500 outcomes, costs and calls, and all printed numbers, digit for digit."""
    shipped = read_directory(SHIPPED, {})
    details: dict[str, dict[str, object]] = {}
    for result in shipped.results:
        detail = {
            "resolved": result.outcome == "resolved",
            "cost": result.cost_usd,
            "api_calls": result.iterations,
        }
        details.setdefault(result.agent, {})[result.task] = detail
    printed: dict[str, dict[str, str]] = {}
    for number in shipped.printed:
        printed.setdefault(number.agent, {})[number.metric] = number.printed
    with (SHIPPED / "agents.csv").open(newline="") as file:
        agents = {row["agent"]: row for row in csv.DictReader(file)}
    parts = []
    for name, numbers in printed.items():
        version, _, day = (
            agents[name]["description"].removeprefix("mini-swe-agent ").partition(", on the board since ")
        )
        known = entry(
            name,
            date=day,
            tags=[f"Model: {agents[name]['model']}", f"Org: {agents[name]['provider']}"],
            os_model=agents[name]["open_weights"] == "1",
            per_instance_details=details.get(name),
        )
        known["mini-swe-agent_version"] = version
        # As text, because the digits matter.
        text = json.dumps(known).replace('"resolved": 100.0', f'"resolved": {numbers["resolved_percent"]}')
        costs = f'"instance_cost": {numbers.get("cost_usd_per_attempt", "0.0")}'
        parts.append(
            f'{text[:-1]}, {costs}, "instance_calls": {numbers.get("iterations_per_attempt", "0.0")}}}'
        )
    path = tmp_path / "board.json"
    path.write_text(f'{{"leaderboards": [{{"name": "bash-only", "results": [{", ".join(parts)}]}}]}}')
    found = read_results(path, {"board": "bash-only"})
    assert sorted(found.results) == sorted(shipped.results)
    assert sorted(found.printed) == sorted(shipped.printed)
    described = {agent.name: agent for agent in shipped.agents}
    assert list(found.agents) == [described[agent.name] for agent in found.agents]
    assert len(found.agents) == 25


def test_a_board_says_who_reports_what_and_since_when(tmp_path: Path) -> None:
    older = entry("Bob", date="2025-01-01", per_instance_details=None)
    path = write(tmp_path, {"bash-only": [entry(instance_cost=0.5, instance_calls=3.0), older]})
    found = read_results(path, {"board": "bash-only"})
    assert (found.source.slug, found.source.title) == ("swe-bench-bash-only", "SWE-bench, board bash-only")
    assert (found.source.reported_by, found.source.benchmark_version) == ("SWE-bench", "bash-only")
    assert found.source.reported_on == date(2026, 1, 31)
    assert len(found.source.version) == 12
    assert found.source.unknown[1] == "Of 1 agent only printed numbers are known."
    assert found.agents == (ReportedAgent("Ada", "m-1", "Maker", True, "on the board since 2026-01-31"),)
    assert found.printed == (
        PrintedNumber("Ada", "resolved_percent", "100.0"),
        PrintedNumber("Ada", "cost_usd_per_attempt", "0.5"),
        PrintedNumber("Ada", "iterations_per_attempt", "3.0"),
        PrintedNumber("Bob", "resolved_percent", "100.0"),
    )
    assert read_results(path, {"board": "bash-only", "slug": "mine"}).source.slug == "mine"


def test_zeros_where_all_costs_are_zero_are_unknown(tmp_path: Path) -> None:
    details = {
        f"astropy__astropy-{number}": {"resolved": False, "cost": 0.0, "api_calls": number}
        for number in (0, 1)
    }
    path = write(tmp_path, {"a": [entry(per_instance_details=details)]})
    found = read_results(path, {"board": "a"}).results
    assert [(result.cost_usd, result.iterations) for result in found] == [(None, 0), (None, 1)]


def test_agents_of_one_name_are_told_apart_by_their_days_or_directories(tmp_path: Path) -> None:
    path = write(tmp_path, {"a": [entry(), entry(date="2026-02-01")]})
    found = read_results(path, {"board": "a"})
    assert [agent.name for agent in found.agents] == ["Ada (2026-01-31)", "Ada (2026-02-01)"]
    path = write(tmp_path, {"a": [entry(folder="once"), entry(folder="often"), entry(date="2026-02-01")]})
    found = read_results(path, {"board": "a"})
    assert [agent.name for agent in found.agents] == ["Ada (once)", "Ada (often)", "Ada (2026-02-01)"]
    path = write(tmp_path, {"a": [entry(), entry()]})
    with pytest.raises(ResultsRefused, match=r"agent 'Ada': it is there twice$"):
        read_results(path, {"board": "a"})


def test_a_directory_of_several_files_of_boards_is_refused(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, {"a": [entry()]}).rename(tmp_path / name / "leaderboards.json")
    with pytest.raises(
        ResultsRefused, match=r"^b/leaderboards.json: a second file of boards: import one of them$"
    ):
        read_results(tmp_path, {"board": "a"})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "it has several boards: give --board; boards with results of single tasks: 'a', 'b'$"),
        ({"board": "x"}, "there is no board 'x'; boards with results of single tasks: 'a', 'b'$"),
        ({"board": "empty"}, "there is no board 'empty'; boards with"),
        ({"board": "a", "scorer": "match"}, "'scorer' is unknown; known are slug"),
    ],
)
def test_a_board_is_chosen_among_those_with_results(
    given: dict[str, str], message: str, tmp_path: Path
) -> None:
    path = write(tmp_path, {"empty": [entry(per_instance_details=None)], "a": [entry()], "b": [entry()]})
    with pytest.raises(ResultsRefused, match=message):
        read_results(path, given)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"per_instance_details": ["a"]}, "agent 'Ada': 'per_instance_details' is not an object"),
        ({"per_instance_details": {"a": 1}}, "agent 'Ada', task 'a': 'resolved' is neither true nor false"),
        (
            {"per_instance_details": {"a": {"resolved": True, "cost": -1}}},
            "task 'a', column 'cost_usd': '-1'",
        ),
        ({"tags": "Model: a"}, "'tags' is not a list of texts"),
        ({"resolved": -5}, "column 'printed': '-5' is not a number"),
        ({"name": "a\u202e"}, r"agent 'a\\u202e'.* column 'agent': "),
    ],
)
def test_an_invalid_board_is_refused_with_the_place(
    values: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ResultsRefused, match=message):
        read_results(write(tmp_path, {"a": [entry(**values)]}), {"board": "a"})
