"""No page shows an empty part, unknown values alone, or the same words twice."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.site.faults.page_faults import page_faults
from tests.site.kinds import KINDS
from tests.site.world import World


def table(*rows: str, head: str = "<th>Agent</th><th>Cost</th>") -> str:
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><caption>Costs</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def row(name: str, *values: str) -> str:
    return f'<th scope="row">{name}</th>' + "".join(f"<td>{value}</td>" for value in values)


ALICE, BOB = '<a href="/agents/alice/">A…</a>', '<a href="/agents/bob/">A…</a>'
HEADS = "<th>Agent</th><th>Cost</th><th>Time</th>"
NOT_ENDED = '<th scope="row">Bob</th><td colspan="2">no run has ended</td>'
FAULTY = {
    "chart without data": '<figure class="chart"><svg><line class="grid"></line></svg></figure>',
    "only unknown values": table(row("Alice", "– no cost is known"), row("Bob", "not stated")),
    "ends without a mark": f"<section>{table(*(row(f'Agent {place}', str(place)) for place in range(20)))}</section>",
    "different names shown alike": table(row(ALICE, "1"), row(BOB, "2")),
    "heading with nothing below": "<section><h2>Costs</h2></section><section><h2>Times</h2><p>One.</p></section>",
    "empty part": "<dl><dt>Model</dt><dd></dd></dl>",
    "word of a program": table(row("Alice", "None"), row("Bob", "3")),
    "one in the plural": "<p>By <b>1</b> agents.</p>",
    "said twice": "<p>Costs are those that agents report.</p><p>Costs are those that agents report.</p>",
    "unit missing": table(row("Alice", "$3.10"), row("Bob", "2.05")),
}
SOUND = {
    "chart": '<figure class="chart"><svg><circle class="dot hollow"></circle></svg></figure>',
    "some unknown values": table(row("Alice", "– no cost is known"), row("Bob", "$2")),
    "the first of more rows": f"<section>{table(*(row(f'A{n}', str(n)) for n in range(20)))}<p>20 of 41</p></section>",
    "different names": table(row('<a href="/agents/alice/">Alice</a>', "1"), row(BOB, "2")),
    "a heading above others": "<h2>Costs</h2><h3>Tokens</h3><p>One.</p>",
    "a value": "<dl><dt>Model</dt><dd>Analytical</dd></dl>",
    "the code of a program": "<pre>Costs are None. Costs are None.</pre>",
    "a reason over several columns": table(row("Alice", "–", "3 s"), NOT_ENDED, head=HEADS),
    "why a value is undefined": table(row("Alice", "undefined: one run has no variance"), row("Bob", "3")),
    "a test that is named above and listed below": 2
    * '<p><span class="mark">✕</span> tests/test_tide.py::test_neap</p>',
    "an agent that repeats itself": 2
    * '<div class="text say"><p>The tides are read before a change.</p></div>',
    "an explanation that an agent repeats": 2 * '<p class="text">See the tides before changing them.</p>',
    "an empty line of a file": '<table class="diff file"><tbody><tr><td>1</td><td></td></tr></tbody></table>',
    "one of one": "<p>1 of 1 runs, 21 runs, 0.1 seconds, 1 run.</p>",
    "one unit": table(row("Alice", "$3.10<small>n 4</small>"), row("Bob", "$2.05")),
}


@pytest.mark.parametrize("kind", FAULTY)
def test_each_kind_of_fault_is_found(kind: str) -> None:
    assert [fault.kind for fault in page_faults(f"<main>{FAULTY[kind]}</main>")] == [kind]


@pytest.mark.parametrize(
    ("kind", "page"),
    [
        (
            "only unknown values",
            table(row("Alice", "–", "3 s"), row("Carol", "–", "4 s"), NOT_ENDED, head=HEADS),
        ),
        ("only unknown values", table(row("Alice", "–", "3 s"), head=HEADS)),
        (
            "said twice",
            2 * '<p><span class="mark">✕</span> The harbour has no tide table for this year.</p>',
        ),
    ],
    ids=["a column beside a reason over several", "the column of one row", "a sentence behind a mark"],
)
def test_what_is_like_an_exception_is_a_fault(kind: str, page: str) -> None:
    assert [fault.kind for fault in page_faults(f"<main>{page}</main>")] == [kind]


@pytest.mark.parametrize("name", SOUND)
def test_what_says_something_is_no_fault(name: str) -> None:
    assert page_faults(f"<main>{SOUND[name]}</main>") == []


@pytest.mark.django_db
def test_no_page_of_the_demonstration_world_has_a_fault(world: World) -> None:
    anybody, operator = Client(), Client()
    operator.force_login(world.operator)
    found = []
    for kind in KINDS:
        response = (operator if kind.operator else anybody).get(kind.address(world))
        if "html" in response["Content-Type"]:
            found += [(kind.name, fault) for fault in page_faults(response.content.decode())]
    assert found == []
