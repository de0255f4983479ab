from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from harness.dataset.dockerfiles import last_workdir, obstacles, with_base_images, without_extras


class TestBaseImages:
    def test_only_names_in_the_map_are_replaced(self) -> None:
        dockerfile = (
            "ARG BASE_IMAGE=a:1\nFROM --platform=linux/amd64 a:1 AS one\nFROM b:2\nRUN echo FROM a:1\n"
        )
        assert with_base_images(dockerfile, {"a:1": "mine"}) == (
            "ARG BASE_IMAGE=mine\nFROM --platform=linux/amd64 mine AS one\nFROM b:2\nRUN echo FROM a:1\n"
        )

    @pytest.mark.parametrize(
        ("dockerfile", "replaced"),
        [
            ("ARG V=20\nFROM node:${V}-slim\n", "ARG V=20\nFROM mine\n"),
            (
                'ARG V="20"\nARG N=node:$V-slim\nFROM $N AS x\n',
                'ARG V="20"\nARG N=node:$V-slim\nFROM mine AS x\n',
            ),
            ("ARG V\nFROM node:${V:-20}-slim\n", "ARG V\nFROM mine\n"),
            ("FROM node:20-slim@sha256:abc\n", "FROM mine\n"),
            ("from node:20-slim as x\n", "from mine as x\n"),
            (
                "FROM x\nCOPY --chown=1 --from=node:20-slim /a /b\n",
                "FROM x\nCOPY --chown=1 --from=mine /a /b\n",
            ),
            ("FROM x\nARG V=20\nFROM node:${V}-slim\n", "FROM x\nARG V=20\nFROM node:${V}-slim\n"),
        ],
    )
    def test_a_name_is_known_however_it_is_written(self, dockerfile: str, replaced: str) -> None:
        assert with_base_images(dockerfile, {"node:20-slim": "mine"}) == replaced


class TestWhatOnlyBuildKitKnows:
    @pytest.mark.parametrize(
        ("written", "built"),
        [
            ("RUN --mount=type=cache,target=/root/.npm npm ci\n", "RUN npm ci\n"),
            ("RUN --mount=target=/a,type=cache \\\n    --mount=type=cache,target=/b \\\n  x\n", "RUN x\n"),
            ("COPY --link --chown=1 . .\n", "COPY --chown=1 . .\n"),
            ("COPY --chown=1 --link=true . .\n", "COPY --chown=1 . .\n"),
            ("RUN npm --link x\n", "RUN npm --link x\n"),
        ],
    )
    def test_what_makes_builds_faster_is_left_out(self, written: str, built: str) -> None:
        assert without_extras(written) == built
        assert list(obstacles(written)) == []

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            ("RUN --mount=type=secret,id=x cat /x", "RUN --mount needs BuildKit: COPY what it mounts"),
            ("COPY --chmod=755 a b", "COPY --chmod needs BuildKit: leave it out, and RUN chmod after it"),
            ("RUN --network=none true", "RUN --network needs BuildKit: leave it out"),
            ("RUN <<-'END'\n\techo a\nEND", "RUN <<END needs BuildKit: write the lines with && and \\"),
        ],
    )
    def test_what_changes_the_result_is_an_obstacle(self, line: str, reason: str) -> None:
        found = list(
            obstacles(f"FROM a\n# why\nRUN --mount=type=cache,target=/a \\\n  # in between\n  b\n{line}\n")
        )
        assert [number for number, _ in found] == [6]
        assert found[0][1].startswith(reason)

    def test_what_looks_like_it_is_none(self) -> None:
        shell = 'RUN cat <<< "a" && echo $((1<<X)) && tool --chmod=1\nHEALTHCHECK --interval=5s CMD true\n'
        assert list(obstacles(f"FROM --platform=linux/amd64 a\n{shell}COPY --from=b --chown=c d e\n")) == []


@pytest.mark.parametrize(
    ("dockerfile", "workdir"),
    [
        ("FROM a\nWORKDIR /usr/src\nWORKDIR app\n", "/usr/src/app"),
        ("FROM a AS one\nWORKDIR /app\nFROM one\nRUN x\n", "/app"),
        ("FROM a AS one\nWORKDIR /build\nFROM b\n", None),
        ("FROM a\nWORKDIR $HOME/x\n", None),
        ('FROM a\nWORKDIR "/app"\n', "/app"),
        ("FROM a\nWORKDIR x\n", None),
    ],
)
def test_where_the_last_stage_ends(dockerfile: str, workdir: str | None) -> None:
    assert last_workdir(dockerfile) == (workdir and PurePosixPath(workdir))
