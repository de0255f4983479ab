"""Every URL and method, as an anonymous user, a signed-in user and an operator."""

from __future__ import annotations

import io
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission, User
from django.db.models import Model
from django.test import Client

from runs.models import Panel, Schedule
from runs.reporting.topics.registry import TOPICS
from runs.transfer.export_tables.export_table import TABLES
from tests.site.addresses import (
    Route,
    addresses,
    addresses_by_route,
    routes,
    values_of,
    visible_values,
)
from tests.site.kinds import KINDS
from tests.site.world import SECRET, World

READ, WRITE = ("GET", "HEAD", "OPTIONS"), ("POST", "PUT", "PATCH", "DELETE")
READERS = ("anonymous", "reader")
pytestmark = [pytest.mark.long, pytest.mark.django_db]

# What somebody who is no operator may open where operators work.
OPEN_DOORS = {"admin:login", "admin:logout", "admin:jsi18n"}
# What readers may send: a permanent link to the counts as they are, of which few are made.
WELCOME = {"leaderboard_freeze"}
# Parameters that name nothing of a dataset.
COMMON = {"agent", "other", "model", "anchor", "rest", "evaluation", "section"}
PUBLIC = [route for route in routes() if not route.for_operators]
OPERATIONS = [route for route in routes() if route.for_operators and route.name not in OPEN_DOORS]


def client_of(world: World, who: str) -> Client:
    """A client of this user. Errors on the server are responses, not exceptions."""
    client = Client(raise_request_exception=False)
    if who != "anonymous":
        client.force_login(User.objects.get(username=who))
    return client


def content(response: Any) -> bytes:
    """All that was sent; of an archive, what is in it, too."""
    sent = b"".join(response.streaming_content) if response.streaming else response.content
    if sent[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(sent)) as archive:
            sent += b"".join(name.encode() + archive.read(name) for name in archive.namelist())
    return bytes(sent)


@dataclass(frozen=True, slots=True)
class Visit:
    """A request, and the response that was read completely. `tells`: whether it has what is hidden."""

    route: Route
    method: str
    address: str
    status: int
    place: str = ""
    tells: bool = False
    of_hidden: bool = False


def visit(client: Client, route: Route, method: str, address: str, *, of_hidden: bool = False) -> Visit:
    """One request. `tells` leaves out what the response repeats of the address."""
    response = client.generic(method, address)
    tells = SECRET.encode() in content(response).replace(address.encode(), b"")
    place = response.headers.get("Location", "")
    return Visit(route, method, address, response.status_code, place, tells, of_hidden)


def visits_of(world: World, who: str) -> Iterator[Visit]:
    """Every method at every address that this user has to do with, and GET at those of hidden objects.

    HEAD once for each route: to Django it is GET without the body, and no view asks for it.
    """
    client = client_of(world, who)
    chosen = PUBLIC if who == "operator" else [*PUBLIC, *OPERATIONS]
    with_head: set[Route] = set()
    for address, route in addresses_by_route(visible_values(world), chosen).items():
        methods = [*READ, *WRITE] if route not in with_head else [m for m in (*READ, *WRITE) if m != "HEAD"]
        with_head.add(route)
        yield from (visit(client, route, method, address) for method in methods)
    if who == "operator":
        return
    for address, route in addresses_by_route([values_of(world.hidden)], chosen).items():
        yield visit(client, route, "GET", address, of_hidden=True)


@pytest.fixture(scope="module")
def made_visits() -> dict[str, list[Visit]]:
    """The visits of each user so far."""
    return {}


@pytest.fixture
def visits(world: World, made_visits: dict[str, list[Visit]], who: str) -> list[Visit]:
    """All visits of this user, made by the first test that needs them."""
    if who not in made_visits:
        made_visits[who] = list(visits_of(world, who))
    return made_visits[who]


def everything_stored() -> Iterator[tuple[str, list[Any]]]:
    """All rows that runs, tasks and people have."""
    for label in ("runs", "tasks", "auth"):
        for model in apps.get_app_config(label).get_models():
            rows = model._base_manager.order_by("pk")
            # Signing in updates the account.
            names = [field.attname for field in model._meta.concrete_fields if field.name != "last_login"]
            yield model.__name__, list(rows.values_list(*names))


@pytest.mark.parametrize("who", [*READERS, "operator"])
def test_no_public_address_fails_whatever_the_method(visits: list[Visit], who: str) -> None:
    failed = [
        (visit.method, visit.address)
        for visit in visits
        if visit.status >= 500 and visit.address != "/readyz"  # without Redis it is not ready
    ]
    assert failed == []
    methods_of = defaultdict(set)
    for visit in visits:
        methods_of[visit.route].add(visit.method)
    assert all(methods_of[route] == {*READ, *WRITE} for route in PUBLIC)


@pytest.mark.parametrize("who", READERS)
def test_readers_send_nothing_to_any_public_address(visits: list[Visit], who: str) -> None:
    taken = [
        (visit.method, visit.address)
        for visit in visits
        if visit.method in WRITE and not visit.route.for_operators and visit.route.name not in WELCOME
        if visit.status < 400 and not visit.place.startswith("/admin/")
    ]
    assert taken == []


@pytest.mark.parametrize("who", READERS)
def test_other_users_have_no_access_to_operator_pages(visits: list[Visit], who: str) -> None:
    entered = [
        (visit.method, visit.address, visit.status)
        for visit in visits
        if visit.route in OPERATIONS
        if visit.status not in (302, 401, 403, 404, 405)
        or (visit.status == 302 and not visit.place.startswith(("/admin/login/", visit.address + "/")))
    ]
    assert entered == []


