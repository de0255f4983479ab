"""Removing what dead processes left in the engine, found by its labels."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

import docker.errors
from docker import APIClient

from harness.sandbox.engine.client import engine_errors
from harness.sandbox.engine.containers import Container
from harness.sandbox.engine.images import BUILDERS

INSTANCE_LABEL = "benchbench.instance"
# A container that helps to build an image lives for moments.
BUILDER_SECONDS = 600.0


def sweep(api: APIClient, instance: str, keep: Iterable[tuple[str, int]]) -> list[str]:
    """Removes containers, networks and volumes of `instance` that belong to no (run id, try number) of `keep`."""
    label = {"label": f"{INSTANCE_LABEL}={instance}"}
    with engine_errors("listing containers"):
        containers = api.containers(all=True, filters=label)
        networks = api.networks(filters=label)
        volumes = api.volumes(filters=label)["Volumes"] or []
    # Only now: whoever made one of these was on the list before it did.
    kept = {(run, str(number)) for run, number in keep}
    removed = []
    for entry in containers:
        if not _is_kept(entry, kept):
            Container(api, entry["Id"]).remove()
            removed.append(_name(entry))
    for entry in networks:
        if not _is_kept(entry, kept) and _removed(lambda name=entry["Id"]: api.remove_network(name)):
            removed.append(entry["Name"])
    for entry in volumes:
        if not _is_kept(entry, kept) and _removed(lambda name=entry["Name"]: api.remove_volume(name)):
            removed.append(entry["Name"])
    return removed


def sweep_image_builders(api: APIClient) -> list[str]:
    """Removes old containers of image builds that were killed, whoever's."""
    with engine_errors("listing containers"):
        found = api.containers(all=True, filters={"label": f"{INSTANCE_LABEL}={BUILDERS}"})
    old = [entry for entry in found if time.time() - entry["Created"] > BUILDER_SECONDS]
    for entry in old:
        Container(api, entry["Id"]).remove()
    return [_name(entry) for entry in old]


def _is_kept(entry: Mapping[str, Any], kept: set[tuple[str, str]]) -> bool:
    labels = entry["Labels"] or {}
    return (labels.get("benchbench.run"), labels.get("benchbench.try")) in kept


def _name(entry: Mapping[str, Any]) -> str:
    return str(entry["Names"][0].lstrip("/") if entry["Names"] else entry["Id"])


def _removed(remove: Any) -> bool:
    """Whether it went; what is still in use (409) or gone already (404) is left to the next pass."""
    with engine_errors("removing what was left behind"):
        try:
            remove()
        except docker.errors.APIError as error:
            if error.status_code in (404, 409):
                return False
            raise
    return True
