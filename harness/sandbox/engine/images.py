"""Images, cached by content: the environment from a repository's Dockerfile, and the workspace on top of it.

The build context of the environment is an allow-list: the Dockerfile and the source. The workspace adds the tool server
and the pristine source as one orphan commit. Nothing else of a dataset enters an image. The programs of an external
agent are one more layer, in an image that only its workspaces use. So are the supervisor and the users of test runs, in
an image that only graders use.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any

from docker import APIClient

from harness.background import interruptible
from harness.dataset import Repository, Tree, digest_of, start_digest
from harness.dataset.dockerfiles import expanded, with_base_images, without_extras
from harness.errors import ImageBuildFailed, InfrastructureError
from harness.patches import FileState
from harness.sandbox.base import ContainerLimits, ImageLayer, Interrupt, Owner, never
from harness.sandbox.engine import interpreter
from harness.sandbox.engine.archive import Member, pack
from harness.sandbox.engine.build_context import BuildContext, below, build_context, removed_names
from harness.sandbox.engine.changes import pristine
from harness.sandbox.engine.client import allowing, engine_errors
from harness.sandbox.engine.containers import Recipe, created
from harness.sandbox.engine.image_recipes import (
    AGENT,
    INSIDE_SOURCE,
    SUPERVISOR_SOURCE,
    build_arguments,
    grader_context,
    grader_recipe,
    layer_recipe,
    workspace_context,
    workspace_recipe,
)
from harness.sandbox.engine.pruning import IMAGE_LABEL, UNPROVEN
from harness.sandbox.locks import building, in_use

BUILDERS = "images"  # the instance of containers that only help to build an image
TOOLBOX = Path(__file__).parent.parent.parent / "toolbox"
MADE_LABEL = "benchbench.dockerfile-made-files"
BASE_IMAGES_VARIABLE = "BENCHBENCH_BASE_IMAGES"
DEBIAN = "debian:bookworm"

_LOG_LINES = 30
_BUILD_TIMEOUT = 1800
_BEGUN = re.compile(r"^Step \d+/\d+ : FROM (?:--\S+ +)*(\S+)", re.MULTILINE | re.IGNORECASE)
_FAILED_COPY = re.compile(r"invalid from flag value (\S+?):? ")


def base_images(setting: str | None = None) -> Mapping[str, str]:
    """The base-image map: `name=replacement`, comma-separated, from the setting or $BENCHBENCH_BASE_IMAGES.

    Raises InfrastructureError for an entry without both halves.
    """
    text = os.environ.get(BASE_IMAGES_VARIABLE, "") if setting is None else setting
    pairs = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        name, equals, replacement = entry.partition("=")
        if not (name and equals and replacement):
            raise InfrastructureError(f"{BASE_IMAGES_VARIABLE}: {entry!r} is not name=replacement")
        pairs[name] = replacement
    return pairs


@dataclass(frozen=True, slots=True)
class _Plan:
    """The images of a repository: a tag and a Dockerfile for each."""

    dockerfile: str
    environment: str
    recipe: str
    workspace: str
    grader_recipe: str
    grader: str


class ImageStore:
    """Builds missing images, each content once per host for all workers."""

    def __init__(self, api: APIClient, replacements: Mapping[str, str]) -> None:
        self._api = api
        self._replacements = replacements

    def workspace(self, repository: Repository, interrupt: Interrupt = never) -> str:
        """The tag of the image with environment, pristine workspace and tool server."""
        plan = self._plan(repository)
        make = partial(self._make_workspace, plan, repository, interrupt)
        return self._ensure(plan.workspace, plan.environment, make, interrupt)

    def grader(self, repository: Repository, interrupt: Interrupt = never) -> str:
        """The tag of the image in which hidden tests run, on top of the workspace image."""
        plan = self._plan(repository)

        def make() -> None:
            with self.held(partial(self.workspace, repository, interrupt), interrupt):
                self._build(
                    plan.grader, plan.grader_recipe, grader_context(), repository.dockerfile, interrupt
                )

        return self._ensure(plan.grader, plan.grader, make, interrupt)

    def _ensure(self, tag: str, lock: str, make: Callable[[], None], interrupt: Interrupt) -> str:
        """The tag of an image that `make` builds if there is none. Only one process holds the `lock`, a tag."""
        if not self._exists(tag):
            with building(lock, interrupt):
                if not self._exists(tag):
                    make()
        return tag

    def _make_workspace(self, plan: _Plan, repository: Repository, interrupt: Interrupt) -> None:
        if not self._exists(plan.environment):
            context = build_context(repository)
            self._build(plan.environment, plan.dockerfile, context, repository.dockerfile, interrupt)
            self._check_volumes(plan.environment, repository)
        made = {MADE_LABEL: "yes" if self._made_files(plan.environment, repository) else "no"}
        recipe = plan.recipe
        with ExitStack() as held:
            if not interpreter.is_fit(self._api, plan.environment, BUILDERS, repository.workdir):
                build_python = partial(self._interpreter, repository, interrupt)
                python = held.enter_context(self.held(build_python, interrupt))
                recipe = workspace_recipe(plan.environment, repository, interpreter.copy_instruction(python))
            context = workspace_context(repository)
            self._build(plan.workspace, recipe, context, repository.dockerfile, interrupt, labels=made)

    def _plan(self, repository: Repository) -> _Plan:
        text = without_extras(repository.dockerfile.read_text("utf-8-sig"))
        dockerfile = with_base_images(text, {DEBIAN: self._debian, **self._replacements})
        environment = _tag("environment", repository.environment_digest or repository.digest, dockerfile)
        recipe = workspace_recipe(environment, repository)
        programs = digest_of(INSIDE_SOURCE, interpreter.SOURCE)
        workspace = _tag("workspace", environment, repository.digest, recipe, programs)
        grading = grader_recipe(workspace, repository.workdir)
        grader = _tag("grader", grading, digest_of(SUPERVISOR_SOURCE))
        return _Plan(dockerfile, environment, recipe, workspace, grading, grader)

    def needed(self, repository: Repository) -> set[str]:
        """The tags of the images that runs of this repository's tasks need, built or not, without agents' layers."""
        digests = {start_digest(repository, task) for task in repository.tasks} or {repository.digest}
        plans = [self._plan(replace(repository, digest=digest)) for digest in digests]
        boxes = [self._toolbox()[0]] if any(task.tools for task in repository.tasks) else []
        tags = (tag for plan in plans for tag in (plan.environment, plan.workspace, plan.grader))
        return {*tags, self._python()[0], *boxes}

    @contextmanager
    def held(self, make: Callable[[], str], interrupt: Interrupt = never) -> Iterator[str]:
        """The tag that `make` returns; the image is not removed before the context ends."""
        with ExitStack() as stack:
            while True:
                tag = make()
                stack.enter_context(in_use(tag, interrupt))
                if self._exists(tag):  # it may have been removed just before it was locked
                    break
            yield tag

    def toolbox(self, interrupt: Interrupt = never) -> str:
        """The tag of the toolbox's image; see `harness.toolbox`. Its first build takes minutes."""
        packages = FileState("requirements.txt", (TOOLBOX / "requirements.txt").read_bytes())
        context = BuildContext((packages, *below("inside", Tree(TOOLBOX / "inside").files())))
        return self._own_image(self._toolbox(), TOOLBOX / "Dockerfile", context, interrupt)

    def _interpreter(self, repository: Repository, interrupt: Interrupt) -> str:
        """The tag of the image with our Python, for a repository whose image has none that is suitable."""
        origin, context = interpreter.SOURCE / "Dockerfile", BuildContext(interpreter.context())
        try:
            return self._own_image(self._python(), origin, context, interrupt)
        except ImageBuildFailed as error:
            raise interpreter.not_available(repository.dockerfile, error) from error

    def _own_image(
        self, plan: tuple[str, str], origin: Path, context: BuildContext, interrupt: Interrupt
    ) -> str:
        """The tag of an image without content of a dataset. `plan`: its tag and its Dockerfile."""
        make = partial(self._build, *plan, context, origin, interrupt, arguments=build_arguments())
        return self._ensure(plan[0], plan[0], make, interrupt)

    def _toolbox(self) -> tuple[str, str]:
        """The tag and the Dockerfile of the toolbox."""
        digest = digest_of(TOOLBOX / "requirements.txt", TOOLBOX / "inside")
        return self._on_debian("toolbox", TOOLBOX / "Dockerfile", digest)

    def _python(self) -> tuple[str, str]:
        """The tag and the Dockerfile of the image with our Python."""
        origin = interpreter.SOURCE / "Dockerfile"
        return self._on_debian("interpreter", origin, digest_of(interpreter.SOURCE))

    def _on_debian(self, kind: str, origin: Path, content: str) -> tuple[str, str]:
        """The tag and the Dockerfile of an image that can be based on any Debian."""
        dockerfile = with_base_images(origin.read_text("utf-8"), {DEBIAN: self._debian, **self._replacements})
        return _tag(kind, dockerfile, content), dockerfile

    @property
    def _debian(self) -> str:
        """The image of script/base-image is a Debian, too, although it replaces ubuntu:24.04."""
        return self._replacements.get("ubuntu:24.04", DEBIAN)

    def layered(self, repository: Repository, layer: ImageLayer, interrupt: Interrupt = never) -> str:
        """The tag of the workspace image with `layer` on top. Refuses one that changes the workspace."""
        workspace = self.workspace(repository, interrupt)
        recipe = layer_recipe(workspace, repository.workdir)
        tag = _tag("agent", recipe, layer.digest)

        def make() -> None:
            context = BuildContext(tuple(below("recipe", Tree(layer.source).files())), ("recipe",))
            unproven = tag.replace(":", f"{UNPROVEN}:")
            self._build(unproven, recipe, context, layer.source, interrupt, arguments=build_arguments())
            self._check_untouched(unproven, workspace, repository, layer)
            with engine_errors(f"naming {tag}"):
                name, _, digest = tag.partition(":")
                self._api.tag(unproven, name, digest)
                self._api.remove_image(unproven)

        return self._ensure(tag, tag, make, interrupt)

    def _check_untouched(self, tag: str, workspace: str, repository: Repository, layer: ImageLayer) -> None:
        """Refuses a layer that changes the workspace: that would look like changes of the agent."""
        before, after = (self._tree(image, repository.workdir) for image in (workspace, tag))
        changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
        if changed:
            with engine_errors(f"removing {tag}"):
                self._api.remove_image(tag)
            raise InfrastructureError(
                f"{layer.source}: installing {layer.name} changes the workspace {repository.workdir}: "
                f"{', '.join(changed[:5])}{' …' if len(changed) > 5 else ''}. Install below {AGENT}"
            )

    def _tree(self, image: str, workdir: PurePosixPath) -> dict[str, tuple[str, int, bool]]:
        """Every file and link of an image's workspace, including .git: digest, mode, and whether it is a link."""
        found = {}
        with self._files_in(image, workdir) as files:
            for member in files:
                state = member.read()
                digest = hashlib.sha256(state.content or b"").hexdigest()
                found[member.path] = (digest, state.mode, state.link)
        return found

    def dockerfile_made_files(self, workspace: str) -> bool:
        """Whether the workspace image has files that are neither in `source/` nor ignored by its .gitignore."""
        return bool(self._config(workspace)["Labels"][MADE_LABEL] == "yes")

    def _made_files(self, environment: str, repository: Repository) -> bool:
        start = pristine(repository.source)
        known = {*start.files, *removed_names(repository)}
        with self._files_in(environment, repository.workdir) as files:
            return any(
                member.path not in known and start.rules.ignored_root(member.path) is None for member in files
            )

    @contextmanager
    def _files_in(self, image: str, directory: PurePosixPath) -> Iterator[Iterable[Member]]:
        owner = Owner(instance=BUILDERS, run_id=image)
        recipe = Recipe("look", image, ["/bin/true"], PurePosixPath("/"), owner, ContainerLimits())
        with created(self._api, recipe) as container, container.files(directory) as files:
            yield files

    def _config(self, image: str) -> Mapping[str, Any]:
        with engine_errors(f"inspecting {image}"):
            config: Mapping[str, Any] = self._api.inspect_image(image)["Config"]  # type: ignore[no-untyped-call]
        return config

    def _exists(self, tag: str) -> bool:
        with engine_errors(f"looking for image {tag}"), allowing(404):
            self._api.inspect_image(tag)  # type: ignore[no-untyped-call]
            return True
        return False

    def _build(
        self,
        tag: str,
        dockerfile: str,
        context: BuildContext,
        origin: Path,
        interrupt: Interrupt,
        *,
        labels: Mapping[str, str] | None = None,
        arguments: Mapping[str, str] | None = None,
    ) -> None:
        """Builds an image under this tag. `origin`: the file or directory to name in errors."""

        def work() -> None:
            files = [FileState("Dockerfile", dockerfile.encode()), *context.files]
            archive = pack(files, context.directories)
            log: deque[str] = deque(maxlen=_LOG_LINES)
            with engine_errors(f"building {tag} from {origin}"):
                for event in self._api.build(
                    fileobj=BytesIO(archive),
                    custom_context=True,
                    tag=tag,
                    rm=True,
                    forcerm=True,
                    decode=True,
                    timeout=_BUILD_TIMEOUT,
                    buildargs=dict(arguments or {}),
                    labels={IMAGE_LABEL: tag.partition(":")[0], **(labels or {})},
                ):
                    log.extend(event.get("stream", "").splitlines())
                    if "error" in event:
                        lines = "\n".join((*log, event["error"]))
                        raise ImageBuildFailed(
                            f"the image of {origin} failed to build:\n{lines}{_remedy(lines, dockerfile)}"
                        )

        interruptible(work, interrupt)

    def _check_volumes(self, environment: str, repository: Repository) -> None:
        """Refuses a volume over the workspace: it would hide all changes from the engine."""
        for volume in map(PurePosixPath, self._config(environment).get("Volumes") or {}):
            if repository.workdir.is_relative_to(volume) or volume.is_relative_to(repository.workdir):
                with engine_errors(f"removing {environment}"):
                    self._api.remove_image(environment)
                raise ImageBuildFailed(
                    f"{repository.dockerfile}: VOLUME {volume} hides the workspace {repository.workdir}: remove it"
                )


def _tag(kind: str, *parts: str) -> str:
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return f"benchbench/{kind}:{digest[:16]}"


def _remedy(log: str, dockerfile: str) -> str:
    """The remedy for an unreachable registry, the usual problem in a closed network."""
    *_, error = log.splitlines()
    if "registry" not in error and "pull access denied" not in error:
        return ""
    begun = _FAILED_COPY.findall(error) or _BEGUN.findall(log)
    name = expanded(dockerfile, begun[-1]) if begun else "ubuntu:24.04"
    script, image = "script/base-image", "benchbench/base:bookworm"
    if name.startswith("python:"):
        script, image = f"{script} --python", "benchbench/python:bookworm"
    return (
        f"\nNo registry gave the base image {name}. Make one with {script} and set "
        f"{BASE_IMAGES_VARIABLE}={name}={image}, or name an image of your own there."
    )
