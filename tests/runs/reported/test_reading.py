"""Files of reported results in every form: what is read, and what is refused."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from runs.models import Agent, Claim, Evaluation, ResultReport, Run
from runs.reported.reading import read_results
from runs.reported.reported_result import ResultsRefused
from tasks.models import Dataset, Task
from tests.runs.reported.hostile_tables import GOOD, WRONG

GIVEN = {"slug": "sums", "title": "Sums", "reported_by": "Ada", "version": "1"}


@pytest.mark.parametrize("what", WRONG)
def test_a_hostile_table_is_refused_with_the_place(what: str, tmp_path: Path) -> None:
    table = WRONG[what]
    path = tmp_path / table.name
    table.write(path)
    with pytest.raises(ResultsRefused) as refused:
        read_results(path, GIVEN)
    message = str(refused.value)
    assert table.message in message
    assert path.name in message
    assert len(message) < 1_000
    assert message.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    "what",
    ["a bomb in xz", "a file of xz that needs much memory", "a Parquet file that points at large values"],
)
def test_memory_does_not_grow_with_a_bomb(what: str, tmp_path: Path) -> None:
    """A process that may use 2 GB reads files that unpack to more, and itself needs at most 200 MB."""
    path = tmp_path / WRONG[what].name
    WRONG[what].write(path)
    code = (
        "import sys; from pathlib import Path\n"
        "from runs.reported.reading import read_results\n"
        "from runs.reported.reported_result import ResultsRefused\n"
        "try: read_results(Path(sys.argv[1]), {})\n"
        "except ResultsRefused: print(Path('/proc/self/status').read_text())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)),
    )
    peak = int(done.stdout.partition("VmHWM:")[2].split()[0])
    assert peak < 200_000  # KB


@pytest.mark.django_db
def test_nothing_of_a_file_with_one_invalid_row_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    rows = "".join(f"ada,task-{number},1\n" for number in range(6_000))
    path.write_text(GOOD + rows + "ada,last,maybe\n")
    options = [f"--{name.replace('_', '-')}={value}" for name, value in GIVEN.items() if name != "version"]
    with pytest.raises(
        CommandError, match=r"nothing of .*results\.csv was imported: .*row 6003, column 'outcome'"
    ):
        call_command("import_results", path, *options, "--source-version=1")
    stored = (Agent, Claim, Dataset, Evaluation, ResultReport, Run, Task)
    assert {model.__name__: model._default_manager.count() for model in stored} == {
        model.__name__: 0 for model in stored
    }


def test_a_table_alone_needs_its_source_from_options(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text(GOOD)
    found = read_results(path, GIVEN)
    assert [result.name for result in found.results] == [("ada", "sum", 1)]
    assert (found.source.slug, found.source.title) == ("sums", "Sums")
    for name, option in (
        ("slug", "--slug"),
        ("reported_by", "--reported-by"),
        ("version", "--source-version"),
    ):
        given = {key: value for key, value in GIVEN.items() if key != name}
        with pytest.raises(ResultsRefused, match=f"{name} is missing: give {option}"):
            read_results(path, given)


def test_options_replace_what_a_description_says(tmp_path: Path) -> None:
    (tmp_path / "source.toml").write_text('slug = "a"\ntitle = "A"\nreported_by = "B"\nversion = "1"\n')
    (tmp_path / "results.csv").write_text(GOOD)
    assert read_results(tmp_path, {}).source.title == "A"
    assert read_results(tmp_path, {"title": "Sums"}).source.title == "Sums"
