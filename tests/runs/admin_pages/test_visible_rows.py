"""Staff with view rights alone finds nothing hidden in the admin, by whatever way; viewers do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from runs.models import Agent, Cell, Evaluation, Run, Try
from tasks.loading import hide
from tasks.models import Dataset, Repository, Task
from tests.runs.cast import Cast, add_try
from tests.runs.roles import OPERATORS, VIEWERS, member

pytestmark = pytest.mark.django_db

SECRET = "sunken-treasure"
MODELS = (Dataset, Repository, Task, Run, Try, Cell, Evaluation, Agent)
SEARCHES = ("", "?q=the", f"?q={SECRET}", f"?q={SECRET[:4]}", "?_facets=True", "?all=", "?o=1", "?o=-2.3")


class World:
    """An open dataset and a hidden one, all of which is called SECRET. An evaluation with both, and one at each."""

    def __init__(self) -> None:
        cast = Cast()
        alice = cast.alice()
        (open_task,) = cast.add_tasks(1)
        vault = Dataset.objects.create(
            slug=SECRET, title=SECRET, description=SECRET, version="1", licence="MIT", directory=f"/{SECRET}"
        )
        cellar = Repository.objects.create(
            dataset=vault, slug=SECRET, title=SECRET, description=SECRET, stack=SECRET, domain=SECRET
        )
        self.task = Task.objects.create(
            repository=cellar,
            slug=f"{SECRET}-task",
            title=SECRET,
            description=SECRET,
            category=Task.Category.BUG,
            difficulty="hard",
            digest="e" * 64,
            admitted=True,
            tests_total=5,
        )
        self.both = cast.evaluation
        add_try(cast.add_run(alice, open_task, 1), 1, Try.State.SETTLED)
        only = cast.add_evaluation(f"{SECRET}-only", f"Only {SECRET}", attempts=1)
        for evaluation in (self.both, only):
            run = cast.add_run(alice, self.task, 1, evaluation=evaluation, detail=SECRET)
            add_try(run, 1, Try.State.FAILED, SECRET, failure="engine")
        hide(vault, hidden=True)
        cast.settle()


@pytest.fixture
def world() -> World:
    """As described."""
    return World()


@pytest.fixture
def clerk() -> User:
    """Staff that may look at every model, and edit and delete those that can be, but sees no hidden dataset."""
    made = member("carl")
    models = Permission.objects.filter(content_type__app_label__in=["runs", "tasks"])
    made.user_permissions.set(models.exclude(codename__in=["start_evaluation", "view_hidden"]))
    return made


def browser_of(user: User) -> Client:
    """A browser in which the user is signed in."""
    client = Client()
    client.force_login(user)
    return client


def base(model: type) -> str:
    """The address of a model's list."""
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/"  # type: ignore[attr-defined]


def addresses_of_rows(model: type, keys: list[int]) -> Iterator[str]:
    """All that the admin has about rows."""
    kind = ContentType.objects.get_for_model(model).pk
    for key in keys:
        yield from (f"{base(model)}{key}/{page}/" for page in ("change", "history", "delete"))
        yield f"/admin/r/{kind}/{key}/"


def keys_of(world: World) -> dict[type, tuple[list[int], list[int]]]:
    """Visible and hidden rows of each model."""
    hidden = Run.objects.filter(task=world.task)
    of = {
        Dataset: Dataset.objects.filter(hidden=True),
        Repository: Repository.objects.filter(dataset__hidden=True),
        Task: Task.objects.filter(pk=world.task.pk),
        Run: hidden,
        Try: Try.objects.filter(run__in=hidden),
        Cell: Cell.rows.filter(task=world.task),
        Evaluation: Evaluation.objects.filter(slug=f"{SECRET}-only"),
    }
    found: dict[type, tuple[list[int], list[int]]] = {}
    for model, rows in of.items():
        gone = list(rows.values_list("pk", flat=True))
        assert gone, model
        rest = list(model._base_manager.exclude(pk__in=gone).values_list("pk", flat=True)[:2])
        found[model] = (rest, gone)
    return found


