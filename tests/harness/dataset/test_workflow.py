"""The slugs of workflow tasks."""

from __future__ import annotations

import pytest

from harness.dataset import Persona, scenario_of


@pytest.mark.parametrize(
    ("slug", "found"),
    [
        ("a.toxic", ("a", Persona.TOXIC)),
        ("a.b.default", ("a.b", Persona.DEFAULT)),
        ("a.rude", None),
        ("toxic", None),
        (".toxic", None),
    ],
)
def test_a_slug_names_scenario_and_persona(slug: str, found: tuple[str, Persona] | None) -> None:
    assert scenario_of(slug) == found
