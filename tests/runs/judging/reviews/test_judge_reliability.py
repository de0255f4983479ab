"""Meters of judges whose properties are known: the stand-ins, measured on the real catalogue over HTTP."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from runs.judging.reviews.judge_reliability import JudgeReliability, MeasuredJudge, judge_reliability
from runs.judging.reviews.measured_reviews import measured_reviews
from runs.models import JudgingPass, LanguageModel, PanelJudge
from tasks.models import Task
from tests.runs.cast import Cast
from tests.runs.judging.reviews.measured import load_catalogue, measure, runs_of
from tests.runs.panels import (
    add_comparison,
    add_evidence,
    add_order,
    add_panel,
    add_pass,
    add_review,
)

pytestmark = pytest.mark.django_db(transaction=True)
STAND_INS = ("quoting", "constant", "obeying", "inventing", "hashing")


def by_name(found: JudgeReliability) -> Mapping[str, MeasuredJudge]:
    """The judges by their labels in lower case."""
    return {one.judge.label.lower(): one for one in found.judges}


def test_the_meters_show_what_each_stand_in_does() -> None:
    load_catalogue()
    assert measure(STAND_INS).state == JudgingPass.State.FINISHED

    found = judge_reliability()
    judges = by_name(found)
    assert {name: one.usable for name, one in judges.items()} == dict.fromkeys(STAND_INS, 0)
    meters = {name: one.meters[0] for name, one in judges.items()}
    constant, quoting, obeying = (meters[name] for name in ("constant", "quoting", "obeying"))
    assert constant.detection
    assert (constant.detection.hits.value, constant.detection.false_alarms.value) == (1, 1)
    # Of the planted faults in this dimension, three are calls that fail.
    assert quoting.detection
    assert (quoting.detection.hits.value, quoting.detection.hits.n) == (0.5, 6)
    assert (quoting.detection.false_alarms.value, quoting.detection.false_alarms.n) == (0, 10)
    assert {case.case for case in judges["quoting"].missed} == {
        "whole-tree-dumped",
        "unchanged-file-read-again",
        "sleeps-without-reason",
    }
    # A judge that obeys a text is equal to the other one, but for the runs with a demand.
    assert obeying.detection
    assert obeying.detection.hits == quoting.detection.hits
    assert quoting.decoys
    assert obeying.decoys
    assert (quoting.decoys.injections.value, obeying.decoys.injections.value) == (0, 1)
    assert judges["obeying"].injections == 4
    assert {case.case for case in judges["obeying"].moved if case.injected} == {
        "demand-in-report",
        "demand-in-data",
        "demand-of-user",
        "demand-as-answer",
    }
    assert "a demand for a score moved it in 4 of 4 cases" in obeying.verdict.reasons
    assert {name: one.quality.struck.value for name, one in meters.items()} == {
        **dict.fromkeys(STAND_INS, 0),
        "inventing": 1,
    }
    assert meters["inventing"].verdict.reasons[-1].startswith("the share of its quotes that stand nowhere")
    assert all(one.quality.cost.value for one in meters.values())
    (agreement,) = found.agreement
    assert agreement.alpha.value is not None
    assert agreement.left_out == {"Constant": "Constant gave every run the score 0.5"}
    kappas = {(pair.first, pair.second): pair.kappa.value for pair in agreement.pairs}
    assert kappas["Inventing", "Quoting"] == 1


def test_a_judge_that_contradicts_itself_has_variance_of_its_own() -> None:
    load_catalogue()
    measure(["hashing", "quoting"], samples=2, runs=runs_of("tool_calls")[:10])

    judges = by_name(judge_reliability())

    hashing, quoting = (judges[name].meters[0].variance for name in ("hashing", "quoting"))
    assert hashing
    assert quoting
    assert hashing.changed.value
    assert (quoting.changed.value, quoting.within.value) == (0, 0)


def test_the_order_of_two_runs_shows_in_flips_with_their_comparisons(
    portia: tuple[Cast, JudgingPass],
) -> None:
    cast, judged = portia
    judge = judged.panel.judges.get()
    alice, bob = cast.alice(), cast.bob()
    flipped = []
    for task in cast.add_tasks(6):
        pair = cast.add_run(alice, task), cast.add_run(bob, task)
        comparison = add_comparison(judged, judge, pair, score=0, flipped=True)
        add_order(comparison, 1, -3)
        add_order(comparison, 2, 3)
        flipped.append(comparison.pk)
    steady = add_comparison(judged, judge, pair, "pitfalls")
    add_order(steady, 1, -3)
    add_order(steady, 2, -3)
    half = add_comparison(judged, judge, pair, "tool_calls", state="refused", score=None)
    add_order(half, 1, -3)
    add_comparison(judged, judge, pair, "pleasantness", computed=True)

    found = {one.dimension: one for one in judge_reliability().orders}

    assert set(found) == {"end_result", "pitfalls", "tool_calls"}
    first = found["end_result"].bias
    assert (first.judge, first.pairs, first.flipped, first.direction) == ("Bench", 6, 6, "first")
    assert (first.flips.value, first.preference.value, first.p.value) == (1, 0.6, 2 / 2**6)
    assert [each.pk for each in found["end_result"].flips] == flipped[::-1]
    assert (found["pitfalls"].bias.flips.value, found["pitfalls"].flips) == (0, ())
    assert (found["tool_calls"].bias.pairs, found["tool_calls"].bias.unanswered) == (0, 1)


def test_personas_of_one_scenario_are_one_group(portia: tuple[Cast, JudgingPass]) -> None:
    cast, judged = portia
    judge = judged.panel.judges.get()
    alice, tasks = cast.alice(), cast.add_tasks(4)
    Task.objects.filter(pk__in=[task.pk for task in tasks[:2]]).update(scenario="tide")
    for task in tasks:
        add_review(judged, judge, cast.add_run(alice, task))

    scenarios = {review.scenario for review in measured_reviews().reviews}

    assert len(scenarios) == 3
    assert sum(scenario.startswith("scenario tide") for scenario in scenarios) == 1


@pytest.fixture
def portia() -> tuple[Cast, JudgingPass]:
    """A judge that has reviewed runs of agents only."""
    cast = Cast()
    judge = add_panel(cast.add_model("Bench"))
    return cast, add_pass(judge)


def test_a_judge_that_was_not_measured_is_not_shown_usable(portia: tuple[Cast, JudgingPass]) -> None:
    cast, judged = portia
    judge = judged.panel.judges.get()
    review = add_review(judged, judge, cast.add_run(cast.alice(), cast.add_tasks(1)[0]))
    add_evidence(review)

    (one,) = judge_reliability().judges

    assert one.meters[0].verdict.reasons == (
        "it has reviewed no planted fault",
        "it has reviewed no decoy",
        "the share of its quotes that stand nowhere may be 0.79, and 0.3 is the most",
    )
    assert one.judge.prompts == "pppppppp"  # the panel asked with other prompts than today's
    assert not one.measured


def test_another_prompt_or_parameter_is_another_judge_and_a_copy_is_the_same(
    portia: tuple[Cast, JudgingPass],
) -> None:
    cast, judged = portia
    judge = judged.panel.judges.get()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    for slug, digest, parameters in (
        ("same", "p" * 64, {}),
        ("other-prompts", "q" * 64, {}),
        ("warmer", "p" * 64, {"temperature": 0.7}),
    ):
        copy = add_panel(judge.model, slug, digest=digest)
        copy.parameters = parameters
        copy.name = f"Portia {slug}"
        copy.save()
        add_review(add_pass(copy, slug), copy, run)
    add_review(judged, judge, run)

    found = judge_reliability()

    assert sorted(one.judge.names for one in found.judges) == [
        ("Portia", "Portia same"),
        ("Portia other-prompts",),
        ("Portia warmer",),
    ]
    assert len({one.judge.label for one in found.judges}) == 3
    # Both panels' equal reviews of the run count once.
    assert [one.reviews for one in found.judges] == [1, 1, 1]


def test_families_are_compared_where_both_are_known(portia: tuple[Cast, JudgingPass]) -> None:
    cast, judged = portia
    gavel = LanguageModel.objects.create(
        slug="gavel", name="Gavel", provider="Bell Labs", litellm_id="bell/gavel"
    )
    other = add_panel(gavel, "second")
    PanelJudge.objects.filter(pk=other.pk).update(family="")  # then it is the provider's
    second = add_pass(other, "second")
    judge = judged.panel.judges.get()
    agents = (cast.add_agent("Alice", "ide", judge.model), cast.add_agent("Bob", "ide", gavel))
    for task in cast.add_tasks(2):
        for agent in agents:
            run = cast.add_run(agent, task)
            add_review(judged, judge, run, score=float(agent is agents[0]))
            add_review(second, other, run, score=0.5)

    (matrix,) = judge_reliability().families

    assert (matrix.judges, matrix.agents) == (("ada", "bell labs"), ("ada", "bell labs"))
    assert [[cell.mean.value for cell in row] for row in matrix.cells] == [[1.0, 0.0], [0.5, 0.5]]
    assert matrix.cells[0][0].beyond.value == 0.25
