"""Makes the recorded outputs anew: `python tests/harness/outputs/record.py RUNNER WORKPLACE`.

Runs the real runner on the sample projects beside this file, in a copy below WORKPLACE, and stores what it printed
(`<case>.txt`) and what it should be read as (`<case>.json`). The latter comes from the report that the runner itself
wrote of the same run, never from our reader. README.md says which versions were used and where they come from.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

HERE = Path(__file__).parent
ORDER = ("passed", "expected_failure", "skipped", "failed", "error")
Tests = dict[str, str]


@dataclass(frozen=True)
class Case:
    """One run of a runner. `expected`: reads the tests from the runner's own report, or is part of the complaint."""

    name: str
    project: str
    command: Sequence[str]
    expected: Callable[[Path], Tests] | str
    environment: Mapping[str, str] = field(default_factory=dict)


def main(runner: str, workplace: Path) -> None:
    """Records every case of one runner."""
    for name in ("CI", "NO_COLOR", "FORCE_COLOR"):
        os.environ.pop(name, None)
    for case in RUNNERS[runner]():
        place = workplace / runner / case.name
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(HERE / runner / "project" / case.project, place)
        os.environ.update(case.environment)  # for a second run as well, where the first one writes no report
        done = subprocess.run(
            case.command, cwd=place, check=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        store(runner, case, done.stdout, place)
        for name in case.environment:
            del os.environ[name]
        print(f"{runner}/{case.name}: exit code {done.returncode}, {len(done.stdout)} bytes")


def store(runner: str, case: Case, output: bytes, place: Path) -> None:
    """Writes both files of a case."""
    (HERE / runner / f"{case.name}.txt").write_bytes(without_paths(output, place))
    if isinstance(case.expected, str):
        expected: dict[str, Any] = {"error": case.expected}
    else:
        expected = {"tests": dict(sorted(case.expected(place).items()))}
    text = json.dumps(expected, indent=1, ensure_ascii=False) + "\n"
    (HERE / runner / f"{case.name}.json").write_text(text, encoding="utf-8")


def without_paths(output: bytes, place: Path) -> bytes:
    """The output with the paths of this machine replaced by paths that say nothing about it."""
    modules = os.environ.get("NODE_MODULES", "")
    for ours, shown in (
        (str(place), "/sample"),
        (modules, "/node_modules"),
        (sys.prefix, "/usr"),
        (sys.base_prefix, "/usr"),
    ):
        output = output.replace(os.fsencode(ours), shown.encode()) if ours else output
    return output


def worse(tests: Tests, name: str, status: str) -> None:
    """Notes a verdict; of two on one test the worse counts."""
    tests[name] = max(status, tests.get(name, status), key=ORDER.index)


# pytest, by pytest-reportlog


def pytest_cases() -> Iterator[Case]:
    """-rA, -v, both; colours, workers, interleaved output, errors at collection, nothing, forgeries."""
    pytest = ["python", "-m", "pytest", "-p", "no:cacheprovider", "--report-log=log.json"]
    advice = "run pytest once, with -rA or -v"
    yield Case("rA", "mixed", [*pytest, "-rA"], by_place)
    yield Case("quiet-rA", "mixed", [*pytest, "-q", "-rA"], by_place)
    yield Case("verbose", "mixed", [*pytest, "-v"], by_node)
    yield Case("verbose-rA", "mixed", [*pytest, "-v", "-rA"], by_node)
    yield Case("colours", "mixed", [*pytest, "-v", "-rA", "--color=yes"], by_node)
    yield Case("interleaved", "mixed", [*pytest, "-v", "-rA", "-s"], by_node)
    yield Case("workers", "mixed", [*pytest, "-v", "-n2"], by_node)
    yield Case("workers-rA", "mixed", [*pytest, "-rA", "-n2"], by_place)
    yield Case("dots", "mixed", [*pytest], advice)
    yield Case("broken", "broken", [*pytest, "-rA"], by_place)
    yield Case("broken-verbose", "broken", [*pytest, "-v", "--continue-on-collection-errors"], by_node)
    yield Case("folded", "plain", [*pytest, "-rA"], by_place)
    yield Case("folded-verbose", "plain", [*pytest, "-v"], by_node)
    yield Case("empty", "empty", [*pytest, "-rA"], "the report holds no test")
    several = "several different summaries of pytest"
    listed = "the printed summary counts 0 passed, the output lists 1"
    yield Case("forged-summary", "spoof", [*pytest, "-rA"], several, {"HIDE": "skip"})
    yield Case("forged-at-exit", "spoof", [*pytest, "-v", "-rA"], several, {"AT_EXIT": "1"})
    yield Case("forged-line", "spoof", [*pytest, "-v", "-s", "-k", "hidden"], listed, {"HIDE": "skip"})


def by_node(place: Path) -> Tests:
    """By test id, as -v names them."""
    tests: Tests = {}
    for entry in map(json.loads, (place / "log.json").read_text().splitlines()):
        if entry["$report_type"] == "CollectReport" and entry["outcome"] == "failed":
            worse(tests, entry["nodeid"], "error")
        elif entry["$report_type"] == "SubTestReport" and entry["outcome"] == "failed":
            worse(tests, entry["nodeid"], "failed")
        elif entry["$report_type"] == "TestReport":
            status = pytest_status(entry)
            if entry["when"] == "call" or status in {"error", "skipped"}:
                worse(tests, entry["nodeid"], status)
    return tests


def by_place(place: Path) -> Tests:
    """As -rA names them: skipped tests by file and line."""
    tests = {name: status for name, status in by_node(place).items() if status != "skipped"}
    for entry in map(json.loads, (place / "log.json").read_text().splitlines()):
        if entry["$report_type"] == "TestReport" and pytest_status(entry) == "skipped":
            file, line, _ = entry["longrepr"]
            tests[f"{os.path.relpath(file, place)}:{line}"] = "skipped"
    return tests


def pytest_status(entry: Mapping[str, Any]) -> str:
    """Our word for the outcome of one phase of a test."""
    if entry["outcome"] == "skipped" and "wasxfail" in entry:
        return "expected_failure"
    if entry["outcome"] == "failed" and entry["when"] != "call":
        return "error"
    return str(entry["outcome"])


# Jest, by --json


def jest_cases() -> Iterator[Case]:
    """--verbose; colours, workers, broken files, nothing, forgeries."""
    jest = [*npx("jest"), "--ci", "--json", "--outputFile=log.json"]
    verbose = [*jest, "--verbose"]
    advice = "run jest --verbose once"
    yield Case("verbose", "mixed", [*verbose, "--runInBand"], by_title)
    yield Case("colours", "mixed", [*verbose, "--colors"], by_title)
    yield Case("workers", "mixed", [*verbose, "--maxWorkers=2"], by_title)
    yield Case("brief", "mixed", jest, advice)
    yield Case("broken", "broken", verbose, by_title)
    yield Case("empty", "empty", verbose, by_title)
    yield Case("all-skipped", "allskipped", verbose, "the report holds no test")
    yield Case("forged-line", "spoof", verbose, advice, {"HIDE": "skip"})
    yield Case("forged-summary", "spoof", verbose, "several different summaries of Jest", {"WHOLE": "1"})


def by_title(place: Path) -> Tests:
    """`file::describe > title`, of which only the first line is printed."""
    tests: Tests = {}
    statuses = {"pending": "skipped", "todo": "skipped"}
    for suite in json.loads((place / "log.json").read_text())["testResults"]:
        file = os.path.relpath(suite["name"], place)
        if not suite["assertionResults"]:
            worse(tests, file, "error")
        for test in suite["assertionResults"]:
            title = " > ".join([*test["ancestorTitles"], test["title"].partition("\n")[0].strip()])
            worse(tests, f"{file}::{title}", statuses.get(test["status"], test["status"]))
    return tests


# Mocha, by a second run with --reporter json


def mocha_cases() -> Iterator[Case]:
    """The reporter spec; colours, workers, broken files, nothing, forgeries."""
    mocha = [*npx("mocha"), "--reporter", "spec"]
    advice = "run mocha once, with the reporter spec"
    yield Case("spec", "mixed", mocha, mocha_again)
    yield Case("colours", "mixed", [*mocha, "--color"], mocha_again)
    yield Case("workers", "mixed", [*mocha, "--parallel", "--jobs=2"], mocha_again)
    yield Case("dots", "mixed", [*npx("mocha"), "--reporter", "dot"], advice)
    yield Case("broken", "broken", mocha, "no closing summary of Mocha")
    yield Case("empty", "empty", mocha, "the report holds no test")
    yield Case("forged-line", "spoof", mocha, advice, {"HIDE": "skip"})
    yield Case("forged-summary", "spoof", mocha, "several different summaries of Mocha", {"WHOLE": "1"})


def mocha_again(place: Path) -> Tests:
    """`describe > title`. Mocha joins the titles with blanks, so the inner ones are named here."""
    command = [*npx("mocha"), "--reporter", "json", "--reporter-option", "output=log.json"]
    subprocess.run(command, cwd=place, check=False, capture_output=True)
    report = json.loads((place / "log.json").read_text())
    tests: Tests = {}
    for kind, status in (("passes", "passed"), ("pending", "skipped"), ("failures", "failed")):
        for test in report[kind]:
            suites = test["fullTitle"].removesuffix(test["title"]).strip()
            for inner in ("below zero (deep)", "of a hook", "of each"):
                suites = suites.replace(f" {inner}", f" > {inner}")
            hook = status == "failed" and " hook" in test["title"]
            title = test["title"].partition("\n")[0]
            worse(tests, f"{suites} > {title}" if suites else title, "error" if hook else status)
    return tests


# Go, by a second run with -json


def go_cases() -> Iterator[Case]:
    """-v and -json; a crash, a time-out, what does not compile, nothing, forgeries."""
    verbose, events = ["go", "test", "-v"], ["go", "test", "-json"]
    yield Case("verbose", "mixed", [*verbose, "./..."], go_again)
    yield Case("json", "mixed", [*events, "./..."], go_again)
    yield Case("workers", "mixed", [*verbose, "-p=2", "-parallel=2", "-cover", "./..."], go_again)
    yield Case("brief", "more", ["go", "test"], "run go test with -v")
    yield Case("broken", "broken", [*verbose, "./..."], go_again)
    yield Case("broken-json", "broken", [*events, "./..."], go_again)
    yield Case("timeout", "timeout", [*verbose, "-timeout=1s"], lambda _: {
        "example.org/sample::TestQuick": "passed", "example.org/sample::TestHangs": "error"
    })  # fmt: skip
    yield Case("empty", "empty", [*verbose, "./..."], "run go test with -v")
    yield Case("forged-line", "spoof", verbose, go_again, {"HIDE": "skip"})
    yield Case("forged-package", "spoof", verbose, lambda _: {
        "example.org/sample::TestAccomplice": "error", "example.org/sample::TestHidden": "failed"
    }, {"WHOLE": "1"})  # fmt: skip
    yield Case("forged-json", "spoof", events, go_again, {"HIDE": "skip"})


def go_again(place: Path) -> Tests:
    """`package::test`; a package that failed without a failed test is an error."""
    done = subprocess.run(
        ["go", "test", "-json", "./..."], cwd=place, check=False, capture_output=True, text=True
    )
    tests: Tests = {}
    words = {"pass": "passed", "fail": "failed", "skip": "skipped"}
    for line in (done.stdout + done.stderr).splitlines():
        if line.startswith("{"):
            event = json.loads(line)
            if "Test" in event and event["Action"] in words:
                worse(tests, f"{event['Package']}::{event['Test']}", words[event["Action"]])
        elif line.endswith("[build failed]"):
            worse(tests, line.split()[1], "error")
    return tests


# Cargo, by a second run with the unstable --format json


def cargo_cases() -> Iterator[Case]:
    """Unit, integration and documentation tests; colours, one worker, a crash, what does not compile, forgeries."""
    cargo = ["cargo", "test", "--no-fail-fast"]
    yield Case("all", "mixed", cargo, cargo_again)
    yield Case("colours", "mixed", [*cargo, "--color=always", "--", "--color=always"], cargo_again)
    yield Case("one-worker", "mixed", [*cargo, "--", "--test-threads=1"], cargo_again)
    yield Case("shown", "mixed", [*cargo, "--", "--show-output"], cargo_again)
    yield Case("quiet", "mixed", [*cargo, "--quiet"], "several results of one target")
    yield Case("broken", "broken", cargo, lambda _: {"sample": "error"})
    yield Case("crash", "crash", [*cargo, "--", "--test-threads=1"], lambda _: {"sample:src/lib.rs": "error"})
    yield Case("empty", "empty", cargo, "lists no test")
    yield Case("forged-line", "spoof", cargo, "the printed summary counts 1 passed, the output lists 3")
    yield Case("forged-summary", "spoof", cargo, "several results of sample:src/lib.rs", {"WHOLE": "1"})


def cargo_again(place: Path) -> Tests:
    """`crate:source::test`; documentation tests by their place among those of their item."""
    done = subprocess.run(
        ["cargo", "test", "--no-fail-fast", "--", "-Zunstable-options", "--format=json"],
        cwd=place, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "RUSTC_BOOTSTRAP": "1"},
    )  # fmt: skip
    tests: Tests = {}
    target = ""
    documented: list[tuple[int, str]] = []
    words = {"ok": "passed", "failed": "failed", "ignored": "skipped"}
    for line in done.stdout.splitlines():
        if line.lstrip().startswith("Running "):
            source = line.split("(")[0].split()[-1]
            target = f"{Path(line.split('(')[1]).name.rpartition('-')[0]}:{source}"
        elif line.lstrip().startswith("Doc-tests "):
            target = f"{line.split()[1]}:doc"
        elif line.startswith("{"):
            event = json.loads(line)
            if event["type"] == "test" and event["event"] in words:
                if target.endswith(":doc"):
                    documented.append((int(event["name"].split("(line ")[1][:-1]), words[event["event"]]))
                else:
                    worse(tests, f"{target}::{event['name']}", words[event["event"]])
    for number, (_, status) in enumerate(sorted(documented), 1):
        tests[f"sample:doc::src/lib.rs - add #{number}"] = status
    return tests


