"""Template filters for numbers, and links to methods."""

from __future__ import annotations

import pytest
from django.template import Context, Template

from runs.presentation.analysis_docs import titles


def test_a_link_has_the_title_of_its_method() -> None:
    shown = Template('{% load number_tags %}{% method "pass-rate" %}').render(Context())
    assert 'href="/methods/#pass-rate"' in shown
    assert f"How it is computed: {titles()['pass-rate']}" in shown
    with pytest.raises(KeyError):
        Template('{% load number_tags %}{% method "no-such-number" %}').render(Context())


def shown(template: str, **values: object) -> str:
    return Template("{% load number_tags %}" + template).render(Context(values))


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
        '<a href="/methods/#pass-rate">pass@1 and pass@k of an agent</a>'
    )
