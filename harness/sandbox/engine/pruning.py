"""Removing unused images.

Each content has an image of its own, so every change of a dataset, of the tool server or of a recipe leaves old ones
behind. Only images of this project are removed: all their names have the project's form, and their label agrees. A
label alone is no proof, because images that are built on top inherit it; nor is a name, because anyone may use it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import docker.errors
from docker import APIClient

from harness.sandbox.base import StoredImage
from harness.sandbox.engine.client import allowing, engine_errors
from harness.sandbox.locks import unused

IMAGE_LABEL = "benchbench.image"
UNPROVEN = "-unproven"
DAY = 86_400.0
_OURS = re.compile(
    rf"(benchbench/(?:environment|workspace|grader|toolbox|interpreter|agent(?:{UNPROVEN})?)):[0-9a-f]{{16}}"
)


@dataclass(frozen=True, slots=True)
class _Entry:
    """The engine's data about an image; `layers` from the bottom."""

    id: str
    tags: tuple[str, ...]
    label: str
    size: int
    made: float
    layers: tuple[str, ...]

    @property
    def ours(self) -> bool:
        """Whether this project made it. An agent's image gets its final name, but no new label, when it is proven."""
        matches = [_OURS.fullmatch(tag) for tag in self.tags]
        kind = self.label.removesuffix(UNPROVEN)
        return bool(matches) and all(found and found[1].removesuffix(UNPROVEN) == kind for found in matches)

    def is_based_on(self, other: _Entry) -> bool:
        """Whether it is `other` with more layers on top."""
        return len(self.layers) > len(other.layers) and self.layers[: len(other.layers)] == other.layers


def removable(
    api: APIClient, needed: Collection[str] = (), *, older_than: float | None = None
) -> list[StoredImage]:
    """This project's images that can be removed, those on top of others first. Removes nothing.

    Excluded are images with a tag in `needed` and agents' images on top of them; images that were made within the last
    `older_than` days; images of containers, also of ended ones; and all base images of these and of other projects'
    images.
    """
    with engine_errors("listing images"):
        entries = _entries(api)
        used = {container["ImageID"] for container in api.containers(all=True)}
    youngest = time.time() - older_than * DAY if older_than is not None else float("inf")
    base = [entry for entry in entries if needed and not set(entry.tags).isdisjoint(needed)]

    def is_excluded(entry: _Entry) -> bool:
        if entry.id in used or entry.made > youngest or entry in base:
            return True
        if any(tag.startswith("benchbench/agent:") for tag in entry.tags):
            return not entry.ours or any(entry.is_based_on(each) for each in base)
        return bool(entry.tags) and not entry.ours

    excluded = [entry for entry in entries if is_excluded(entry)]
    found = [
        entry
        for entry in entries
        if entry.ours and entry not in excluded and not any(each.is_based_on(entry) for each in excluded)
    ]
    found.sort(key=lambda entry: (-len(entry.layers), entry.tags))
    return [StoredImage(entry.id, entry.tags, _own_bytes(entry, entries), entry.made) for entry in found]


def remove(api: APIClient, images: Iterable[StoredImage]) -> list[StoredImage]:
    """Removes the images, except those that are being built or used. Returns the removed ones."""
    return [image for image in images if all(_removed(api, image, tag) for tag in image.tags)]


def days(text: str) -> float:
    """Parses an age in days. Raises ValueError if it is invalid."""
    number = float(text)
    if not 0 <= number < float("inf"):
        raise ValueError(f"{text} is no number of days")
    return number


def summary(images: Sequence[StoredImage], *, dry_run: bool) -> str:
    """One line per image, and their total size."""
    lines = [f"{', '.join(image.tags)}  {_size(image.bytes)}, {_age(image.made)}" for image in images]
    count = f"{len(images)} image{'' if len(images) == 1 else 's'}"
    verb = "would be removed, about" if dry_run else "removed, about"
    total = _size(sum(image.bytes for image in images))
    return "\n".join([*lines, f"{count} {verb} {total} {'to free' if dry_run else 'freed'}"])


def _entries(api: APIClient) -> list[_Entry]:
    found = []
    for listed in api.images():
        try:
            layers = api.inspect_image(listed["Id"])["RootFS"].get("Layers") or ()  # type: ignore[no-untyped-call]
        except docker.errors.ImageNotFound:
            continue  # it was removed meanwhile
        label = (listed["Labels"] or {}).get(IMAGE_LABEL, "")
        tags = tuple(sorted(tag for tag in listed["RepoTags"] or () if tag != "<none>:<none>"))
        found.append(_Entry(listed["Id"], tags, label, listed["Size"], listed["Created"], tuple(layers)))
    return found


def _own_bytes(entry: _Entry, entries: Iterable[_Entry]) -> int:
    """Its size above the biggest image that it is based on."""
    return max(0, entry.size - max((each.size for each in entries if entry.is_based_on(each)), default=0))


def _removed(api: APIClient, image: StoredImage, tag: str) -> bool:
    with unused(tag, built_as=tag.replace(UNPROVEN, "")) as free:
        if not free:
            return False
        with engine_errors(f"removing image {tag}"), allowing(404, 409):
            if _id(api, tag) == image.id:
                api.remove_image(tag)
                return True
    return False


def _id(api: APIClient, tag: str) -> str:
    found: dict[str, Any] = api.inspect_image(tag)  # type: ignore[no-untyped-call]
    return str(found["Id"])


def _size(count: int) -> str:
    return f"{count / 1e9:.2f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def _age(made: float) -> str:
    days = int(max(0.0, time.time() - made) // DAY)
    return f"made {days} day{'' if days == 1 else 's'} ago" if days else "made today"
