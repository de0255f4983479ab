"""A code map is drawn and listed as a query asks for it."""

from __future__ import annotations

from typing import Any

import pytest

from runs.data.queries.parameters import BadParameter
from runs.views.result_pages.code_map_view import MAX_ROWS, CodeMapView, MapQuery
from tasks.generation.maps.code_map import FunctionKey
from tests.runs.made_maps import made_map

READ, LAST, FAR = 3, 4, 2  # numbers of read_tide, tide and far


def view(query: dict[str, str] | None = None, more: int = 0, **targets: Any) -> CodeMapView:
    found = made_map("harbour", more=more)
    keys: dict[FunctionKey, Any] = {
        node.key: targets[node.name] for node in found.nodes if node.name in targets
    }
    return CodeMapView(found, MapQuery.from_query(query or {}, len(found.nodes)), keys)


def test_the_chart_has_a_dot_for_each_function_by_size_and_centrality() -> None:
    points = {point.name: point for point in view().chart().points}
    assert {name: (point.x, point.y) for name, point in points.items()} == {
        "Harbour": (28, 0),
        "Harbour.open": (17, 1.5),
        "read_tide": (11, 1),
        "tide": (4, 0),
        "far": (3, 0),
    }
    assert points["read_tide"].href == f"?function={READ}#function"
    assert points["read_tide"].hover == ("code lines: 11", "harmonic centrality: 1")


def test_another_size_leaves_out_what_is_not_measured_and_another_graph_changes_centralities() -> None:
    shown = view({"size": "cyclomatic", "calls": "static"})
    assert {point.name: (point.x, point.y) for point in shown.chart().points} == {
        "Harbour": (4, 0),
        "Harbour.open": (3, 1),
        "read_tide": (5, 0),
        "tide": (1, 0),
    }
    assert shown.unmeasured() == 1
    assert shown.chart().points[0].href == "?size=cyclomatic&calls=static&function=1#function"


def test_dots_that_would_cover_each_other_are_one_and_the_chosen_function_names_them_all() -> None:
    points = [point.name for point in view(more=40).chart().points]
    assert "f1 and 40 more" in points
    chosen = view({"function": "6"}, more=40).chosen()
    assert chosen is not None
    assert chosen.node.name == "f5"
    assert len(chosen.beside) == MAX_ROWS


def test_a_chosen_function_has_its_measures_and_links_to_callers_and_callees() -> None:
    shown = view({"function": str(READ), "centrality": "pagerank"})
    chosen = shown.chosen()
    assert chosen is not None
    assert ("cyclomatic complexity", "5") in chosen.values
    assert [(row.node.name, row.origin) for row in chosen.callers] == [
        ("Harbour.open", "in the source, and executed"),
        ("read_tide", "in the source"),
    ]
    assert [(row.node.name, row.origin) for row in chosen.callees] == [
        ("read_tide", "in the source"),
        ("tide", "executed"),
    ]
    assert chosen.callees[1].href == f"?centrality=pagerank&function={LAST}#function"
    assert [point.name for point in shown.chart().points if point.here] == ["read_tide"]


def test_functions_are_found_by_a_part_of_their_name_the_most_central_first() -> None:
    assert [row.node.name for row in view({"find": "TIDE"}).found()] == ["read_tide", "tide"]
    assert view({"find": "ebb"}).found() == view().found() == []
    assert [row.node.name for row in view().most_central()][:2] == ["Harbour.open", "read_tide"]


def test_targets_have_dots_of_their_own_colour_and_name_their_tasks() -> None:
    shown = view(tide=["a task"])
    assert [(point.name, point.group) for point in shown.chart().points if point.group] == [
        ("tide (target)", 1)
    ]
    assert [(row.node.name, list(map(str, row.tasks))) for row in shown.target_rows()] == [
        ("tide", ["a task"])
    ]
    assert view().target_rows() == []


@pytest.mark.parametrize(
    "query", [{"function": "5"}, {"function": "-1"}, {"size": "weight"}, {"calls": "no"}, {"centrality": "x"}]
)
def test_an_unknown_choice_is_refused(query: dict[str, str]) -> None:
    with pytest.raises(BadParameter):
        view(query)
