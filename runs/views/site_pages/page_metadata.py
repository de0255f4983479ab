"""What a page says of itself to search engines and to sites that show its link: description, address and card.

All of it is made from what the page shows anyway, without a query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from runs.analysis.outcomes.standings import Standing
from runs.models import Run
from runs.models.agent import signed_name
from runs.presentation.formatting.numbers import counted, percent
from runs.presentation.formatting.text import one_line
from runs.rankings.leaderboard.board_answer import board_answer, board_size

MAX_LENGTH = 300  # characters of a description
DEFAULT = "Coding agents on real repositories: results that you can check."
# The parameters that make another page; all others only filter, sort or scroll it.
_OWN_PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "leaderboard": ("dataset",),
    "agent": ("dataset",),
    "compare": ("a", "b", "agent", "dataset"),
    "compare_runs": ("a", "b"),
    "judged_agents": ("a", "b"),
    "start_comparing": ("a", "b"),
    "repositories": ("dataset",),
    "run_step_file": ("path",),
    "changes": ("dataset", "agent"),
}
_SENTENCES: Mapping[str, str] = {
    "repositories": "Repositories and their tasks: what agents resolve in each, task by task.",
    "tasks": "Every task with the share of agents that solved it, near misses and replays.",
    "agents": "Every agent with its harness, its model, and its score and cost on each board.",
    "models": "Every model with its price, context window, weights and best score.",
    "board_heatmap": "Every task of a board against every agent, in colours.",
    "search": "Search the texts of all runs, and the names of tasks, agents and models.",
    "search_agents": "How many runs of each agent match a search, and how often they succeed.",
    "regressions": "Scheduled checks for regressions of agents: their verdicts, and what moved.",
    "share": "A board, a badge and cards to show elsewhere, with the code to copy.",
    "near_misses": "Tasks that agents almost resolved but never did, and the tests that stood between.",
    "runs": "Every run of every agent, with outcome, tests, time and cost; each opens to replay.",
    "analysis": "What costs, time, tools, harness and repetition say about coding agents, with intervals.",
    "compare": "Two or more agents task by task, with tests of whether they differ.",
    "evaluations": "Evaluations of coding agents: their progress, costs and results.",
    "methods": "The formula, source and units of every number on the site.",
    "published": "Tables of papers on coding agents, as printed.",
    "judges": "How reliable models are that judge the work of coding agents.",
    "api_reference": "All data for programs: API, exports and feeds, read-only and without a key.",
    "docs": "Documentation: what the numbers mean, how to use the data, take part, and operate a site.",
    "evaluate": "Run an evaluation yourself, bring an agent, or send results, with commands to copy.",
    "changes": "What changed: new boards, agents and versions of sources, and ranks that changed.",
    "status": "Whether the site, its database and its workers are well.",
}
# What follows the title of a page about one thing.
_AFTER_TITLE: Mapping[str, str] = {
    "model": "Its price, context window and weights, and the results of its agents on each board.",
    "method_group": "Formula, source, units and what small n gives, of each number.",
    "source": "Where these results come from, what is not known of them, and how to cite them.",
    "repository_map": "Its functions, their size, and who calls whom.",
    "transcript": "All steps of the run, to read from top to bottom.",
    "run_timeline": "When each step of the run began, how long it took, and what it cost.",
    "run_terminal": "The recording of the run's terminal, to play and as text.",
    "run_end": "What the run left behind: its tests, its patch and the output of its grading.",
    "run_step_file": "A file of the workspace as it was after a step of the run.",
    "compare_runs": "Where two runs of one task differ, step by step and in their patches.",
    "judged_agents": "What judges say of both agents' runs of the same tasks.",
    "evaluation": "Its progress, cost and results, run by run.",
    "evaluation_report": "All numbers with intervals and n, after their known problems.",
    "judging_pass": "What judges said of these runs, and what it cost.",
    "regression": "A check for regressions: what moved, with intervals.",
    "saved_search": "How many runs of each agent match it, and how often they succeed.",
}


def description(request: HttpRequest, context: Mapping[str, Any]) -> str:
    """One or two sentences on the page: of a board, an agent or a run, its answer."""
    name = _name(request)
    about = _OF_PAGE[name](context) if name in _OF_PAGE else _SENTENCES.get(name, "")
    if name in _AFTER_TITLE:
        about = f"{context.get('page_title', '')}. {_AFTER_TITLE[name]}"
    return one_line(about or DEFAULT, MAX_LENGTH)


def canonical_address(request: HttpRequest) -> str:
    """The address of the page without parameters that only filter, sort or scroll it; '' where there is no page."""
    if request.resolver_match is None:
        return ""
    own = _OWN_PARAMETERS.get(_name(request), ())
    pairs = [(key, value) for key in own for value in request.GET.getlist(key) if value]
    query = f"?{urlencode(pairs)}" if pairs else ""
    return f"{site_address(request)}{request.path}{query}"


def card_address(request: HttpRequest, context: Mapping[str, Any]) -> str:
    """The picture to show beside a link to the page: of its agent, pair, run or board; else that of the first board."""
    run, agent, pair = context.get("run"), context.get("agent"), context.get("pair")
    dataset = _dataset(context.get("board"))
    pairs: dict[str, str] = {}
    match _name(request):
        case "run" if isinstance(run, Run):
            path = reverse("run_card", args=[run.pk])
        case "agent" if agent is not None:
            path = reverse("agent_card", args=[agent.slug])
        case "compare" if pair is not None:
            path = reverse("comparison_card")
            pairs |= {"a": pair.first.slug, "b": pair.second.slug, **context["selection"].filters()}
        case _:
            path = reverse("board_card")
    if dataset:
        pairs["dataset"] = dataset
    query = f"?{urlencode(pairs)}" if pairs else ""
    return f"{site_address(request)}{path}{query}"


def site_address(request: HttpRequest) -> str:
    """The beginning of every address of the site, without a slash at its end."""
    return settings.SITE_ADDRESS.rstrip("/") or f"{request.scheme}://{request.get_host()}"


def _name(request: HttpRequest) -> str:
    return (request.resolver_match.url_name or "") if request.resolver_match else ""


def _dataset(board: Any) -> str:
    """The name of a board in addresses, of the whole board or of its entry in the list."""
    entry = getattr(board, "entry", board)
    return getattr(entry, "dataset", "") or ""


def _of_board(context: Mapping[str, Any]) -> str:
    board = context.get("board")
    if board is None or board.entry is None:
        return ""
    answer = board_answer(board)
    return f"{board.entry.title}: {answer}. {board_size(board)}, {board.entry.origin}." if answer else ""


def _of_agent(context: Mapping[str, Any]) -> str:
    agent, board, standing = context.get("agent"), context.get("board"), context.get("standing")
    if agent is None or board is None or standing is None:
        return ""
    return f"{one_line(signed_name(agent.name), 80)} on {board.title}: {standing_words(standing)}."


def standing_words(standing: Standing) -> str:
    """The rank and the rate of an agent with its interval, in words."""
    rate, place = standing.pass_1, standing.place
    ends = f"{percent(rate.interval.low, 0)} to {percent(rate.interval.high, 0)}"
    words = f"solves {percent(rate.value)} per attempt, 95 % interval {ends}, at {counted(standing.tasks, 'task')}"
    if place is None:
        return words
    places = f"{place.first}" if place.first == place.last else f"{place.first} to {place.last}"
    return f"rank {places}, {words}"


def _of_run(context: Mapping[str, Any]) -> str:
    run = context.get("run")
    if not isinstance(run, Run):
        return ""
    outcome = run.get_outcome_display() if run.outcome else run.state
    steps = f", {run.steps:,} steps to replay" if run.steps else ""
    return f"{signed_name(run.agent.name)} at “{run.task.title}”: {outcome}{steps}."


def _of_comparison(context: Mapping[str, Any]) -> str:
    pair = context.get("pair")
    if pair is None:
        return _SENTENCES["compare"]
    tasks = f"On {counted(len(pair.found.tasks), 'task')} that both tried: " if pair.found.tasks else ""
    return f"{context.get('title', '')}. {tasks}{pair.answer}."


def _of_task(context: Mapping[str, Any]) -> str:
    task = context.get("task")
    if task is None:
        return ""
    return f"A task in {task.repository.title}: {task.title}. Which agents resolve it, and with which tests."


def _of_repository(context: Mapping[str, Any]) -> str:
    repository = context.get("repository")
    return f"{repository.title}: its tasks, and which agents resolve them." if repository else ""


def _of_topic(context: Mapping[str, Any]) -> str:
    topic = context.get("topic")
    return str(topic.description) if topic else ""


def _of_document(context: Mapping[str, Any]) -> str:
    page = context.get("page")
    return str(page.summary) if page else ""


_OF_PAGE: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "leaderboard": _of_board,
    "frozen": _of_board,
    "agent": _of_agent,
    "run": _of_run,
    "compare": _of_comparison,
    "task": _of_task,
    "repository": _of_repository,
    "document": _of_document,
    "analysis_topic": _of_topic,
}
