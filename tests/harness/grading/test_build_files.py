"""Which files steer a build or a test runner."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from harness.grading.build_files import steers


@pytest.mark.parametrize(
    "path",
    [
        "setup.cfg",
        "lib/CMakeLists.txt",
        "packages/a/jest.config.ts",
        ".mocharc.cjs",
        ".babelrc",
        "babel.config.json",
        "vite.config.mts",
        "vitest.projects.mjs",
        "postcss.config.cjs",
        ".postcssrc.json",
        "tsconfig.test.json",
        ".npmrc",
        "node_modules/expect/index.js",
        "node_modules/expect/package.json",
        ".mvn/jvm.config",
        ".mvn/extensions.xml",
        "settings.gradle.kts",
        "buildSrc/src/main/java/Plugin.java",
        "gradle.properties",
        "src/test/resources/junit-platform.properties",
        "src/test/resources/META-INF/services/org.junit.platform.launcher.TestExecutionListener",
        "src/main/resources/META-INF/services/javax.annotation.processing.Processor",
        ".cargo/config.toml",
        ".rspec",
        "phpunit.xml.dist",
        "Directory.Build.targets",
        ".proverc",
        "CTestCustom.cmake",
    ],
)
def test_what_tools_read_before_or_while_tests_run_steers(path: str) -> None:
    assert steers(PurePosixPath(path), bytes, b"x")


@pytest.mark.parametrize(
    "path",
    [
        ".eslintrc.json",
        ".prettierrc",
        "package-lock.json",
        "src/main/resources/application.properties",
        "src/main/resources/META-INF/services/shop.Payment",
        "src/gradle.py",
        "docs/pom.md",
        "my_node_modules/a.js",
    ],
)
def test_other_files_steer_nothing(path: str) -> None:
    assert not steers(PurePosixPath(path), bytes, b"x")


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        (
            '{"name": "a", "version": "1"}',
            '{"name": "a", "version": "2", "devDependencies": {"b": "1"}}',
            False,
        ),
        ('{"name": "a"}', '{"name": "a", "jest": {}}', True),
        ('{"scripts": {"test": "jest"}}', '{"scripts": {"test": "true"}}', True),
        ('{"mocha": {}}', "{}", True),
        ("", '{"type": "module"}', True),
        ("{}", "[", True),
        ("{}", "[" * 100_000, True),
        ("[1]", "[2]", True),
    ],
)
def test_dependencies_and_descriptions_of_a_package_steer_nothing(
    before: str, after: str, found: bool
) -> None:
    assert steers(PurePosixPath("package.json"), before.encode, after.encode()) is found
