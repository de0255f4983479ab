"""Template filters for numbers, and links to methods."""

from __future__ import annotations

import re

import pytest
from django.template import Context, Template, engines
from django.test import RequestFactory

from runs.presentation.analysis_docs import methods, titles


def shown(template: str, **values: object) -> str:
    return Template("{% load number_tags %}" + template).render(Context(values))


def page(main: str, rf: RequestFactory) -> str:
    """A whole page with this content."""
    source = f'{{% extends "base.html" %}}{{% load number_tags %}}{{% block main %}}{main}{{% endblock %}}'
    return engines["django"].from_string(source).render({}, rf.get("/"))


def test_question_marks_of_a_page_share_one_box_for_each_method_at_its_end(rf: RequestFactory) -> None:
    mark = '{% method "pass-rate" %}'
    found = page(f'<p>{mark} {mark} {{% method "excluded" %}}</p><i id="end"></i>', rf)
    assert found.count('popovertarget="how-pass-rate"') == 2
    assert found.count('id="how-pass-rate"') == 1
    assert found.index('id="end"') < found.index('id="how-pass-rate"') < found.index('id="how-excluded"')
    box = found[found.index('id="how-pass-rate"') :]
    method = methods()["pass-rate"]
    assert box.index(method.title) < box.index(method.short) < box.index(method.example)
    assert box.index(method.example) < box.index(
        '<a href="/methods/pass-rates/#pass-rate">How it is computed</a>'
    )
    assert 'class="explained"' not in page("<p>No number</p>", rf)


def test_a_part_without_its_page_has_the_box_beside_the_question_mark() -> None:
    found = shown('<b>{% method "pass-rate" %}</b>.')
    assert 'popovertarget="how-pass-rate-1"' in found
    assert found.endswith("How it is computed</a></span></b>.")
    assert 'id="how-pass-rate-1" popover' in found


def test_a_part_for_a_request_has_a_box_of_its_own_for_each_question_mark(rf: RequestFactory) -> None:
    part = engines["django"].from_string('{% load number_tags %}{% method "row" %}{% method "row" %}')
    assert re.findall(r'id="([^"]+)" popover', part.render({}, rf.get("/"))) == ["how-row-1", "how-row-2"]


def test_a_question_mark_names_its_method() -> None:
    assert " ".join(titles()["pass-rate"].split()) in " ".join(shown('{% method "pass-rate" %}').split())
    with pytest.raises(KeyError):
        shown('{% method "no-such-number" %}')


def test_a_method_without_a_sentence_is_a_plain_link() -> None:
    found = shown('{% method "outcomes" %}')
    assert 'href="/methods/outcomes/#outcomes"' in found
    assert "popover" not in found


def test_numbers_are_written_as_everywhere() -> None:
    line = "{{ share|percent }}, {{ n|count }}, {{ cost|dollars }}, {{ time|duration }}, {{ none|percent }}"
    found = shown(line, share=0.125, n=648_200, cost=0.25, time=341.0, none=None)
    assert found.replace("\u00a0", " ") == "12.5 %, 648 k, $0.25, 5:41, –"


def test_texts_of_others_are_escaped_after_a_filter() -> None:
    assert shown("{{ name|one_line }}", name="<b>\nAlice") == "&lt;b&gt; Alice"
    assert shown("{{ name|words }}", name="infrastructure_failed<") == "infrastructure failed&lt;"


def test_the_difference_of_two_numbers() -> None:
    assert shown("{{ all|minus:passed }}", all=5, passed=7) == "-2"


def test_elements_and_entries_are_picked() -> None:
    assert shown("{{ names|at:1 }}", names=["alice", "bob"]) == "bob"
    assert shown("{{ counts|key:name }}", counts={"a b": 3}, name="a b") == "3"
    assert shown("{{ counts|key:'c' }}", counts={"a b": 3}) == "None"


def test_a_share_is_a_bar_of_that_width() -> None:
    part = '<rect class="part" width="{}" height="8"/>'
    for share, width in ((0.125, "12.5"), (1, "100.0"), (0, "0.0"), (None, "0.0")):
        assert part.format(width) in shown("{% share_bar share %}", share=share)


def test_a_named_link_shows_its_title() -> None:
    assert shown('{% named_method "pass-rate" %}') == (
        '<a href="/methods/pass-rates/#pass-rate">pass@1 and pass@k of an agent</a>'
    )


def test_a_column_is_known_if_one_of_its_rows_has_a_value_and_0_is_one() -> None:
    rows = [({"rate": None}, ""), ({"rate": 0}, "")]
    condition = Template(
        '{% load number_tags %}{% if rows|known:"0.rate" %}rates{% endif %}{% if rows|known:"1" %}no{% endif %}'
    )

    assert condition.render(Context({"rows": rows})) == "rates"
