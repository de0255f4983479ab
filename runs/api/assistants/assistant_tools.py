"""What an assistant may ask a site: each method is one tool, and its documentation is what the assistant reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import Field

from runs.api.assistants.bounded_text import MAX_PIECE, bounded, piece_of, short_step, untrusted, within
from runs.api.assistants.site_client import SiteClient, SiteProblem, cursor_in

MAX_ROWS = 100
MAX_LISTED = 50
MAX_STEPS = 20
MAX_FAILED_TESTS = 20
MAX_TESTS = 2_000  # read to find those that failed
LAST_STEPS = 3
MAX_NOTES = 20
MAX_DESCRIPTION = 2_000  # characters of a task's text
_FIGURES = (
    *("pass_at_1", "pass_at_k", "tests_passed", "pass_at_1_on_other_repositories"),
    *("cost_usd_per_attempt", "cost_usd_per_success", "seconds_per_attempt"),
)
_OF_RUN = (
    *("id", "agent", "repository", "task", "dataset", "attempt", "state", "outcome", "ending", "steps"),
    *("tests_passed", "tests_total", "cost_usd", "act_seconds", "replay", "url"),
)

Board = Annotated[str, Field(description="Name of a board, from list_boards; empty: the first board.")]
Agent = Annotated[str, Field(description="Name of an agent in addresses, from leaderboard or search.")]
Cursor = Annotated[str, Field(description="`next` of the answer before; empty: the first page.")]
RunNumber = Annotated[int, Field(description="Number of a run, from find_runs or search.", ge=1)]


class AssistantTools:
    """The tools over one site."""

    def __init__(self, site: SiteClient) -> None:
        self._site = site

    def all(self) -> tuple[Callable[..., dict[str, Any]], ...]:
        """Every tool, in the order of their list."""
        return (
            *(self.list_boards, self.leaderboard, self.agent, self.compare_agents, self.find_tasks),
            *(self.find_runs, self.why_run_failed, self.read_steps, self.read_step, self.search),
        )

    def list_boards(self) -> dict[str, Any]:
        """Lists the boards: the data sets of tasks, each with a ranking of its own. Rankings never mix boards."""
        boards = [
            {
                "board": item["slug"],
                "title": item["title"],
                "description": bounded(item["description"], 300),
                "reported_by": item["reported_by"],
                "url": self._site.link(f"/?dataset={item['slug']}"),
            }
            for item in self._site.pages("datasets", most=200)
        ]
        return {"boards": boards}

    def leaderboard(
        self,
        board: Board = "",
        repository: Annotated[str, Field(description="Only tasks of this repository.")] = "",
        difficulty: Annotated[str, Field(description="Only tasks of this stated difficulty.")] = "",
        rows: Annotated[int, Field(description="How many rows, best first.", ge=1, le=MAX_ROWS)] = 20,
    ) -> dict[str, Any]:
        """Ranks the agents of a board by pass@1: the share of attempts that resolve their task, over tasks.

        `place` is a range where agents tie: the ranks that the agent can have, given the uncertainty of the data.
        Agents of different `tie_group` differ significantly; inside a group the order may be chance, and so it must
        not be reported as a ranking. Rates are from 0 to 1 with 95 % intervals. Unknown is never zero.
        """
        found = self._site.get("leaderboard", dataset=board, repository=repository, difficulty=difficulty)
        shown = found["rows"][:rows]
        return {
            "board": found["dataset"],
            "reported_by": found["reported_by"],
            "data_version": found["data_version"],
            "filter": found["filter"],
            "rows": [_row(row) for row in shown],
            "more_rows": len(found["rows"]) - len(shown),
            "url": self._site.link(f"/?dataset={found['dataset']}" if found["dataset"] else "/"),
        }

    def agent(self, agent: Agent, board: Board = "") -> dict[str, Any]:
        """Describes one agent: its model, its harness, and its row on a board, by default that of its newest run."""
        found = self._site.get("agents", agent)
        if not board:
            runs = self._site.get("runs", agent=agent, limit=1)["items"]
            board = runs[0]["dataset"] if runs else ""
        rows = self._site.get("leaderboard", dataset=board)["rows"] if board else []
        row = next((row for row in rows if row["agent"] == agent), None)
        names = ("slug", "name", "kind", "model", "harness", "description", "graded_here", "url")
        return {
            **{name: found[name] for name in names},
            "board": board or None,
            "row": _row(row) if row else None,
            "runs_url": self._site.link(f"/runs/?agent={agent}"),
        }

    def compare_agents(self, first: Agent, second: Agent, board: Board = "") -> dict[str, Any]:
        """Compares two agents over the tasks of a board that both tried, each task paired.

        `difference` is pass@1 of the first minus that of the second, with its 95 % interval, and p is of this pair.
        `better` names the agent that is significantly better, corrected for all pairs of the board; null: neither is.
        """
        found = self._site.get("compare", first, second, dataset=board)
        return {
            **{name: found[name] for name in ("dataset", "k", "common_tasks", "better", "tasks", "url")},
            "difference": _figure(found["difference"]),
            "p": _figure(found["p"]),
            **{name: _side(found[name]) for name in ("first", "second")},
        }

    def find_tasks(
        self,
        *,
        board: Board = "",
        repository: Annotated[str, Field(description="Only tasks of this repository.")] = "",
        difficulty: Annotated[str, Field(description="Stated difficulty: easy, medium or hard.")] = "",
        limit: Annotated[int, Field(ge=1, le=MAX_LISTED)] = 20,
        cursor: Cursor = "",
    ) -> dict[str, Any]:
        """Lists tasks, the oldest first. To find one by words of its name, use search."""
        page = self._site.get(
            *("tasks",),
            dataset=board,
            repository=repository,
            difficulty=difficulty,
            limit=limit,
            cursor=cursor,
        )
        names = ("repository", "slug", "dataset", "title", "category", "difficulty", "tests_total", "url")
        tasks = [
            {**{name: item[name] for name in names}, "description": bounded(item["description"], 300)}
            for item in page["items"]
        ]
        return {"tasks": tasks, "next": cursor_in(page)}

    def find_runs(
        self,
        *,
        board: Board = "",
        agent: Annotated[str, Field(description="Only runs of this agent.")] = "",
        task: Annotated[str, Field(description="Only runs at this task, as repository/task.")] = "",
        outcome: Annotated[
            str, Field(description="resolved, unresolved or infrastructure_failed; empty: any.")
        ] = "",
        sign: Annotated[str, Field(description="A sign of trouble, by its name in why_run_failed.")] = "",
        words: Annotated[str, Field(description="Words in the names of agent, task or repository.")] = "",
        with_replay: Annotated[bool, Field(description="Only runs whose steps can be read here.")] = False,
        limit: Annotated[int, Field(ge=1, le=MAX_LISTED)] = 20,
        cursor: Cursor = "",
    ) -> dict[str, Any]:
        """Lists runs, the newest first. A run is one attempt of an agent at a task."""
        page = self._site.get(
            "runs",
            **{"dataset": board, "agent": agent, "task": task, "outcome": outcome, "sign": sign, "q": words},
            **{"replay": "here" if with_replay else "", "limit": limit, "cursor": cursor},
        )
        return {"runs": [_of_run(item) for item in page["items"]], "next": cursor_in(page)}

    def why_run_failed(self, run: RunNumber) -> dict[str, Any]:
        """Explains a run: its outcome and ending, the tests that did not pass, signs of trouble, notes, the last steps.

        The signs are counted from the steps by fixed rules and are no proof of a cause: read the steps that they name.
        """
        found = self._site.get("runs", run)
        tests = [
            {"test": test["id"], "status": test["status"]}
            for test in self._site.pages("runs", run, "tests", most=MAX_TESTS)
            if test["status"] not in ("passed", "expected_failure")
        ]
        begin = max(0, (found["steps"] or 0) - LAST_STEPS)
        steps = self._site.get(
            "runs", run, "steps", limit=LAST_STEPS, cursor=f"{begin:016x}" if begin else ""
        )
        return {
            "answer": _answer(found),
            "run": _of_run(found),
            "grading": untrusted(
                reason=found["grading_reason"],
                failed_tests=tests[:MAX_FAILED_TESTS],
                failed_tests_left_out=max(0, len(tests) - MAX_FAILED_TESTS),
            ),
            "signs": self._signs(found),
            "notes_of_people": untrusted(notes=list(self._site.pages("runs", run, "notes", most=MAX_NOTES))),
            "last_steps": untrusted(steps=within([short_step(step) for step in steps["items"]])),
            "url": found["url"],
        }

    def read_steps(
        self,
        run: RunNumber,
        *,
        start: Annotated[int, Field(description="How many matching steps to skip.", ge=0)] = 0,
        count: Annotated[int, Field(ge=1, le=MAX_STEPS)] = 5,
        tool: Annotated[
            str, Field(description="Only steps that call this tool, or kind:edit, kind:run.")
        ] = "",
        file: Annotated[str, Field(description="Only steps about files whose path has this part.")] = "",
        only_errors: Annotated[bool, Field(description="Only steps with a failed call or command.")] = False,
        only_edits: Annotated[bool, Field(description="Only steps that changed files.")] = False,
    ) -> dict[str, Any]:
        """Reads the steps of a run: what the model said, its tool calls with their results, and the files it changed.

        Long texts are cut in the middle; read_step has a whole step. Go on with `next_start`.
        """
        page = self._site.get(
            *("runs", run, "steps"),
            **{"limit": count, "cursor": f"{start:016x}" if start else ""},
            **{"tool": tool, "file": file, "errors": only_errors, "edits": only_edits},
        )
        steps = within([short_step(step) for step in page["items"]])
        ended = cursor_in(page) is None and len(steps) == len(page["items"])
        return {
            "run": run,
            "recorded": untrusted(steps=steps),
            "next_start": None if ended else start + len(steps),
            "urls": [self._step_link(run, step["number"]) for step in steps],
        }

    def read_step(
        self,
        run: RunNumber,
        step: Annotated[int, Field(description="Number of the step, counted from 1.", ge=1)],
        part: Annotated[
            int, Field(description=f"Which piece of {MAX_PIECE:,} characters, counted from 1.", ge=1)
        ] = 1,
    ) -> dict[str, Any]:
        """Reads one whole step of a run as JSON, in pieces if it is long."""
        text, parts = piece_of(self._site.get("runs", run, "steps", step), part)
        if not text:
            raise SiteProblem(f"Step {step} has {parts} parts.")
        return {
            "run": run,
            "step": step,
            "part": part,
            "parts": parts,
            "recorded": untrusted(text=text),
            "url": self._step_link(run, step),
        }

    def search(
        self,
        words: Annotated[str, Field(description="Words of a name, or the number of a run.", max_length=200)],
    ) -> dict[str, Any]:
        """Finds agents, repositories, tasks, evaluations and methods by words of their names; a run by its number."""
        found = self._site.get("search", q=words)
        return {**found, "url": self._site.link("/search/")}

    def _signs(self, run: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The failure modes that the run shows, with their steps."""
        where = {name: run[name] for name in ("agent", "evaluation")} | {
            "task": f"{run['repository']}/{run['task']}"
        }
        found = self._site.get("signs", limit=200, **where)["items"]
        return [
            {
                "sign": item["mode"],
                "steps": item["steps"],
                "urls": [self._step_link(run["id"], step) for step in item["steps"][:3]],
            }
            for item in found
            if item["run"] == run["id"] and item["present"]
        ]

    def _step_link(self, run: int, step: int) -> str:
        return self._site.link(f"/runs/{run}/?step={step}")


