"""The notes of people on the step that a replay shows."""

from __future__ import annotations

from typing import Any

from django import template
from django.db.models import Count
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
    everything = notes_of(run, reader)
    elsewhere = everything.exclude(step=number).order_by("step").values_list("step")
    writes = may_write(run, reader)
    return {
        "notes": [
            (note, may_edit(note, reader), may_delete(note, reader))
            for note in everything.filter(step=number)
        ],
        "others": list(elsewhere.annotate(Count("pk"))),
        "writes": writes,
        "full": why_full(run, reader) if writes else "",
        "length": MAX_NOTE_LENGTH,
    }