def test_staff_with_view_rights_finds_nothing_hidden(world: World, clerk: User) -> None:
    client = browser_of(clerk)
    rows = keys_of(world)
    for model, (_, gone) in rows.items():
        kind = ContentType.objects.get_for_model(model)
        LogEntry.objects.create(
            user=clerk, content_type=kind, object_id=str(gone[0]), object_repr="x", action_flag=CHANGE
        )
    waiting = ["/admin/", "/admin/runs/", "/admin/tasks/"]
    waiting += [base(model) + search for model in MODELS for search in SEARCHES]
    waiting += [
        address
        for model, found in rows.items()
        for keys in found
        for address in addresses_of_rows(model, keys)
    ]
    waiting += [
        f"/admin/autocomplete/?app_label=runs&model_name=run&field_name={field}&term={SECRET[:3]}"
        for field in ("agent", "task", "evaluation")
    ]
    seen = set(waiting)
    leaks = []
    while waiting:
        address = waiting.pop()
        response = client.get(address)
        page = response.content.decode() + str(response.headers)
        if SECRET in page.replace(address, "").replace(f'value="{SECRET}"', "") and SECRET not in address:
            leaks.append(address)
        # The links of lists: filters, orders and pages.
        for found in re.findall(r'href="(\?[^"]*)"', page):
            link = address.partition("?")[0] + unescape(found)
            if link not in seen and len(seen) < 160:
                seen.add(link)
                waiting.append(link)
    assert leaks == []
    assert len(seen) > 100


def test_hidden_rows_have_no_page_in_the_admin(world: World, clerk: User) -> None:
    client = browser_of(clerk)
    for model, (rest, gone) in keys_of(world).items():
        assert client.get(f"{base(model)}{rest[0]}/change/").status_code == 200, model
        # As for a row that does not exist.
        nothing = client.get(f"{base(model)}{10**9}/change/")
        found = client.get(f"{base(model)}{gone[0]}/change/")
        assert (found.status_code, found.headers["Location"]) == (
            nothing.status_code,
            nothing.headers["Location"],
        )


def test_counts_are_of_visible_runs(world: World, clerk: User) -> None:
    def counts(user: User) -> list[tuple[str, str]]:
        page = browser_of(user).get(base(Evaluation)).content.decode()
        return re.findall(r">(\d+) of (\d+)<", page)

    assert counts(clerk) == [("1", "1")]
    assert sorted(counts(member("vera", VIEWERS))) == [("1", "1"), ("2", "2")]


@pytest.mark.parametrize("role", [VIEWERS, OPERATORS])
def test_viewers_and_operators_find_it(world: World, role: str) -> None:
    client = browser_of(member("vera", role))
    for model, (_, gone) in keys_of(world).items():
        page = client.get(f"{base(model)}{gone[0]}/change/")
        assert page.status_code == 200, model
    assert SECRET in client.get(f"{base(Run)}?q={SECRET[:5]}").content.decode().replace(SECRET[:5] + '"', "")


def test_a_viewer_changes_nothing(world: World) -> None:
    client = browser_of(member("vera", VIEWERS))
    evaluation = world.both
    form = {"title": "Mine", "action": "cancel_selected", "_selected_action": evaluation.pk, "post": "yes"}
    assert client.post(f"{base(Evaluation)}{evaluation.pk}/change/", form).status_code == 403
    client.post(base(Evaluation), form)
    shown = {"act": "show", "dataset": world.task.repository.dataset_id}
    assert client.post("/operate/datasets/", shown).status_code == 403
    assert client.post(f"/evaluations/{evaluation.pk}/cancel/").status_code == 403
    assert client.post(f"{base(Agent)}add/", {"name": "Mine"}).status_code == 403
    evaluation.refresh_from_db()
    assert evaluation.title != "Mine"
    assert Dataset.objects.filter(hidden=True).exists()


def test_the_latest_actions_of_an_account_end_with_its_role() -> None:
    user = member("past", OPERATORS)
    kind = ContentType.objects.get_for_model(Evaluation)
    LogEntry.objects.create(
        user=user, content_type=kind, object_id="1", object_repr=SECRET, action_flag=CHANGE, change_message=""
    )
    client = Client()
    client.force_login(user)
    assert SECRET in client.get("/admin/").content.decode()
    user.groups.clear()
    page = client.get("/admin/")
    assert page.status_code == 200
    assert SECRET not in page.content.decode()
