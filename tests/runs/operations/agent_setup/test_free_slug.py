"""Slugs of new rows."""

from __future__ import annotations

import pytest

from runs.models import Agent
from runs.operations.agent_setup.free_slug import free_slug

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "slug"), [("GPT 5.2", "gpt-52"), ("Ada", "ada-3"), ("水", "agent"), ("x" * 200, "x" * 94)]
)
def test_a_slug_follows_the_name_and_is_free(name: str, slug: str) -> None:
    for taken in ("ada", "ada-2"):
        Agent.objects.create(slug=taken, name=taken, kind="null")
    assert free_slug(Agent, name) == slug
