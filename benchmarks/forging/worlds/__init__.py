"""Small tasks in four languages and both layouts of datasets; an attempt forges the verdict of one of them."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.forging.worlds import c, java, javascript, python
from benchmarks.forging.worlds.model import World

WORLDS: Mapping[str, World] = {
    world.name: world for world in (*python.WORLDS, *c.WORLDS, *javascript.WORLDS, *java.WORLDS)
}
