"""Agents as rows, read once for a page."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.data.cache.agent_rows import agent_rows, agents_version
from runs.data.cache.reading_once import reading_once
from tests.runs.cast import Cast


@pytest.mark.django_db(transaction=True)  # in a transaction, nothing is read once
def test_a_page_reads_agents_with_their_models_once(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    cast = Cast()
    alice, oracle = cast.alice(), cast.oracle()
    alice.settings = {"temperature": 0.5}
    alice.save()

    with django_assert_num_queries(1), reading_once():
        rows = {row.pk: row for row in agent_rows()}
        agent_rows()
        agents_version()

    assert (rows[alice.pk].slug, rows[alice.pk].settings) == ("alice", '{"temperature": 0.5}')
    assert alice.model is not None
    assert (rows[alice.pk].model, rows[alice.pk].provider) == (alice.model.name, alice.model.provider)
    assert (rows[oracle.pk].model, rows[oracle.pk].kind) == (None, "oracle")


@pytest.mark.django_db
def test_the_version_changes_with_everything_stored_of_open_agents_and_their_models() -> None:
    cast = Cast()
    alice = cast.alice()
    seen = {agents_version()}
    for changed in (alice, alice.model):
        assert changed is not None
        changed.description, changed.input_price = "Knows Ada", 1.25  # type: ignore[union-attr]
        changed.save()
        seen.add(agents_version())
    assert len(seen) == 3


@pytest.mark.django_db
def test_an_agent_that_ran_at_hidden_tasks_only_has_a_row_and_no_part_in_the_version() -> None:
    cast = Cast()
    alice, bob = cast.alice(), cast.bob()
    cast.add_run(bob, cast.add_hidden_task())
    before = agents_version()
    bob.description = "Knows a secret"
    bob.save()

    assert agents_version() == before
    assert {row.pk: bool(row.is_open) for row in agent_rows()} == {alice.pk: True, bob.pk: False}
