"""What an evaluation will cost and take, from earlier runs."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from pytest_django import DjangoAssertNumQueries

from runs.analysis.cost.forecast import Outlook
from runs.analysis.estimate import Estimate
from runs.models import Agent, LanguageModel, Run
from runs.operations.evaluations.start_estimate import EarlierRun, StartEstimate, estimate
from tasks.models import Task
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_workers_are_remembered() -> None:
    """The number of workers is cached for some seconds."""
    cache.clear()


def test_a_new_agent_is_estimated_from_similar_agents_at_its_own_prices(cast: Cast) -> None:
    tasks = cast.add_tasks(1)
    cast.add_run(
        cast.bob(), tasks[0], prompt_tokens=1_000_000, completion_tokens=100_000, cached_tokens=500_000
    )
    carol = cast.add_agent(
        "Carol", "ide", cast.add_model("C", input_price=2.0, output_price=10.0, cached_price=1.0)
    )

    found = estimate([carol], tasks, 2, budget=10.0)

    assert found.cost.middle.value == pytest.approx(2 * (1.0 + 0.5 + 1.0))
    assert found.agents[0].basis == "its prices, for the tokens of 1 run of other ide agents"
    assert found.verdict == "enough"


def test_unknown_costs_stay_unknown_and_no_model_is_free(cast: Cast) -> None:
    tasks = cast.add_tasks(1)
    bob, idler = cast.bob(), cast.idler()
    cast.add_run(bob, tasks[0])

    found = estimate([bob, idler], tasks, 2, budget=None)
    free = estimate([idler], tasks, 2, budget=None)

    assert found.cost.middle.reason == "the price of Babbage is unknown"
    assert found.verdict == ""
    assert (free.cost.middle.value, free.cost.middle.n) == (0.0, 0)
    assert free.agents[0].basis == "no model: nothing to pay"


def test_an_estimate_takes_a_fixed_number_of_queries(
    cast: Cast, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    model = cast.add_model("Analytical", input_price=1.0, output_price=1.0)
    tasks = cast.add_tasks(3)
    agents = [cast.add_agent(f"A{number}", "ide", model) for number in range(5)]
    for agent in agents[1:]:
        cast.add_run(agent, tasks[0])
    for chosen in (agents[:1], agents):
        with django_assert_max_num_queries(4):
            estimate(chosen, tasks, 1, None)


@pytest.mark.parametrize(
    ("prices", "cost"),
    [
        ({"input_price": 2.0, "output_price": 10.0}, 3.0),
        ({"input_price": 2.0, "output_price": 10.0, "cached_price": 0.5}, 2.4),
        ({"input_price": 2.0, "output_price": 10.0, "cached_price": 0.0}, 2.2),
        ({"input_price": 0.0, "output_price": 0.0}, 0.0),
        ({"input_price": 2.0}, None),
        ({"output_price": 10.0}, None),
    ],
)
def test_tokens_cost_what_the_prices_say(prices: dict[str, float], cost: float | None) -> None:
    # A million prompt tokens, 400,000 of them from the cache, and 100,000 of the completion.
    run = EarlierRun(1, 1, prompt=1_000_000, completion=100_000, cached=400_000, cost=None, seconds=1.0)

    assert run.at_prices_of(LanguageModel(**prices)) == (cost if cost is None else pytest.approx(cost))


def test_more_cached_tokens_than_tokens_cost_nothing_below_zero() -> None:
    run = EarlierRun(1, 1, prompt=100, completion=0, cached=1_000_000, cost=None, seconds=1.0)

    assert run.at_prices_of(LanguageModel(input_price=2.0, output_price=1.0, cached_price=1.0)) == 1.0


@pytest.mark.parametrize(
    ("cost", "budget", "verdict"),
    [
        (Outlook(Estimate(1.0, 3), 0.5, 2.0), None, ""),
        (Outlook(Estimate(1.0, 3), 0.5, 2.0), 0.9, "short"),
        (Outlook(Estimate(1.0, 3), 0.5, 2.0), 1.0, "perhaps"),
        (Outlook(Estimate(1.0, 3), 0.5, 2.0), 2.0, "enough"),
        (Outlook(Estimate.unknown("no price"), None, None, at_least=3.0), 2.0, "short"),
        (Outlook(Estimate.unknown("no price"), None, None, at_least=2.0), 2.0, "unknown"),
    ],
)
def test_the_verdict_on_the_budget(cost: Outlook, budget: float | None, verdict: str) -> None:
    found = StartEstimate(
        runs=1, agents=(), user=None, cost=cost, seconds=cost, workers=1, ahead=0, budget=budget
    )

    assert found.verdict == verdict


@pytest.mark.parametrize(("here", "middle"), [(5, 0.1), (4, (4 * 0.1 + 6 * 1.1) / 10)])
def test_five_runs_at_the_chosen_tasks_are_enough_to_ask_no_others(
    cast: Cast, here: int, middle: float
) -> None:
    task, other = cast.add_tasks(2)
    alice = cast.alice()
    for attempt in range(1, here + 1):
        cast.add_run(alice, task, attempt, cost_usd=0.1)
    for attempt in range(1, 7):
        cast.add_run(alice, other, attempt, cost_usd=1.1)

    found = estimate([alice], [task], 1, None)

    assert found.cost.middle.value == pytest.approx(middle)
    assert found.agents[0].basis == f"{5 if here == 5 else 10} earlier runs of it"


def test_only_valid_verdicts_are_earlier_runs(cast: Cast) -> None:
    (task,), alice = cast.add_tasks(1), cast.alice()
    cast.add_run(alice, task, 1, cost_usd=0.1)
    cast.add_run(alice, task, 2, cost_usd=9.0, odd="cost_usd")
    cast.add_run(alice, task, 3, cost_usd=9.0, outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    cast.add_run(alice, task, 4, cost_usd=9.0, outcome="", state=Run.State.RUNNING)

    found = estimate([alice], [task], 2, None)

    assert (found.cost.middle.value, found.cost.middle.n) == (0.2, 1)
    assert found.agents[0].basis == "1 earlier run of it"
    assert found.ahead == 1


def test_own_runs_of_unknown_cost_are_priced_by_their_tokens(cast: Cast) -> None:
    (task,), alice = cast.add_tasks(1), cast.alice()
    cast.add_run(alice, task, cost_usd=None, prompt_tokens=1_000_000, completion_tokens=100_000)

    found = estimate([alice], [task], 1, None)

    assert found.cost.middle.value == pytest.approx(3.0 + 1.5)
    assert found.agents[0].basis == "its prices, for the tokens of 1 run of its own"


def test_without_any_run_of_its_kind_nothing_is_known(cast: Cast) -> None:
    (task,), alice = cast.add_tasks(1), cast.alice()

    found = estimate([alice], [task], 1, None)

    assert found.cost.middle.reason == "neither Alice nor another ide agent has run"
    assert found.seconds.middle.reason == "neither Alice nor another ide agent has run"


def test_time_is_shared_by_the_workers_of_the_settings_while_none_can_be_counted(
    cast: Cast, settings: Any
) -> None:
    settings.WORKERS = 4
    (task,), idler = cast.add_tasks(1), cast.idler()
    cast.add_run(idler, task, prepare_seconds=10.0, act_seconds=20.0, grade_seconds=30.0)

    found = estimate([idler], [task], 2, None)

    assert (found.runs, found.workers, found.seconds.middle.value) == (2, None, 30.0)


class TestTheSimulatedUser:
    @pytest.fixture
    def player(self, cast: Cast) -> LanguageModel:
        return cast.add_model("Player", input_price=2.0, output_price=10.0)

    def add_talk(self, cast: Cast, player: LanguageModel | None, **user: Any) -> None:
        """A run at a workflow task, whose user this model played."""
        task = Task.objects.filter(mode="workflow").first() or cast.add_workflow("toxic")[0]
        cast.evaluation = cast.add_evaluation(f"talk-{Run.objects.count()}", "Talk", user_model=player)
        idler = Agent.objects.filter(slug="idler").first() or cast.idler()
        values = {
            "user_turns": 3,
            "user_prompt_tokens": 1_000_000,
            "user_completion_tokens": 100_000,
            "user_cost_usd": None,
        }
        cast.add_run(idler, task, **{**values, **user})

    def test_costs_what_it_cost_in_earlier_runs(self, cast: Cast, player: LanguageModel) -> None:
        other = cast.add_model("Other")
        self.add_talk(cast, player, user_cost_usd=0.25)
        self.add_talk(cast, player, user_cost_usd=0.75)
        self.add_talk(cast, other, user_cost_usd=9.0)
        tasks = [*Task.objects.filter(mode="workflow"), *cast.add_tasks(1)]

        found = estimate([Agent.objects.get(slug="idler")], tasks, 4, 1.0, player)

        assert found.user is not None
        assert (found.user.runs, found.user.basis) == (4, "2 earlier runs with it as the user")
        assert (found.cost.middle.value, found.cost.middle.n) == (2.0, 2)
        assert found.verdict == "short"

    def test_costs_its_own_prices_for_the_tokens_of_other_users(
        self, cast: Cast, player: LanguageModel
    ) -> None:
        self.add_talk(cast, cast.add_model("Other"))
        self.add_talk(cast, None, user_prompt_tokens=0, user_completion_tokens=0, user_cost_usd=0.0)

        found = estimate([cast.alice()], list(Task.objects.all()), 1, None, player)

        assert found.user is not None
        assert found.user.basis == "its prices, for the users' tokens of 1 earlier run"
        assert found.user.cost.middle.value == pytest.approx(3.0)

    @pytest.mark.parametrize(
        ("prices", "reason"),
        [
            ({"input_price": 2.0, "output_price": 1.0}, "no model has played the user of a run"),
            ({}, "the price of P is unknown"),
        ],
    )
    def test_is_unknown_without_an_earlier_run(
        self, cast: Cast, prices: dict[str, float], reason: str
    ) -> None:
        found = estimate([cast.idler()], cast.add_workflow("toxic"), 1, 1.0, cast.add_model("P", **prices))

        assert found.cost.middle.reason == reason
        assert found.verdict == "unknown"

    def test_is_left_out_without_a_workflow_task_or_a_model(self, cast: Cast, player: LanguageModel) -> None:
        idler = cast.idler()
        assert estimate([idler], cast.add_tasks(1), 1, None, player).user is None
        assert estimate([idler], cast.add_workflow("toxic"), 1, None).user is None
