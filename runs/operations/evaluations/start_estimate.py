"""Estimates the cost and the time of an evaluation from earlier runs, for the page that starts it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db.models import F, QuerySet

from runs.analysis.cost.forecast import Batch, Outlook, expected_seconds, outlook
from runs.models import Agent, LanguageModel, Run
from runs.operations.monitoring.live_workers import worker_status
from tasks.models import Task

LATEST = 5000
ENOUGH_ON_TASKS = 5


@dataclass(frozen=True, slots=True)
class EarlierRun:
    """The cost and time of an earlier run. `cost` is None if it is unknown."""

    agent: int
    task: int
    prompt: int
    completion: int
    cached: int
    cost: float | None
    seconds: float

    def at_prices_of(self, model: LanguageModel) -> float | None:
        """The cost of its tokens at the prices of a model; None without prices."""
        if model.input_price is None or model.output_price is None:
            return None
        cached = model.cached_price if model.cached_price is not None else model.input_price
        fresh = max(0, self.prompt - self.cached)
        millions = fresh * model.input_price + self.cached * cached + self.completion * model.output_price
        return millions / 1_000_000


@dataclass(frozen=True, slots=True)
class AgentEstimate:
    """The estimate for one agent. `basis` says in words what the cost is based on."""

    agent: Agent
    runs: int
    cost: Outlook
    basis: str


@dataclass(frozen=True, slots=True)
class UserEstimate:
    """The estimate for the model that plays the users of so many runs. `basis` as for an agent."""

    model: LanguageModel
    runs: int
    cost: Outlook
    basis: str


@dataclass(frozen=True, slots=True)
class StartEstimate:
    """The estimate for all agents, and for the users of workflow tasks if a model plays them.

    `ahead`: open runs of other evaluations.
    """

    runs: int
    agents: tuple[AgentEstimate, ...]
    user: UserEstimate | None
    cost: Outlook
    seconds: Outlook
    workers: int | None
    ahead: int
    budget: float | None

    @property
    def verdict(self) -> str:
        """Whether the budget is enough: "enough", "perhaps", "short", "unknown", or "" without a budget."""
        if self.budget is None:
            return ""
        if self.cost.middle.value is None or self.cost.high is None:
            return "short" if self.cost.at_least > self.budget else "unknown"
        if self.cost.middle.value > self.budget:
            return "short"
        return "perhaps" if self.cost.high > self.budget else "enough"


def estimate(
    agents: Sequence[Agent],
    tasks: Sequence[Task],
    attempts: int,
    budget: float | None,
    user_model: LanguageModel | None = None,
) -> StartEstimate:
    """The estimate, in at most three queries, and one for the simulated user."""
    each = len(tasks) * attempts
    chosen = {task.pk for task in tasks}
    own: dict[int, list[EarlierRun]] = defaultdict(list)
    for run in _earlier(Run.objects.filter(agent__in=[agent.pk for agent in agents])):
        own[run.agent].append(run)
    newcomers = [agent for agent in agents if not own.get(agent.pk)]
    similar = _of_others(newcomers)
    costs: list[Batch] = []
    times: list[Batch] = []
    rows: list[AgentEstimate] = []
    for agent in agents:
        mine = _on_tasks(own.get(agent.pk, []), chosen)
        theirs = similar.get(agent.kind, [])
        unknown = f"neither {agent} nor another {agent.kind} agent has run"
        times.append(Batch(each, [run.seconds for run in mine or theirs], unknown))
        if agent.model is None:
            rows.append(AgentEstimate(agent, each, outlook([]), "no model: nothing to pay"))
            continue
        cost, basis = _cost(agent, agent.model, each, mine or theirs, own=bool(mine), unknown=unknown)
        costs.append(cost)
        rows.append(AgentEstimate(agent, each, outlook([cost]), basis))
    talks = [task for task in tasks if task.mode == Task.Mode.WORKFLOW]
    user = None
    if user_model and talks:
        cost, basis = _cost_of_user(user_model, talks, len(agents) * len(talks) * attempts)
        user = UserEstimate(user_model, cost.runs, outlook([cost]), basis)
        costs.append(cost)
    status = worker_status()
    workers = status.count if status else None
    return StartEstimate(
        runs=each * len(agents),
        agents=tuple(rows),
        user=user,
        cost=outlook(costs),
        seconds=expected_seconds(times, settings.WORKERS if workers is None else workers),
        workers=workers,
        ahead=Run.objects.filter(state__in=Run.OPEN).count(),
        budget=budget,
    )


def _earlier(runs: QuerySet[Run]) -> list[EarlierRun]:
    settled = runs.filter(state=Run.State.FINISHED, outcome__in=Run.VERDICTS, odd="")
    columns = ("agent_id", "task_id", "prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd")
    took = F("prepare_seconds") + F("act_seconds") + F("grade_seconds")
    rows = settled.order_by("-pk").annotate(took=took).values_list(*columns, "took")[:LATEST]
    return [EarlierRun(*row) for row in rows]


def _of_others(newcomers: Sequence[Agent]) -> dict[str, list[EarlierRun]]:
    """Runs of other agents by kind, for agents without runs of their own."""
    kinds = {agent.kind for agent in newcomers}
    if not kinds:
        return {}
    agents = dict(Agent.objects.filter(kind__in=kinds).values_list("pk", "kind"))
    similar: dict[str, list[EarlierRun]] = defaultdict(list)
    for run in _earlier(Run.objects.filter(agent__in=agents)):
        similar[agents[run.agent]].append(run)
    return similar


def _on_tasks(runs: Sequence[EarlierRun], chosen: set[int]) -> Sequence[EarlierRun]:
    here = [run for run in runs if run.task in chosen]
    return here if len(here) >= ENOUGH_ON_TASKS else runs


def _cost(
    agent: Agent, model: LanguageModel, runs: int, earlier: Sequence[EarlierRun], *, own: bool, unknown: str
) -> tuple[Batch, str]:
    known = [run.cost for run in earlier if own and run.cost is not None]
    if known:
        return Batch(runs, known), f"{len(known):,} earlier run{'s' if len(known) > 1 else ''} of it"
    priced = [cost for run in earlier if (cost := run.at_prices_of(model)) is not None]
    if priced:
        whose = "of its own" if own else f"of other {agent.kind} agents"
        many = f"{len(priced):,} run{'s' if len(priced) > 1 else ''}"
        return Batch(runs, priced), f"its prices, for the tokens of {many} {whose}"
    if model.input_price is None or model.output_price is None:
        unknown = f"the price of {model} is unknown"
    return Batch(runs, [], unknown), unknown


def _cost_of_user(model: LanguageModel, tasks: Sequence[Task], runs: int) -> tuple[Batch, str]:
    """What the model costs as the user of so many runs: as earlier users, at its own prices if others played them."""
    played = Run.objects.filter(
        state=Run.State.FINISHED, outcome__in=Run.VERDICTS, odd="", user_prompt_tokens__gt=0
    )
    columns = ("agent_id", "task_id", "user_prompt_tokens", "user_completion_tokens", "user_cost_usd")
    rows = played.order_by("-pk").values_list(*columns, "evaluation__user_model")[:LATEST]
    own: list[EarlierRun] = []
    others: list[EarlierRun] = []
    for agent, task, prompt, completion, cost, player in rows:
        run = EarlierRun(agent, task, prompt, completion, 0, cost, 0.0)
        (own if player == model.pk else others).append(run)
    chosen = {task.pk for task in tasks}
    known = [run.cost for run in _on_tasks(own, chosen) if run.cost is not None]
    if known:
        return Batch(runs, known), f"{_runs(known)} with it as the user"
    earlier = _on_tasks(own or others, chosen)
    priced = [cost for run in earlier if (cost := run.at_prices_of(model)) is not None]
    if priced:
        return Batch(runs, priced), f"its prices, for the users' tokens of {_runs(priced)}"
    priceless = model.input_price is None or model.output_price is None
    unknown = f"the price of {model} is unknown" if priceless else "no model has played the user of a run"
    return Batch(runs, [], unknown), unknown


def _runs(listed: Sequence[float]) -> str:
    return f"{len(listed):,} earlier run{'' if len(listed) == 1 else 's'}"
