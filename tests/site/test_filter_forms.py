"""Forms of filters: a choice changes one filter, and every other parameter of the address stays."""

from __future__ import annotations

from collections.abc import Mapping
from html.parser import HTMLParser
from urllib.parse import parse_qsl

import pytest
from django.test import Client

from runs.data.queries import parameters
from tests.site.kinds import KINDS
from tests.site.world import World

pytestmark = pytest.mark.django_db

TASK = "difficulty=easy&category=bug&language=Python"
REST = f"{TASK}&stack=Python+3.11"
TASKS = f"dataset=ports&repository=harbour&{REST}"
CELL = "agent=alice&repository=harbour&task=harbour/tide-1"
AGENTS = "kind=ide&weights=closed&origin=here"
DAYS = "since=2026-01-02&until=2027-12-30"
RUNS = f"{DAYS}&flagged=without"
VIEW = "sort=-tests&columns=all&against=time&budget=0.5&minutes=10&issues=100"
PLACES = {"page", "step", "from"}  # in what the filters find, which another filter changes


class Forms(HTMLParser):
    """What each form of filters of a page would send without a script, by its address; '' is the page's own."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sent: list[tuple[str, dict[str, str]]] = []
        self._is_open = False
        self._list = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._is_open = own.get("class") == "filters"
            if self._is_open:
                self.sent.append((own.get("action", ""), {}))
        elif self._is_open:
            self._field(tag, own)

    def _field(self, tag: str, own: Mapping[str, str]) -> None:
        fields = self.sent[-1][1]
        if tag == "input" and (own.get("type") != "checkbox" or "checked" in own):
            fields[own["name"]] = own.get("value", "")
        elif tag == "select":
            self._list = own["name"]
        elif tag == "option" and "selected" in own:
            fields[self._list] = own["value"]

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._is_open = False


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of the parameters that pages read: `text` reads all of them."""
    names: set[str] = set()
    text = parameters.text

    def recorded(query: Mapping[str, str], name: str, default: str = "") -> str:
        names.add(name)
        return text(query, name, default)

    monkeypatch.setattr(parameters, "text", recorded)
    return names


CASES: Mapping[str, tuple[str, str]] = {
    "leaderboard": (f"{TASKS}&{AGENTS}&{RUNS}&{VIEW}", ""),
    "leaderboard-reported": (f"dataset=lab-bench&{REST}&{AGENTS}&{RUNS}&{VIEW}", "repository"),
    "leaderboard-frozen": (f"{TASKS}&{AGENTS}&{VIEW}", "since until flagged"),
    "compare": (f"a=alice&b=bob&{TASKS}", "kind weights origin"),
    "repository": (
        "show=tests&order=clustered&difficulty=easy&category=bug&made=hand-made",
        "agent task",  # of a dense map
    ),
    "code-map-function": ("size=nesting&centrality=degree&calls=static&find=tide&function=1", ""),
    "near-misses": (f"{CELL}&dataset=ports&threshold=70&by=mean", ""),
    "analysis-tools": (f"{TASKS}&{AGENTS}&{RUNS}", ""),
    "analysis-advice": (f"{TASKS}&{AGENTS}&{RUNS}&goal=time&budget=7&resource=seconds", ""),
    "search": ("q=tide", ""),
    "agents": (
        "q=alice&sort=-score&dataset=ports&harness=BenchBench&model=analytical&weights=closed&kind=ide",
        "",
    ),
    "models": ("q=ana&sort=-window&dataset=ports&provider=Ada+Works&weights=closed&price=known", ""),
    "tasks": (
        f"q=tide&origin=hand-made&share=some&sort=-attempts&dataset=ports&repository=harbour&{TASK}",
        "",
    ),
    "search-agents": ("q=tide", ""),
    "runs": (
        f"{CELL}&dataset=ports&q=tide&evaluation=spring-tide&outcome=resolved&ending=completed&state=finished"
        f"&origin=here&listed=yes&replay=here&sign=premature_editing&exploit=flagged&{DAYS}&sort=-time",
        "",
    ),
    "replay": ("tool=kind:edit&file=tide&errors=1&edits=1&q=hour&diff=split", ""),
    "two-runs": ("", "patches"),
}
"""For each page with such a form: its parameters with values, and others that it reads but that are not tried here."""


@pytest.mark.parametrize("kind", CASES)
def test_a_choice_of_one_filter_keeps_every_other_parameter(world: World, read: set[str], kind: str) -> None:
    query, refused = CASES[kind]
    address = next(one for one in KINDS if one.name == kind).address(world)
    path = address.partition("?")[0]
    chosen = dict(parse_qsl(query or address.partition("?")[2]))

    response = Client().get(path, chosen)

    assert response.status_code == 200, response.content[:2000]
    assert read - PLACES - set(refused.split()) == set(chosen)
    sent = [fields for action, fields in Forms(response.content.decode()).sent if action in {"", path}]
    assert sent
    for fields in sent:
        assert {name: fields.get(name) for name in chosen} == chosen
