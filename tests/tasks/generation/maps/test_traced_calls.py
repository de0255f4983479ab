"""The calls that tests execute: which frames are edges, and what a record of a hostile suite can do."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from harness.dataset import Repository
from harness.dataset.trees import Tree
from harness.patches import FileState
from harness.sandbox import open_engine
from harness.sandbox.base import ContainerUse, Engine, Owner
from harness.sandbox.local import LocalEngine
from tasks.generation.maps.static_calls import analyse
from tasks.generation.maps.traced_calls import PytestCommand, Trace, TraceFailed, read_record, trace

Shop = tuple[Trace, list[str]]

SHOP = """\
import collections
import contextlib
import functools
import threading


def logged(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments)
    return wrapper


class Item:
    def __init__(self, price):
        self._price = tidy(price)

    @property
    def price(self):
        return rounded(self._price)

    def __add__(self, other):
        return Special(self._price + other._price)


class Special(Item):
    def __init__(self, price):
        super().__init__(price)
        self.tags = [tag(price) for _ in range(2)]

    class Nested:
        pass


def tidy(price):
    return price


@logged
def rounded(price):
    return round(price)


def tag(price):
    return sorted([price, 2], key=lambda one: -key_of(one))


def key_of(one):
    return one


def prices(items):
    for item in items:
        yield item.price


def total(items):
    return sum(prices(items))


def by_library(items):
    class Prices(collections.UserList):
        def append(self, item):
            tidy(item)
    found = Prices()
    found.extend(items)
    return functools.reduce(tidy_both, items)


def tidy_both(one, other):
    return one


def factorial(n):
    return n * factorial(n - 1) if n else 1


@contextlib.contextmanager
def opened():
    yield tidy(1)


def with_manager():
    with opened():
        pass


def in_thread():
    thread = threading.Thread(target=tidy, args=(1,))
    thread.start()
    thread.join()


MODULE_LEVEL = tidy(1)
later = lambda: tidy(2)
"""
SHOP_TEST = """\
import sys
import pytest
from shop import code


@pytest.fixture
def item():
    return code.Item(1.5)


def test_total(item):
    assert code.total([item, item]) == 4


class TestSums:
    @pytest.mark.parametrize("n", [3])
    def test_sum(self, n):
        code.Item(n) + code.Item(1)
        code.factorial(n)
        code.later()


def test_library():
    code.by_library([1, 2])
    code.with_manager()
    code.in_thread()
    sys.setprofile(None)
    code.tidy(3)


def test_fails():
    assert code.key_of(1) == 2
