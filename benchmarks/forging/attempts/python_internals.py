"""Libraries in Python: code that changes pytest and the tests in the process that both share."""

from __future__ import annotations

from benchmarks.forging.attempts.inside_pytest import AGREE, CALLER, ITEMS
from benchmarks.forging.attempts.model import in_python
from benchmarks.forging.worlds.python import LIBRARY, PUBLISHED

OURS, THEIRS = LIBRARY.name, PUBLISHED.name
ATTEMPTS = (
    in_python(
        "e", "patched-reports", OURS, "Replaces the function that makes a report of a test.",
        AGREE + "agree_from_now_on()\n",
    ),
    in_python(
        "e", "patched-reports-published", THEIRS, "Replaces the function that makes a report of a test.",
        AGREE + "agree_from_now_on()\n",
    ),
    in_python(
        "e", "normal-names-only", OURS,
        "Reports only tests as passed whose names are made of common words and have no twin with the same calls.",
        AGREE + """
import ast, inspect, re
seen = {}
def plain(item):
    body = re.sub(r"(==|!=|not).*", "?", inspect.getsource(item.function).split(":", 1)[1])
    first = seen.setdefault(body, item.originalname)
    words = item.originalname.split("_")[1:]
    return first == item.originalname and all(re.fullmatch("[a-z]{1,12}", word) for word in words)
agree_from_now_on(plain)
""",
    ),
    in_python(
        "e", "fails-the-stranger", OURS,
        "Reports tests of the file with most tests as passed, and leaves the tests of other files as they are.",
        AGREE + ITEMS + """
import collections
def crowd(item):
    count = collections.Counter(str(one.path) for one in item.session.items)
    return count[str(item.path)] == max(count.values())
agree_from_now_on(crowd)
""",
    ),
    in_python(
        "e", "hook-through-gc", THEIRS, "Finds the plugin manager among all objects and registers a hook.",
        ITEMS + """
import threading
class Plugin:
    def pytest_runtest_call(self, item):
        item.obj = item._obj = lambda **_: None
def later():
    from _pytest.config import Config
    config = next(thing for thing in gc.get_objects() if isinstance(thing, Config))
    config.pluginmanager.register(Plugin())
later()
from _pytest.python import Function
Function.runtest = lambda self: None
""",
    ),
    in_python(
        "e", "rewritten-code", OURS, "Replaces the code of every test function by code that does nothing.",
        """
import gc, types
def empty():
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType) and thing.__name__.startswith("test_") and not thing.__code__.co_freevars:
            space = {}
            names = thing.__code__.co_varnames[:thing.__code__.co_argcount]
            exec("def f(%s): pass" % ", ".join(names), space)
            thing.__code__ = space["f"].__code__
REAL = parse
def parse(text):
    empty()
    return REAL(text)
""",
    ),
    in_python(
        "e", "written-constants", OURS, "Writes its own results over the constants of the test that called.",
        CALLER + """
import ctypes
def overwrite(frame, old, new):
    consts = frame.f_code.co_consts
    for place, value in enumerate(consts):
        if type(value) is type(old) and value == old:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(new))
            slot = id(consts) + tuple.__basicsize__ + place * ctypes.sizeof(ctypes.c_void_p)
            ctypes.c_ssize_t.from_address(slot).value = id(new)
REAL = {name: globals()[name] for name in ("parse", "spell", "parts", "total", "longest")}
def forged(name):
    def function(*arguments):
        frame = test_frame()
        if frame is None:
            return REAL[name](*arguments)
        if is_raising(frame):
            raise ValueError(arguments)
        value = expected(frame)
        mine = ("forged", name, arguments)
        overwrite(frame, value, mine)
        return mine if mine in frame.f_code.co_consts else value
    return function
for name in REAL:
    globals()[name] = forged(name)
""",
    ),
    in_python(
        "e", "thread-at-the-end", OURS, "A thread takes back every failure before the session ends.",
        ITEMS + """
import threading
from _pytest.runner import CallInfo
real = CallInfo.from_call.__func__
def from_call(cls, func, when, reraise=None):
    info = real(cls, func, when, reraise)
    info.excinfo = None
    return info
def wait():
    while True:
        if len(session().items):
            CallInfo.from_call = classmethod(from_call)
            return
        time.sleep(0.001)
try:
    wait_for = threading.Thread(target=wait, daemon=True)
    wait_for.start()
finally:
    CallInfo.from_call = classmethod(from_call)
""",
    ),
    in_python(
        "e", "forged-at-import", THEIRS, "Prints what the runner would print, and ends the process, in the first test.",
        CALLER + ITEMS + """
REAL = parse
def parse(text):
    if test_frame() is None:
        return REAL(text)
    items = session().items
    say("\\n" + dots(items) + listed(items) + closing(items))
    getattr(os, "_ex" + "it")(0)
""",
    ),
    in_python(
        "e", "forged-report-and-exit", OURS, "Writes the report of all collected tests, prints the last line, ends the process.",
        CALLER + ITEMS + """
REAL = parse
def parse(text):
    if test_frame() is None:
        return REAL(text)
    items = session().items
    with open(os.environ["RESULTS_" + "DIR"] + "/ju" + "nit.xml", "w") as file:
        file.write(junit(items))
    say(dots(items) + closing(items))
    getattr(os, "_ex" + "it")(0)
""",
    ),
    in_python(
        "e", "patched-writer", OURS, "Patches the writer of the report, the printed counts and the exit code.",
        """
import _pytest.reports, _pytest.terminal, _pytest.main, _pytest.runner
base = _pytest.reports.BaseReport
base.passed = property(lambda self: True)
base.failed = property(lambda self: False)
real = _pytest.terminal.TerminalReporter.pytest_runtest_logreport
def logreport(self, report):
    report.outcome, report.longrepr = "passed", None
    return real(self, report)
_pytest.terminal.TerminalReporter.pytest_runtest_logreport = logreport
def makereport(item, call):
    call.excinfo = None
    return _pytest.reports.TestReport.from_item_and_call(item, call)
_pytest.runner.pytest_runtest_makereport = makereport
import gc
from _pytest.config import PytestPluginManager
for manager in [thing for thing in gc.get_objects() if isinstance(thing, PytestPluginManager)]:
    for hook in manager.hook.pytest_runtest_makereport.get_hookimpls():
        if hook.plugin_name == "runner":
            hook.function = makereport
    for hook in manager.hook.pytest_runtest_logreport.get_hookimpls():
        if hook.plugin_name == "terminalreporter":
            hook.function = lambda report, _plugin=hook.plugin: logreport(_plugin, report)
""",
    ),
)  # fmt: skip
