"""Every kind of page, one line each. Checks of all pages use this list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from django.urls import reverse

if TYPE_CHECKING:
    from django.db.models import Model

    from runs.models import Run
    from tests.site.world import World


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of page. `address`: where it is in the demonstration world. `says`: what it says without a script.

    `chart`: whether it draws one, which may weigh more. `live`: whether it polls. `status`: of its response.
    `empty`: whether a site without any data has it, too. `operator`: whether it is for operators, signed in.
    """

    name: str
    address: Callable[[World], str]
    says: tuple[str, ...] = ()
    chart: bool = False
    live: bool = False
    empty: bool = False
    operator: bool = False
    status: int = 200


def at(name: str, *arguments: str, query: str = "") -> Callable[[World], str]:
    """A page with the same URL in any world."""
    return lambda _: _address(name, arguments, query)


def of(
    name: str, find: Callable[[World], Model], *more: str | int, query: str = ""
) -> Callable[[World], str]:
    """A page of a run or an evaluation."""
    return lambda world: _address(name, (find(world).pk, *more), query)


def two_runs(one: Callable[[World], Run], two: Callable[[World], Run]) -> Callable[[World], str]:
    """A comparison of two runs."""
    return lambda world: _address("compare_runs", (), f"a={one(world).pk}&b={two(world).pk}")


def reported_run(_: World) -> str:
    """A run of others."""
    from runs.models import Run

    return Run.objects.filter(agent__kind="reported").latest("pk").get_absolute_url()


def model_of(world: World, agent: str) -> Model:
    """The language model of an agent."""
    found = world.run_of(agent, world.tasks[0]).agent.model
    assert found is not None
    return found


def frozen(_: World) -> str:
    """A permanent link to the leaderboard."""
    from runs.rankings.leaderboard.snapshots import freeze

    return _address("frozen", (freeze("ports").digest,), "sort=name")


def _address(name: str, arguments: tuple[str | int, ...], query: str) -> str:
    return reverse(name, args=arguments) + (f"?{query}" if query else "")


whole = partial(Kind, empty=True)

