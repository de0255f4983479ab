"""How runs behave, what scores and ratings make of it, and whether it tells the outcome."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from runs.formatting.markdown_text import text
from runs.reports.found import Prediction, classifier_title
from runs.reports.pen import Pen, Section
from runs.reports.report_tables import Table
from runs.reports.words import counted, number, percent


def behaviour(pen: Pen) -> Section:
    """Core metrics, resolved against failed runs, first correct edits."""
    found = pen.material.found
    core = Table(
        "agent",
        "submits",
        "similarity",
        "reasoning",
        "exploration efficiency",
        "trajectory efficiency",
        "steps",
        of="agents",
        where="behaviour.core_metrics.agents",
    )
    for one in found.core_metrics.agents:
        metrics = one.metrics
        shares = (
            "submit_rate",
            "similarity",
            "reasoning_score",
            "exploration_efficiency",
            "trajectory_efficiency",
        )
        core.row(
            pen.agent(one.agent), *(percent(metrics[name]) for name in shares), number(metrics["steps"], 1)
        )
    rows = Table("metric", "resolved", "not resolved", "Cliff's δ", "p after Holm", of="metrics")
    for row in found.resolved_against_failed.rows:
        rows.row(
            text(row.title),
            *(number(each) for each in (row.resolved, row.failed, row.effect)),
            number(row.p_holm, 4),
        )
    edits = Table("first right edit in iterations", "runs", "tasks", "resolved", of="bins")
    for each in found.first_correct_edit.bins:
        edits.row(text(each.label), f"{each.runs:,}", f"{each.tasks:,}", percent(each.rate))
    return Section(
        "Behaviour",
        "Means over tasks of the mean over an agent's attempts; n counts tasks. Similarity compares with the reference "
        "patch, which one of many right answers is; reasoning counts signs in what was said.",
        [
            core.markdown("No trajectory was counted."),
            "### Resolved and other runs\n\nEach run is one observation; attempts at a task and runs of an agent are "
            "alike, so p is smaller than it ought to be. What goes with success need not make it.\n\n"
            + rows.markdown(),
            "### When the first right file was changed\n\n"
            "n counts runs; the range is as wide as so many tasks make it.\n\n"
            + edits.markdown("No run was counted."),
        ],
        ("core-metrics", "resolved-against-failed", "first-correct-edit"),
    )


def scores(pen: Pen) -> Section:
    """Scores in several ways, and ratings."""
    found = pen.material.found
    ways = ("weighted", "geometric", "hierarchical", "percentile", "topsis", "pareto")
    table = Table(
        "agent", *(way.replace("_", " ") for way in ways), "runs", of="agents", where="scores.scores.agents"
    )
    for one in found.scores.agents:
        table.row(
            pen.agent(one.agent),
            *(number(one.ways[way].mean, 3) for way in ways),
            f"{one.n:,} ({one.incomplete} lack a metric)",
        )
    ratings = Table("agent", "Elo", "spread over orders", "Bradley–Terry", "regularised", of="agents")
    strengths = {one.agent: one for one in found.bradley_terry.strengths}
    for each in found.elo.ratings:
        strength = strengths[each.agent]
        ratings.row(
            pen.agent(each.agent),
            number(each.rating, 0),
            number(each.spread, 1),
            number(strength.rating, 0),
            number(strength.regularised, 0),
        )
    linked = (
        "" if found.elo.linked else " Not every agent is linked to every other by matches: compare with care."
    )
    return Section(
        "Scores and ratings",
        "A score puts resolving and five metrics of behaviour into one number from 0 to 1; its weights are a choice. "
        "Percentile, TOPSIS and Pareto are relative to the runs of this report. Ratings: each task is a match between "
        "two agents, by their hierarchical scores, a difference below 0.05 a draw.",
        [
            table.markdown("No run could be scored."),
            f"### Ratings\n\nElo is the mean over {found.elo.orders:,} random orders (seed {found.elo.seed}) of "
            f"{counted(found.elo.n, 'match', 'matches')}; Bradley–Terry needs no order.{linked}\n\n"
            + ratings.markdown("No two agents met."),
        ],
        ("scores", "score-hierarchical", "elo", "bradley-terry"),
    )


def prediction(pen: Pen) -> Section:
    """Classifiers, when they were asked for."""
    found = cast("Mapping[str, Prediction]", pen.material.results["prediction"])
    table = Table(
        "classifier",
        "ROC AUC",
        "of shuffled labels",
        "accuracy",
        "base rate",
        "beats chance",
        of="classifiers",
    )
    words = {True: "yes", False: "no", None: "cannot be told"}
    for name, one in found.items():
        table.row(
            classifier_title(name),
            number(one.scores.roc_auc, 3),
            number(one.chance.roc_auc, 3),
            percent(one.scores.accuracy),
            percent(one.base_rate),
            words[one.beats_chance],
        )
    drops = Table(
        "feature", "fall of the ROC AUC", of="features", where="prediction.forest.importance", most=10
    )
    for each in found["forest"].importance:
        drops.row(text(each.name), number(each.drop, 3))
    return Section(
        "Prediction",
        "Whether behaviour alone tells the outcome, on tasks that the classifier has not seen; features that compare "
        "with the reference patch are not used. A score is worth reading when it beats the same classifier on "
        "shuffled labels.",
        [table.markdown(), "### What the random forest goes by\n\n" + drops.markdown("It was not tried.")],
        ("prediction", "features"),
    )