# RSpec, by --format json of the same run


def rspec_cases() -> Iterator[Case]:
    """--format documentation; colours, progress, a file that cannot be loaded, nothing, forgeries."""
    rspec = ["rspec", "--format", "documentation", "--format", "json", "--out", "log.json"]
    advice = "run rspec once, with --format documentation"
    yield Case("documentation", "mixed", rspec, by_description)
    yield Case("colours", "mixed", [*rspec, "--force-color"], by_description)
    yield Case("random", "mixed", [*rspec, "--order", "random", "--seed", "7"], by_description)
    yield Case("profile", "mixed", [*rspec, "--profile"], by_description)
    yield Case("progress", "mixed", ["rspec"], advice)
    yield Case("broken", "broken", rspec, lambda _: {"spec/broken_spec.rb": "error"})
    yield Case("empty", "empty", rspec, "the report holds no test")
    yield Case("forged-line", "spoof", rspec, advice, {"HIDE": "skip"})
    yield Case("forged-summary", "spoof", rspec, "several different summaries of RSpec", {"WHOLE": "1"})


def by_description(place: Path) -> Tests:
    """`group > example`. RSpec joins the descriptions with blanks, so the groups are named here."""
    report = json.loads((place / "log.json").read_text())
    tests: Tests = {}
    for example in report["examples"]:
        name = example["full_description"]
        for group in ("Sums", "More", "Set-up", "Tear-down", "Spoof", "#add (below zero)", "when deep"):
            name = name.replace(f"{group} ", f"{group} > ", 1)
        status = {"pending": "skipped"}.get(example["status"], example["status"])
        expected = example["pending_message"] == "known" and status == "skipped"
        worse(tests, name, "expected_failure" if expected else status)
    for number in range(1, report["summary"]["errors_outside_of_examples_count"] + 1):
        tests[f"error outside of examples #{number}"] = "error"
    return tests


