"""A workspace with a toolbox, for the tests of each tool."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from harness.dataset import OPTIONAL_TOOLS, Repository, load_dataset
from harness.sandbox.base import ContainerUse, Owner, Workspace
from harness.sandbox.docker import DockerEngine
from tests.harness.shop import start, write_shop_dataset
from tests.harness.worlds import BASE_IMAGE


@pytest.fixture(scope="package")
def engine() -> Iterator[DockerEngine]:
    engine = DockerEngine(replacements={"debian:bookworm": BASE_IMAGE})
    yield engine
    engine.close()


@pytest.fixture(scope="package")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return load_dataset(write_shop_dataset(tmp_path_factory.mktemp("shop"))).repository("calc")


@pytest.fixture(scope="package")
def there(engine: DockerEngine, repository: Repository) -> Iterator[Workspace]:
    """A workspace in which the shop and a MongoDB server run."""
    owner = Owner(f"toolbox-{uuid4().hex[:8]}", "shop")
    with engine.workspace(repository, ContainerUse(owner), tools=OPTIONAL_TOOLS) as workspace:
        start(workspace, "python3 app.py", "Running on")
        start(workspace, "node mongo.mjs", "MongoDB is up")
        start(workspace, "node chat.mjs", "Chat is up")
        yield workspace
