"""The Dockerfiles of a workspace and of an agent's programs, and the one commit that a workspace begins with."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from harness.dataset import Layout, Repository
from harness.sandbox.engine.image_recipes import (
    COMMIT,
    PACKAGE_SOURCES,
    PROXIES,
    build_arguments,
    grader_context,
    grader_recipe,
    layer_recipe,
    workspace_context,
    workspace_recipe,
)
from tests.harness.worlds import SOURCE, tiny_dataset, write_tree


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return tiny_dataset(tmp_path).repository("calc")


def test_a_workspace_is_made_of_the_source_and_the_tool_server(repository: Repository) -> None:
    context = workspace_context(repository)
    names = {file.path for file in context.files}
    assert {name for name in names if not name.startswith("inside/")} == {f"source/{name}" for name in SOURCE}
    assert {"inside/__main__.py", "inside/server.py"} <= names
    assert context.directories == ("source",)  # also if the source is empty


def test_what_does_not_depend_on_the_source_comes_before_it(repository: Repository) -> None:
    lines = workspace_recipe("benchbench/environment:1", repository, "COPY --from=x a b").splitlines()
    assert lines[:4] == [
        "FROM benchbench/environment:1",
        "USER root",
        "COPY --from=x a b",
        'COPY ["inside/", "/opt/benchbench/inside/"]',
    ]
    assert [line.split()[0] for line in lines[4:6]] == ["RUN", "RUN"]
    assert lines[6:8] == ["WORKDIR /app", 'COPY ["source/", "/app/"]']
    assert lines[8].startswith('RUN ["/bin/sh", "-c", "find ')
    assert lines[8].endswith('"sh", "/app"]')
    assert len(lines) == 9


def test_stand_ins_are_removed_before_the_source_is_copied(repository: Repository) -> None:
    hidden = replace(repository, layout=Layout(context_directory="", stand_ins=("tasks/", "run_tests.sh")))
    lines = workspace_recipe("e:1", hidden).splitlines()
    assert lines[6:8] == [
        'RUN ["rm", "-rf", "--", "/app/Dockerfile", "/app/tasks", "/app/run_tests.sh"]',
        'COPY ["source/", "/app/"]',
    ]


def test_a_grader_is_a_workspace_that_the_supervisor_has_prepared() -> None:
    assert grader_recipe("benchbench/workspace:1", PurePosixPath("/app")) == (
        "FROM benchbench/workspace:1\n"
        "USER root\n"
        'COPY ["supervisor/", "/opt/benchbench/supervisor/"]\n'
        'RUN ["/opt/benchbench/python3", "-I", "-B", "/opt/benchbench/supervisor/prepare.py", "/app"]\n'
    )
    names = {file.path for file in grader_context().files}
    programs = {"supervise", "prepare", "benchbench_code", "benchbench_results"}
    assert {f"supervisor/{name}.py" for name in programs} <= names
    assert all(name.endswith(".py") for name in names)


def test_an_agents_programs_are_installed_beside_the_workspace() -> None:
    assert layer_recipe("benchbench/workspace:1", PurePosixPath("/app")) == (
        "FROM benchbench/workspace:1\n"
        "ARG PIP_INDEX_URL\nARG PIP_EXTRA_INDEX_URL\nARG PIP_TRUSTED_HOST\nARG NPM_CONFIG_REGISTRY\n"
        'COPY ["recipe/", "/opt/benchbench/agent/recipe/"]\n'
        "WORKDIR /opt/benchbench/agent\n"
        'RUN ["/bin/sh", "-c", "if [ -e recipe/install.sh ]; then sh -eu recipe/install.sh; fi"]\n'
        "WORKDIR /app\n"
    )


def test_only_package_sources_and_proxies_of_the_host_are_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*PACKAGE_SOURCES, *PROXIES, *map(str.upper, PROXIES)):
        monkeypatch.delenv(name, raising=False)
    assert build_arguments() == {}
    passed = {"PIP_INDEX_URL": "https://pip.example/simple", "HTTPS_PROXY": "http://proxy:1", "no_proxy": "x"}
    for name, value in {**passed, "http_proxy": "", "OPENAI_API_KEY": "sk-not-for-builds"}.items():
        monkeypatch.setenv(name, value)
    assert build_arguments() == passed


class TestCommit:
    def commit(self, root: Path, environment: Mapping[str, str]) -> None:
        subprocess.run(["/bin/sh", "-c", COMMIT, "sh", str(root)], env=environment, check=True)

    def git(self, root: Path, *arguments: str) -> str:
        command = ["git", "-C", str(root), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def test_equal_trees_have_the_same_one_commit_whatever_their_history(self, tmp_path: Path) -> None:
        path = {"PATH": str(Path(shutil.which("git") or "").parent) + ":/usr/bin:/bin"}
        for name in ("plain", "used"):
            write_tree(tmp_path / name, {"a": "1", "sub/b.sh": "2", ".gitignore": "*.log\n", "x.log": ""})
        self.git(tmp_path, "init", "-q", "used")
        author = ["-c", "user.name=Someone", "-c", "user.email=someone@example.org"]
        self.git(tmp_path / "used", *author, "commit", "-q", "--allow-empty", "-m", "an older story")
        for name in ("plain", "used"):
            self.commit(tmp_path / name, path)
        (first, second) = (self.git(tmp_path / name, "rev-parse", "HEAD") for name in ("plain", "used"))
        assert first == second
        used = tmp_path / "used"
        assert self.git(used, "log", "--all", "--format=%an|%ae|%ct|%s|%D") == (
            "BenchBench|benchbench@localhost|1700000000|Start here|HEAD -> main"
        )
        assert self.git(used, "ls-files").split() == [".gitignore", "a", "sub/b.sh"]
        assert self.git(used, "status", "--porcelain") == ""

    def test_an_empty_tree_is_committed_too(self, tmp_path: Path) -> None:
        self.commit(tmp_path, {"PATH": str(Path(shutil.which("git") or "").parent) + ":/usr/bin:/bin"})
        assert self.git(tmp_path, "log", "--format=%s") == "Start here"

    def test_without_git_only_the_history_is_removed(self, tmp_path: Path) -> None:
        write_tree(tmp_path, {"work/.git/HEAD": "ref", "work/a": "1"})
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin/rm").symlink_to(shutil.which("rm") or "")
        self.commit(tmp_path / "work", {"PATH": str(tmp_path / "bin")})
        assert [path.name for path in (tmp_path / "work").iterdir()] == ["a"]