# PHPUnit, by --testdox-xml of the same run


def phpunit_cases() -> Iterator[Case]:
    """--testdox; colours, the default format, a class that cannot be loaded, nothing, forgeries."""
    phpunit = ["phpunit", "--testdox", "--testdox-xml=log.xml", "tests"]
    advice = "run phpunit once, with --testdox"
    yield Case("testdox", "mixed", phpunit, by_testdox)
    yield Case("colours", "mixed", [*phpunit, "--colors=always"], by_coloured_testdox)
    yield Case("verbose", "mixed", [*phpunit, "--verbose", "--order-by=reverse"], by_testdox)
    yield Case("default", "mixed", ["phpunit", "tests"], advice)
    yield Case("broken", "broken", phpunit, "no closing summary of PHPUnit")
    yield Case("empty", "empty", phpunit, "no closing summary of PHPUnit")
    yield Case("forged-line", "spoof", phpunit, advice, {"HIDE": "skip"})
    yield Case("forged-summary", "spoof", phpunit, "several different summaries of PHPUnit", {"WHOLE": "1"})


def by_testdox(place: Path) -> Tests:
    """`heading::test`. Statuses are numbers: PHPUnit\\Runner\\BaseTestRunner."""
    statuses = ["passed", "skipped", "skipped", "failed", "failed", "failed", "failed"]
    tests: Tests = {}
    for test in ElementTree.parse(place / "log.xml").iter("test"):
        name = f"{test.attrib['prettifiedClassName']}::{test.attrib['prettifiedMethodName']}"
        worse(tests, name, statuses[int(test.attrib["status"])])
    return tests


