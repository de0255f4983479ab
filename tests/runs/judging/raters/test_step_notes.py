"""Who reads, writes, changes and deletes notes on steps."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone

from runs.data.queries.parameters import BadParameter
from runs.data.queries.visibility import ANONYMOUS
from runs.judging.raters import step_notes
from runs.judging.raters.rater_names import rater_name
from runs.judging.raters.step_notes import (
    cleaned_text,
    delete_note,
    edit_note,
    may_delete,
    may_edit,
    may_write,
    notes_of,
    notes_version,
    why_full,
    write_note,
)
from runs.models import PlaySession, Run
from tasks.loading import hide
from tests.runs.access.audit.entries import entries
from tests.runs.cast import Cast
from tests.runs.roles import OPERATORS, member


@pytest.fixture
def run(cast: Cast) -> Run:
    return cast.add_run(cast.alice(), cast.add_tasks(1)[0])


def texts(run: Run, reader: User | AnonymousUser = ANONYMOUS) -> list[str]:
    """What this reader reads."""
    return [note.text for note in notes_of(run, reader)]


def test_notes_are_read_by_everybody_in_the_order_of_the_steps(run: Run, ada: User) -> None:
    write_note(run, 7, ada, "Later.")
    first = write_note(run, 3, ada, "Earlier.")
    assert texts(run) == ["Earlier.", "Later."]
    assert (first.author, first.author_name, first.run_try) == (ada, rater_name(ada), run.tries)


def test_every_account_may_write_and_nobody_else(run: Run, ada: User) -> None:
    assert may_write(run, ada)
    assert not may_write(run, ANONYMOUS)


def test_authors_change_and_delete_their_own_and_operators_delete_any(run: Run, ada: User) -> None:
    note = write_note(run, 3, ada, "Mine.")
    bob, olga = User.objects.create_user("bob", is_staff=True), member("olga", OPERATORS)
    rights = {who: (may_edit(note, who), may_delete(note, who)) for who in (ada, bob, olga, ANONYMOUS)}
    assert list(rights.values()) == [(True, True), (False, False), (False, True), (False, False)]


def test_each_change_is_in_the_audit_log_and_in_the_version(run: Run, ada: User) -> None:
    versions = [notes_version(run)]
    note = write_note(run, 3, ada, "One.")
    versions.append(notes_version(run))
    edit_note(note, "Two.")
    versions.append(notes_version(run))
    assert (texts(run), note.changed_at is not None) == (["Two."], True)
    delete_note(note)
    versions.append(notes_version(run))
    assert len(set(versions[:3])) == 3
    assert (versions[3], texts(run)) == (versions[0], [])
    acts = [entry for entry in entries() if entry[2] == f"step 3 of run {run.pk}"]
    assert [entry[1] for entry in acts] == ["created", "changed", "deleted"]
    assert acts[1][3:] == ({"text": "One."}, {"text": "Two."})


def test_a_note_on_an_earlier_try_is_not_shown(run: Run, ada: User) -> None:
    write_note(run, 3, ada, "About steps that are gone.")
    run.tries += 1
    assert texts(run) == []


def test_notes_on_runs_of_a_hidden_dataset_are_hidden(run: Run, ada: User, cast: Cast) -> None:
    write_note(run, 3, ada, "Quotes the task.")
    hide(cast.dataset, hidden=True)
    assert texts(run) == []
    assert texts(run, ada) == []
    assert texts(run, member("olga", OPERATORS)) == ["Quotes the task."]
    assert not may_write(run, ada)


def test_a_person_who_plays_the_task_reads_no_note_on_a_run_of_it(run: Run, ada: User, cast: Cast) -> None:
    write_note(run, 3, User.objects.create_user("bob"), "The bug is in tide.py.")
    own = cast.add_run(cast.bob(), run.task)
    session = PlaySession.objects.create(user=ada, run=own, pseudonym="p-ada")
    assert texts(run, ada) == []
    session.ended_at = timezone.now()
    session.save()
    assert texts(run, ada) == ["The bug is in tide.py."]


def test_a_text_is_plain_with_line_breaks() -> None:
    assert cleaned_text("  One.\r\nTwo.\rThree.\tEnd\x00\x1b[31m\u202e ") == "One.\nTwo.\nThree.\tEnd[31m"
    assert cleaned_text("x" * 2_000) == "x" * 2_000


@pytest.mark.parametrize("text", ["", " \n ", "\x00\u202e", "x" * 2_001])
def test_nothing_and_too_much_are_refused(text: str, run: Run, ada: User) -> None:
    with pytest.raises(BadParameter, match="text"):
        write_note(run, 3, ada, text)
    assert texts(run) == []


@pytest.mark.parametrize(
    ("limit", "bob_may", "why"),
    [
        ("MAX_NOTES", True, "you have written 1 notes on this run, the most that one person may"),
        ("MAX_NOTES_OF_RUN", False, "this run has 1 notes, the most that a run may have"),
    ],
)
def test_one_person_and_one_run_have_a_limited_number_of_notes(
    run: Run, ada: User, limit: str, *, bob_may: bool, why: str
) -> None:
    bob = User.objects.create_user("bob")
    with patch.object(step_notes, limit, 1):
        assert why_full(run, ada) == ""
        write_note(run, 3, ada, "One.")
        assert why_full(run, ada) == why
        with pytest.raises(BadParameter, match=why):
            write_note(run, 4, ada, "Two.")
        assert (why_full(run, bob) == "") is bob_may
