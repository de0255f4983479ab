"""The build context of an image: an allow-list, so that no Dockerfile can copy hidden files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docker.utils.build import PatternMatcher

from harness.dataset import Repository
from harness.patches import FileState


@dataclass(frozen=True, slots=True)
class BuildContext:
    """The files of a build context without the Dockerfile, and directories that may be empty."""

    files: tuple[FileState, ...]
    directories: tuple[str, ...] = ()


def build_context(repository: Repository) -> BuildContext:
    """The context of the repository's own Dockerfile: its environment/, or its source and empty stand-ins for hidden
    files.

    If the source is the top of the context, its .dockerignore applies as in `docker build`, but not to stand-ins.
    """
    layout = repository.layout
    if repository.environment is not None:
        return BuildContext(tuple(below("environment", repository.environment.files())), ("environment",))
    if layout.context_directory:
        source = below(layout.context_directory, repository.source.files())
        return BuildContext(tuple(source), (layout.context_directory,))
    stand_ins = [name for name in layout.stand_ins if not name.endswith("/")]
    return BuildContext(
        (*_not_ignored(repository), *(FileState(name, b"", 0o755) for name in stand_ins)),
        tuple(name.rstrip("/") for name in layout.stand_ins if name.endswith("/")),
    )


def removed_names(repository: Repository) -> tuple[str, ...]:
    """The names that a Dockerfile which copies its whole context adds to the source in the workdir."""
    stand_ins = repository.layout.stand_ins
    return ("Dockerfile", *(name.rstrip("/") for name in stand_ins)) if stand_ins else ()


def below(directory: str, files: Iterable[FileState]) -> Iterator[FileState]:
    """The same files in a directory."""
    return (FileState(f"{directory}/{file.path}", file.content, file.mode, file.link) for file in files)


def _not_ignored(repository: Repository) -> Iterator[FileState]:
    path = repository.directory / ".dockerignore"
    lines = path.read_text("utf-8", "replace").splitlines() if path.is_file() else []
    ignored = PatternMatcher([line for line in map(str.strip, lines) if line and not line.startswith("#")])
    return (file for file in repository.source.files() if not ignored.matches(file.path))  # type: ignore[arg-type]
