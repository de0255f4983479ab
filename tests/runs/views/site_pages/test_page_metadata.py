"""What pages say of themselves to search engines and to sites that show their link."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from runs.models import Agent, Run
from runs.views.site_pages.page_metadata import DEFAULT
from tasks.models import Task
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db
META = re.compile(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">')


def said(client: Client, address: str) -> dict[str, str]:
    """The metadata of a page, and its canonical address."""
    page = client.get(address).content.decode()
    found = {name: unescape(value).replace("\u00a0", " ") for name, value in META.findall(page)}
    canonical = re.search(r'<link rel="canonical" href="([^"]*)">', page)
    return {**found, "canonical": unescape(canonical[1]) if canonical else ""}


@pytest.fixture
def cast() -> Cast:
    cast = Cast()
    for task in cast.add_tasks(3):
        cast.add_run(Agent.objects.filter(slug="alice").first() or cast.alice(), task, 1)
    cast.settle()
    return cast


def test_the_board_says_its_answer_and_has_its_card(client: Client, cast: Cast) -> None:
    found = said(client, "/?dataset=ports&sort=name")

    assert found["description"].startswith(
        "Ports: Alice is the only competitor: it solves 100.0 % per attempt. 1 agent on 3 tasks"
    )
    assert found["og:description"] == found["description"]
    assert found["og:title"] == "Which agent resolves real tasks?"
    assert found["canonical"] == found["og:url"] == "http://testserver/?dataset=ports"
    assert found["og:image"] == "http://testserver/leaderboard/card.png?dataset=ports"
    assert found["twitter:card"] == "summary_large_image"


def test_an_agent_a_run_a_task_and_a_document_say_what_they_are(client: Client, cast: Cast) -> None:
    run = Run.objects.get(task__slug="tide-1")

    agent = said(client, "/agents/alice/")
    assert agent["description"].startswith("Alice on Ports: ")
    assert "solves 100.0 % per attempt, 95 % interval" in agent["description"]
    assert agent["og:image"] == "http://testserver/agents/alice/card.png?dataset=ports"
    shown = said(client, f"/runs/{run.pk}/?step=2&diff=split")
    assert shown["description"].startswith("Alice at “Tide 1”: resolved")
    assert shown["canonical"] == f"http://testserver/runs/{run.pk}/"
    file = f"/runs/{run.pk}/steps/2/file?path=tide.py"
    assert said(client, file)["canonical"] == f"http://testserver{file}"
    assert shown["og:image"].startswith(f"http://testserver/runs/{run.pk}/card.png")
    assert said(client, "/tasks/harbour/tide-1/")["description"].startswith(
        "A task in Harbour master: Tide 1."
    )
    assert said(client, "/docs/harness/")["description"].startswith("harness/ is the part that runs agents")


def test_a_comparison_says_its_answer_and_has_its_card(client: Client, cast: Cast) -> None:
    cast.add_run(cast.bob(), Task.objects.earliest("pk"), 1, passed=0)
    cast.settle()

    found = said(client, "/compare/?a=bob&b=alice")
    assert found["description"].startswith(
        "Bob against Alice. On 1 task that both tried: Alice solves 100.0 points more"
    )
    assert found["og:image"] == "http://testserver/compare/card.png?a=bob&b=alice&dataset=ports"
    of_one = said(client, "/compare/?a=bob&b=alice&repository=harbour")["og:image"]
    assert of_one == f"{found['og:image']}&repository=harbour"


PAGES = (
    *(
        "/",
        "/runs/",
        "/tasks/",
        "/agents/",
        "/models/",
        "/models/analytical/",
        "/analysis/",
        "/analysis/efficiency/",
    ),
    *(
        "/analysis/heatmap/",
        "/methods/",
        "/methods/pass-rates/",
        "/docs/",
        "/evaluate/",
        "/changes/",
        "/search/",
    ),
    *("/regressions/", "/share/"),
)


def test_every_kind_of_page_has_a_description_of_its_own(client: Client, cast: Cast) -> None:
    run = f"/runs/{Run.objects.get(task__slug='tide-1').pk}"
    found = [said(client, page) for page in (*PAGES, f"{run}/", f"{run}/transcript/", f"{run}/timeline/")]

    said_of = [one["description"] for one in found]
    assert all(20 < len(one) <= 300 for one in said_of)
    assert len(set(said_of)) == len(said_of)
    assert DEFAULT not in said_of
    assert [one["canonical"] for one in found[: len(PAGES)]] == [f"http://testserver{page}" for page in PAGES]


def test_a_page_about_one_thing_is_described_by_its_title(client: Client, cast: Cast) -> None:
    assert said(client, "/models/analytical/")["description"] == (
        "Analytical. Its price, context window and weights, and the results of its agents on each board."
    )


def test_missing_pages_have_no_canonical_address(client: Client) -> None:
    assert said(client, "/nothing-here/")["canonical"] == ""


def test_the_address_of_the_site_can_be_set(client: Client, settings: object) -> None:
    settings.SITE_ADDRESS = "https://bench.example/"  # type: ignore[attr-defined]

    assert said(client, "/runs/")["canonical"] == "https://bench.example/runs/"


def test_hostile_names_stay_text(client: Client, cast: Cast) -> None:
    Agent.objects.update(name='"><script>alert(1)</script>\u202e')

    page = client.get("/agents/alice/").content.decode()

    assert "<script>alert(1)" not in page
    assert 'content=""' not in page
    assert said(client, "/agents/alice/")["og:title"].startswith('"><script>')
