from __future__ import annotations

import hashlib
import json
import tomllib
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from harness.dataset import Dataset, Repository, Tree
from harness.errors import ConfigurationError, HarnessError
from harness.functions import find
from harness.limits import Limits, Spending
from harness.llm.client import Client
from harness.llm.spec import ModelSpec
from harness.sandbox import open_engine
from harness.sandbox.base import Engine
from tasks.generation.admitting import Admitter, prepare_output, prover
from tasks.generation.adversarial.adversary import Adversary, spent
from tasks.generation.candidates import Candidate, CandidateStore, Kind, yields
from tasks.generation.code_map import CodeMap, loads
from tasks.generation.function_measures import measures
from tasks.generation.generator import Generator, Plan
from tasks.generation.groups import FunctionKey
from tasks.generation.hidden_suite import HiddenSuite
from tasks.generation.screening import Screener, Thresholds, measure_baseline, stored_baseline
from tasks.generation.source_tree import Place, SourceTree

INSTANCE = "shell"  # a running site does not remove its containers


class Command(BaseCommand):
    """Generates tasks."""

    help = (
        "Generates tasks from a repository of a dataset whose hidden tests all pass: functions are removed or "
        "corrupted, the tests are run, and what makes enough of them fail becomes a task. Started again with the same "
        "options, it goes on where it stopped. Each candidate is a file in OUTPUT/candidates/REPOSITORY, with the "
        "reason if it was refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The repository, what to make of it, and the model of the kind adversarial."""
        parser.add_argument("dataset", type=Path, metavar="DATASET", help="a directory")
        parser.add_argument(
            "repository", metavar="REPOSITORY", help="with hidden tests for all tasks in tests/"
        )
        parser.add_argument(
            "--kinds",
            type=_kinds,
            default=(Kind.REMOVE, Kind.CORRUPT),
            metavar="KIND,…",
            help="remove, corrupt, multi (combines corruptions that became tasks; needs --map), adversarial (needs "
            "--model); default: remove,corrupt",
        )
        parser.add_argument("--seed", type=int, default=0, metavar="N")
        parser.add_argument("--limit", type=_count, metavar="N", help="candidates of each kind; default: all")
        parser.add_argument(
            "--per-function",
            type=_count,
            default=1,
            metavar="N",
            help="corruptions of each function (default: 1)",
        )
        parser.add_argument(
            "--jobs", type=_count, default=1, metavar="N", help="test runs at a time (default: 1)"
        )
        parser.add_argument(
            "--output", type=Path, metavar="DIR", help="the dataset that gets the tasks; default: DATASET"
        )
        parser.add_argument("--map", type=Path, metavar="FILE", help="of the repository, by map_repository")
        thresholds = Thresholds()
        parser.add_argument("--least-removal", type=_count, default=thresholds.removal, metavar="TESTS")
        parser.add_argument("--least-corruption", type=_count, default=thresholds.corruption, metavar="TESTS")
        parser.add_argument(
            "--suite-seconds",
            type=float,
            default=thresholds.suite_seconds,
            metavar="S",
            help="CPU time at most",
        )
        parser.add_argument("--model", default="", metavar="LITELLM_ID", help="corrupts functions")
        parser.add_argument("--api-base", default="", metavar="URL")
        parser.add_argument("--api-key-variable", default="", metavar="NAME")
        parser.add_argument("--context-window", type=_count, metavar="TOKENS")
        parser.add_argument("--price-in", type=float, metavar="USD", help="of a million tokens")
        parser.add_argument("--price-out", type=float, metavar="USD")
        parser.add_argument(
            "--budget", type=float, metavar="USD", help="for the model, with all earlier runs"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Prints each finished candidate, and the yield by reason at the end, also after an error."""
        try:
            with closing(open_engine()) as engine:
                self._generate(engine, options)
        except (HarnessError, OSError) as error:
            raise CommandError(str(error)) from error

    def _generate(self, engine: Engine, options: Mapping[str, Any]) -> None:
        kinds: Sequence[Kind] = options["kinds"]
        _check(engine, options, kinds)
        output = options["output"] or options["dataset"]
        dataset, repository = prepare_output(options["dataset"], options["repository"], output)
        store = CandidateStore(dataset.directory / "candidates" / repository.slug, dataset.canary)
        with store.locked():
            world = _world(engine, repository, store, options)
            command = _command_line(dataset, repository, options)
            generator = Generator(
                store,
                world.tree,
                world.screener,
                admit=Admitter(dataset, repository, prover(engine, INSTANCE), world.measures, command),
                calls=world.calls,
                adversary=world.adversary,
                report=self._print,
            )
            plan = Plan(kinds, options["seed"], options["limit"], options["per_function"], options["jobs"])
            try:
                generator.run(plan)
            finally:
                self._print_yields(store)

    def _print(self, one: Candidate) -> None:
        result = one.task or ""
        if one.refusal:
            result = " ".join(filter(None, (f"refused: {one.refusal.reason}", one.refusal.detail[:200])))
        names = ", ".join(f"{target.path}: {target.name}" for target in one.targets)
        self.stdout.write(f"{one.key} {one.kind} {names} ({one.targets[0].operator}): {result}")
        self.stdout.flush()

    def _print_yields(self, store: CandidateStore) -> None:
        for found in yields(store.all()):
            reasons = "".join(f", {number} {reason}" for reason, number in found.refused.items())
            waiting = f", {found.waiting} waiting" if found.waiting else ""
            self.stdout.write(
                f"{found.kind}: {found.tasks} tasks of {found.made} candidates{reasons}{waiting}"
            )


@dataclass(frozen=True)
class _World:
    """What candidates are made from and screened with."""

    tree: SourceTree
    screener: Screener
    calls: Sequence[tuple[FunctionKey, FunctionKey]]
    measures: Callable[[FunctionKey], Mapping[str, float]]
    adversary: Adversary | None


def _world(
    engine: Engine, repository: Repository, store: CandidateStore, options: Mapping[str, Any]
) -> _World:
    hidden = Tree(repository.directory / "tests")
    settings = tomllib.loads((repository.directory / "repository.toml").read_text(encoding="utf-8"))
    suite = HiddenSuite(engine, repository, hidden, report=settings.get("report", "junit"), instance=INSTANCE)
    thresholds = Thresholds(options["least_removal"], options["least_corruption"], options["suite_seconds"])
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
    code_map = _map(options["map"], repository) if options["map"] else None
    adversary = None
    if Kind.ADVERSARIAL in options["kinds"]:
        adversary = Adversary(
            Client(_model(options)),
            Spending(Limits(iterations=None, wall_seconds=None, cost_usd=_left(options["budget"], store))),
            store,
            tree,
            screener,
            hidden=hidden,
            seed=options["seed"],
            tests_of=_tests_of(code_map),
        )
    return _World(tree, screener, _calls(code_map), _measures(code_map, tree), adversary)


def _check(engine: Engine, options: Mapping[str, Any], kinds: Sequence[Kind]) -> None:
    if not engine.isolated:
        raise ConfigurationError("candidates are screened in containers: unset BENCHBENCH_ENGINE")
    if Kind.MULTI in kinds and not options["map"]:
        raise ConfigurationError("--kinds multi needs --map FILE: make it with manage.py map_repository")
    if Kind.ADVERSARIAL in kinds and not options["model"]:
        raise ConfigurationError("--kinds adversarial needs --model")
    tests = options["dataset"] / options["repository"] / "tests"
    if not tests.is_dir():
        raise ConfigurationError(f"{tests} is missing: it holds the hidden tests of all generated tasks")


def _map(path: Path, repository: Repository) -> CodeMap:
    found = loads(path.read_bytes())
    if found.digest != repository.digest:
        raise ConfigurationError(f"{path} is the map of another version of the source: make it again")
    return found


def _calls(code_map: CodeMap | None) -> Sequence[tuple[FunctionKey, FunctionKey]]:
    if code_map is None:
        return ()
    nodes = code_map.nodes
    return [(nodes[caller].key, nodes[callee].key) for caller, callee in code_map.calls()]


def _measures(code_map: CodeMap | None, tree: SourceTree) -> Callable[[FunctionKey], Mapping[str, float]]:
    """All measures of a function; without a map those of its own code."""

    def measures_of(key: FunctionKey) -> Mapping[str, float]:
        if code_map and key in code_map.numbers:
            return code_map.measures_of(key)
        path, name, occurrence = key
        text = tree.texts[path]
        return measures(path, text, [find(path, text, name, occurrence)])[0]

    return measures_of


def _tests_of(code_map: CodeMap | None) -> Callable[[Place], Sequence[str]]:
    def tests(place: Place) -> Sequence[str]:
        key = (place.path, *place.function.key)
        return code_map.tests_of(key) if code_map and key in code_map.numbers else ()

    return tests


def _model(options: Mapping[str, Any]) -> ModelSpec:
    return ModelSpec(
        name=options["model"],
        litellm_id=options["model"],
        api_base=options["api_base"],
        api_key_variable=options["api_key_variable"],
        context_window=options["context_window"],
        input_price=options["price_in"],
        output_price=options["price_out"],
    )


def _left(budget: float | None, store: CandidateStore) -> float | None:
    """What is left of the budget after the models of all stored candidates."""
    return None if budget is None else max(0.0, budget - spent(store.all()))


def _command_line(dataset: Dataset, repository: Repository, options: Mapping[str, Any]) -> str:
    """The call as tasks record it: with what decides the result, without places of this machine."""
    words = ["generate_tasks", dataset.slug, repository.slug, "--kinds", ",".join(options["kinds"])]
    for name in (
        "seed",
        "limit",
        "per_function",
        "least_removal",
        "least_corruption",
        "suite_seconds",
        "model",
    ):
        if options[name] not in (None, ""):
            words += [f"--{name.replace('_', '-')}", str(options[name])]
    return " ".join(words)


def _kinds(text: str) -> tuple[Kind, ...]:
    try:
        return tuple(dict.fromkeys(Kind(name) for name in text.split(",")))
    except ValueError as error:
        raise ArgumentTypeError(f"{error}; there are: {', '.join(Kind)}") from None


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ArgumentTypeError("must be at least 1")
    return number
