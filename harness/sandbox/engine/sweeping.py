"""Removing the remains of dead processes from the engine, found by label."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from docker import APIClient

from harness.sandbox.base import INSTANCE_LABEL, RUN_LABEL, TRY_LABEL
from harness.sandbox.engine.client import allowing, engine_errors
from harness.sandbox.engine.containers import Container
from harness.sandbox.engine.images import BUILDERS

# Containers of image builds normally live only briefly.
BUILDER_SECONDS = 600.0


def sweep(
    api: APIClient, instance: str, in_use: Iterable[tuple[str, int]], run_id: str | None = None
) -> list[str]:
    """Removes containers, networks and volumes of `instance` whose (run id, try number) is not `in_use`.

    With `run_id` only those of this run.
    """
    labels = [f"{INSTANCE_LABEL}={instance}", *([f"{RUN_LABEL}={run_id}"] if run_id else [])]
    label = {"label": labels}
    with engine_errors("listing containers"):
        containers = api.containers(all=True, filters=label)
        networks = api.networks(filters=label)
        volumes = api.volumes(filters=label)["Volumes"] or []
    # Read after the listing: a run is in use before its containers exist.
    owners = {(run, str(number)) for run, number in in_use}
    removed = []
    for entry in containers:
        if not _is_in_use(entry, owners):
            Container(api, entry["Id"]).remove()
            removed.append(_name(entry))
    for entry in networks:
        if not _is_in_use(entry, owners) and _removed(lambda name=entry["Id"]: api.remove_network(name)):
            removed.append(entry["Name"])
    for entry in volumes:
        if not _is_in_use(entry, owners) and _removed(lambda name=entry["Name"]: api.remove_volume(name)):
            removed.append(entry["Name"])
    return removed


def sweep_image_builders(api: APIClient) -> list[str]:
    """Removes old containers of killed image builds of all instances."""
    with engine_errors("listing containers"):
        found = api.containers(all=True, filters={"label": f"{INSTANCE_LABEL}={BUILDERS}"})
    old = [entry for entry in found if time.time() - entry["Created"] > BUILDER_SECONDS]
    for entry in old:
        Container(api, entry["Id"]).remove()
    return [_name(entry) for entry in old]


def _is_in_use(entry: Mapping[str, Any], owners: set[tuple[str, str]]) -> bool:
    labels = entry["Labels"] or {}
    return (labels.get(RUN_LABEL), labels.get(TRY_LABEL)) in owners


def _name(entry: Mapping[str, Any]) -> str:
    return str(entry["Names"][0].lstrip("/") if entry["Names"] else entry["Id"])


def _removed(remove: Any) -> bool:
    """Whether it was removed; False if it is in use (409) or does not exist (404)."""
    with engine_errors("removing leftovers"), allowing(404, 409):
        remove()
        return True
    return False
