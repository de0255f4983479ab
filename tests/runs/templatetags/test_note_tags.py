"""The notes of the step that a replay shows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.template import Context

from runs.judging.raters.step_notes import write_note
from runs.templatetags.note_tags import notes_on_step
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_notes_of_the_step_are_shown_and_those_of_others_counted() -> None:
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    ada = User.objects.create_user("ada")
    for step, text in ((3, "One."), (3, "Two."), (5, "Three."), (5, "Four."), (9, "Five.")):
        write_note(run, step, ada, text)

    def found(reader: object) -> dict[str, Any]:
        request = SimpleNamespace(user=reader)
        return notes_on_step(Context({"run": run, "step": SimpleNamespace(number=3), "request": request}))

    own, public = found(ada), found(AnonymousUser())
    assert [(note.text, *rights) for note, *rights in own["notes"]] == [
        ("One.", True, True),
        ("Two.", True, True),
    ]
    assert [(note.text, *rights) for note, *rights in public["notes"]] == [
        ("One.", False, False),
        ("Two.", False, False),
    ]
    assert own["others"] == public["others"] == [(5, 2), (9, 1)]
    assert (own["writes"], public["writes"]) == (True, False)