KINDS: tuple[Kind, ...] = (
    whole("leaderboard", at("leaderboard"), ("Alice", "Bob", "Oracle"), chart=True),
    Kind("leaderboard-filtered", at("leaderboard", query="repository=shipyard&sort=-tests"), ("Alice",), chart=True),
    whole("leaderboard-nothing", at("leaderboard", query="repository=nowhere")),
    Kind("leaderboard-wide", at("leaderboard", query="columns=all&against=time"), ("Retry gain", "Oracle"), chart=True),
    Kind("leaderboard-frozen", frozen, ("Frozen on", "Alice"), chart=True),
    Kind("compare", at("compare", query="a=alice&b=bob"), ("Alice against Bob", "Harbour master")),
    Kind("compare-several", at("compare", query="agent=alice&agent=bob&agent=oracle"), ("3 agents against",)),
    whole("compare-none", at("compare")),
    whole("published", at("published"), ("Table",)),
    Kind("leaderboard-reported", at("leaderboard", query="dataset=lab-bench"), ("Reported by The Lab",), chart=True),
    Kind("run-reported", reported_run, ("nothing to replay",)),
    Kind("source", at("source", "lab-bench"), ("What is not known",)),
    whole("repositories", at("repositories"), ("Harbour master", "Shipyard")),
    Kind("repository", at("repository", "harbour"), ("Alice", "Tide 1")),
    Kind("repository-clustered", at("repository", "harbour", query="order=clustered&show=tests"), ("Alice", "Tide 1")),
    Kind("code-map", at("repository_map", "harbour"), ("Harbour.open", "read_tide", "harmonic"), chart=True),
    Kind(
        "code-map-function",
        at("repository_map", "harbour", query="function=1&find=tide"),
        ("Callees", "in the source, and executed"),
        chart=True,
    ),
    Kind("code-map-none", at("repository_map", "shipyard"), ("This repository has no map",)),
    whole("tasks", at("tasks"), ("Tide 1", "Shipyard")),
    whole("tasks-none", at("tasks", query="q=nowhere"), ("No task matches",)),
    Kind("task", at("task", "lighthouse", "tide-1"), ("Read", "Alice", "test_neap")),
    whole("agents", at("agents"), ("Alice", "Oracle")),
    whole("agents-none", at("agents", query="q=nobody"), ("No agent matches",)),
    whole("models", at("models"), ("Analytical", "$3.00")),
    whole("models-none", at("models", query="q=none"), ("No model matches",)),
    Kind("model", at("model", "analytical"), ("stated on this site", "How good is it in each harness?")),
    Kind("agent", at("agent", "alice"), ("Alice", "Analytical"), chart=True),
    Kind("agent-without-model", at("agent", "oracle"), ("Oracle",), chart=True),
    whole("near-misses", at("near_misses"), ("Bob", "test_neap")),
    whole("near-misses-none", at("near_misses", query="threshold=100")),
    whole("board-heatmap", at("board_heatmap"), ("Which agent solves which task?", "Alice")),
    whole("analysis", at("analysis"), ("What does a success cost?", "Alice")),
    Kind(
        "analysis-advice",
        at("analysis_topic", "portfolios", query="goal=time&resource=seconds&budget=100000"),
        ("choices", "a success"),
        chart=True,
    ),
    whole("analysis-nothing", at("analysis", query="repository=nowhere"), ("No run matches these filters.",)),
    *(
        whole(f"analysis-{slug}", at("analysis_topic", slug), (found,))
        for slug, found in (
            ("efficiency", "US$ per success"),
            ("consistency", "Retry benefit"),
            ("portfolios", "Jaccard"),
            ("harness", "The same model in another harness"),
            ("iterations", "Success by length"),
            ("tools", "run_terminal_cmd"),
            ("failures", "Odds ratio"),
            ("time", "Upper quartile"),
            ("tasks", "tell agents apart"),
            ("generated", "No task of these runs was generated."),
            ("scoring", "hierarchical"),
            ("published", "IDE-Bench"),
        )
    ),
    whole("search", at("search", query="q=tide")),
    whole("search-nothing", at("search", query="q=zzz")),
    whole("search-empty", at("search"), ("What you can write",)),
    Kind("search-texts", at("search", query="q=hour"), ("In the texts of runs", "Outcome", "Also in step")),
    Kind("search-agents", at("search_agents", query="q=hour"), ("published runs", "Of its resolved runs")),
    Kind("search-invalid", at("search", query="q=hour+outcome:solved"), ("There is no outcome",), status=400),
    Kind("search-saved", at("saved_search", "which-hour"), ("Which hour", "published runs")),
    whole("runs", at("runs"), ("Alice", "Bob")),
    Kind("runs-cell", at("runs", query="agent=alice&task=lighthouse/tide-1&sort=-time"), ("Alice", "Test by test")),
    whole("runs-none", at("runs", query="agent=nobody")),
    Kind("replay", of("run", lambda world: world.run_of("alice", world.tasks[0])), ("edit_file", "tide.py")),
    Kind("replay-step", of("run", lambda world: world.run_of("bob", world.tasks[0]), query="step=5"), ("hour % 12",)),
    Kind("replay-long", of("run", lambda world: world.long, query="step=211"), ("Step 211",)),
    Kind("replay-picture", of("run", lambda world: world.long, query="step=111"), ("ui_test",)),
    Kind("replay-split", of("run", lambda world: world.run_of("bob", world.tasks[0]), query="diff=split&step=5")),
    Kind("file", of("run_step_file", lambda world: world.long, 8, query="path=notes.md"), ("Neap comes last.",)),
    Kind("file-unknown", of("run_step_file", lambda world: world.long, 8, query="path=tide.py"), status=404),
    Kind("timeline", of("run_timeline", lambda world: world.long), ("Context", "Cost")),
    Kind("terminal", of("run_terminal", lambda world: world.long), ("80 × 24 characters", "2 passed"), chart=True),
    Kind("two-runs", two_runs(lambda world: world.run_of("alice", world.tasks[0]),
                              lambda world: world.run_of("bob", world.tasks[0], 3)), ("first differ at", "differ")),
    Kind("two-runs-judged", two_runs(lambda world: world.run_of("bob", world.tasks[0]),
                                     lambda world: world.run_of("alice", world.tasks[0])),
         ("Compared by judges", "flip: a tie", "B better, 3 of 5")),
    Kind("agents-judged", at("judged_agents", query="a=alice&b=bob"),
         ("By judges of the panel", "Flips, which count as ties", "Generated tokens", "read_file", "Setups")),
    Kind("comparing-start", at("start_comparing", query="a=alice&b=bob"),
         ("Compare with a panel", "each in both orders"), operator=True),
    Kind("judging-pass-comparisons", of("judging_pass", lambda world: world.compared),
         ("Alice against Bob", "missing review", "Mean score")),
    whole("two-runs-choose", at("compare_runs"), ("Compare two runs",)),
    Kind("transcript", of("transcript", lambda world: world.long), ("Steps 1 to 200 of",)),
    Kind("replay-live", of("run", lambda world: world.acting), ("read_file",), live=True),
    Kind("replay-end", of("run_end", lambda world: world.long), ("test_neap",)),
    Kind("replay-lost", of("run", lambda world: world.lost), ("The container engine does not respond.",)),
    Kind("replay-bare", of("run", lambda world: world.bare)),
    whole("evaluations", at("evaluations"), ("Flood", "Spring tide")),
    Kind("evaluation", of("evaluation", lambda world: world.cast.evaluation), ("Alice",)),
    Kind("evaluation-report", of("evaluation_report", lambda world: world.cast.evaluation),
         ("Success of tools", "It mends the tide.", "1 of 1")),
    Kind("evaluation-live", of("evaluation", lambda world: world.flood), ("Bob",), live=True),
    Kind("evaluation-cancel", of("evaluation_cancel", lambda world: world.flood), ("Flood",), operator=True),
    Kind("evaluation-retry", of("evaluation_retry", lambda world: world.flood), ("Flood",), operator=True),
    Kind("evaluation-publish", of("evaluation_publish", lambda world: world.cast.evaluation),
         ("Take this evaluation off",), operator=True),
    Kind("evaluation-judge", of("evaluation_judge", lambda world: world.cast.evaluation),
         ("Judge these runs", "Harbour panel"), operator=True),
    Kind("judging-pass", of("judging_pass", lambda world: world.judged), ("Portia", "must be exactly 0")),
    whole("judges", at("judges"), ("How reliable are the judges?", "Effect of the order")),
    whole("regressions", at("regressions"), ("Night watch", "judge moved: Pitfalls")),
    Kind("regressions-operator", at("regressions"), ("Run now",), operator=True),
    whole("regressions-none", at("regressions", query="verdict=none"), ("No check with this verdict",)),
    Kind("regression", of("regression", lambda world: world.regression), ("−25 points", "Drift of the judges")),
    Kind("replay-reviews", of("run", lambda world: world.run_of("alice", world.tasks[0]), query="step=5"),
         ("Reviews by judges", "1 struck", "Quoted by judges")),
    Kind("agent-reviews", at("agent", "alice", query="dataset=ports"),
         ("What do judges say about its work?", "Harbour panel", "no verification")),
    Kind("compare-judged", at("compare", query="a=alice&b=bob&dataset=ports"), ("What judges say", "Quality index")),
    Kind("two-runs-reviewed", two_runs(lambda world: world.run_of("alice", world.tasks[0]),
                                     lambda world: world.run_of("bob", world.tasks[0])), ("Reviews by judges",)),
    Kind("rate", at("rate"), ("Rate a run", "Pleasantness", "Save and see the reviews"), operator=True),
    Kind("rated", of("rated", lambda world: world.run_of("alice", world.tasks[0])),
         ("Your rating", "Portia", "hour % 12"), operator=True),
    Kind("play", at("play"), ("Start a session", "Your ended sessions", "say it"), operator=True),
    Kind("play-task", at("play", query="task=lighthouse/tide-1"), ("The clock", "I agree"), operator=True),
    Kind("play-session", of("play_session", lambda world: world.long),
         ("The session has ended", "Did a model or another person help you?"), operator=True),
    Kind("rate-agreement", at("rate_agreement"), ("People with judges", "undefined"), operator=True),
    Kind("operate", at("operate"), ("is running", "Spent on models", "Needs attention"), operator=True, chart=True,
         live=True),
    Kind("operate-spending", at("operate_spending"), ("By model", "Perhaps billed"), operator=True, chart=True),
    Kind("operate-models", at("operate_models"), ("can be called", "Last test"), operator=True),
    Kind("operate-model-add", at("operate_model_add"), ("Who serves it", "Save and test"), operator=True),
    Kind("operate-model", of("operate_model", lambda world: model_of(world, "alice")), ("Test", "Save and test"),
         operator=True),
    Kind("operate-agents", at("operate_agents"), ("can be started", "Disable"), operator=True),
    Kind("operate-agent-add", at("operate_agent_add"), ("Add an agent", "Program"), operator=True),
    Kind("operate-agent", of("operate_agent", lambda world: world.run_of("alice", world.tasks[0]).agent),
         ("It has runs",), operator=True),
    Kind("operate-datasets", at("operate_datasets"), ("Hiding it takes off", "Hide"), operator=True),
    Kind("evaluation-start", at("evaluation_start"), ("Attempts",), operator=True),
    Kind("generations", at("generations"), ("Candidates of each kind", "harbour-more"), operator=True),
    Kind("generation", of("generation_job", lambda world: world.generation), ("Too few tests fail", "n = 3"),
         operator=True, live=True),
    Kind("generation-finished", of("generation_job", lambda world: world.generated),
         ("Publish for everybody", "readers see nothing of it"), operator=True),
    Kind("uploads", at("uploads"), ("Reported by", "runs.zip"), operator=True),
    Kind("upload", of("upload", lambda world: world.upload), ("3 of 8",), operator=True, live=True),
    Kind("upload-to-confirm", of("upload", lambda world: world.checked),
         ("What would be imported", "and 4,990 more", "Discard"), operator=True),
    Kind("submissions", at("submissions"), ("by The Lab", "Claimed resolved"), operator=True),
    Kind("submission", of("submission", lambda world: world.submission), ("differs", "Accept and publish"),
         operator=True),
    Kind("upload-tokens", at("upload_tokens"), ("Make a token", "valid until"), operator=True),
    Kind("account", at("account"), ("Second factor",), operator=True),
    whole("status", at("status"), ("Database", "Workers"), live=True),
    whole("methods", at("methods"), ("Pass rates", "Three outcomes")),
    whole("method-group", at("method_group", "pass-rates"), ("Formula", "Chen et al.")),
    whole("evaluate", at("evaluate"), ("Bring an agent", "recipe.toml")),
    whole("changes", at("changes"), ("What changed",)),
    Kind("changes-board", at("changes", query="dataset=lab-bench"), ("Lab bench", "new board")),
    Kind("share", at("share", query="dataset=ports"), ("Board in a page", "Card")),
    Kind("share-agent", at("share", query="agent=alice"), ("Badge",)),
    whole("docs", at("docs"), ("For researchers", "Threat model of grading")),
    whole("docs-found", at("docs", query="q=recipe"), ("Write a recipe",)),
    whole("document", at("document", "harness"), ("On this page", "Add an agent")),
    whole("api", at("api_reference"), ("/api/v1/leaderboard", "runs.parquet", "RateLimit")),
    whole("not-found", lambda _: "/nothing-here/", status=404),
    whole("bad-parameter", at("runs", query="page=abc"), ("page", "abc"), status=400),
)  # fmt: skip
