"""A trial changes no public number, while it is under way and after it was cancelled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import pytest
from django.conf import settings
from django.test import Client

from harness.records import Outcome
from runs.models import Evaluation, Run
from runs.operations.evaluations.lifecycle import cancel_evaluation, set_listed, start_evaluation
from runs.reporting.topics.registry import TOPICS
from runs.work.execution.settling import settle
from tests.runs.tiny import ENGINE_ANSWERS, claimed, failure_of, summary_of
from tests.site.world import World

pytestmark = pytest.mark.django_db

# It changes with every run that settles, so that caches of pages that show the run are renewed.
VERSION = re.compile(r'"data_version": ?"\w+"')
LATEST_RUNS = re.compile(r'<section aria-labelledby="runs">.*?</section>', re.DOTALL)


def addresses(world: World) -> Iterator[str]:
    """Everything public that has numbers over several runs."""
    yield from ("/", "/?columns=all", "/?since=2020-01-01&columns=all")
    yield from (f"/leaderboard.{suffix}" for suffix in ("csv", "json", "md", "tex"))
    yield f"/leaderboard/at/{world.frozen.digest}/"
    yield from ("/repositories/", "/near-misses/?threshold=1", "/feed.atom", "/exports/runs.jsonl?listed=yes")
    yield from ("/compare/?a=alice&b=bob", "/compare/?agent=alice&agent=bob&agent=oracle")
    yield from (f"/repositories/{slug}/" for slug in {task.repository.slug for task in world.tasks})
    yield from (task.get_absolute_url() for task in world.tasks)
    yield from (agent.get_absolute_url() for agent in world.agents.values())
    yield "/analysis/"
    for topic in TOPICS:
        yield f"/analysis/{topic.slug}/"
    yield from (f"/api/v1/{name}" for name in ("leaderboard", "cells?limit=200", "near-misses?threshold=1"))
    yield from ("/api/v1/repositories", "/api/v1/agents/alice", "/api/v1/runs?listed=yes&limit=200")


def public_numbers(world: World, only: Iterable[str] = ()) -> dict[str, str]:
    """The body of each of these addresses, or of `only` some, as everybody gets it."""
    client = Client()
    found = {}
    for address in only or addresses(world):
        response = client.get(address)
        assert response.status_code == 200, address
        content = b"".join(response) if response.streaming else response.content
        found[address] = VERSION.sub("", LATEST_RUNS.sub("", content.decode()))
    return found


def start_trial(world: World, *, publish_when_finished: bool = False) -> Evaluation:
    """Twelve runs of agents that are on the leaderboard, at tasks that they have tried."""
    agents = [world.agents["alice"], world.agents["oracle"]]
    return start_evaluation(
        title="Does the prompt work?",
        agents=agents,
        tasks=world.tasks[:3],
        attempts=2,
        engine=ENGINE_ANSWERS,
        publish_when_finished=publish_when_finished,
    )


def end(run: Run, outcome: Outcome = Outcome.UNRESOLVED) -> None:
    """Settles the run: unresolved with most of its tests, or failed by the infrastructure for good."""
    if outcome is not Outcome.INFRASTRUCTURE_FAILED:
        assert settle(claimed(run), run.tries, summary_of(run, outcome=outcome, tests_passed=7))
        return
    for _ in range(settings.MAX_TRIES):
        assert settle(claimed(run), run.tries, failure_of(run))
        run.refresh_from_db()


def test_a_trial_that_is_cancelled_changes_no_public_number(world: World) -> None:
    before = public_numbers(world)
    trial = start_trial(world)
    first, second, third, late, *_ = trial.runs.order_by("pk")

    end(first)
    end(second, Outcome.RESOLVED)
    end(third, Outcome.INFRASTRUCTURE_FAILED)
    under_way = public_numbers(world)
    claimed(late)
    cancel_evaluation(trial)
    assert settle(late, late.tries, summary_of(late))  # its worker was done before it saw the cancellation

    assert under_way == before
    assert public_numbers(world) == before
    assert sorted(trial.runs.values_list("state", flat=True)) == ["cancelled"] * 8 + ["finished"] * 4
    assert (trial.state, trial.publication) == ("cancelled", "trial")


def test_its_runs_can_be_replayed_and_are_marked_as_those_of_a_trial(world: World, client: Client) -> None:
    trial = start_trial(world)
    run = trial.runs.order_by("pk")[0]
    end(run)

    other = world.run_of("bob", run.task)
    for address in (
        *(run.get_absolute_url(), trial.get_absolute_url(), "/evaluations/", "/runs/?listed=no"),
        *(f"/compare/runs/?a={other.pk}", f"/compare/runs/?a={other.pk}&b={run.pk}"),
    ):
        assert "trial</span>" in client.get(address).content.decode(), address
    assert "trial</span>" not in client.get("/runs/?listed=yes").content.decode()
    rows = client.get("/api/v1/runs?listed=no&state=finished").json()["items"]
    assert [(row["id"], row["listed"]) for row in rows] == [(run.pk, False)]


def test_the_tests_of_a_trial_are_in_the_matrix_of_its_runs_only(world: World, client: Client) -> None:
    published = world.run_of("alice", world.tasks[0])
    cell = f"/runs/?agent=alice&task={world.tasks[0].repository.slug}/{world.tasks[0].slug}"
    matrix = client.get(cell).context["matrix"]
    trial = world.cast.add_evaluation("neap", "Neap", listed=False)
    copy = world.cast.add_run(
        world.agents["alice"], world.tasks[0], 9, evaluation=trial, directory=published.directory
    )

    assert client.get(cell).context["matrix"].groups == matrix.groups
    ((_, runs),) = client.get(f"{cell}&listed=no").context["matrix"].groups
    assert runs == (copy,)


def test_publishing_changes_the_numbers_and_taking_off_restores_them(world: World) -> None:
    before = public_numbers(world)
    trial = start_trial(world, publish_when_finished=True)
    *earlier, last = trial.runs.order_by("pk")
    for run in earlier:
        end(run)
    assert public_numbers(world) == before

    end(last)
    shown = ("/", "/leaderboard.json", "/api/v1/cells?limit=200", "/analysis/efficiency/")
    published = public_numbers(world, shown)
    set_listed(trial, False)

    assert [address for address in shown if before[address] == published[address]] == []
    assert public_numbers(world) == before
