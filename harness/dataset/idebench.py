"""Reads datasets in IDE-Bench's layout as published, without conversion.

    <repository>/Dockerfile          made for `COPY . .` with WORKDIR /app
      docker-compose.yaml            ignored
      run_tests.sh                   `run_tests.sh <task>` runs `pytest -q -rA tests/base tasks/<task>/task_tests.py`
      tasks/<task>/                  task_description.txt, task_diff.txt, task_tests.py|js|java; proof.json is ours
      …                              everything else is the source

A dataset is one such directory, or a directory of them. An optional `dataset.toml` sets title, description, version,
licence, canary and tools. By default they are derived from the name and the content of the directory, the optional
tools of a task from its tags.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from harness.dataset.descriptions import Description, parse_description
from harness.dataset.dockerfiles import last_workdir
from harness.dataset.languages import spelled
from harness.dataset.leaks import find_leaks
from harness.dataset.model import (
    OPTIONAL_TOOLS,
    REPORT_NAMES,
    Category,
    Dataset,
    DatasetError,
    Difficulty,
    Layout,
    Repository,
    Task,
)
from harness.dataset.reading import Reader
from harness.dataset.tables import Table
from harness.dataset.trees import Tree
from harness.patches import PatchError, touched_paths

WORKDIR = PurePosixPath("/app")
TEST_TIMEOUT = 300.0
MAX_SLUG_LENGTH = 50
DESCRIPTION, DIFF, PROOF, TRAPS = "task_description.txt", "task_diff.txt", "proof.json", "traps"
VISIBLE_TESTS = "tests/base"
LAYOUT = Layout(
    name="IDE-Bench",
    context_directory="",
    stand_ins=("run_tests.sh", "tasks/"),
    script_at=WORKDIR / "run_tests.sh",
    safe_path=False,
    sealed=(VISIBLE_TESTS, "tasks"),
)

_NAMES_WORKDIR = re.compile(rf"(?<![\w./-]){WORKDIR}(?![\w-])")
_COMPOSE = ("docker-compose*", "compose.yaml", "compose.yml")
_NOT_SOURCE = ("tasks", "run_tests.sh", "Dockerfile*", ".dockerignore", *_COMPOSE)
_CATEGORIES = {
    Category.BUG: ("bug", "fix", "debug", "defect", "regression"),
    Category.REFACTORING: ("refactor", "cleanup", "clean-up", "restructur"),
    Category.OPTIMISATION: ("optimi", "performance", "speed", "efficien"),
    Category.FEATURE: ("feature", "enhancement", "implement", "addition"),
}
_DIFFICULTIES = {
    Difficulty.EASY: ("easy", "simple", "trivial", "beginner", "low"),
    Difficulty.MEDIUM: ("medium", "moderate", "intermediate", "normal"),
    Difficulty.HARD: ("hard", "difficult", "expert", "advanced", "challenging", "high"),
}
# Tags of tasks for which IDE-Bench offers its four full-stack tools (appendix F.2), without blanks and hyphens.
_FULL_STACK = frozenset({"mern", "mernstack", "fullstack"})
_REPORTS = {
    "maven": "surefire",
    "mvn": "surefire",
    "junit": "junit-console",
    "junit5": "junit-console",
    "gotest": "go",
    "cargotest": "cargo",
    "dotnettest": "dotnet",
}
_REPORT_BY_SUFFIX = {
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx"), "jest"),
    **dict.fromkeys((".java", ".kt"), "surefire"), **dict.fromkeys((".c", ".cc", ".cpp", ".cxx"), "ctest"),
    ".go": "go", ".rs": "cargo", ".rb": "rspec", ".php": "phpunit", ".cs": "dotnet",
}  # fmt: skip
_LANGUAGES = {
    ".py": "python", ".js": "javascript", ".jsx": "javascript", ".mjs": "javascript", ".cjs": "javascript",
    ".ts": "typescript", ".tsx": "typescript", ".java": "java", ".kt": "kotlin", ".c": "c", ".cc": "c++",
    ".cpp": "c++", ".cxx": "c++", ".cs": "c#", ".go": "go", ".rs": "rust", ".rb": "ruby", ".php": "php",
}  # fmt: skip


def repositories_in(directory: Path) -> list[Path]:
    """The repositories in this layout: `directory` itself, or directories in it. Empty if there are none."""
    if _is_repository(directory):
        return [directory]
    return sorted(filter(_is_repository, directory.iterdir())) if directory.is_dir() else []


def _is_repository(directory: Path) -> bool:
    if (directory / "repository.toml").exists():
        return False
    return any(
        True for name in (DESCRIPTION, DIFF, "task_tests.*") for _ in directory.glob(f"tasks/*/{name}")
    )


class IdeBenchLayout(Reader):
    """Reads one dataset; `load` raises DatasetError when there are problems."""

    def name_of(self, directory: Path) -> str:
        """The slug of the directory's name, which may contain any characters in this layout."""
        return _slug(directory.name)

    def load(self) -> Dataset:
        """The dataset; raises DatasetError if it has a problem."""
        table = Table(self, self.directory / "dataset.toml", optional=True)
        tools = table.members("tools", OPTIONAL_TOOLS) if "tools" in table.values else None
        found = self.repositories_of(repositories_in(self.directory))
        repositories = tuple(self.repository(path, tools) for path in found)
        content = hashlib.sha256(
            "\n".join(task.digest for repository in repositories for task in repository.tasks).encode()
        )
        title = _title(self.directory.name)
        dataset = Dataset(
            slug=_slug(self.directory.name),
            title=table.text("title", title),
            description=table.text("description", f"{title}, as published in IDE-Bench's layout."),
            version=table.text("version", f"0+{content.hexdigest()[:12]}"),
            licence=table.text("licence", "unknown"),
            canary=table.text("canary") if "canary" in table.values else "",
            directory=self.directory,
            repositories=repositories,
            notes=tuple(_notes(repositories)),
            public_messages=table.flag("public_messages"),
        )
        table.close()
        self.check_names(dataset)
        if not (self.problems or self.only):
            if dataset.canary:
                self.check_canary(dataset)
            self.problems += find_leaks(dataset)
        if self.problems:
            raise DatasetError(self.problems)
        return dataset

    def repository(self, directory: Path, tools: Sequence[str] | None) -> Repository:
        """One repository with its tasks. `tools`: the optional tools of all tasks; None: as their tags say."""
        self.check_dockerfile(directory / "Dockerfile")
        self.require(directory / "run_tests.sh", "it runs the hidden tests")
        source = Tree(directory, without=frozenset(self.beside_the_source(directory)))
        readable = self.check_tree(source)
        if not source.names():
            self.problem(directory, "", "holds no source: nothing but tasks, test script and Docker files")
        content = source.digest() if readable else ""
        extra = f"{WORKDIR} {Tree(directory, only=frozenset({'.dockerignore'})).digest()} {content}"
        digest = self.digest(directory / "Dockerfile", extra=extra)
        title = _title(directory.name)
        languages = _languages(source.names())
        tasks = (
            path
            for path in sorted((directory / "tasks").iterdir())
            if path.is_dir() and not path.name.startswith((".", "__"))
        )
        return Repository(
            slug=_slug(directory.name),
            title=title,
            description=f"{title}, as published in IDE-Bench's layout.",
            stack=", ".join(languages) or "unknown",
            languages=languages,
            domain="unknown",
            workdir=WORKDIR,
            directory=directory,
            digest=digest,
            tasks=tuple(self.task(path, directory, source, digest, tools) for path in self.tasks_of(tasks)),
            source=source,
            layout=LAYOUT,
        )

    def task(
        self,
        directory: Path,
        repository: Path,
        source: Tree,
        repository_digest: str,
        shared_tools: Sequence[str] | None,
    ) -> Task:
        """One task. Its hidden tests are copied into the workspace together with the repository's original tests."""
        written = self.require(directory / DESCRIPTION, "it is the agent's instructions")
        text = self.read(directory / DESCRIPTION) if written else ""
        found = parse_description(text)
        if text and not found.text:
            self.problem(directory / DESCRIPTION, "task_description", "is empty")
        reference = directory / DIFF
        touched: tuple[str, ...] = ()
        if self.require(reference, "the oracle applies it"):
            touched = self.touched(reference, source)
        scripts = sorted(directory.glob("task_tests.*"))
        if not scripts:
            self.problem(directory / "task_tests.*", "", "is missing: it grades the task")
        name = directory.relative_to(repository).as_posix()
        own = frozenset(f"{name}/{part}" for part in (DESCRIPTION, DIFF, PROOF, f"{PROOF}.partial", TRAPS))
        tests = Tree(
            repository,
            only=frozenset({name, VISIBLE_TESTS}),
            without=own | {path for path in touched if path.startswith(f"{VISIBLE_TESTS}/")},
        )
        content = tests.digest() if self.check_tree(tests) else ""
        report = self.report(directory, found, scripts)
        traps = self.traps(directory, tests)
        wanted = _tools(found) if shared_tools is None else shared_tools
        tools = tuple(tool for tool in OPTIONAL_TOOLS if tool in wanted)
        digest = self.digest(
            directory / DESCRIPTION,
            reference,
            repository / "run_tests.sh",
            directory / TRAPS,
            extra=" ".join((repository_digest, content, f"report={report}", *tools)),
        )
        return Task(
            slug=_slug(directory.name),
            title=found.title() or _title(directory.name),
            category=_category(found),
            difficulty=self.difficulty(directory, found),
            description=found.text,
            directory=directory,
            test_timeout=TEST_TIMEOUT,
            digest=digest,
            proof=self.proof(directory / PROOF),
            report=report,
            report_declared=bool(found.field("parser_name")),
            reference_diff=reference,
            tests=tests,
            tools=tools,
            traps=traps,
        )

    def touched(self, reference: Path, source: Tree) -> tuple[str, ...]:
        """The paths that the reference patch changes; empty if the patch is invalid."""
        before = len(self.problems)
        self.check_patch(reference, source)
        try:
            return tuple(touched_paths(reference.read_bytes())) if len(self.problems) == before else ()
        except PatchError:
            return ()

    def difficulty(self, directory: Path, found: Description) -> Difficulty:
        """The difficulty in the description, as one of our values."""
        written = found.field("difficulty")
        for difficulty, words in _DIFFICULTIES.items():
            if any(word in written.lower() for word in words):
                return difficulty
        if found.text:
            known = ", ".join(Difficulty)
            what = f"must be one of {known}; not {written!r}" if written else f"is missing: one of {known}"
            self.problem(directory / DESCRIPTION, "difficulty", what)
        return Difficulty.MEDIUM

    def report(self, directory: Path, found: Description, scripts: Iterable[Path]) -> str:
        """The format of the test report: from `parser_name`, or else from the suffix of the test files."""
        written = found.field("parser_name")
        if not written:
            return next((_REPORT_BY_SUFFIX.get(path.suffix, "pytest") for path in scripts), "pytest")
        name = written.lower().replace("_parser", "")
        name = _REPORTS.get("".join(filter(str.isalnum, name)), name)
        if name not in REPORT_NAMES:
            known = ", ".join(sorted({*REPORT_NAMES, *_REPORTS}))
            self.problem(directory / DESCRIPTION, "parser_name", f"must be one of {known}; not {written!r}")
        return name

    def beside_the_source(self, directory: Path) -> Iterator[str]:
        """The names at the top of a repository that are not source."""
        if directory == self.directory:
            yield "dataset.toml"
        for path in directory.iterdir():
            if any(fnmatchcase(path.name, pattern) for pattern in _NOT_SOURCE):
                yield path.name

    def check_names(self, dataset: Dataset) -> None:
        """Reports directories with the same slug, such as `Task 1` and `task-1`."""
        if not dataset.slug:
            self.problem(self.directory, "name", "holds no letter or digit for a slug")
        self.check_parts(dataset.repositories)
        for repository in dataset.repositories:
            self.check_parts(repository.tasks)

    def check_parts(self, parts: Sequence[Repository] | Sequence[Task]) -> None:
        """Reports empty and repeated slugs."""
        taken: set[str] = set()
        for part in parts:
            if not part.slug:
                self.problem(part.directory, "name", "holds no letter or digit for a slug")
            elif part.slug in taken:
                self.problem(part.directory, "name", f"has the slug {part.slug!r}, as another one does")
            taken.add(part.slug)


