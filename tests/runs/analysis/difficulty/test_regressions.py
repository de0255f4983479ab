"""Logistic regressions of success on difficulty."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.analysis.difficulty.regressions import (
    BY_REPOSITORY,
    SuccessModels,
    akaike,
    mcfadden,
    success_band,
    success_models,
)
from runs.analysis.estimate import Exclusion
from runs.analysis.facts import RunFacts
from tests.runs.analysis.personas import PERSONAS, with_twins

Rows = list[tuple[str, bool]]


def runs_of(rows: Rows) -> list[RunFacts]:
    return [
        RunFacts(number, "alice", task, "harbour", 1, "resolved" if resolved else "unresolved")
        for number, (task, resolved) in enumerate(rows)
    ]


def models(rows: Rows, sizes: dict[str, float], *, clustered: bool = False) -> SuccessModels:
    measures = {task: {"size": size} for task, size in sizes.items()}
    return success_models(runs_of(rows), measures, ["size"], clustered=clustered)


def many(
    tasks: int = 40, attempts: int = 5, seed: int = 2
) -> tuple[Rows, dict[str, dict[str, float | None]]]:
    random = np.random.default_rng(seed)
    size, centrality = random.gamma(2, 20, tasks), random.normal(0, 3, tasks)
    odds = 1 - (size - 40) / 28 - centrality / 4 + random.normal(0, 1, tasks)
    rows = [
        (str(task), bool(random.random() < 1 / (1 + math.exp(-odds[task]))))
        for task in range(tasks)
        for _ in range(attempts)
    ]
    return rows, {str(task): {"size": size[task], "centrality": centrality[task]} for task in range(tasks)}


def test_two_difficulties_have_a_closed_form() -> None:
    # Easy: 3 of 4 resolved, hard: 1 of 4. With two values the model fits both rates. z-scores are −1 and +1, so
    # β₀ ± β₁ are the log odds ln 3 and −ln 3: β₀ = 0, β₁ = −ln 3, odds ratio ⅓.
    # Information: 8 · ¾ · ¼ = 1.5 for either, so the error is √(1 ÷ 1.5) = 0.8165 and z = −1.3455.
    # ln L = 6 ln ¾ + 2 ln ¼ = −4.4987, ln L₀ = 8 ln ½ = −5.5452: R² = 0.18872, AIC = 4 + 8.9974 = 12.9974.
    rows = [("easy", True)] * 3 + [("easy", False), ("hard", True)] + [("hard", False)] * 3
    found = models(rows, {"easy": 10, "hard": 30})
    (slope,) = found.joint.coefficients
    assert slope.log_odds.value == pytest.approx(-math.log(3))
    assert slope.odds_ratio.value == pytest.approx(1 / 3)
    assert slope.error.value == pytest.approx(math.sqrt(1 / 1.5))
    assert slope.z.value == pytest.approx(-math.log(3) * math.sqrt(1.5))
    assert slope.p.value == pytest.approx(0.17846, abs=1e-5)
    assert (slope.mean, slope.deviation, slope.name) == (20, 10, "size")
    assert found.joint.constant.value == pytest.approx(0, abs=1e-9)
    likelihood = 6 * math.log(3 / 4) + 2 * math.log(1 / 4)
    assert found.joint.mcfadden.value == pytest.approx(1 - likelihood / (8 * math.log(1 / 2)))
    assert found.joint.aic.value == pytest.approx(4 - 2 * likelihood)
    assert slope.log_odds.interval is not None
    assert slope.log_odds.interval.half_width == pytest.approx(1.96 * math.sqrt(1 / 1.5))
    assert slope.odds_ratio.interval is not None
    assert slope.odds_ratio.interval.high == pytest.approx(math.exp(slope.log_odds.interval.high))
    assert (found.n, found.resolved, found.tasks, found.joint.reason) == (8, 4, 2, "")


# Breakpoint, section 4.1.2: AIC, McFadden's R², and the coefficients: the constant, code lines, harmonic centrality.
PRINTED = {"lines": (4163.1, 0.216, 2), "centrality": (4340.9, 0.183, 2), "joint": (4141.4, 0.221, 3)}


def null_likelihood(aic: float, r2: float, coefficients: int) -> float:
    """ln L₀, solved from both formulas, which are linear in ln L and in 1 ÷ ln L₀."""
    likelihood = (akaike(0, coefficients) - aic) / (akaike(0, 1) - akaike(1, 1))
    assert akaike(likelihood, coefficients) == pytest.approx(aic)
    null = likelihood / (1 - r2)
    assert mcfadden(likelihood, null) == pytest.approx(r2)
    return null


def test_what_breakpoint_prints_is_consistent_with_our_formulas() -> None:
    """All three models have the same runs, so one ln L₀: within 3, and within the rounding of R² to three decimals."""
    nulls = {name: null_likelihood(*printed) for name, printed in PRINTED.items()}
    assert {name: round(null, 1) for name, null in nulls.items()} == {
        "lines": -2652.5,
        "centrality": -2654.2,
        "joint": -2654.3,
    }
    assert max(nulls.values()) - min(nulls.values()) < 3
    spans = [
        sorted(null_likelihood(aic, r2 + off, k) for off in (-0.0005, 0.0005))
        for aic, r2, k in PRINTED.values()
    ]
    assert max(low for low, _ in spans) < min(high for _, high in spans)


def test_alone_and_joint_have_one_null_model() -> None:
    rows, measures = many()
    found = success_models(runs_of(rows), measures)
    share = found.resolved / found.n
    null = found.n * (share * math.log(share) + (1 - share) * math.log(1 - share))
    for model, coefficients in ((found.joint, 3), *((alone, 2) for alone in found.alone)):
        assert model.null_likelihood.value == pytest.approx(null)
        assert null_likelihood(
            model.aic.value or 0, model.mcfadden.value or 0, coefficients
        ) == pytest.approx(null)


def test_statsmodels_finds_the_same() -> None:
    """A binomial GLM of the counts per task, fitted by another method; the likelihood differs by a constant alone."""
    rows, measures = many()
    found = success_models(runs_of(rows), measures, clustered=False)
    z = np.array([[values["size"] or 0, values["centrality"] or 0] for values in measures.values()])
    z = (z - z.mean(axis=0)) / z.std(axis=0)
    solved = np.array([sum(resolved for task, resolved in rows if task == name) for name in measures])
    counts = np.column_stack([solved, 5 - solved])
    for model, columns in ((found.joint, [0, 1]), (found.alone[0], [0]), (found.alone[1], [1])):
        theirs = sm.GLM(counts, sm.add_constant(z[:, columns]), family=sm.families.Binomial()).fit(tol=1e-12)
        assert [c.log_odds.value for c in model.coefficients] == pytest.approx(
            theirs.params[1:].tolist(), rel=1e-5
        )
        assert [c.error.value for c in model.coefficients] == pytest.approx(theirs.bse[1:].tolist(), rel=1e-5)
        assert [c.p.value for c in model.coefficients] == pytest.approx(theirs.pvalues[1:].tolist(), rel=1e-4)
        # Joint and alone differ in deviance as they do in AIC, less 2 for each coefficient.
        assert (model.aic.value or 0) - (found.joint.aic.value or 0) == pytest.approx(
            theirs.aic - sm.GLM(counts, sm.add_constant(z), family=sm.families.Binomial()).fit().aic, abs=1e-4
        )
    assert (found.joint.mcfadden.value or 0) > max(model.mcfadden.value or 0 for model in found.alone)


def test_two_equal_personas_of_each_scenario_count_as_one_task() -> None:
    rows, measures = many()
    twice = {f"{task}.{persona}": sizes for task, sizes in measures.items() for persona in PERSONAS}
    alone = success_models(runs_of(rows), measures).joint
    twins = success_models(with_twins(runs_of(rows)), twice).joint
    apart = success_models(with_twins(runs_of(rows), scenarios=False), twice).joint
    for one, twin, other in zip(alone.coefficients, twins.coefficients, apart.coefficients, strict=True):
        # Equal but for the correction (N − 1) ÷ (N − k) of statsmodels, with N runs and k coefficients.
        assert twin.error.value == pytest.approx(one.error.value, rel=0.01)
        assert twin.p.value == pytest.approx(one.p.value, rel=0.2)
        assert other.error.value == pytest.approx((one.error.value or 0) / math.sqrt(2), rel=0.02)


def test_clustered_errors_allow_for_attempts_being_alike() -> None:
    """The same runs ten times over say no more: clustered errors stay (but for a small correction), others shrink."""
    rows, measures = many(attempts=2)
    plain, robust = (success_models(runs_of(rows), measures, clustered=flag).joint for flag in (False, True))
    repeated = runs_of(rows * 10)
    plain_10, robust_10 = (success_models(repeated, measures, clustered=flag).joint for flag in (False, True))
    for place in (0, 1):
        errors = [
            model.coefficients[place].error.value or 0 for model in (plain, plain_10, robust, robust_10)
        ]
        assert errors[1] == pytest.approx(errors[0] / math.sqrt(10), rel=1e-6)
        assert errors[3] == pytest.approx(errors[2], rel=0.02)
        assert plain.coefficients[place].log_odds.value == pytest.approx(
            robust.coefficients[place].log_odds.value
        )
    assert plain.aic == robust.aic


def test_errors_are_clustered_unless_those_of_the_papers_are_requested() -> None:
    # statsmodels' own logistic regression with errors by task, and the one of the information matrix.
    rows, measures = many()
    z = np.array([measures[task]["size"] for task, _ in rows], dtype=float)
    sizes = np.array([values["size"] for values in measures.values()], dtype=float)
    model = sm.Logit([resolved for _, resolved in rows], sm.add_constant((z - sizes.mean()) / sizes.std()))
    by_task = {"groups": np.array([int(task) for task, _ in rows])}
    theirs = model.fit(disp=0, cov_type="cluster", cov_kwds=by_task).bse[1], model.fit(disp=0).bse[1]
    found = success_models(runs_of(rows), measures, ["size"])
    paper = success_models(runs_of(rows), measures, ["size"], clustered=False)
    assert (found.clustered, paper.clustered) == (True, False)
    errors = [one.joint.coefficients[0].error.value for one in (found, paper)]
    assert errors == pytest.approx(list(theirs), rel=1e-6)
    assert theirs[0] > 1.2 * theirs[1]


def test_few_runs_or_few_tasks_have_no_odds_ratio() -> None:
    rows = [("easy", True)] * 3 + [("easy", False), ("hard", True)] + [("hard", False)] * 3
    few = models(rows, {"easy": 10, "hard": 30}, clustered=True).joint
    assert few.reason == "an odds ratio needs 10 resolved and 10 other runs, and of one kind there are 4"
    assert few.coefficients[0].odds_ratio.reason == few.coefficients[0].p.reason == few.reason
    two_tasks = models(rows * 3, {"easy": 10, "hard": 30}, clustered=True).joint
    assert two_tasks.reason == "an odds ratio needs 20 tasks, and there are 2"


@pytest.mark.parametrize(
    ("rows", "sizes", "reason"),
    [
        ([], {}, "no run of a task whose difficulty is known"),
        ([("a", True)], {"a": 1}, "every run resolved its task"),
        ([("a", True), ("b", True)], {"a": 1, "b": 2}, "every run resolved its task"),
        ([("a", False), ("b", False)], {"a": 1, "b": 2}, "no run resolved its task"),
        ([("a", True), ("b", False)], {"a": 0.1 + 0.2, "b": 0.3}, "size is the same for all tasks"),
        (
            [("a", True), ("b", False)],
            {"a": 1, "b": 2},
            "success and failure do not overlap in size: the likelihood has no maximum",
        ),
        (  # they touch at b
            [("a", True), ("b", True), ("b", False), ("c", False)],
            {"a": 1, "b": 2, "c": 3},
            "success and failure do not overlap in size: the likelihood has no maximum",
        ),
    ],
)
def test_where_there_is_no_model(rows: Rows, sizes: dict[str, float], reason: str) -> None:
    found = models(rows, sizes)
    assert found.joint.reason == reason
    assert found.joint.mcfadden.n == len(rows)
    (slope,) = found.joint.coefficients
    assert slope.log_odds.value is slope.p.value is slope.odds_ratio.value is slope.error.value is None


def test_predictors_that_follow_from_each_other() -> None:
    rows, measures = many()
    doubled = {task: {**values, "twice": 2 * (values["size"] or 0)} for task, values in measures.items()}
    found = success_models(runs_of(rows), doubled, ["size", "twice"])
    assert found.joint.reason == "size and twice are collinear"
    assert found.alone[0].coefficients[0].log_odds.value == pytest.approx(
        found.alone[1].coefficients[0].log_odds.value
    )


def test_a_joint_separation_is_seen() -> None:
    """Neither predictor parts success from failure, their difference does."""
    points = {"a": (0, 1), "b": (1, 2), "c": (2, 3), "d": (1, 0), "e": (2, 1), "f": (3, 2)}
    measures = {task: {"size": float(x), "centrality": float(y)} for task, (x, y) in points.items()}
    runs = runs_of([(task, task in "abc") for task in points])
    found = success_models(runs, measures, clustered=False)
    assert [model.reason for model in found.alone] == ["", ""]
    assert "do not overlap in size and centrality" in found.joint.reason


def test_runs_without_all_predictors_are_left_out_of_all_models() -> None:
    rows, measures = many()
    measures["7"] = {"size": 3.0}
    found = success_models(runs_of(rows), measures)
    assert found.excluded == (Exclusion("the task's size or centrality is unknown", (35, 36, 37, 38, 39)),)
    assert (found.n, found.tasks) == (195, 39)
    for predictors in ([], ["size", "size"]):
        with pytest.raises(ValueError, match="expected one or more, each once"):
            success_models([], {}, predictors)


@given(st.integers(0, 50), st.randoms(use_true_random=False))
@settings(max_examples=8)
def test_neither_order_nor_unit_matter(seed: int, random: object) -> None:
    rows, measures = many(tasks=12, attempts=3, seed=seed)
    found = success_models(runs_of(rows), measures)
    mixed = list(rows)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert success_models(runs_of(mixed), measures) == found
    scaled = {
        task: {"size": 60 * (v["size"] or 0) - 5, "centrality": v["centrality"]}
        for task, v in measures.items()
    }
    other = success_models(runs_of(rows), scaled)
    assert other.joint.reason == found.joint.reason
    if not found.joint.reason:
        assert other.joint.aic.value == pytest.approx(found.joint.aic.value)
        assert 0 <= (found.joint.mcfadden.value or 0) <= 1
        assert [c.z.value for c in other.joint.coefficients] == pytest.approx(
            [c.z.value for c in found.joint.coefficients], rel=1e-4
        )


def test_errors_can_be_clustered_by_repository() -> None:
    rows, measures = many()
    runs = [replace(run, repository=f"r{int(run.task) % 20}") for run in runs_of(rows)]
    by_task, found = success_models(runs, measures), success_models(runs, measures, cluster=BY_REPOSITORY)
    z = np.array([[measures[run.task][name] or 0 for name in ("size", "centrality")] for run in runs])
    each = np.array([[known["size"] or 0, known["centrality"] or 0] for known in measures.values()])
    design = sm.add_constant((z - each.mean(axis=0)) / each.std(axis=0))
    theirs = sm.Logit(np.array([run.resolved for run in runs], dtype=int), design).fit(
        disp=0, cov_type="cluster", cov_kwds={"groups": [int(run.repository[1:]) for run in runs]}, use_t=True
    )
    for place, one in enumerate(found.joint.coefficients, 1):
        assert one.error.value == pytest.approx(theirs.bse[place], rel=1e-5)
        assert one.p.value == pytest.approx(theirs.pvalues[place], rel=1e-4)
        assert one.log_odds.interval is not None
        assert one.log_odds.interval.low == pytest.approx(theirs.conf_int()[place][0], rel=1e-4)
        assert one.log_odds.value == by_task.joint.coefficients[place - 1].log_odds.value
    few = success_models(
        [replace(run, repository=run.repository[:1]) for run in runs], measures, cluster=BY_REPOSITORY
    )
    assert few.joint.reason == "an odds ratio needs 20 repositories, and there are 1"


def test_the_band_of_a_curve_is_that_of_its_log_odds() -> None:
    rows, measures = many()
    runs = [replace(run, repository=f"r{int(run.task) % 20}") for run in runs_of(rows)]
    found = success_band(runs, measures, "size")
    (slope,) = success_models(runs, measures, ["size"], cluster=BY_REPOSITORY).joint.coefficients
    sizes = [size for known in measures.values() if (size := known["size"]) is not None]
    assert (found.values[0], found.values[-1], found.tasks, found.clusters) == (
        min(sizes),
        max(sizes),
        40,
        20,
    )
    design = sm.add_constant(
        [((measures[run.task]["size"] or 0) - slope.mean) / slope.deviation for run in runs]
    )
    theirs = sm.Logit(np.array([run.resolved for run in runs], dtype=int), design).fit(
        disp=0, cov_type="cluster", cov_kwds={"groups": [int(run.repository[1:]) for run in runs]}, use_t=True
    )
    for place in (0, 16, 32):
        x = np.array([[1.0, (found.values[place] - slope.mean) / slope.deviation]])
        odds = float((x @ theirs.params)[0])
        error = math.sqrt(float((x @ theirs.cov_params() @ x.T)[0, 0]))
        rate = found.rates[place]
        assert rate.value == pytest.approx(1 / (1 + math.exp(-odds)), rel=1e-5)
        assert rate.interval is not None
        assert rate.interval.high == pytest.approx(1 / (1 + math.exp(-odds - 2.093024 * error)), rel=1e-4)


def test_a_curve_without_a_model_has_a_reason_and_one_of_few_repositories_no_band() -> None:
    runs = [*runs_of([("a", True), ("b", False)])]
    assert success_band(runs, {"a": {"size": 1}, "b": {"size": 2}}, "size").reason == (
        "success and failure do not overlap in size: the likelihood has no maximum"
    )
    rows, measures = many()
    two = [replace(run, repository=f"r{int(run.task) % 2}") for run in runs_of(rows)]
    assert {rate.interval for rate in success_band(two, measures, "size").rates} == {None}