def by_coloured_testdox(place: Path) -> Tests:
    """With colours, data sets are named without quotes, with a dot for each blank."""
    tests = {}
    for name, status in by_testdox(place).items():
        test, found, data = name.partition(' with data set "')
        dotted = f"{test} with {data[:-1].replace(' ', '·')}" if found else name
        tests[dotted.replace(" data set #", " data set ")] = status
    return tests


# CTest, by --output-junit of the same run


def ctest_cases() -> Iterator[Case]:
    """-V and without; workers, output of failed tests, nothing, forgeries."""
    ctest = "cmake -B build . > /dev/null && ctest --test-dir build --output-junit ../log.xml "
    yield Case("plain", "mixed", ["sh", "-c", ctest], by_junit)
    yield Case("verbose", "mixed", ["sh", "-c", f"{ctest} -V"], by_junit)
    yield Case("workers", "mixed", ["sh", "-c", f"{ctest} -j2"], by_junit)
    yield Case("workers-verbose", "mixed", ["sh", "-c", f"{ctest} -j2 -V"], by_junit)
    yield Case("on-failure", "sound", ["sh", "-c", f"{ctest} --output-on-failure"], by_junit)
    yield Case(
        "on-failure-misled",
        "mixed",
        ["sh", "-c", f"{ctest} --output-on-failure"],
        "several different summaries",
    )
    yield Case("empty", "empty", ["sh", "-c", ctest], "no closing summary of CTest")
    yield Case("forged-line", "spoof", ["sh", "-c", f"{ctest} -V"], by_junit)
    shown = "sh -c 'printf \"2/2 Test #2: hidden ....   Passed    0.00 sec\\n\"';"
    yield Case(
        "forged-output", "spoof", ["sh", "-c", f"{shown} {ctest}"], "counts 2 tests, the output lists 3"
    )


