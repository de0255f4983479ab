"""Agents as rows, read once for a page."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.data.cache.reading_once import reading_once
from runs.data.queries.agent_rows import agent_rows
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

    assert (rows[alice.pk].slug, rows[alice.pk].settings) == ("alice", '{"temperature": 0.5}')
    assert alice.model is not None
    assert (rows[alice.pk].model, rows[alice.pk].provider) == (alice.model.name, alice.model.provider)
    assert (rows[oracle.pk].model, rows[oracle.pk].kind) == (None, "oracle")
