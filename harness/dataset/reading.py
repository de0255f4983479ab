"""Reads dataset files and collects all problems, each with file, field and reason, instead of raising the first."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from harness.dataset.dockerfiles import obstacles
from harness.dataset.generation import GENERATION, START
from harness.dataset.model import SLUG, Dataset, Problem, Task
from harness.dataset.proofs import PROOF_SCHEMA, Proof
from harness.dataset.trees import Tree, digest_of, files_below, is_utf8
from harness.dataset.workflow import CONVERSATION, VERIFIERS, scenario_of
from harness.patches import PatchError, check_applies

MAX_FILE_BYTES = 64 << 20
# Stands for the name of the test that a trap adds: `benchbench_trap`, `benchbenchTrap` or `benchbench trap`.
TRAP_NAME = re.compile(rb"benchbench(_t|T| t)rap")
MAX_TREE_BYTES = 256 << 20


class Reader:
    """Reads files below the dataset's `directory` and collects their problems in `problems`.

    `only`: the slugs of one repository and one of its tasks. Then nothing else is read, and the checks that the task's
    digest makes unnecessary are skipped.
    """

    def __init__(self, directory: Path, *, only: tuple[str, str] | None = None) -> None:
        self.directory = directory
        self.problems: list[Problem] = []
        self.only = only
        self._skips_patches = only is not None

    def name_of(self, directory: Path) -> str:
        """The name of the repository or the task in `directory`."""
        return directory.name

    def repositories_of(self, found: Iterable[Path]) -> list[Path]:
        """The directories of repositories to read."""
        return [path for path in found if self.only is None or self.name_of(path) == self.only[0]]

    def tasks_of(self, found: Iterable[Path]) -> list[Path]:
        """The directories of tasks to read; for a persona, that of its scenario, too."""
        if self.only is None:
            return list(found)
        slug = self.only[1]
        scenario = scenario_of(slug)
        names = {slug, scenario[0]} if scenario else {slug}
        return [path for path in found if self.name_of(path) in names]

    def proof(self, path: Path) -> Proof | None:
        """The stored proof, also if it is not for the current files; None if there is none."""
        if not path.exists():
            return None
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
            if stored["schema_version"] != PROOF_SCHEMA:
                self.problem(path, "schema_version", f"must be {PROOF_SCHEMA}")
                return None
            proof = Proof.from_json(stored)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            self.problem(path, "", f"is not a proof of admission: {error!r}")
            return None
        if not proof.fail_to_pass:
            self.problem(path, "fail_to_pass", "is empty: an untouched workspace would resolve the task")
        if len(set(proof.tests)) != len(proof.tests):
            self.problem(path, "fail_to_pass, pass_to_pass", "name a test twice")
        return proof

    @contextmanager
    def skipping_patches(self, *, skip: bool) -> Iterator[None]:
        """Does not check patches in this context if `skip`: for a task whose proof is of exactly these files.

        A check starts git several times, which takes a site with 200 tasks ten seconds at each start.
        """
        before, self._skips_patches = self._skips_patches, self._skips_patches or skip
        try:
            yield
        finally:
            self._skips_patches = before

    def check_patch(self, patch: Path, source: Tree) -> Tree:
        """Reports a patch that does not apply to a tree. The tree with the patch."""
        if self._skips_patches:
            return source
        diff = patch.read_bytes()
        try:
            return replace(source, changed=check_applies(diff, source.read))
        except PatchError as error:
            self.problem(patch, error.where, f"{error.reason}{_oddity(diff)}")
            return source

    def traps(self, directory: Path, tests: Tree) -> tuple[Path, ...]:
        """The author's traps of a task; reports those that do not apply to its hidden tests or add no named test."""
        found = tuple(sorted(directory.glob("traps/*.diff")))
        for path in found:
            if not TRAP_NAME.search(path.read_bytes()):
                self.problem(path, "", "does not name the test that it adds benchbench_trap")
            self.check_patch(path, tests)
        return found

    def check_canary(self, dataset: Dataset) -> None:
        """Reports hidden parts without the canary, and visible files with it."""
        needle = dataset.canary.encode()
        trees: dict[Tree, bool] = {}  # tasks may share their tests
        for _, task in dataset.tasks():
            self.check_hidden(task, needle, trees)
        for repository in dataset.repositories:
            for path in [repository.dockerfile, *repository.source.paths()]:
                if path.is_file() and needle in path.read_bytes():
                    self.problem(path, "", "contains the canary, which belongs to the hidden parts only")

    def check_hidden(self, task: Task, needle: bytes, trees: dict[Tree, bool]) -> None:
        """Reports hidden parts of a task without the canary. In a workflow, patch and tests may be empty.

        `trees`: trees of tests that were read already, and whether the canary is in them.
        """
        patch = task.reference_diff.read_bytes()
        files = [task.directory / name for name in (VERIFIERS, CONVERSATION)] if task.workflow else []
        files += [path for path in (task.directory / START, task.directory / GENERATION) if path.is_file()]
        if patch.strip() or not task.workflow:
            files.append(task.reference_diff)
        for path in files:
            if needle not in path.read_bytes():
                self.problem(path, "", "does not contain the dataset's canary")
        if task.tests not in trees:
            tests = [path for path in task.tests.paths() if path.is_file()]
            trees[task.tests] = any(needle in path.read_bytes() for path in tests) or (
                not tests and task.workflow is not None
            )
        if not trees[task.tests]:
            self.problem(task.tests.root, "", "no file contains the dataset's canary")

    def check_dockerfile(self, path: Path) -> None:
        """Reports a missing Dockerfile, and instructions that the classic builder does not support."""
        if not self.require(path, "the environment is built from it") or self.only:
            return
        for line, reason in obstacles(self.read(path)):
            self.problem(path, f"line {line}", reason)

    def check_tree(self, tree: Tree) -> bool:
        """Whether `tree` is readable: no link leads out of the dataset, all names are UTF-8, and it is not too big.

        Sizes are checked before anything is read, because each run holds the tree in memory.
        """
        before, total, biggest = len(self.problems), 0, (0, tree.root)
        for path in tree.paths():
            if not is_utf8(path.name):
                shown = str(path).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
                self.problem(Path(shown), "name", "is not UTF-8")
            elif path.is_symlink():
                if not path.resolve().is_relative_to(self.directory):
                    self.problem(path, "", "leads out of the dataset")
            else:
                size = path.stat().st_size
                total, biggest = total + size, max(biggest, (size, path))
        if total > MAX_TREE_BYTES:
            self.problem(
                biggest[1],
                "",
                f"is too big: with its {_megabytes(biggest[0])} the tree {tree.root} holds {_megabytes(total)}, and "
                f"at most {_megabytes(MAX_TREE_BYTES)} are read. Let the Dockerfile fetch or make what is big",
            )
        return len(self.problems) == before

    def require(self, path: Path, why: str, *, tree: bool = False) -> bool:
        """Whether `path` is a file with content (or a tree with files), inside the dataset."""
        files = files_below(path) if tree and path.is_dir() else []
        if not (path.is_dir() if tree else path.is_file()):
            self.problem(path, "", f"is missing: {why}")
        elif not (files if tree else path.stat().st_size):
            self.problem(path, "", f"is empty: {why}")
        elif not tree and path.stat().st_size > MAX_FILE_BYTES:
            size = _megabytes(path.stat().st_size)
            self.problem(path, "", f"is too big: {size}, at most {_megabytes(MAX_FILE_BYTES)} are read")
        else:
            links = (one for one in files if one.is_symlink())
            outside = [one for one in (path, *links) if not one.resolve().is_relative_to(self.directory)]
            for link in outside:
                self.problem(link, "", "leads out of the dataset")
            return not outside
        return False

    def read(self, path: Path) -> str:
        """The text of a file; empty if it is not UTF-8."""
        try:
            return path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            self.problem(path, f"byte {error.start}", "is not UTF-8")
            return ""

    def digest(self, *roots: Path | bool, extra: str) -> str:
        """The digest of `extra` and those of `roots` that exist."""
        there = [root for root in roots if isinstance(root, Path) and root.exists()]
        return hashlib.sha256(f"{digest_of(*there)} {extra}".encode()).hexdigest()

    def slug(self, directory: Path) -> str:
        """The name of a directory; reports a name that is not a slug."""
        if not SLUG.fullmatch(directory.name):
            rule = "must be lower-case letters and digits, joined by '-', '_' or '.'"
            self.problem(directory, "name", rule)
        return directory.name

    def problem(self, path: Path, where: str, reason: str) -> None:
        """Adds a problem."""
        self.problems.append(Problem(path, where, reason))


def _megabytes(size: int) -> str:
    return f"{-(-size >> 20)} MB"


def _oddity(diff: bytes) -> str:
    """An unusual property of a rejected patch that may be the reason, or ''."""
    if b"\r\n" in diff:
        return " (lines of the patch end in CR LF)"
    if diff.strip() and not diff.endswith(b"\n"):
        return " (the last line of the patch has no end)"
    return ""