def _notes(repositories: Iterable[Repository]) -> Iterator[str]:
    for repository in repositories:
        for path in sorted(repository.directory.iterdir()):
            if any(fnmatchcase(path.name, pattern) for pattern in _COMPOSE):
                yield f"{path}: ignored, a run is one container made from the Dockerfile"
        text = repository.dockerfile.read_text("utf-8", "replace") if repository.dockerfile.is_file() else ""
        workdir = last_workdir(text)
        if workdir and not workdir.is_relative_to(WORKDIR) and not _NAMES_WORKDIR.search(text):
            yield (
                f"{repository.dockerfile}: its WORKDIR is {workdir}, but agents work and tests run in {WORKDIR}: "
                f"what it installs in {workdir} is not found from there"
            )


def _category(found: Description) -> Category:
    """The category from the description's category, or else from its first tag that names one."""
    for written in (found.field("category"), *found.fields.get("tags", ())):
        for category, words in _CATEGORIES.items():
            if any(word in written.lower() for word in words):
                return category
    return Category.OTHER


def _tools(found: Description) -> tuple[str, ...]:
    """The optional tools that a task's tags ask for: all of them, or none."""
    tags = {"".join(filter(str.isalnum, tag.lower())) for tag in found.fields.get("tags", ())}
    return OPTIONAL_TOOLS if tags & _FULL_STACK else ()


def _languages(names: Iterable[str]) -> tuple[str, ...]:
    """The languages of at least a tenth of the source files, the most frequent first."""
    known: Mapping[str, int] = Counter(
        _LANGUAGES[suffix] for name in names if (suffix := PurePosixPath(name).suffix) in _LANGUAGES
    )
    total = sum(known.values())
    common = sorted((name for name in known if known[name] * 10 >= total), key=lambda n: (-known[n], n))
    return tuple(map(spelled, common))


def _slug(name: str) -> str:
    """A directory's name in lower case, with '-' in place of characters that a slug does not allow."""
    letters = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name.lower())
    return "-".join(filter(None, letters.split("-")))[:MAX_SLUG_LENGTH].rstrip("-")


def _title(name: str) -> str:
    words = name.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]
