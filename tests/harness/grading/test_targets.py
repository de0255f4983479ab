"""Tasks that name functions to repair: a solution elsewhere does not count, an honest repair always does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from harness.dataset import Repository, Target, Task, load_dataset, started, write_proof
from harness.grading.grade import grade
from harness.grading.targets import changed_functions, targets_alone
from harness.patches import FileState, PatchError, apply_patch, make_patch
from harness.records import Grade, Repair
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.docker import DockerEngine
from tests.harness.arena import INSTANCE, tiny_proof
from tests.harness.worlds import CORRUPTED, REMOVED, SOLUTION, write_repair_dataset

PATH = "calc/digits.py"
SOLVED = SOLUTION[PATH]
ELSEWHERE = "all 8 expected tests passed, but not by a repair of the right function"
# What a cheat puts in place of the function to repair.
RIGHT = """
def right(text):
    if text.startswith("-") and not text.startswith("--"):
        return -right(text[1:])
    if not text or any(letter not in DIGITS for letter in text):
        raise ValueError(text)
    return int(text)
"""
SPELLED = """
def spelled(number):
    return "-" + spelled(-number) if number < 0 else "%d" % number
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """The repository of the dataset `repair`, with tasks that are admitted."""
    directory = write_repair_dataset(tmp_path_factory.mktemp("targets"))
    for _, task in load_dataset(directory).tasks():
        write_proof(task, tiny_proof(task))
    return load_dataset(directory).repository("calc")


def patch_of(repository: Repository, task: Task, files: Mapping[str, str | None]) -> bytes:
    source = started(repository, task).source
    before = [state for path in files if (state := source.read(path)) is not None]
    after = [FileState(path, None if text is None else text.encode()) for path, text in files.items()]
    return make_patch(before, after)


def broken(repository: Repository, task: Task, path: str = PATH) -> str:
    """A file as the agent gets it."""
    state = started(repository, task).source.read(path)
    assert state is not None
    return (state.content or b"").decode()


class TestComparison:
    def changed(
        self, repository: Repository, slug: str, files: Mapping[str, str | None]
    ) -> tuple[object, ...]:
        task = repository.task(slug)
        found = changed_functions(
            task, patch_of(repository, task, files), started(repository, task).source.read
        )
        return [str(target) for target in found.missed], list(found.others), list(found.beside)

    def test_nothing_changed_misses_the_target(self, repository: Repository) -> None:
        assert self.changed(repository, CORRUPTED, {}) == (["calc/digits.py: parse"], [], [])

    def test_the_repaired_function_is_found(self, repository: Repository) -> None:
        assert self.changed(repository, CORRUPTED, {PATH: SOLVED}) == ([], [], [])
        assert self.changed(repository, REMOVED, {PATH: SOLVED}) == ([], [], [])

    def test_comments_and_layout_are_no_change(self, repository: Repository) -> None:
        text = broken(repository, repository.task(CORRUPTED)).replace(
            "    value = 0\n", "    value = (0)  # sum\n"
        )
        assert self.changed(repository, CORRUPTED, {PATH: text}) == (["calc/digits.py: parse"], [], [])

    def test_other_functions_code_outside_functions_and_other_files_are_named(
        self, repository: Repository
    ) -> None:
        text = SOLVED.replace('DIGITS = "', 'DIGITS = "" "').replace("if number < 0", "if 0 > number")
        files = {PATH: text + "\ndef more():\n    pass\n", "README.md": "new", "calc/new.py": "x = 1\n"}
        assert self.changed(repository, CORRUPTED, files) == (
            [],
            ["calc/digits.py", "calc/digits.py: more", "calc/digits.py: spell"],
            ["README.md", "calc/new.py"],
        )

    @pytest.mark.parametrize("text", [None, "def parse(:\n", "x = '\0'"])
    def test_a_file_that_is_gone_or_unreadable_misses_the_target(
        self, repository: Repository, text: str | None
    ) -> None:
        assert self.changed(repository, CORRUPTED, {PATH: text}) == (["calc/digits.py: parse"], [PATH], [])

    def test_the_targets_alone_are_taken_out_of_a_patch(self, repository: Repository) -> None:
        task = repository.task(CORRUPTED)
        read = started(repository, task).source.read
        text = SOLVED.replace("if number < 0", "if 0 > number") + "\ndef more():\n    pass\n"
        patch = patch_of(repository, task, {PATH: text, "README.md": "new"})
        (alone,) = apply_patch(targets_alone(task, patch, read), read)
        assert (alone.path, (alone.content or b"").decode()) == (PATH, SOLVED)

    def test_a_target_that_is_gone_cannot_stand_alone(self, repository: Repository) -> None:
        task = repository.task(CORRUPTED)
        patch = patch_of(repository, task, {PATH: "parse = int\n"})
        with pytest.raises(PatchError, match="has no function or class 'parse'"):
            targets_alone(task, patch, started(repository, task).source.read)


@pytest.fixture(scope="module")
def engine() -> Iterator[DockerEngine]:
    with closing(DockerEngine()) as engine:
        yield engine


def graded(engine: DockerEngine, repository: Repository, slug: str, files: Mapping[str, str | None]) -> Grade:
    task = repository.task(slug)
    return grade(
        engine,
        repository,
        task,
        patch_of(repository, task, files),
        use=ContainerUse(Owner(INSTANCE, "targets")),
    )


MORE = 'DIGITS = "0123456789"\n' + RIGHT
MONKEYPATCH = (
    "import calc.digits\n" + RIGHT.replace("DIGITS", '"0123456789"') + "\ncalc.digits.parse = right\n"
)