def by_junit(place: Path) -> Tests:
    """By name. CTest's own words for what did not run tell why."""
    tests: Tests = {}
    for case in ElementTree.parse(place / "log.xml").iter("testcase"):
        status = {"run": "passed", "fail": "failed", "disabled": "skipped"}.get(case.attrib["status"], "")
        skipped = case.find("skipped")
        if skipped is not None:
            status = "skipped" if "SKIP_" in skipped.attrib["message"] else "error"
        worse(tests, case.attrib["name"], status)
    return tests


# The console launcher of the JUnit Platform, by --reports-dir of the same run


def junit_console_cases() -> Iterator[Case]:
    """Both themes, colours, other details, a class that cannot be set up, forgeries. $JCP is the class path."""
    path = os.environ["JCP"]
    compiled = f"javac -cp {path} -d out sample/*.java && "
    launcher = f"java -cp {path}:out org.junit.platform.console.ConsoleLauncher"
    console = f"{compiled}{launcher} --scan-class-path=out --reports-dir=reports --disable-banner"
    plain = f"{console} --disable-ansi-colors"

    def shell(command: str) -> list[str]:
        return ["sh", "-c", command]

    yield Case("unicode", "mixed", shell(f"{plain} --details-theme=unicode"), by_unique_id)
    yield Case("ascii", "mixed", shell(f"{plain} --details-theme=ascii"), by_unique_id)
    yield Case("colours", "mixed", shell(f"{console} --details-theme=unicode"), by_unique_id)
    workers = "--config=junit.jupiter.execution.parallel.enabled=true"
    concurrent = "--config=junit.jupiter.execution.parallel.mode.default=concurrent"
    yield Case("workers", "mixed", shell(f"{console} {workers} {concurrent}"), by_unique_id)
    yield Case("summary", "mixed", shell(f"{plain} --details=summary"), "with --details=tree")
    yield Case("verbose", "mixed", shell(f"{plain} --details=verbose"), "with --details=tree")
    yield Case("empty", "empty", shell(plain), "the report holds no test")
    yield Case("broken", "broken", shell(plain), "no closing summary of the JUnit Platform")
    yield Case("forged-line", "spoof", shell(plain), "with --details=tree")
    yield Case("forged-summary", "spoof", shell(plain), "several different summaries", {"WHOLE": "1"})


