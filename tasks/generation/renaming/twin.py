"""Writes the twin of a generated repository: its files and its tasks with new names."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.dataset import Origin, Repository, Task, Tree
from harness.dataset.generation import GENERATION
from harness.dataset.starting import started
from harness.errors import ConfigurationError
from harness.functions import contents
from harness.patches import FileState, make_patch, write_files
from tasks.generation.corrupting.candidates import Candidate, ChangedFunction, Kind
from tasks.generation.corrupting.source_tree import rank
from tasks.generation.renaming.renamer import renamed_files, renamed_path
from tasks.generation.writing import write_task

_KINDS = {Origin.REMOVED: Kind.REMOVE, Origin.CORRUPTED: Kind.CORRUPT, Origin.MULTIPLE: Kind.MULTI}
_WORD = re.compile(r"\b[A-Za-z_][A-Za-z0-9_]*\b")
_TITLE = re.compile(r"^title\s*=.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Renaming:
    """New names by the old ones. `modules`: those of modules and packages, which change paths, too."""

    names: Mapping[str, str]
    modules: Mapping[str, str]

    @property
    def all(self) -> Mapping[str, str]:
        """Both."""
        return {**self.names, **self.modules}

    def only(self, wanted: Sequence[str]) -> Renaming:
        """The new names of some."""
        chosen = set(wanted)
        return Renaming(
            {old: new for old, new in self.names.items() if old in chosen},
            {old: new for old, new in self.modules.items() if old in chosen},
        )

    def tree(self, tree: Tree) -> list[FileState]:
        """The files of a tree with new names."""
        return renamed_files(tree.files(), self.names, self.modules)

    def text(self, text: str) -> str:
        """A text for people with new names."""
        return _WORD.sub(lambda found: self.all.get(found.group(), found.group()), text)


def changes(tree: Tree, renaming: Renaming) -> list[FileState]:
    """What the renaming changes in a tree: files with other content or another path, and deleted files."""
    before = {file.path: file for file in tree.files()}
    after = {file.path: file for file in renaming.tree(tree)}
    if len(after) < len(before):
        raise ConfigurationError("two files would get the same path")
    gone = [FileState(path, None) for path in before if path not in after]
    return gone + [file for path, file in after.items() if file != before.get(path)]


def write_repository(repository: Repository, renaming: Renaming, slug: str) -> Path:
    """Writes the twin beside the repository, without tasks. Raises ConfigurationError if the name is taken."""
    directory = repository.directory.parent / slug
    if directory.exists():
        raise ConfigurationError(f"{directory} exists already: choose another --slug, or remove it")
    partial = directory.with_name(f".{slug}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    ignore = shutil.ignore_patterns("__pycache__", "tasks", "source", "tests")
    shutil.copytree(
        repository.directory, partial, symlinks=True, ignore=_at_top(repository.directory, ignore)
    )
    for part, tree in (("source", repository.source), ("tests", Tree(repository.directory / "tests"))):
        write_files(partial / part, renaming.tree(tree))
    settings = partial / "repository.toml"
    title = json.dumps(f"{repository.title}, renamed", ensure_ascii=False)
    settings.write_text(
        _TITLE.sub(lambda _: f"title = {title}", settings.read_text("utf-8"), count=1), "utf-8"
    )
    partial.rename(directory)
    return directory


def write_twin_task(
    original: Repository, task: Task, twin: Repository, renaming: Renaming, *, canary: str, seed: int
) -> Path | None:
    """Writes the twin of a task with targets; None for one that was not made from functions of the source.

    Its start is the renamed start of the original: the same change, with other names.
    """
    generation = task.generation
    if generation is None or generation.origin not in _KINDS or task.start is None:
        return None
    beginning = {file.path: file for file in renaming.tree(started(original, task).source)}
    source = {file.path: file for file in twin.source.files()}
    changed = [path for path in beginning if beginning[path] != source.get(path)]
    start = make_patch([source[path] for path in changed], [beginning[path] for path in changed])
    targets = tuple(
        _target(stored, renaming, source, beginning) for stored in generation.detail.get("targets", ())
    )
    made = Candidate(
        key=rank("twin", twin.source.digest(), task.slug, seed),
        kind=_KINDS[generation.origin],
        source_digest=twin.source.digest(),
        seed=seed,
        targets=targets,
        start=start.decode("utf-8"),
        screening=_renamed_screening(generation.detail.get("screening") or {}, renaming),
    )
    directory = write_task(
        twin.directory / "tasks", made, twin.source, canary=canary, measures=generation.measures
    )
    path = directory / GENERATION
    record = json.loads(path.read_text("utf-8"))
    record["twin_of"] = {"repository": original.slug, "task": task.slug}
    path.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return directory


def _target(
    stored: Mapping[str, Any],
    renaming: Renaming,
    source: Mapping[str, FileState],
    beginning: Mapping[str, FileState],
) -> ChangedFunction:
    path = renamed_path(stored["path"], renaming.modules)
    name = ".".join(renaming.all.get(part, part) for part in stored["name"].split("."))
    key = name, stored.get("occurrence", 0)
    before, after = (
        contents(path, (files[path].content or b"").decode("utf-8"))[key] for files in (source, beginning)
    )
    return ChangedFunction(path, *key, stored.get("operator", ""), before, after)


def _renamed_screening(screening: Mapping[str, Any], renaming: Renaming) -> Mapping[str, Any]:
    failures = {test: renaming.text(str(said)) for test, said in screening.get("failures", {}).items()}
    return {**screening, "failures": failures}


def _at_top(top: Path, ignore: Any) -> Any:
    return lambda directory, names: ignore(directory, names) if Path(directory) == top else ()
