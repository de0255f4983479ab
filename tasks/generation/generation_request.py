"""What to generate, and how its caller follows it. It loads none of the libraries that change code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.errors import ConfigurationError
from harness.llm.spec import ModelSpec
from tasks.generation.corrupting.candidates import Candidate, Kind
from tasks.generation.maps.code_map import CodeMap
from tasks.generation.suite.screening import Thresholds

MIN_LINES = 5  # shorter functions are no work to write, and hold few faults that are worth a search


@dataclass(frozen=True, slots=True)
class Plan:
    """What to make. `limit`: how many candidates of each kind, None for all. `jobs`: test runs at a time.

    `per_function`: how many corruptions of each function, by different operators. `least_lines`: functions with fewer
    code lines, as `measures` counts them, are left out.
    """

    kinds: Sequence[Kind]
    seed: int
    limit: int | None = None
    per_function: int = 1
    jobs: int = 1
    least_lines: int = MIN_LINES


@dataclass(frozen=True)
class GenerationRequest:
    """What to generate, from which repository, into which dataset.

    `dataset`, `output`: directories. `slug`: the name of the repository in the output; '' for the same name. `title`:
    of the output if it is new; '' for that of the dataset. `code_map`: of the repository, for combinations and for
    measures. `model`: corrupts functions, for at most `budget` US dollars with all earlier runs.
    """

    dataset: Path
    repository: str
    output: Path
    plan: Plan
    thresholds: Thresholds = field(default_factory=Thresholds)
    slug: str = ""
    title: str = ""
    code_map: CodeMap | None = None
    model: ModelSpec | None = None
    budget: float | None = None

    @property
    def candidates(self) -> Path:
        """The directory of the candidates."""
        return self.output / "candidates" / (self.slug or self.repository)

    def check(self) -> None:
        """Raises ConfigurationError for a request that no engine could fulfil."""
        if Kind.MULTI in self.plan.kinds and self.code_map is None:
            raise ConfigurationError("the kind multi needs a map: make it with manage.py map_repository")
        if Kind.ADVERSARIAL in self.plan.kinds and self.model is None:
            raise ConfigurationError("the kind adversarial needs a model")
        tests = self.dataset / self.repository / "tests"
        if not tests.is_dir():
            raise ConfigurationError(f"{tests} is missing: it holds the hidden tests of all generated tasks")


class Progress:
    """What a caller learns of a generation while it runs. Does nothing by itself. Several threads call it."""

    def step(self) -> None:
        """Called before each step. What it raises ends the generation; everything that was done stays stored."""

    def made(self, candidates: Sequence[Candidate]) -> None:
        """All candidates of a kind exist. Some may be finished already, by an earlier run."""

    def paid(self, cost_usd: float | None) -> None:
        """A reply of the model in this run cost so many US dollars; None: unknown."""

    def finished(self, one: Candidate) -> None:
        """A candidate was finished in this run: it is a task, or refused."""