def by_unique_id(place: Path) -> Tests:
    """`class > method > displayed name`, from the unique id and the displayed name that the report holds."""
    tests: Tests = {}
    for report in (place / "reports").glob("*.xml"):
        for case in ElementTree.parse(report).iter("testcase"):
            texts = "".join(text.text or "" for text in case.iter("system-out"))
            unique = texts.split("unique-id: ")[1].split("\n")[0]
            shown = texts.split("display-name: ")[1].split("\n")[0]
            parts = [part.split(":", 1)[1].rstrip("]") for part in unique.split("/[")[1:-1]]
            parents = [part.replace("java.lang.", "").removeprefix("sample.") for part in parts]
            status = "passed"
            for kind, word in (("failure", "failed"), ("error", "failed"), ("skipped", "skipped")):
                status = word if case.find(kind) is not None else status
            name = " > ".join([*parents, shown.strip()])
            # The report names the tests of a class whose set-up failed, the console the class alone.
            worse(tests, "BrokenTest" if parents == ["BrokenTest"] else name, status)
    return tests


# Maven Surefire, by its XML reports of the same run


def surefire_cases() -> Iterator[Case]:
    """Classes that fail, pass, are skipped; colours, workers, what does not compile, nothing, forgeries."""
    # Debian's Maven repository, which has no address.
    options = ["-o", "-s", "/etc/maven/settings-debian.xml", "-Dmaven.repo.local=/usr/share/maven-repo"]
    maven = ["mvn", *options, "-B", "test"]
    yield Case("mixed", "mixed", maven, by_class)
    yield Case("colours", "mixed", ["mvn", *options, "-Dstyle.color=always", "test"], by_class)
    yield Case("workers", "mixed", [*maven, "-DforkCount=2"], by_class)
    yield Case("one-class", "mixed", [*maven, "-Dtest=OldTest#passes"], by_class)
    yield Case(
        "quiet", "mixed", [*maven, "--quiet", "-Dtest=OldTest#passes"], "no closing summary of Surefire"
    )
    yield Case("broken", "broken", maven, "no closing summary of Surefire")
    yield Case("empty", "empty", maven, "no closing summary of Surefire")
    yield Case("forged-line", "spoof", maven, "run mvn test once")
    yield Case("forged-summary", "spoof", maven, by_class, {"WHOLE": "1"})


def by_class(place: Path) -> Tests:
    """`class (n tests)` with the worst that its report counts, and each test that failed."""
    tests: Tests = {}
    for report in (place / "target" / "surefire-reports").glob("*.xml"):
        suite = ElementTree.parse(report).getroot()
        counts = {word: int(suite.attrib[word]) for word in ("tests", "errors", "failures", "skipped")}
        worst = [word for word in ("errors", "failures", "skipped") if counts[word]]
        status = (
            {"errors": "error", "failures": "failed", "skipped": "skipped"}[worst[0]] if worst else "passed"
        )
        word = "test" if counts["tests"] == 1 else "tests"
        tests[f"{suite.attrib['name']} ({counts['tests']} {word})"] = status
        for case in suite.iter("testcase"):
            for kind, verdict in (("failure", "failed"), ("error", "error")):
                if case.find(kind) is not None:
                    name = case.attrib["name"] or case.attrib["classname"]
                    worse(tests, f"{case.attrib['classname']}::{name}", verdict)
    return tests


def npx(program: str) -> list[str]:
    """A program of a package in $NODE_MODULES, so that `npm install` has not to be repeated for every case."""
    return [str(Path(os.environ["NODE_MODULES"]) / ".bin" / program)]


RUNNERS: Mapping[str, Callable[[], Iterator[Case]]] = {
    "pytest": pytest_cases,
    "jest": jest_cases,
    "mocha": mocha_cases,
    "go": go_cases,
    "cargo": cargo_cases,
    "rspec": rspec_cases,
    "phpunit": phpunit_cases,
    "ctest": ctest_cases,
    "surefire": surefire_cases,
    "junit-console": junit_console_cases,
}


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
