"""The prompts of the ide agent: a system prompt by name, or the operator's own, and the task."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath

from harness.agents.profile import BREAKPOINT, PULL_REQUEST
from harness.dataset import OPTIONAL_TOOLS, Mode, Task
from harness.limits import Limits
from harness.tools.inside.text import count
from harness.tools.schema import offered, prompt_section
from harness.tools.selection import DISCOVERY, REMOVE

SHOWN_TESTS = 3
_PROMPTS = Path(__file__).parent / "prompts"
_DEFAULT = """\
You are a software engineer working alone on a code base, through the tools of an editor and a terminal.

THE WORKSPACE
The code lies in {workdir}; relative paths start there. There is no network: whatever can be used is installed \
already. {questions}

TOOLS
{tools}

Every call carries an `explanation`: one sentence that says what the call is for and what you expect from it. \
A call that was refused or failed comes back with the reason: read it, then repeat the call corrected or go \
another way.

HOW TO WORK
1. Look before you change: list, search and read until you know where the behaviour comes from and who depends on it.
2. Plan in small steps. Large tasks become several changes, each of which leaves the code working.
3. Read a file before you edit it, and take its exact text where a tool has to find text again. Prefer an edit to \
rewriting a whole file.
4. Keep to the style, the names and the structure that are there. Change what the task needs and nothing else.
5. Build, run and test in the terminal whenever that is possible. Start servers and other long work in the background.
6. Check the edge cases that the description names, and those that it implies.

{ending}"""
_ALONE = {
    "{questions}": "Nobody can answer questions: where the task leaves something open, choose what fits the existing "
    "code best.",
    "{ending}": """\
HOW IT IS JUDGED
Tests that you cannot see decide, in a clean copy of this environment that receives your changes to files and \
nothing else. They test behaviour: what the task describes has to work, and what worked before has to go on working. \
Changes to tests, to their configuration or to tools of the environment gain nothing.

THE END
When everything is done, answer without calling a tool: say in a few sentences what you changed and how you checked \
it. That answer ends the work.
""",
}
# With a user, in a workflow.
_TALKING = {
    "{questions}": "You work for a user, who reads your answers and asks for one thing after another.",
    "{ending}": """\
HOW IT IS JUDGED
What the user asked for is checked at the end: your messages, the files, and what runs in a clean copy of this \
environment. Do what you are asked for and nothing else, and say what is true.

THE END OF A TURN
When you have done what the user asked for, or have a question, answer without calling a tool: say in a few sentences \
what you did and how you checked it, or ask. The user then writes the next message.
""",
}

# IDE-Bench's prompt (appendix F.4) in other words: its categories of tools, its advice, and nothing else.
_CATEGORIES: Mapping[str, Mapping[str, str]] = {
    "SEARCH & DISCOVERY": {
        "codebase_search": "find code by a text or by words that describe it",
        "grep_search": "find lines by a regular expression, in chosen files",
        "file_search": "find files by parts of their names",
        "list_dir": "see what a directory holds",
    },
    "FILE OPERATIONS": {
        "read_file": "read a file, whole or from a line on",
        "edit_file": "change lines of a file by their numbers",
        "search_replace": "replace a text in a file by another",
        "write_file": "create a file, or overwrite it as a whole",
        "delete_file": "delete a file",
    },
    "EXECUTION & AUTOMATION": {
        "run_terminal_cmd": "run a shell command, in the background if it has to go on",
        "create_directory": "create a directory",
    },
    "SPECIALIZED TOOLS": {
        "edit_notebook": "change the cells of a Jupyter notebook",
        "create_diagram": "check and write a Mermaid diagram",
        "web_search": "search the web, if the evaluation has it",
    },
    "MERN STACK TOOLS": {
        "api_call": "send HTTP requests to the endpoints of a REST API",
        "database_query": "find, insert, update, delete and aggregate documents in MongoDB",
        "websocket_test": "test real-time functions over Socket.IO or WebSocket",
        "ui_test": "drive a browser against a React front end: navigate, click, type, take screenshots",
    },
}
_PAPER = """\
You are a strong coding assistant with everything that development needs. These tools are at your disposal:

