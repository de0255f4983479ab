"""A site with at least one object of every kind that the API returns."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from django.test import Client

from runs.models import Run
from tasks.loading import hide
from tasks.models import Dataset, Repository
from tests.runs.cast import Cast, identity_of, record
from tests.runs.made_counts import count
from tests.runs.tiny import summary_of

NEAP = "tests/test_tide.py::test_neap"
HOSTILE = "</script><script>alert(1)</script>\u202e\x00\x1b[31m ='\"&"


class World:
    """Alice and Bob were tried on a harbour that everybody sees, Alice also on a vault that operators alone see."""

    def __init__(self) -> None:
        self.cast = Cast()
        self.easy, self.near = self.cast.add_tasks(2)
        self.vault = Dataset.objects.create(
            slug="vault",
            title="Vault",
            description="Not public.",
            version="1",
            licence="MIT",
            directory="/nowhere",
        )
        cellar = Repository.objects.create(
            dataset=self.vault, slug="cellar", title="Deep cellar", description="Dark.", stack="C", domain="x"
        )
        (self.unseen,) = self.cast.add_tasks(1, cellar, start=7)
        self.alice, self.bob, self.oracle = self.cast.alice(), self.cast.bob(), self.cast.oracle()
        self.runs = [
            *self.cast.add_cell(self.alice, self.easy, [5, 0]),
            *self.cast.add_cell(self.alice, self.near, [4, 4]),
            *self.cast.add_cell(self.bob, self.easy, [3]),
            *self.cast.add_cell(self.oracle, self.easy, [5]),
        ]
        self.near_run = self.runs[2]
        self.secret = self.cast.add_cell(self.alice, self.unseen, [4])[0]
        self.rehearsal = self.cast.add_evaluation("rehearsal", "Behind the vault", listed=False)
        self.cast.add_run(self.alice, self.unseen, 1, evaluation=self.rehearsal)
        for run in (self.near_run, self.secret):
            complete(run)
            count(run)
        self.cast.settle()
        hide(self.vault, hidden=True)


def complete(run: Run) -> None:
    """The run's directory, with a hostile message and a summary."""
    path = record(run, messages={NEAP: HOSTILE})
    stated = summary_of(run, identity=replace(identity_of(run), try_number=1))
    (path / "run_summary.json").write_text(json.dumps(stated.to_json()))


def get(address: str, client: Client | None = None) -> Any:
    """The JSON of a successful response."""
    response = (client or Client()).get(f"/api/v1/{address}")
    assert response.status_code == 200, (address, response.content[:500])
    return response.json()
