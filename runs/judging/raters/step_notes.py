"""Notes of people on steps of a run: who reads, writes and deletes them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import cast

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from runs.data.queries.parameters import BadParameter
from runs.data.queries.visibility import Reader, is_operator, visible
from runs.judging.raters.rater_names import rater_name
from runs.models import Run, StepNote
from runs.models.rating import MAX_NOTE_LENGTH

MAX_NOTES = 100  # of one person on one run
MAX_NOTES_OF_RUN = 5_000  # of all people: a page lists where they are


def notes_of(run: Run, reader: Reader) -> QuerySet[StepNote]:
    """The notes on the present try of this run that the reader may see, in the order of the steps."""
    return visible(StepNote.objects.filter(run=run, run_try=run.tries), reader).order_by("step", "pk")


def notes_version(run: Run) -> Sequence[object]:
    """Changes whenever a note of the run does. One query."""
    # The run is visible to the reader, and this is no more than whether its page has changed.
    found = StepNote.objects.filter(run=run).aggregate(Count("pk"), Max("pk"), Max("changed_at"))
    return tuple(found.values())


def may_write(run: Run, reader: Reader) -> bool:
    """Whether the reader may write notes on steps of this run: every account, where readers see them."""
    return reader.is_authenticated and visible(Run.objects.filter(pk=run.pk), reader).exists()


def why_full(run: Run, reader: Reader) -> str:
    """Why this reader can write no further note on the run; '' if another one is allowed. One query."""
    # Notes on earlier tries count, too.
    found = StepNote.objects.filter(run=run).aggregate(
        all=Count("pk"), own=Count("pk", filter=Q(author=reader.pk))
    )
    if found["own"] >= MAX_NOTES:
        return f"you have written {MAX_NOTES} notes on this run, the most that one person may"
    if found["all"] >= MAX_NOTES_OF_RUN:
        return f"this run has {MAX_NOTES_OF_RUN:,} notes, the most that a run may have"
    return ""


def may_edit(note: StepNote, reader: Reader) -> bool:
    """Whether the reader wrote the note."""
    return reader.is_authenticated and note.author_id == reader.pk


def may_delete(note: StepNote, reader: Reader) -> bool:
    """Whether the reader wrote the note, or is an operator."""
    return may_edit(note, reader) or is_operator(reader)


def write_note(run: Run, step: int, author: Reader, text: str) -> StepNote:
    """Stores a note on a step that exists. Raises BadParameter for a text that is none, and for one note too many."""
    cleaned = cleaned_text(text)
    with transaction.atomic():
        Run.objects.select_for_update().get(pk=run.pk)
        if full := why_full(run, author):
            raise BadParameter("text", cleaned, f"nothing: {full}")
        user = cast(User, author)
        name = rater_name(user)
        return StepNote.objects.create(
            run=run, run_try=run.tries, step=step, author=user, author_name=name, text=cleaned
        )


def edit_note(note: StepNote, text: str) -> None:
    """Stores another text. Raises BadParameter for a text that is none."""
    note.text = cleaned_text(text)
    note.changed_at = timezone.now()
    with transaction.atomic():
        note.save(update_fields=["text", "changed_at"])


def delete_note(note: StepNote) -> None:
    """Deletes it, with an entry in the audit log."""
    with transaction.atomic():
        note.delete()


def cleaned_text(text: str) -> str:
    """Plain text with line breaks and without other control characters.

    Raises BadParameter if nothing is left, or too much.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    cleaned = "".join(
        each for each in lines if each in "\n\t" or unicodedata.category(each)[0] != "C"
    ).strip()
    if not 0 < len(cleaned) <= MAX_NOTE_LENGTH:
        raise BadParameter("text", cleaned[:40], f"a text of 1 to {MAX_NOTE_LENGTH:,} characters")
    return cleaned
