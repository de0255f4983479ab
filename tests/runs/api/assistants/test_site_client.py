"""The API of a site, read as an anonymous reader does."""

from __future__ import annotations

import httpx
import pytest

from runs.api.assistants.site_client import MAX_BYTES, OwnSite, SiteClient, SiteProblem, cursor_in
from tests.runs.api.world import World


def site_of(answer: httpx.Response | Exception) -> SiteClient:
    """A site that always answers this."""

    def respond(_request: httpx.Request) -> httpx.Response:
        if isinstance(answer, Exception):
            raise answer
        return answer

    return SiteClient("https://bench.example.org/", transport=httpx.MockTransport(respond))


@pytest.mark.django_db
@pytest.mark.usefixtures("connections_stay")
def test_this_site_is_read_in_this_process(world: World) -> None:
    own = SiteClient("http://testserver", transport=OwnSite())
    assert own.get("agents", "alice")["url"] == "http://testserver/agents/alice/"
    assert {item["slug"] for item in own.get("datasets")["items"]} == {"ports"}
    with pytest.raises(SiteProblem, match=f"there is no run {world.secret.pk}"):
        own.get("runs", world.secret.pk)


@pytest.mark.django_db
@pytest.mark.usefixtures("connections_stay")
def test_a_list_is_read_page_by_page(world: World) -> None:
    own = SiteClient("http://testserver", transport=OwnSite())
    runs = list(own.pages("runs", most=1000))
    assert len(runs) == len({run["id"] for run in runs}) == 6
    assert list(own.pages("runs", most=2)) == runs[:2]
    assert cursor_in({"next": None}) is None


def test_names_and_parameters_cannot_leave_the_api() -> None:
    seen: list[httpx.URL] = []

    def respond(request: httpx.Request) -> httpx.Response:
        seen.append(request.url)
        return httpx.Response(200, json={})

    site = SiteClient("https://bench.example.org", transport=httpx.MockTransport(respond))
    site.get("agents", "../../admin?x=1", q="a&b=c", empty="", no=False, yes=True)
    assert str(seen[0]) == (
        "https://bench.example.org/api/v1/agents/..%2F..%2Fadmin%3Fx%3D1?q=a%26b%3Dc&yes=1"
    )


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (httpx.Response(400, json={"detail": "limit: must be at most 200."}), "limit: must be at most 200."),
        (httpx.Response(500, json={}), "The site responded with status 500."),
        (httpx.Response(200, text="<html>"), "is it a BenchBench site?"),
        (httpx.Response(200, json=[1]), "is it a BenchBench site?"),
        (httpx.Response(200, content=b"[" * (MAX_BYTES + 1)), "longer than 16,777,216 bytes"),
        (httpx.ConnectError("no route"), "does not respond: no route"),
    ],
)
def test_what_went_wrong_is_said(answer: httpx.Response | Exception, said: str) -> None:
    with pytest.raises(SiteProblem) as problem:
        site_of(answer).get("runs")
    assert said in str(problem.value)


@pytest.mark.parametrize("address", ["bench.example.org", "file:///etc/passwd", "https://", ""])
def test_only_addresses_of_web_sites_are_taken(address: str) -> None:
    with pytest.raises(SiteProblem, match="is no address of a site"):
        SiteClient(address)
