"""The feed of checks."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from django.test import Client

from tests.runs.cast import Cast
from tests.runs.judging.regression_checks.made_checks import add_regression

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


def entries(client: Client) -> list[tuple[str, str]]:
    """Title and summary of each entry."""
    response = client.get("/regressions/feed.atom")
    assert response["Content-Type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(response.content)
    return [
        (entry.findtext(f"{ATOM}title") or "", entry.findtext(f"{ATOM}summary") or "")
        for entry in feed.iter(f"{ATOM}entry")
    ]


def test_each_ended_check_is_an_entry(client: Client) -> None:
    assert entries(client) == []
    cast = Cast()
    alice, tasks = cast.alice(), cast.add_tasks(1)
    runs = cast.add_run(alice, tasks[0], 2), cast.add_run(alice, tasks[0])
    add_regression(tasks, cast.evaluation, runs, title="<b>Night\nwatch\ufffe")
    add_regression(tasks, cast.evaluation, runs, title="Open", state="judging", verdict="")
    ((title, summary),) = entries(client)
    assert title == "<b>Night watch\N{REPLACEMENT CHARACTER}: regression"
    assert "<p>Became worse: Formal verification.</p>" in summary
    assert "difference -0.25 (95 % -0.4 to -0.1), 8 scenarios, corrected p 0.004</li>" in summary