@pytest.mark.engine
class TestCheats:
    @pytest.mark.parametrize(
        ("found", "files"),
        [
            pytest.param(False, {"calc/__init__.py": MONKEYPATCH}, id="replaced from another module"),
            pytest.param(
                True,
                {"calc/__init__.py": MONKEYPATCH, PATH: ("value = 0\n", "value = 0 + 0\n")},
                id="touched and replaced from another module",
            ),
            pytest.param(False, {PATH: ("", "\nright_one = 1\n" + RIGHT + "\nparse = right\n")}, id="name bound anew"),
            pytest.param(False, {PATH: ("", RIGHT.replace("right", "parse"))}, id="a second definition"),
            pytest.param(
                True,
                {PATH: ("def parse(text)", RIGHT + "\ndef use(_):\n    return right\n\n\n@use\ndef parse(text)")},
                id="a decorator",
            ),
            pytest.param(
                True,
                {PATH: ("    value = 0\n", "    return right(text)\n"),
                 "calc/__init__.py": MONKEYPATCH + "calc.digits.right = right\n"},
                id="only a call of a function elsewhere",
            ),
            pytest.param(
                True,
                {PATH: ("    value = 0\n", "    from calc.more import right\n    return right(text)\n"),
                 "calc/more.py": MORE},
                id="only a call of a new file",
            ),
            pytest.param(
                False,
                {PATH: SOLVED[: SOLVED.index("def parse")] + "from calc.more import right as parse\n" + SPELLED
                 + "spell = spelled\n", "calc/more.py": MORE},
                id="another file in its place",
            ),
        ],
    )  # fmt: skip
    def test_a_fault_that_is_solved_elsewhere_is_not_repaired(
        self,
        engine: DockerEngine,
        repository: Repository,
        found: bool,
        files: Mapping[str, str | tuple[str, str]],
    ) -> None:
        text = broken(repository, repository.task(CORRUPTED))
        written = {path: new if isinstance(new, str) else _edited(text, *new) for path, new in files.items()}
        result = graded(engine, repository, CORRUPTED, written)
        assert (result.resolved, result.repair) == (False, Repair(found=found, elsewhere=True))
        assert result.reason == ELSEWHERE
        assert [flag.kind for flag in result.flags if flag.kind == "solved_elsewhere"] == ["solved_elsewhere"]

    @pytest.mark.parametrize(
        ("found", "changes"),
        [
            pytest.param(
                True,
                [(None, None), ('DIGITS = "0123456789"', 'DIGITS = str("0123456789")')],
                id="code outside functions too",
            ),
            pytest.param(True, [(None, None), ("value = 0", "value = 0 * 1")], id="another function too"),
            pytest.param(True, [(None, None), ("", "\ndef help():\n    pass\n")], id="a new function"),
            pytest.param(False, [("", SPELLED + "\nspell = spelled\n")], id="the name bound anew"),
        ],
    )
    def test_with_named_functions_no_other_code_may_change(
        self,
        engine: DockerEngine,
        repository: Repository,
        found: bool,
        changes: list[tuple[str | None, str]],
    ) -> None:
        text = broken(repository, repository.task(REMOVED))
        for old, new in changes:
            text = SOLVED if old is None else _edited(text, old, new)
        result = graded(engine, repository, REMOVED, {PATH: text})
        assert (result.resolved, result.repair) == (False, Repair(found=found, elsewhere=True))
        assert result.reason == ELSEWHERE


def _edited(text: str, old: str, new: str) -> str:
    """The text with one change; an empty `old` appends."""
    assert old in text
    return text.replace(old, new, 1) if old else text + new


@pytest.mark.engine
class TestHonestRepairs:
    @pytest.mark.parametrize(
        ("slug", "files"),
        [
            pytest.param(CORRUPTED, {PATH: SOLVED}, id="the reference"),
            pytest.param(REMOVED, {PATH: SOLVED}, id="the removed body"),
            pytest.param(
                CORRUPTED, {PATH: SOLVED, "try.py": "print(1)\n", "NOTES.md": "x"}, id="with new files"
            ),
            pytest.param(
                CORRUPTED,
                {PATH: SOLVED.replace("if number < 0", "if 0 > number")},
                id="with a harmless change of another function",
            ),
            pytest.param(
                CORRUPTED,
                {PATH: SOLVED.replace("value = value * 10 +", "value *= 10\n        value +=")},
                id="written in another way",
            ),
            pytest.param(
                REMOVED,
                {PATH: SOLVED[: SOLVED.index("def spell")] + "def spell(number):\n    return str(number)\n"},
                id="another body for a removed one",
            ),
        ],
    )
    def test_a_repair_is_resolved(
        self, engine: DockerEngine, repository: Repository, slug: str, files: Mapping[str, str]
    ) -> None:
        result = graded(engine, repository, slug, files)
        assert (result.resolved, result.repair) == (True, Repair(found=True))
        assert result.reason == "all 8 expected tests passed"

    def test_what_fails_the_tests_is_neither_a_repair_nor_solved_elsewhere(
        self, engine: DockerEngine, repository: Repository
    ) -> None:
        text = broken(repository, repository.task(CORRUPTED)).replace("value * 9", "value * 8")
        result = graded(engine, repository, CORRUPTED, {PATH: text})
        assert (result.resolved, result.repair) == (False, Repair(found=True))


def test_the_targets_of_a_task_are_those_of_its_record(repository: Repository, tmp_path: Path) -> None:
    assert repository.task(CORRUPTED).targets == (Target(PATH, "parse"),)
