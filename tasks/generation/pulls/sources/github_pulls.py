"""Merged changes from GitHub's pull requests and issues; their patches come from a clone.

The base of a change is where its branch left the main line. `base.sha` of a pull request is not used: it is the tip of
the main line at some time, often with commits that the change does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygit2
import requests
from github import GithubException
from github.PullRequest import PullRequest
from github.Repository import Repository

from harness.errors import ConfigurationError, InfrastructureError
from harness.patches import PatchError, touched_paths
from tasks.generation.pulls.changes import Issue, MergedChange, Reason, Refusal, closed_issue
from tasks.generation.pulls.sources.git_clone import GitClone, change_of_commit
from tasks.generation.pulls.sources.github_answers import github_of

MAX_REBASED = 100  # commits of one pull request


def changes_of_github(
    name: str, clone: GitClone, answers: Path, *, token: str = "", most: int = 1000
) -> Iterator[MergedChange | Refusal]:
    """The newest closed pull requests of the repository `owner/name`, from recorded answers or with a token.

    Raises ConfigurationError for a request that was not recorded or that GitHub refuses.
    """
    try:
        with github_of(answers, token) as github:
            yield from changes_of_pulls(github.get_repo(name), clone, most)
    except GithubException as error:
        raise ConfigurationError(f"GitHub answered {error.status} to a request about {name}") from error
    except requests.RequestException as error:
        raise InfrastructureError(f"GitHub cannot be reached: {error}") from error


def changes_of_pulls(
    repository: Repository, clone: GitClone, most: int = 1000
) -> Iterator[MergedChange | Refusal]:
    """The newest closed pull requests. Those that were not merged, or are not in the clone, are refused."""
    pulls = repository.get_pulls(state="closed", sort="created", direction="desc")
    for _, pull in zip(range(most), pulls, strict=False):
        yield _change(repository, clone, pull)


def _change(repository: Repository, clone: GitClone, pull: PullRequest) -> MergedChange | Refusal:
    name, title = f"#{pull.number}", pull.title or ""
    if pull.merged_at is None:
        return Refusal(name, title, Reason.NOT_MERGED, "it was closed without a merge")
    try:
        commit = clone.commit(pull.merge_commit_sha or "")
        change = change_of_commit(clone, commit)
        if isinstance(change, Refusal):
            return replace(change, identifier=name, title=title)
        change = _whole(change, clone, commit, pull)
    except (LookupError, PatchError) as error:
        return Refusal(name, title, Reason.UNREADABLE, str(error.args[0] if error.args else error))
    except GithubException as error:
        return Refusal(name, title, Reason.UNREADABLE, f"GitHub answered {error.status}")
    body = pull.body or ""
    return replace(
        change,
        identifier=name,
        title=title,
        text=body,
        number=pull.number,
        issue=_issue(repository, closed_issue(body) or closed_issue(title)) or change.issue,
        author=pull.user.login or change.author,
        date=pull.merged_at.isoformat(),
        url=pull.html_url,
    )


def _whole(change: MergedChange, clone: GitClone, last: pygit2.Commit, pull: PullRequest) -> MergedChange:
    """The change with all commits of its pull request: those of a rebased one are single commits on the main line.

    A squashed one ends with the number of the pull request in its message, unless somebody edited that. Raises
    PatchError unless the change has the files that GitHub lists, and is the only one that has them.
    """
    listed = {name for file in pull.get_files() for name in (file.filename, file.previous_filename) if name}
    candidates = [change]
    if len(last.parent_ids) == 1 and change.number != pull.number and 1 < pull.commits <= MAX_REBASED:
        line = list(clone.mainline(str(last.id), pull.commits + 1))
        if len(line) == pull.commits + 1:
            first, base = line[-1], str(line[-1].id)
            rebased = replace(
                change, diff=clone.diff(first, last), base=base, files=lambda: clone.files(base)
            )
            candidates.append(rebased)
    fitting = [one for one in candidates if set(touched_paths(one.diff)) == listed]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise PatchError("", "may be squashed or rebased: one commit changes the same files as all of them")
    raise PatchError("", f"has other files in the clone than the {len(listed)} that GitHub lists")


def _issue(repository: Repository, number: int | None) -> Issue | None:
    """The issue with its text; without one if GitHub does not show it."""
    if number is None:
        return None
    try:
        issue = repository.get_issue(number)
    except GithubException:
        return Issue(number)
    return Issue(number, issue.title or "", issue.body or "", issue.html_url)