{categories}WORKFLOW GUIDELINES:
1. Divide a complex task into steps.
2. Search first, until you understand the code base.
3. Read the files concerned before you change them.
4. Choose the tool that suits the purpose: search by words, by regular expression, or by file name.
5. Explain clearly, with every call, what the tool is used for.
6. Try out your changes with terminal commands wherever possible.
{full_stack}
Always make your reasoning and your approach clear.
"""
_FULL_STACK = """
FOR MERN STACK APPLICATIONS:
1. Find out whether the application is built on MongoDB, Express, React and Node.js.
2. After changes to the back end, call its endpoints with api_call.
3. Check with database_query that data reaches MongoDB.
4. Check real-time functions, such as chats, notifications and live updates, with websocket_test.
5. Check the front end and what users do in it with ui_test.
6. Look for server/ (the back end), client/ (the front end) and package.json.
"""


def system_prompt(
    workdir: PurePosixPath,
    extra: Sequence[str] = (),
    only: Collection[str] | None = None,
    name: str = "default",
    *,
    mode: str = Mode.CODE,
    limits: Limits | None = None,
) -> str:
    """The system prompt for a workspace at `workdir`. `extra` and `only` choose the tools as in `offered`.

    `name`: one of `profile.PROMPTS`, or the operator's own prompt, in which {workdir}, {tools} and {budget} are
    replaced. `mode`: that of the task. `limits`: those of the run and the agent, for {budget}.
    """
    if name == "paper":
        return _paper([tool.name for tool in offered(extra, only)])
    prompt = name
    if name == "default":
        prompt = _DEFAULT
        for place, text in (_TALKING if mode == Mode.WORKFLOW else _ALONE).items():
            prompt = prompt.replace(place, text)
    elif name == BREAKPOINT:
        prompt = _text(REMOVE if mode == REMOVE else DISCOVERY)
    elif name == PULL_REQUEST:
        prompt = _text(PULL_REQUEST)
    # The directory comes first: the tools' descriptions hold braces of their own.
    prompt = prompt.replace("{budget}", budget(limits or Limits())).replace("{workdir}", str(workdir))
    return prompt.replace("{tools}", prompt_section(extra, only))


def budget(limits: Limits) -> str:
    """What a run may use, in sentences for the model."""
    sentences = []
    if limits.tool_uses is not None:
        sentences.append(
            f"You may call tools {count(limits.tool_uses, 'time')}. Every call counts, also one that is refused, and "
            "also one of several in the same answer."
        )
    if limits.submissions is not None:
        sentences.append(
            f"Code may be submitted {count(limits.submissions, 'time')}; each submission is a call as well. The last "
            "call is for a submission if there was none before."
        )
    if limits.iterations is not None:
        sentences.append(f"You may answer {count(limits.iterations, 'time')}.")
    if limits.wall_seconds is not None:
        sentences.append(f"The work ends after {count(round(limits.wall_seconds), 'second')}.")
    return " ".join(sentences) or "There is no limit."


def _text(name: str) -> str:
    return (_PROMPTS / f"{name}.md").read_text(encoding="utf-8")


def _paper(tools: Sequence[str]) -> str:
    """The prompt with those of the tools that IDE-Bench has; a category without any is left out."""
    listed = {
        category: [f"- {tool}: {purpose}" for tool, purpose in purposes.items() if tool in tools]
        for category, purposes in _CATEGORIES.items()
    }
    return _PAPER.format(
        categories="".join(
            "\n".join([f"{category}:", *lines, "", ""]) for category, lines in listed.items() if lines
        ),
        full_stack=_FULL_STACK if set(OPTIONAL_TOOLS) & set(tools) else "",
    )


def task_prompt(task: Task) -> str:
    """The first message of the user: the task as its author wrote it; without its title in a workflow, and where that
    is the first line of the description.

    What the mode of the task gives to every agent follows, unless the description has it: in remove the functions to
    write, in discovery SHOWN_TESTS failing tests and how many more there are. Source: Breakpoint, section 3.4.
    """
    if task.workflow:
        return task.workflow.first_message
    description = task.description.strip()
    parts = [description] if description.partition("\n")[0] == task.title else [task.title, description]
    if task.mode == Mode.REMOVE:
        missing = [one for one in task.targets if f"`{one.name}`" not in task.description]
        parts += _listed("Write the body of:", [f"`{one.name}` in `{one.path}`" for one in missing])
    elif task.mode == Mode.DISCOVERY and task.proof:
        failing = task.proof.fail_to_pass
        if not any(f"`{name}`" in task.description for name in failing):
            more = len(failing) - SHOWN_TESTS
            names = [f"`{name}`" for name in failing[:SHOWN_TESTS]]
            parts += _listed("These tests fail:", [*names, *([f"and {more:,} more"] if more > 0 else [])])
    return "\n\n".join(parts) + "\n"


def _listed(heading: str, items: Sequence[str]) -> list[str]:
    """One paragraph; none without items."""
    return ["\n".join([heading, *(f"- {item}" for item in items)])] if items else []
