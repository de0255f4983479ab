"""What search engines read obeys the rules of robots.txt (RFC 9309) and of the sitemap protocol (0.9)."""

from __future__ import annotations

from datetime import datetime
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import pytest
from django.test import Client

from runs.intake.reported.storing import store
from runs.models import Run
from runs.presentation.documents.documents import DOCUMENTS
from runs.views.site_pages import crawler_files
from tasks.loading import hide
from tests.runs.cast import Cast
from tests.runs.intake.reported.made_results import reported, two_agents

pytestmark = pytest.mark.django_db
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
SITE = "http://testserver"


def locations(client: Client, address: str, root: str) -> list[str]:
    """The addresses of a file, which has to obey the protocol."""
    response = client.get(address)
    assert response.status_code == 200, address
    assert response.headers["Content-Type"] == "application/xml"
    assert len(response.content) < 50 << 20
    tree = ElementTree.fromstring(response.content)
    assert tree.tag == f"{MAP}{root}"
    found = []
    for entry in tree:
        assert entry.tag == MAP + {"urlset": "url", "sitemapindex": "sitemap"}[root]
        (location,) = entry.findall(f"{MAP}loc")
        assert location.text
        assert location.text.startswith(f"{SITE}/")
        assert len(location.text) < 2048
        for day in entry.findall(f"{MAP}lastmod"):
            assert day.text
            datetime.fromisoformat(day.text)
        found.append(location.text)
    assert 0 < len(found) <= 50_000
    assert len(set(found)) == len(found)
    return found


def all_locations(client: Client) -> list[str]:
    parts = locations(client, "/sitemap.xml", "sitemapindex")
    return [one for part in parts for one in locations(client, part.removeprefix(SITE), "urlset")]


@pytest.fixture
def cast() -> Cast:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    cast.add_run(cast.alice(), task, 1)
    cast.settle()
    store(reported(two_agents()))
    return cast


def test_the_map_has_every_kind_of_public_page_and_all_of_them_open(client: Client, cast: Cast) -> None:
    found = all_locations(client)
    paths = {one.removeprefix(SITE) for one in found}

    run = Run.objects.exclude(directory="").get()
    assert {
        *("/", "/?dataset=ports", "/?dataset=lab-bench", "/agents/alice/", "/repositories/harbour/"),
        *("/tasks/harbour/tide-1/", f"/runs/{run.pk}/", "/sources/lab-bench/", "/analysis/efficiency/"),
        *("/tasks/", "/agents/", "/models/", "/models/analytical/"),
        *(document.address for document in DOCUMENTS.values()),
    } <= paths
    assert len(found) == len(paths) + 1  # /evaluate/ is a page and a document
    for path in paths:
        assert client.get(path).status_code == 200, path


def test_hidden_datasets_and_runs_without_a_replay_are_not_in_it(client: Client, cast: Cast) -> None:
    reported_run = Run.objects.filter(directory="").first()
    assert reported_run is not None
    assert f"{SITE}/runs/{reported_run.pk}/" not in all_locations(client)

    hide(cast.dataset, hidden=True)

    assert not [
        one for one in all_locations(client) if {"harbour", "alice", "?dataset=ports"} & set(one.split("/"))
    ]


def test_parts_without_entries_are_left_out_and_long_ones_have_pages(
    client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawler_files._Part, "limit", 5)
    index = locations(client, "/sitemap.xml", "sitemapindex")
    assert f"{SITE}/sitemaps/tasks.xml?p=2" in index

    hide(cast.dataset, hidden=True)
    assert f"{SITE}/sitemaps/runs.xml" not in locations(client, "/sitemap.xml", "sitemapindex")
    assert client.get("/sitemaps/nothing.xml").status_code == 404
    assert client.get("/sitemaps/tasks.xml?p=99").status_code == 404
    assert client.get("/sitemaps/tasks.xml?p=x").status_code == 404


def test_robots_may_read_results_and_not_what_is_for_operators_or_endless(client: Client) -> None:
    response = client.get("/robots.txt")
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    robots = RobotFileParser()
    robots.parse(response.content.decode().splitlines())

    assert robots.site_maps() == [f"{SITE}/sitemap.xml"]
    for path in (
        "/",
        "/?dataset=ports",
        "/runs/",
        "/runs/7/",
        "/agents/alice/",
        "/docs/harness/",
        "/feed.atom",
    ):
        assert robots.can_fetch("AnyBot", path), path
    for path in (
        "/admin/login/",
        "/uploads/",
        "/search/?q=a",
        "/exports/runs.parquet",
        "/play/1/",
    ):
        assert not robots.can_fetch("AnyBot", path), path
