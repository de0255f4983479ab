"""Garbage is collected between requests."""

from __future__ import annotations

from pathlib import Path

from tests.benchbench.processes import said_by


def test_what_a_request_leaves_behind_is_gone_when_it_is_complete(tmp_path: Path) -> None:
    program = """
import weakref
from benchbench.web_hooks import post_request
from benchbench.wsgi import application
from django.test import RequestFactory
made, waiting = application.request_class, []
def request(environ):
    found = made(environ)
    waiting.append(weakref.ref(found))
    return found
application.request_class = request
for _ in range(60):
    environ = RequestFactory().get("/healthz", headers={"host": "localhost"}).environ
    response = application(environ, lambda *_: None)
    response.close()
    del response
    post_request(None, None, None, None)
print(len(waiting), sum(each() is not None for each in waiting))
"""
    assert said_by(program, tmp_path) == ["60 0"]


def test_objects_that_are_loaded_stay_out_of_later_collections(tmp_path: Path) -> None:
    program = """
import gc
from benchbench.garbage import freeze_loaded_objects
before = gc.get_freeze_count()  # 0, or some hundreds with Python 3.12
freeze_loaded_objects()
print(before < 1000, gc.get_freeze_count() - before > 1000, gc.get_threshold()[0])
"""
    assert said_by(program, tmp_path) == ["True True 20000"]


def test_older_objects_are_collected_after_every_so_many_responses(tmp_path: Path) -> None:
    program = """
import gc
from benchbench.garbage import EVERY_ALL, EVERY_OLDER, collect
collected = []
gc.callbacks.append(lambda phase, info: collected.append(info["generation"]) if phase == "start" else None)
gc.disable()
for _ in range(EVERY_ALL):
    collect()
print(EVERY_ALL, EVERY_OLDER, len(collected))
print([number for number, generation in enumerate(collected, 1) if generation == 2])
print([number for number, generation in enumerate(collected, 1) if generation == 1][:3], collected.count(1))
"""
    assert said_by(program, tmp_path) == ["2000 50 2000", "[2000]", "[50, 100, 150] 39"]