def _figure(figure: Mapping[str, Any]) -> dict[str, Any]:
    """A number with its interval, or why there is none."""
    if figure["value"] is None:
        return {"unknown": figure["reason"]}
    names = ("value", "low", "high", "n") if figure["low"] is not None else ("value", "n")
    return {name: figure[name] for name in names}


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    figures = {name: _figure(row["figures"][name]) for name in _FIGURES if name in row["figures"]}
    return {
        "place": _span(row["place"]),
        "no_place": row["no_place"],
        "tie_group": _span(row["group"]),
        **{name: row[name] for name in ("agent", "name", "model", "reported_by", "findings")},
        **figures,
        **{name: row[name] for name in ("tasks", "attempts", "resolved", "infrastructure_failed", "url")},
    }


def _span(span: Mapping[str, int] | None) -> str | None:
    if span is None:
        return None
    return str(span["first"]) if span["first"] == span["last"] else f"{span['first']}–{span['last']}"


def _side(side: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _figure(value) if isinstance(value, dict) else value for name, value in side.items()}


def _of_run(run: Mapping[str, Any]) -> dict[str, Any]:
    return {name: run[name] for name in _OF_RUN}


def _answer(run: Mapping[str, Any]) -> str:
    """The outcome in a sentence."""
    where = f"Run {run['id']} of {run['agent']} at {run['repository']}/{run['task']}"
    if run["state"] != "finished" or not run["outcome"]:
        return f"{where} has no outcome: its state is {run['state'].replace('_', ' ')}."
    if run["outcome"] == "resolved":
        return f"{where} did not fail: it resolved the task."
    if run["outcome"] == "infrastructure_failed":
        return f"{where} failed for a reason of the infrastructure, not of the agent; it counts in no rate."
    ending = f"It ended with {run['ending'].replace('_', ' ')}" if run["ending"] else "Its ending is unknown"
    known = run["tests_total"] is not None and run["tests_passed"] is not None
    tests = (
        f"{run['tests_passed']} of {run['tests_total']} hidden tests passed"
        if known
        else "its tests are unknown"
    )
    return f"{where} did not resolve the task. {ending}; {tests}."
