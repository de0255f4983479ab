"""The notes of people on the step that a replay shows."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django import template
from django.template.context import Context

from runs.judging.raters.step_notes import may_delete, may_edit, may_write, notes_of, why_full
from runs.models.rating import MAX_NOTE_LENGTH

register = template.Library()


@register.simple_tag(takes_context=True)
def notes_on_step(context: Context) -> dict[str, Any]:
    """The notes on `step` of `run`, and on how many other steps there are some.

    `notes`: each with what this reader may do with it; `others`: the other steps with their number of notes; `writes`:
    whether the reader may write one; `full`: why no further one.
    """
    run, number, reader = context["run"], context["step"].number, context["request"].user
    everything = list(notes_of(run, reader))
    here = [note for note in everything if note.step == number]
    others = Counter(note.step for note in everything if note.step != number)
    writes = may_write(run, reader)
    return {
        "notes": [(note, may_edit(note, reader), may_delete(note, reader)) for note in here],
        "others": sorted(others.items()),
        "writes": writes,
        "full": why_full(run, reader) if writes else "",
        "length": MAX_NOTE_LENGTH,
    }
