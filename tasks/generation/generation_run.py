"""The generation of tasks from one repository, as a command or a job of a site calls it."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from harness.dataset import Repository, Tree
from harness.errors import ConfigurationError
from harness.functions import find
from harness.limits import Limits, Spending
from harness.llm.client import Client
from harness.sandbox.base import Engine
from tasks.generation.admitting import Admitter, prepare_output, prover
from tasks.generation.adversarial.adversary import Adversary, spent
from tasks.generation.corrupting.candidates import Candidate, CandidateStore, Kind
from tasks.generation.corrupting.source_tree import Place, SourceTree
from tasks.generation.generation_request import GenerationRequest, Progress
from tasks.generation.generator import Generator
from tasks.generation.maps.code_map import CodeMap, FunctionKey
from tasks.generation.maps.function_measures import measures
from tasks.generation.maps.suspicion import ochiai_rank
from tasks.generation.suite.hidden_suite import HiddenSuite
from tasks.generation.suite.screening import Screener, measure_baseline, stored_baseline


def generate(engine: Engine, request: GenerationRequest, progress: Progress, *, instance: str) -> None:
    """Makes, screens and admits all candidates of the plan. Called again with the same request, it goes on.

    `instance`: the label of its containers. Raises ConfigurationError, DatasetError, RepositoryRefused, what test runs
    raise and what `progress` raises; what was done before stays stored.
    """
    if not engine.isolated:
        raise ConfigurationError("candidates are screened in containers: unset BENCHBENCH_ENGINE")
    request.check()
    dataset, repository = prepare_output(
        request.dataset, request.repository, request.output, slug=request.slug, title=request.title
    )
    store = CandidateStore(request.candidates, dataset.canary)
    with store.locked():
        world = _world(engine, repository, store, request, instance, paid=progress.paid)
        command = _command_line(dataset.slug, repository.slug, request)
        generator = Generator(
            store,
            world.tree,
            world.screener,
            admit=Admitter(dataset, repository, prover(engine, instance), world.measures, command),
            calls=world.calls,
            adversary=world.adversary,
            progress=progress,
        )
        generator.run(request.plan)


@dataclass(frozen=True)
class _World:
    """What candidates are made from and screened with."""

    tree: SourceTree
    screener: Screener
    calls: Sequence[tuple[FunctionKey, FunctionKey]]
    measures: Callable[[Candidate], Mapping[str, float]]
    adversary: Adversary | None


def _world(
    engine: Engine,
    repository: Repository,
    store: CandidateStore,
    request: GenerationRequest,
    instance: str,
    *,
    paid: Callable[[float | None], object],
) -> _World:
    hidden = Tree(repository.directory / "tests")
    settings = tomllib.loads((repository.directory / "repository.toml").read_text(encoding="utf-8"))
    suite = HiddenSuite(engine, repository, hidden, report=settings.get("report", "junit"), instance=instance)
    thresholds = request.thresholds
    leave_out: Sequence[str] = settings.get("leave_out", ())
    parts = [
        repository.digest,
        hidden.digest(),
        repository.run_tests.read_text("utf-8"),
        leave_out,
        thresholds.suite_seconds,
    ]
    key = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    baseline = stored_baseline(
        store.directory / "baseline.json", key, lambda: measure_baseline(suite, thresholds, leave_out)
    )
    screener = Screener(repository.source, suite, baseline, thresholds)
    tree = SourceTree.read(repository.source, hidden)
    code_map = request.code_map
    if code_map is not None and code_map.digest != repository.digest:
        raise ConfigurationError(
            f"the map is of another version of {request.repository}: make it again with manage.py map_repository"
        )
    adversary = None
    if Kind.ADVERSARIAL in request.plan.kinds and request.model is not None:
        adversary = Adversary(
            Client(request.model),
            Spending(Limits(iterations=None, wall_seconds=None, cost_usd=_left(request.budget, store))),
            store,
            tree,
            screener,
            hidden=hidden,
            seed=request.plan.seed,
            tests_of=_tests_of(code_map),
            paid=paid,
        )
    return _World(tree, screener, _calls(code_map), _measures(code_map, tree), adversary)


def _calls(code_map: CodeMap | None) -> Sequence[tuple[FunctionKey, FunctionKey]]:
    if code_map is None:
        return ()
    nodes = code_map.nodes
    return [(nodes[caller].key, nodes[callee].key) for caller, callee in code_map.calls()]


def _measures(code_map: CodeMap | None, tree: SourceTree) -> Callable[[Candidate], Mapping[str, float]]:
    """All measures of the first target; without a map those of its own code.

    naming_share: the share of failing tests whose traceback leads through a target. ochiai_rank: see there.
    """

    def measures_of(one: Candidate) -> Mapping[str, float]:
        target, screening = one.targets[0], one.screening or {}
        key = (target.path, target.name, target.occurrence)
        failing = screening.get("failing", ())
        found: dict[str, float] = {}
        if failing:
            found["naming_share"] = round(screening["naming_target"] / len(failing), 4)
        if code_map and key in code_map.numbers:
            rank = ochiai_rank(code_map, key, failing)
            return {
                **code_map.measures_of(key),
                **found,
                **({} if rank is None else {"ochiai_rank": rank}),
            }
        text = tree.texts[target.path]
        function = find(target.path, text, target.name, target.occurrence)
        return {**measures(target.path, text, [function])[0], **found}

    return measures_of


def _tests_of(code_map: CodeMap | None) -> Callable[[Place], Sequence[str]]:
    def tests(place: Place) -> Sequence[str]:
        key = (place.path, *place.function.key)
        return code_map.tests_of(key) if code_map and key in code_map.numbers else ()

    return tests


def _left(budget: float | None, store: CandidateStore) -> float | None:
    """What is left of the budget after the models of all stored candidates."""
    return None if budget is None else max(0.0, budget - spent(store.all()))


def _command_line(dataset: str, repository: str, request: GenerationRequest) -> str:
    """The call as tasks record it: with what decides the result, without places of this machine."""
    plan, thresholds = request.plan, request.thresholds
    options = {
        "kinds": ",".join(plan.kinds),
        "seed": plan.seed,
        "limit": plan.limit,
        "per-function": plan.per_function,
        "least-lines": plan.least_lines,
        "least-removal": thresholds.removal,
        "least-corruption": thresholds.corruption,
        "suite-seconds": thresholds.suite_seconds,
        "model": request.model.litellm_id if request.model else "",
    }
    words = ["generate_tasks", dataset, repository]
    for name, value in options.items():
        if value not in (None, ""):
            words += [f"--{name}", str(value)]
    return " ".join(words)
