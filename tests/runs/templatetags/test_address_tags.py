"""Addresses in templates: found once where they are always the same, else as Django finds them."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from django.test.utils import override_script_prefix
from django.urls import NoReverseMatch


def shown(source: str, **values: object) -> str:
    return Template(source).render(Context(values))


def test_addresses_with_and_without_arguments_are_those_of_django() -> None:
    assert shown("{% url 'tasks' %} {% url 'tasks' %}") == "/tasks/ /tasks/"
    assert shown("{% url 'agent' slug %}", slug="ada") == "/agents/ada/"
    assert shown("{% url view %}", view="runs") == "/runs/"
    assert shown("{% url 'admin:index' %}") == "/admin/"
    assert shown("{% url 'tasks' as address %}[{{ address }}]") == "[/tasks/]"


def test_a_site_below_a_prefix_has_its_own_addresses() -> None:
    before = shown("{% url 'tasks' %}")
    with override_script_prefix("/bench/"):
        assert shown("{% url 'tasks' %}") == "/bench/tasks/"
    assert shown("{% url 'tasks' %}") == before


def test_a_name_that_no_address_has_is_refused() -> None:
    with pytest.raises(NoReverseMatch, match="nowhere"):
        shown("{% url 'nowhere' %}")
