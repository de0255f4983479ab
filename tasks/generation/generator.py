"""Makes and screens the candidates of one repository. Started again, it goes on where it stopped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from typing import Protocol

from tasks.generation.corrupting.candidates import GENERATOR_VERSION, Candidate, CandidateStore, Kind
from tasks.generation.corrupting.corruption import corruptions
from tasks.generation.corrupting.groups import combined
from tasks.generation.corrupting.removal import removed
from tasks.generation.corrupting.source_tree import Place, SourceTree
from tasks.generation.generation_request import Plan, Progress
from tasks.generation.maps.code_map import FunctionKey
from tasks.generation.maps.function_measures import CODE_LINES, measures
from tasks.generation.suite.screening import Screener


class Corrupter(Protocol):
    """A model that corrupts functions, as `adversary.Adversary`."""

    def key(self, place: Place) -> str:
        """The name of the candidate of a function, before it is made."""

    def make(self, place: Place) -> Candidate:
        """The candidate of a function, screened or refused."""


class Generator:
    """The candidates of one repository: made, stored, screened, and stored again.

    `calls`: the call graph, for groups. `adversary`: the model, for its kind. `admit`: makes a task of a screened
    candidate, or refuses it.
    """

    def __init__(
        self,
        store: CandidateStore,
        tree: SourceTree,
        screener: Screener,
        *,
        admit: Callable[[Candidate], Candidate],
        calls: Iterable[tuple[FunctionKey, FunctionKey]] = (),
        adversary: Corrupter | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._store = store
        self._tree = tree
        self._screener = screener
        self._admit = admit
        self._calls = tuple(calls)
        self._adversary = adversary
        self._progress = progress or Progress()

    def run(self, plan: Plan) -> list[Candidate]:
        """All candidates of the plan, finished: each is a task or refused. One kind after the other.

        What is stored is not done again. Raises what the test runs raise; then everything that was done stays stored.
        """
        finished: list[Candidate] = []
        for kind in Kind:  # corruptions come before their combinations
            if kind in plan.kinds:
                made = list(self._stored(islice(self._made(kind, plan), plan.limit)))
                self._progress.made(made)
                finished.extend(self._finished(made, plan))
        return finished

    def _stored(self, made: Iterator[Candidate]) -> Iterator[Candidate]:
        for one in made:
            self._progress.step()
            yield self._store.get(one.key) or self._store.put(one)

    def _made(self, kind: Kind, plan: Plan) -> Iterator[Candidate]:
        """The candidates of a kind, in an order that is drawn for each function alone."""
        if kind is Kind.MULTI:
            # Combinations of the corruptions that became tasks.
            admitted = [
                one
                for one in self._store.all()
                if one.kind is Kind.CORRUPT
                and one.task
                and not one.refusal
                and (one.source_digest, one.seed, one.generator)
                == (self._tree.digest, plan.seed, GENERATOR_VERSION)
            ]
            yield from combined(self._tree, self._screener.source, admitted, self._calls, seed=plan.seed)
            return
        places = sorted(
            _long_enough(self._tree, plan.least_lines),
            key=lambda place: place.draw("place", kind, plan.seed, GENERATOR_VERSION),
        )
        for place in places:
            if kind is Kind.REMOVE:
                yield removed(self._tree, place, seed=plan.seed, stored=self._store.get)
            elif kind is Kind.CORRUPT:
                yield from corruptions(
                    self._tree, place, seed=plan.seed, most=plan.per_function, stored=self._store.get
                )
            elif self._adversary and place.is_python:
                stored = self._store.get(self._adversary.key(place))
                yield stored or self._adversary.make(place)

    def _finished(self, candidates: Sequence[Candidate], plan: Plan) -> Iterator[Candidate]:
        pool = ThreadPoolExecutor(plan.jobs, "generate")
        try:
            yield from pool.map(self._finish, candidates)
        finally:
            pool.shutdown(cancel_futures=True)

    def _finish(self, one: Candidate) -> Candidate:
        """Does what is left to do with a candidate. Each step is stored before the next one begins."""
        if self._screener.reconsiders(one):
            one = replace(one, screening=None, refusal=None)
        if one.refusal or one.task:
            return one
        if one.screening is None:
            self._progress.step()
            one = self._store.put(self._screener(one))
        if not one.refusal:
            self._progress.step()
            one = self._store.put(self._admit(one))
        self._progress.finished(one)
        return one


def _long_enough(tree: SourceTree, least: int) -> Iterator[Place]:
    """The functions with so many code lines."""
    by_path: dict[str, list[Place]] = defaultdict(list)
    for place in tree.places:
        by_path[place.path].append(place)
    for path, places in by_path.items():
        found = measures(path, tree.texts[path], [place.function for place in places])
        yield from (
            place for place, numbers in zip(places, found, strict=True) if numbers[CODE_LINES] >= least
        )