@pytest.mark.parametrize("who", READERS)
def test_requests_of_other_users_change_nothing(world: World, who: str) -> None:
    client = client_of(world, who)
    form = {"title": "Mine", "agents": ["1"], "tasks": ["1"], "attempts": "1", "action": "cancel_selected"}
    before = dict(everything_stored())
    for address in addresses(visible_values(world), [*PUBLIC, *OPERATIONS]):
        client.post(address, form)
    after = dict(everything_stored())
    assert [name for name in before if before[name] != after[name]] == []


def test_a_form_of_another_site_changes_nothing_in_an_operators_name(world: World) -> None:
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.force_login(world.operator)
    before = dict(everything_stored())
    for address in addresses([values_of(world.acting) | {"pk": str(world.flood.pk)}], routes()):
        client.post(address, {"act": "hide", "dataset": "1", "agent": "1", "publish": "no", "title": "Mine"})
    after = dict(everything_stored())
    assert {name for name in before if before[name] != after[name]} == set()


@pytest.mark.parametrize("who", READERS)
def test_hidden_data_appear_on_no_page(visits: list[Visit], who: str) -> None:
    assert {visit.of_hidden for visit in visits} == {True, False}
    assert [visit.address for visit in visits if visit.tells] == []


@pytest.mark.parametrize("who", READERS)
def test_hidden_objects_have_no_page(visits: list[Visit], who: str) -> None:
    theirs = [visit for visit in visits if visit.of_hidden and _is_about_an_object(visit.route)]
    assert theirs
    assert [(visit.address, visit.status) for visit in theirs if visit.status not in (403, 404)] == []


def test_staff_with_every_right_but_that_for_hidden_datasets_reads_nothing_of_them(world: World) -> None:
    clerk = User.objects.create_user("clerk", is_staff=True)
    rights = Permission.objects.filter(content_type__app_label__in=("runs", "tasks"))
    clerk.user_permissions.set(rights.exclude(codename__in=("start_evaluation", "view_hidden")))
    client = client_of(world, "clerk")
    stranger = world.cast.add_agent(SECRET, "ide", world.cast.add_model(SECRET))
    hidden = world.cast.add_run(stranger, world.hidden.task, evaluation=world.hidden.evaluation)
    rows: tuple[Model | None, ...] = (
        hidden,
        hidden.agent,
        hidden.agent.model,
        hidden.evaluation,
        hidden.task,
        hidden.task.repository,
    )
    rows = (*rows, hidden.task.repository.dataset, *Panel.objects.all(), *Schedule.objects.all())
    numbers = sorted({str(row.pk) for row in rows if row is not None})
    values = [values_of(hidden) | {"pk": number, "object_id": number} for number in numbers]
    visits = [
        visit(client, route, "GET", address)
        for address, route in addresses_by_route(values, OPERATIONS).items()
    ]
    assert {"operate_agents", "operate_model", "admin:runs_agent_change"} <= {
        visit.route.name for visit in visits if visit.status == 200
    }
    assert [visit.address for visit in visits if visit.tells or visit.status >= 500] == []


def _is_about_an_object(route: Route) -> bool:
    return (
        route in PUBLIC
        and bool(set(route.parameters) - COMMON)
        and not route.path.startswith(
            ("evaluations/", "generation/", "uploads/", "api/v1/uploads", "submissions/", "rate/", "play/")
        )
    )


def test_operators_see_hidden_data(world: World) -> None:
    client = client_of(world, "operator")
    assert SECRET in content(client.get(world.hidden.get_absolute_url())).decode()


def test_kinds_have_unique_names_and_include_every_analysis_topic() -> None:
    names = [kind.name for kind in KINDS]
    assert len(names) == len(set(names))
    assert {f"analysis-{topic.slug}" for topic in TOPICS} <= set(names)


def test_every_page_is_a_kind_or_listed_as_an_exception(world: World) -> None:
    from django.urls import resolve

    kinds = {resolve(kind.address(world).partition("?")[0]).view_name for kind in KINDS if kind.status == 200}
    others = {route.name for route in PUBLIC if not route.name.startswith("api:")} - kinds
    assert others == NO_PAGES | WELCOME


NO_PAGES = {
    *("", "healthz", "readyz", "metrics"),  # the icon; whether the server works
    "mcp",  # messages of assistants
    *("run_step_notes", "run_note"),  # they lead back to the replay
    "stop_being_blind",  # what a button of people who play sends
    "play_state",  # JSON for the script of its page
    *(f"{name}_{ending}" for name in ("tasks", "agents", "models") for ending in ("csv", "jsonl")),
    *("judges_load", "save_search"),  # what buttons of operators send
    *("search_steps_csv", "search_steps_json", "search_agents_csv", "search_agents_json"),
    *("frozen_csv", "frozen_json", "frozen_md", "frozen_tex"),
    *("evaluation_report_json", "evaluation_report_markdown"),
    *(
        "leaderboard_csv",
        "leaderboard_json",
        "leaderboard_md",
        "leaderboard_tex",
        "analysis_csv",
        "analysis_json",
    ),
    *(
        *("feed", "agent_feed"),
        *("board_card", "agent_card", "comparison_card", "run_card", "agent_badge"),  # pictures
        "embed",  # a page for frames of others, without head and foot
        *("robots", "sitemap", "sitemap_part"),  # for search engines
        "regression_feed",
        "run_artifact",
        "run_atif",
        "run_inspect",
        "evaluation_inspect",
        "run_log",
        "run_original",
        "run_patch",
        "run_recording",
        "run_transcript",
        "run_zip",
    ),
    *(f"{table.name}_{ending}" for table in TABLES for ending in ("jsonl", "parquet")),
    *("run_live", "run_step", "run_step_json", "run_step_markdown", "run_step_raw", "run_steps"),
}
