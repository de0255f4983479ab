"""Nothing of a hidden dataset, and nothing that tests printed, reaches those who may not see it, at any address.

Two web servers share a database and a Redis, so that what each process remembers counts. `benchmarks.leaks` reads more.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.site import free_port
from tests.site.crawling import WORD, Reply
from tests.site.leak_rounds import OUTSIDERS, Crawled, crawl
from tests.site.serving import Served, made_once

pytestmark = [pytest.mark.redis, pytest.mark.long]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[Crawled]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BENCHBENCH_API_REQUESTS", "0")
        data = tmp_path_factory.mktemp("leaks") / "data"
        shutil.copytree(made_once(shared, made=False), data)  # the tables
        with Served(data, world="tests.site.canaries", workers=1) as served:
            second = free_port()
            served.serve(second, 1)
            yield crawl(served, second, links_too=30)


def shown(replies: list[Reply]) -> list[str]:
    """For messages of failures: where something is told, and what."""
    return [f"{reply.address}: {reply.body[:200]}" for reply in replies]


def test_the_crawler_finds_canaries_before_they_are_hidden(crawled: Crawled) -> None:
    told = {reply.address for reply in crawled.before if reply.tells}
    assert len(told) > 60
    assert {"/", "/runs/", "/evaluations/", "/feed.atom", "/exports/runs.parquet", "/api/v1/agents"} <= told
    assert {f"/search/{page}?q={WORD[:-1]}*" for page in ("", "steps.json", "agents.csv")} <= told


def test_those_who_may_see_hidden_datasets_find_them_afterwards(crawled: Crawled) -> None:
    for who in ("viewer", "operator"):
        told = {reply.address for reply in crawled.after[who][0] if reply.tells}
        assert {"/runs/", "/evaluations/", "/tasks/"} <= told, who
        assert len(told) > 20, who


@pytest.mark.parametrize("who", OUTSIDERS)
def test_a_hidden_dataset_is_told_of_at_no_address(crawled: Crawled, who: str) -> None:
    for replies in crawled.after[who]:
        assert len(replies) > 200
        assert shown([reply for reply in replies if reply.tells]) == []
        assert shown([reply for reply in replies if reply.status >= 500 and reply.address != "/readyz"]) == []


def test_hiding_takes_effect_with_the_next_request_at_every_server(crawled: Crawled) -> None:
    assert any(reply.tells for reply in crawled.during if reply.started < crawled.hidden_at)
    assert crawled.later()
    assert shown([reply for reply in crawled.later() if reply.tells]) == []


def test_no_copy_of_a_page_that_told_of_it_is_confirmed(crawled: Crawled) -> None:
    assert len(crawled.copies) > 20
    assert {address: found for address, found in crawled.copies.items() if 304 in found} == {}


def test_what_is_hidden_answers_like_what_does_not_exist(crawled: Crawled) -> None:
    assert len(crawled.twins) > 40
    assert [(one.address, one.status, other.status) for one, other in crawled.different()] == []


def test_what_the_tests_of_an_open_run_printed_is_for_operators(crawled: Crawled) -> None:
    assert shown([reply for reply in crawled.of_others() if reply.quotes]) == []

    quoted = {
        reply.address.strip("/").split("/")[-1] for reply in crawled.after["operator"][0] if reply.quotes
    }
    assert {"log", "end", "live"} <= quoted
