"""The feed of new results."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils.html import escape

from runs.models import Evaluation
from tests.markup import compact
from tests.runs.api.world import World
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
DONE = datetime(2026, 3, 1, 12, tzinfo=UTC)


def feed(client: Client, address: str = "/feed.atom") -> ElementTree.Element:
    """The feed, which has to be XML."""
    response = client.get(address)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(response.content)


def said(element: ElementTree.Element, name: str) -> str:
    """The text of the one child of that name: Atom requires exactly one."""
    (found,) = element.findall(f"{ATOM}{name}")
    assert found.text
    return found.text


def test_a_finished_evaluation_is_an_entry_with_its_results(client: Client) -> None:
    world = World()
    Evaluation.objects.update(finished_at=DONE)

    root = feed(client)

    (entry,) = root.findall(f"{ATOM}entry")  # the rehearsal is not listed, and hidden
    assert said(entry, "title") == (
        "Spring tide: best of 2 competing agents is Alice: 1 of 4 attempts resolved, pass@1 25 % "
        "(95 % interval 3 to 76)"
    )
    summary = said(entry, "summary")
    assert "Oracle (calibration): 1 of 1 attempts resolved, pass@1 100 % (95 % interval 21 to 100)" in summary
    assert summary.index("Alice: 1 of 4") < summary.index("Bob: 0 of 1") < summary.index("Oracle")
    assert said(entry, "updated") == "2026-03-01T12:00:00+00:00"
    (link,) = entry.findall(f"{ATOM}link")
    assert link.get("href") == f"http://testserver/evaluations/{world.cast.evaluation.pk}/"


def test_a_title_names_equal_agents_together_and_no_calibration_agent(client: Client) -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)

    def title() -> str:
        Evaluation.objects.update(finished_at=DONE)
        (entry,) = feed(client).findall(f"{ATOM}entry")
        return said(entry, "title").removeprefix("Spring tide: ")

    cast.add_run(cast.oracle(), task)
    cast.add_run(cast.idler(), task, passed=0)
    assert title() == "only calibration agents ran, so none competes"
    cast.add_run(cast.alice(), task)
    assert title().startswith("Alice: 1 of 1 attempts resolved, pass@1 100 %")
    cast.add_run(cast.bob(), task)
    assert title() == "best of 2 competing agents are Alice and Bob, each with pass@1 100 %"
    for name in ("Carol", "Dave", "Erin"):
        cast.add_run(cast.add_agent(name, "ide"), task, passed=5 if name < "E" else 0)
    assert title() == "best of 5 competing agents are Alice, Bob, Carol and 1 more, each with pass@1 100 %"


def test_the_feed_has_the_elements_that_atom_requires(client: Client) -> None:
    Cast()

    root = feed(client)

    assert root.tag == f"{ATOM}feed"
    assert said(root, "title")
    assert said(root, "id").startswith("urn:uuid:")
    assert said(root, "updated")
    assert root.find(f"{ATOM}author/{ATOM}name") is not None
    assert {link.get("rel") for link in root.findall(f"{ATOM}link")} == {"alternate", "self"}
    assert root.findall(f"{ATOM}entry") == []


def test_ids_are_unique_and_independent_of_the_host(client: Client, settings: object) -> None:
    settings.ALLOWED_HOSTS = ["*"]  # type: ignore[attr-defined]
    cast = Cast()
    (task,) = cast.add_tasks(1)
    cast.add_run(cast.alice(), task, 1)
    Evaluation.objects.update(finished_at=DONE)

    def ids(host: str) -> list[str | None]:
        root = ElementTree.fromstring(client.get("/feed.atom", headers={"Host": host}).content)
        return [each.text for each in root.iter(f"{ATOM}id")]

    assert ids("a.example") == ids("b.example")
    assert len(set(ids("a.example"))) == 2


def test_hostile_titles_are_text_in_xml_and_in_the_readers_html(client: Client) -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    alice = cast.alice()
    alice.name = "<script>alert(1)</script>\x01\uffff]]>"
    alice.save()
    cast.add_run(alice, task, 1)
    Evaluation.objects.update(finished_at=DONE, title="<b>&amp;</b>\x0b\u202e")

    (entry,) = feed(client).findall(f"{ATOM}entry")

    assert "<b>&amp;</b>" in said(entry, "title")
    assert escape("<script>alert(1)</script>") in said(entry, "summary")
    assert "<script>" not in said(entry, "summary")


def test_unfinished_and_cancelled_evaluations_are_left_out(client: Client) -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    cast.add_run(cast.alice(), task, 1)
    for state in (Evaluation.State.RUNNING, Evaluation.State.CANCELLED):
        Evaluation.objects.update(finished_at=DONE, state=state)
        assert feed(client).findall(f"{ATOM}entry") == []


def test_every_page_names_the_feed(client: Client) -> None:
    page = compact(client.get("/published/").content.decode())

    assert '<link rel="alternate" href="/feed.atom" type="application/atom+xml"' in page


def test_an_agent_has_a_feed_of_its_own_results(client: Client) -> None:
    cast = Cast()
    alice, bob = cast.alice(), cast.bob()
    (task,) = cast.add_tasks(1)
    cast.add_run(alice, task, 1)
    cast.add_run(bob, task, 1, evaluation=cast.add_evaluation("neap-tide", "Neap tide"))
    Evaluation.objects.update(finished_at=DONE)

    root = feed(client, "/agents/alice/feed.atom")

    assert said(root, "title") == "BenchBench: Alice"
    (entry,) = root.findall(f"{ATOM}entry")
    assert said(entry, "title").startswith("Spring tide: Alice: 1 of 1 attempts resolved")
    assert {link.get("href") for link in root.findall(f"{ATOM}link")} == {
        "http://testserver/agents/alice/",
        "http://testserver/agents/alice/feed.atom",
    }
    assert client.get("/agents/nobody/feed.atom").status_code == 404


def test_feeds_have_ids_of_their_own(client: Client) -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    for agent in (cast.alice(), cast.bob()):
        cast.add_run(agent, task, 1)
    Evaluation.objects.update(finished_at=DONE)

    addresses = ("/feed.atom", "/agents/alice/feed.atom", "/agents/bob/feed.atom")
    ids = [each.text for address in addresses for each in feed(client, address).iter(f"{ATOM}id")]

    assert len(set(ids)) == len(ids) == 6
