"""The Docker engine: one container for an agent, another for its grade."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import replace
from functools import cache, cached_property, partial

import docker
from docker import APIClient

from harness.dataset import Repository
from harness.errors import EngineUnavailable, InfrastructureError
from harness.sandbox import toolbox
from harness.sandbox.base import (
    ContainerUse,
    EngineStatus,
    ImageLayer,
    Interrupt,
    StoredImage,
    Workspace,
    never,
)
from harness.sandbox.engine.changes import Pristine, pristine
from harness.sandbox.engine.client import START_DAEMON, address, connect, engine_errors
from harness.sandbox.engine.containers import Container, Recipe, created
from harness.sandbox.engine.images import ImageStore, base_images
from harness.sandbox.engine.pruning import removable, remove
from harness.sandbox.engine.sweeping import sweep, sweep_image_builders
from harness.sandbox.grader import CAPABILITIES, DockerGrader
from harness.sandbox.workspace import DockerWorkspace, tool_server_command

RUNTIME_VARIABLE = "BENCHBENCH_RUNTIME"
MIN_FREE_VARIABLE = "BENCHBENCH_LEAST_FREE_MB"
_MIN_FREE_MB = 256
_MAKE_SPACE = (
    "Remove what it does not need (docker image prune, docker builder prune), or give it a larger disk."
)
_STATUS_TIMEOUT = 3.0


class DockerEngine:
    """Uses the engine at DOCKER_HOST. Connects at the first use.

    Use one object in one thread at a time. `replacements`: base images by the name in a Dockerfile that they replace;
    None reads $BENCHBENCH_BASE_IMAGES. `runtime`: the runtime of the containers, '' for the engine's default; None
    reads $BENCHBENCH_RUNTIME.
    """

    isolated = True

    def __init__(self, *, replacements: Mapping[str, str] | None = None, runtime: str | None = None) -> None:
        self._replacements = replacements
        self._runtime = os.environ.get(RUNTIME_VARIABLE, "").strip() if runtime is None else runtime
        self._found: EngineStatus | None = None
        self._version: str | None = None

    def about(self) -> EngineStatus:
        """The last `status` with an available engine, cached."""
        return self._found or self.status()

    def status(self) -> EngineStatus:
        """Checks, within a few seconds, whether the engine is available and has the configured runtime."""
        try:
            with closing(connect(timeout=_STATUS_TIMEOUT)) as client, engine_errors("reading its version"):
                about = client.info()
                self._version = client.api.api_version
        except EngineUnavailable as error:
            return _not_available(error.reason, error.remedy or START_DAEMON)
        except InfrastructureError as error:
            return _not_available(str(error), START_DAEMON)
        full = _no_space(str(about.get("DockerRootDir") or ""))
        if full:
            return EngineStatus(False, "Docker", reason=full, remedy=_MAKE_SPACE)
        known = sorted(about.get("Runtimes") or {})
        runtime = self._runtime or about.get("DefaultRuntime") or ""
        if self._runtime and self._runtime not in known:
            reason = f"This Docker engine has no runtime {self._runtime!r}; it has: {', '.join(known)}"
            remedy = f"install it and name it in the engine's daemon.json, or change {RUNTIME_VARIABLE}"
            return _not_available(reason, remedy)
        platform = f"{about.get('OSType')}/{about.get('Architecture')}"
        description = f"Docker {about.get('ServerVersion')} ({platform}), {runtime}"
        self._found = EngineStatus(True, description, runtime=runtime)
        return self._found

    def image(self, repository: Repository, *, interrupt: Interrupt = never) -> str:
        """The tag of the workspace image, built if there is none for this content."""
        return self._images.workspace(repository, interrupt)

    @contextmanager
    def workspace(
        self,
        repository: Repository,
        use: ContainerUse,
        *,
        tools: Sequence[str] = (),
        layer: ImageLayer | None = None,
    ) -> Iterator[Workspace]:
        """A started container with a ready tool server, and a toolbox if there are optional tools."""
        check, images = use.interrupt, self._images
        with ExitStack() as held:

            def hold(make: Callable[[], str]) -> str:
                return held.enter_context(images.held(make, check))

            toolbox_image = hold(partial(images.toolbox, check)) if tools else ""
            image = hold(partial(images.workspace, repository, check))
            layered = image if layer is None else hold(partial(images.layered, repository, layer, check))
            recipe = Recipe(
                role="workspace",
                image=layered,
                command=tool_server_command(repository.workdir),
                workdir=repository.workdir,
                owner=use.owner,
                limits=use.limits,
                stdin=True,
                runtime=self._runtime,
            )
            start = cache(partial(self._pristine, repository, replace(recipe, role="pristine", image=image)))
            container = held.enter_context(created(self._api, recipe))
            workspace = DockerWorkspace(container, repository, start, check)
            started: Workspace = held.enter_context(workspace.started())
            if tools:
                beside = toolbox.recipe(toolbox_image, container.name, use.owner, self._runtime)
                box = toolbox.Toolbox(partial(created, self._api, beside), check)
                held.callback(box.close)
                started = toolbox.EquippedWorkspace(workspace, box)
            yield started

    @contextmanager
    def grader(self, repository: Repository, use: ContainerUse) -> Iterator[DockerGrader]:
        """A grader that creates a container for each test run and removes it."""
        images = self._images
        with images.held(partial(images.grader, repository, use.interrupt)) as image:
            recipe = Recipe(
                role="grader",
                image=image,
                command=(),
                workdir=repository.workdir,
                owner=use.owner,
                limits=use.limits,
                runtime=self._runtime,
                capabilities=CAPABILITIES,
                tracing=False,
            )

            def make(
                command: Sequence[str], environment: Mapping[str, str]
            ) -> AbstractContextManager[Container]:
                return created(self._api, replace(recipe, command=command, environment=environment))

            yield DockerGrader(make, repository, use.interrupt)

    def sweep(
        self, instance: str, *, in_use: Iterable[tuple[str, int]] = (), run_id: str | None = None
    ) -> list[str]:
        """Removes unused containers, then networks and volumes. Returns their names."""
        return [*sweep(self._api, instance, in_use, run_id), *sweep_image_builders(self._api)]

    def removable_images(
        self, needed_by: Iterable[Repository] = (), *, older_than: float | None = None
    ) -> list[StoredImage]:
        """Images that no container, no repository in `needed_by` and no recent image needs: see `pruning`."""
        images = self._images
        needed = {tag for repository in needed_by for tag in images.needed(repository)}
        return removable(self._api, needed, older_than=older_than)

    def remove_images(self, chosen: Iterable[StoredImage]) -> list[StoredImage]:
        """Removes the images that are not in use; returns the removed ones."""
        return remove(self._api, chosen)

    def _pristine(self, repository: Repository, recipe: Recipe) -> Pristine:
        """The initial state of a workspace. Reads the image if it has more files than `source/`."""
        if not self._images.dockerfile_made_files(recipe.image):
            return pristine(repository.source)
        with created(self._api, recipe) as container, container.files(repository.workdir) as files:
            return pristine(repository.source, files)

    def close(self) -> None:
        """Closes the connections. The next use connects again."""
        if "_client" in self.__dict__:
            self._client.close()
            del self.__dict__["_client"]

    @cached_property
    def _client(self) -> docker.DockerClient:
        return connect(version=self._version)

    @property
    def _images(self) -> ImageStore:
        replacements = base_images() if self._replacements is None else self._replacements
        return ImageStore(self._api, replacements)

    @property
    def _api(self) -> APIClient:
        return self._client.api


def _not_available(reason: str, remedy: str) -> EngineStatus:
    return EngineStatus(False, "Docker", reason=f"{reason}.", remedy=f"{remedy[0].upper()}{remedy[1:]}.")


def _no_space(root: str) -> str:
    """Why an engine with this data directory has no room for containers; '' if it has room.

    On a full disk an agent would fail through no fault of its own. Only an engine on this host is checked.
    """
    try:
        disk = os.statvfs(root)
    except OSError:
        return ""
    free = disk.f_bavail * disk.f_frsize >> 20
    least = int(os.environ.get(MIN_FREE_VARIABLE, "").strip() or _MIN_FREE_MB)
    if not address().startswith("unix:") or free >= least:
        return ""
    return f"Only {free} MB are free for the engine's containers in {root}, fewer than {MIN_FREE_VARIABLE} ({least})."