"""


def repository(directory: Path, files: dict[str, str]) -> Repository:
    for path, text in files.items():
        place = directory / "source" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    (directory / "Dockerfile").write_text(
        "ARG BASE_IMAGE=ubuntu:24.04\nFROM ${BASE_IMAGE}\n"
        "RUN apt-get update && apt-get install -y python3 python3-pytest git ripgrep\nWORKDIR /app\n"
    )
    return Repository(
        slug="shop",
        title="Shop",
        description="",
        stack="Python",
        languages=("Python",),
        domain="",
        workdir=PurePosixPath("/app"),
        directory=directory,
        source=Tree(directory / "source"),
        digest="d",
        tasks=(),
    )


def traced(
    directory: Path, source: str, test: str, *, engine: Engine | None = None, **settings: Any
) -> tuple[Trace, list[str]]:
    """The trace, and the names of the functions in the order of `suite.reached`."""
    made = repository(directory, {"shop/__init__.py": "", "shop/code.py": source})
    nodes = analyse({"shop/code.py": source.encode()}, resolve=False).nodes
    tests = [FileState("checks/test_shop.py", test.encode())]
    command = PytestCommand(
        **{"python": sys.executable, "arguments": ("checks",), "seconds": 60.0, **settings}
    )
    found = trace(
        engine or LocalEngine(), made, nodes, tests, use=ContainerUse(Owner("trace", "1")), command=command
    )
    return found, [node.name for node in nodes]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return traced(tmp_path_factory.mktemp("shop"), SHOP, SHOP_TEST)


def test_edges_are_frames_that_were_entered_directly_from_others(shop: Shop) -> None:
    found, _ = shop
    assert {(caller[1], callee[1]) for caller, callee in found.calls} == {
        ("Item.__init__", "tidy"),
        ("Item.__add__", "Special.__init__"),
        ("Item.__add__", "Special"),  # a constructor is its class, too
        ("Special.__init__", "Item.__init__"),  # but not if another constructor calls it
        ("Special.__init__", "tag"),  # in a comprehension
        ("tag", "key_of"),  # in a lambda that `sorted`, which has no frame, calls
        ("Item.price", "logged.wrapper"),  # the decorated function is entered by the wrapper
        ("logged.wrapper", "rounded"),
        ("prices", "Item.price"),  # a property
        ("total", "prices"),  # a generator that `sum` resumes
        ("factorial", "factorial"),
        ("by_library", "by_library.Prices"),  # the body of a class
        ("Special", "Special.Nested"),  # when the module is imported
        ("by_library", "tidy_both"),  # by a function of C
        ("opened", "tidy"),  # but with_manager → opened is a call of the library
    }


def test_tests_reach_functions_also_through_libraries_threads_and_fixtures(shop: Shop) -> None:
    found, names = shop
    assert found.suite.tests == (
        "checks.test_shop::test_total",
        "checks.test_shop.TestSums::test_sum[3]",
        "checks.test_shop::test_library",
        "checks.test_shop::test_fails",
    )
    assert found.suite.failed == ("checks.test_shop::test_fails",)
    reached = dict(zip(names, found.suite.reached, strict=True))
    assert reached["Item.__init__"] == (0, 1)
    assert reached["tidy"] == (0, 1, 2)
    assert reached["key_of"] == (1, 3)  # the test before ended the tracing, for itself alone
    assert reached["opened"] == (2,)
    assert reached["logged"] == ()  # only when the module was imported
    assert found.suite.cpu_seconds > 0
    assert found.suite.traced_cpu_seconds > 0


def test_a_generator_is_called_by_the_frame_that_first_resumes_it(tmp_path: Path) -> None:
    source = """\
def numbers():
    yield one()
    yield 2


def one():
    return 1


def made():
    return numbers()


def begun():
    found = made()
    next(found)
    return found


def ended(found):
    return list(found)
"""
    test = "from shop import code\ndef test_all():\n    code.ended(code.begun())\n    code.begun()\n"
    found, _ = traced(tmp_path, source, test)
    assert {(caller[1], callee[1]) for caller, callee in found.calls} == {
        ("begun", "made"),
        ("begun", "numbers"),
        ("numbers", "one"),
    }


@pytest.mark.parametrize(
    ("test", "seconds", "message"),
    [
        ("", 60, "no test ran: .*no tests ran"),
        ("import os\nos._exit(3)", 60, "left no trace"),
        ("import time\ndef test_a():\n    time.sleep(20)", 1, "stopped after 1 s"),
        ("def test_a(:", 60, "no test ran"),
    ],
)
def test_a_suite_without_a_record_is_an_error_with_its_output(
    tmp_path: Path, test: str, seconds: float, message: str
) -> None:
    with pytest.raises(TraceFailed, match=f"(?s){message}"):
        traced(tmp_path, "def f(): pass\n", test, seconds=seconds)


@pytest.mark.parametrize(
    "record",
    [
        "[]",
        "[" * 100_000,
        '{"places": [[0, 1, "f"]], "calls": [[0, 7]], "tests": [], "reached": [], "failed": [], "cpu_seconds": 1}',
        '{"places": [], "calls": [], "tests": ["a"], "reached": [], "failed": [], "cpu_seconds": 1}',
        '{"places": [], "calls": [], "tests": ["a"], "reached": [[]], "failed": [], "cpu_seconds": NaN}',
    ],
)
def test_a_forged_record_is_refused(record: str) -> None:
    with pytest.raises(TraceFailed, match="is damaged"):
        read_record(record.encode())


@pytest.mark.engine
def test_in_a_container_the_calls_are_the_same(shop: Shop, tmp_path: Path) -> None:
    here, _ = shop
    with closing(open_engine()) as engine:
        there, _ = traced(tmp_path, SHOP, SHOP_TEST, engine=engine, python="python3")
    assert there.calls == here.calls
    assert (there.suite.tests, there.suite.reached) == (here.suite.tests, here.suite.reached)
