"""A hidden dataset is visible to operators only, and counts in no public number."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from runs.data.cells.open_cells import board_standings
from runs.data.queries.filters import CellFilter
from runs.models import Run, Try
from tasks.loading import hide
from tasks.models import Dataset, Repository, Task
from tests.runs.cast import Cast, add_try, record

pytestmark = pytest.mark.django_db


class World:
    """A public dataset and a hidden one. Alice has runs at both."""

    def __init__(self) -> None:
        self.cast = Cast()
        (self.seen,) = self.cast.add_tasks(1)
        self.vault = Dataset.objects.create(
            slug="vault",
            title="Vault",
            description="Not public.",
            version="1",
            licence="MIT",
            directory="/nowhere",
        )
        self.repository = Repository.objects.create(
            dataset=self.vault,
            slug="cellar",
            title="Deep cellar",
            description="Under the house.",
            stack="C",
            domain="x",
        )
        (self.unseen,) = self.cast.add_tasks(1, self.repository, start=7)
        self.alice = self.cast.alice()
        self.public = self.cast.add_cell(self.alice, self.seen, [5])[0]
        self.secret = self.cast.add_cell(self.alice, self.unseen, [4])[0]
        record(self.secret, messages={"tests/test_tide.py::test_neap": "the result is 42"})
        terminal = '{"version": 2, "width": 80, "height": 24}\n[1, "o", "the result is 42"]\n'
        Path(self.secret.path, "terminal.cast").write_text(terminal)
        add_try(self.secret, 1, Try.State.FAILED, "the cellar is flooded", failure="engine")
        self.cast.settle()
        hide(self.vault, hidden=True)

    def addresses(self) -> list[str]:
        """Everything of the vault that has an address."""
        run = self.secret.get_absolute_url()
        parts = ["", "live/", "steps/3/", "steps/3/raw/", "patch/", "log/", "artifacts/x.png"]
        parts += ["terminal/", "terminal.cast", "terminal.txt"]
        return [
            self.repository.get_absolute_url(),
            self.unseen.get_absolute_url(),
            *(run + part for part in parts),
        ]


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(User.objects.create_user("reader"))
    return client


@pytest.fixture
def operator(client: Client) -> Client:
    user = User.objects.create_user("operator", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="start_evaluation"))
    client.force_login(user)
    return client


def test_its_pages_are_not_found_for_other_users(world: World, reader: Client) -> None:
    for client in (Client(), reader):
        for address in world.addresses():
            assert client.get(address).status_code == 404, address


def test_no_list_names_it(world: World, reader: Client) -> None:
    pages = ["/", "/repositories/", "/near-misses/?threshold=1", "/runs/", "/agents/alice/", "/evaluations/"]
    for client in (Client(), reader):
        for address in [*pages, world.cast.evaluation.get_absolute_url(), "/leaderboard.json"]:
            page = client.get(address).content.decode()
            for word in ("cellar", "Vault", "Tide 7", "flooded"):
                assert word not in page, (address, word)


def test_it_counts_in_no_public_number(world: World) -> None:
    (row,) = board_standings("ports").rows

    assert (row.tasks, row.attempts, row.resolved) == (1, 1, 1)
    assert CellFilter(dataset="vault").cells().count() == 0
    assert CellFilter(repository="cellar").runs().count() == 0


def test_making_it_open_again_counts_it_at_once(world: World) -> None:
    assert not board_standings(world.vault.slug).rows

    hide(world.vault, hidden=False)

    assert board_standings(world.vault.slug).rows[0].tasks == 1


def test_operators_see_it(world: World, operator: Client) -> None:
    pages = [address for address in world.addresses() if not address.endswith(".png")]

    assert {operator.get(address).status_code for address in pages} == {200}
    vault = operator.get(f"/repositories/?dataset={world.vault.slug}")
    assert "Deep cellar" in vault.content.decode()
    assert "Tide 7" in operator.get(world.cast.evaluation.get_absolute_url()).content.decode()
    assert operator.get("/runs/").content.decode().count("Replay run") == Run.objects.count() == 2


def test_staff_without_the_permission_to_start_are_not_operators(world: World, client: Client) -> None:
    client.force_login(User.objects.create_user("clerk", is_staff=True))

    assert client.get(world.unseen.get_absolute_url()).status_code == 404
    assert Task.objects.count() == 2
