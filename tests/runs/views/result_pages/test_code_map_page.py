"""The page of a code map: who sees what of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from runs.data.queries.parameters import BadParameter
from runs.views.result_pages.code_map_page import MAX_ROWS, CodeMapView, MapQuery
from tasks.generation.maps.code_map import FunctionKey, build
from tasks.loading import hide, load
from tasks.models import Dataset, Repository, RepositoryMap
from tasks.stored_maps import store_map
from tests.harness.worlds import write_tiny_dataset
from tests.runs.made_maps import made_map
from tests.runs.roles import OPERATORS, VIEWERS, member

pytestmark = pytest.mark.django_db
PAGE = "/repositories/calc/map/"
READ, LAST, FAR = 3, 4, 2  # numbers of read_tide, tide and far


@pytest.fixture
def calc(tmp_path: Path) -> Repository:
    """With a task whose target is `read_tide`."""
    dataset = load(write_tiny_dataset(tmp_path))
    target = {"path": "tide/reading.py", "name": "read_tide", "occurrence": 0}
    generation = {"schema_version": 1, "origin": "corrupted", "targets": [target]}
    place = Path(dataset.directory) / "calc/tasks/add-negatives/generation.json"
    place.write_text(json.dumps(generation))
    return dataset.repositories.get()


def client_of(group: str = "") -> Client:
    client = Client()
    if group:
        user = User.objects.filter(username=group).first()
        client.force_login(user or member(group, group))
    return client


def page(query: str = "", group: str = "", status: int = 200) -> str:
    response = client_of(group).get(PAGE + query)
    assert response.status_code == status
    return response.content.decode()


def test_a_dot_is_a_link_to_its_callers_and_callees(calc: Repository) -> None:
    store_map(calc, made_map("calc"))
    assert '<a href="?function=3#function" aria-label="read_tide" tabindex="-1"><circle' in page()
    shown = page("?function=3")
    assert '<a href="?function=1#function" class="plain mono">Harbour.open</a>' in shown
    assert "in the source, and executed" in shown
    assert "2.3 s of CPU time" in shown


def test_only_operators_see_targets_of_generated_tasks(calc: Repository) -> None:
    store_map(calc, made_map("calc"))
    for query in ("", "?function=3", "?find=read"):
        for group in ("", VIEWERS):
            shown = page(query, group)
            assert "arget" not in shown
            assert "add-negatives" not in shown
    shown = page("", OPERATORS)
    assert "Targets of generated tasks" in shown
    assert "read_tide (target)" in shown
    assert "/tasks/calc/add-negatives/" in page("?function=3", OPERATORS)


def test_tests_that_were_traced_are_counted_and_not_named(calc: Repository) -> None:
    store_map(calc, made_map("calc"))
    shown = page("", OPERATORS)
    assert "<b>1</b> test traced" in shown
    assert "test_neap" not in shown


def test_a_map_of_a_hidden_dataset_is_for_those_who_may_see_it(calc: Repository) -> None:
    store_map(calc, made_map("calc"))
    hide(Dataset.objects.get(), hidden=True)
    page(status=404)
    assert "hidden dataset" in page("", VIEWERS)


def test_a_repository_links_to_its_map_once_it_has_one(calc: Repository) -> None:
    link = f'<a href="{PAGE}">Code map</a>'
    assert link not in Client().get("/repositories/calc/").content.decode()
    store_map(calc, made_map("calc"))
    assert link in Client().get("/repositories/calc/").content.decode()


def test_without_a_map_the_page_says_so_and_operators_learn_how_to_make_one(calc: Repository) -> None:
    assert "This repository has no map" in page("?function=3")
    assert '<a class="btn" href="/repositories/calc/">' in page()
    assert "map_repository" not in page()
    assert "manage.py map_repository calc" in page("", OPERATORS)


def test_a_map_without_functions_or_of_another_version_has_a_page(calc: Repository) -> None:
    store_map(calc, made_map("calc"))
    RepositoryMap.objects.update(content=b'{"schema_version": 0}')
    assert "schema_version is 0; it must be 1: make the map again" in page()
    store_map(calc, build("calc", "d", (), static=()))
    assert "has no function in Python, C, TypeScript or JavaScript" in page()


def test_odd_choices_are_refused(calc: Repository) -> None:
    store_map(calc, made_map("calc"))
    assert "one of code_lines" in page("?size=weight", status=400)
    assert "from 0 to 4" in page("?function=5", status=400)


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
