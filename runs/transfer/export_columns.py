"""What a run is as a flat row: the API's object, the line of JSON and the row of Parquet have these fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["whole", "number", "text", "texts", "flag", "moment"]


@dataclass(frozen=True, slots=True)
class Column:
    """One field. `null`: it may be unknown; then it is null, never 0 and never an empty text."""

    name: str
    kind: Kind
    told: str
    null: bool = True


# What the record of a run says, named as in the database. Null until there is one (the run is not over, or was
# lost), and where it holds what cannot be.
COUNTED = (
    Column("steps", "whole", "Messages of the conversation, the first instructions among them."),
    Column("iterations", "whole", "Answers of the model."),
    Column("tool_calls", "whole", "Tool calls."),
    Column("failed_calls", "whole", "Tool calls that were refused or failed."),
    Column("prompt_tokens", "whole", "Tokens sent, those read from a cache included."),
    Column("completion_tokens", "whole", "Tokens received, those of reasoning included."),
    Column("cached_tokens", "whole", "Tokens sent that the provider had in its cache."),
    Column("reasoning_tokens", "whole", "Tokens of reasoning; null, too, where the provider does not say."),
    Column("cost_usd", "number", "US dollars; null, too, where a price is unknown."),
    Column("prepare_seconds", "number", "Seconds in which the environment was made."),
    Column("act_seconds", "number", "Seconds in which the agent acted."),
    Column("grade_seconds", "number", "Seconds in which its work was tested."),
    Column("tests_total", "whole", "Hidden tests that were expected."),
    Column("tests_passed", "whole", "Those of them that passed."),
    Column("files_changed", "whole", "Files that the patch changes."),
    Column("lines_added", "whole", "Lines that the patch adds."),
    Column("lines_removed", "whole", "Lines that the patch removes."),
)
SIMILARITIES = (
    Column("similarity_lines", "number", "Share of changed lines in common with the reference patch."),
    Column(
        "similarity_file_precision", "number", "Share of its files that the reference patch changes, too."
    ),
    Column("similarity_file_recall", "number", "Share of the reference patch's files that it changes, too."),
    Column("similarity_file_f1", "number", "Both together (F1)."),
)
COLUMNS = (
    Column("id", "whole", "Number of the run on this site: its page is /runs/{id}/.", null=False),
    Column(
        "key", "text", "Name of the run wherever runs meet; the same after an export and import.", null=False
    ),
    Column("evaluation", "text", "Slug of the evaluation.", null=False),
    Column("listed", "flag", "Whether runs of this evaluation count on the leaderboard.", null=False),
    Column("dataset", "text", "Slug of the dataset.", null=False),
    Column("repository", "text", "Slug of the repository.", null=False),
    Column("task", "text", "Slug of the task within its repository.", null=False),
    Column("agent", "text", "Slug of the agent.", null=False),
    Column("agent_kind", "text", "Kind of the agent: ide, oracle, null, …", null=False),
    Column("model", "text", "Slug of the agent's model; null for an agent that asks none."),
    Column("attempt", "whole", "Number of the attempt, from 1.", null=False),
    Column("state", "text", "queued, preparing, running, grading, finished or cancelled.", null=False),
    Column("outcome", "text", "resolved, unresolved or infrastructure_failed; null before it is known."),
    Column("ending", "text", "Why the run ended; null before it has."),
    Column("detail", "text", "The ending in words, where there is more to say."),
    Column("failure", "text", "What of the infrastructure failed last, in a word or two."),
    Column(
        "tries", "whole", "How often it was begun; again only when the infrastructure failed.", null=False
    ),
    Column("queued_at", "moment", "When it was asked for.", null=False),
    Column("started_at", "moment", "When its last try began."),
    Column("finished_at", "moment", "When it was over."),
    *COUNTED,
    *SIMILARITIES,
    Column("grading_reason", "text", "Why it counts as unresolved, where the tests alone do not say."),
    Column("flags", "texts", "Kinds of what is noteworthy about its patch.", null=False),
    Column("odd", "texts", "Fields whose recorded values cannot be; they are null here.", null=False),
)
NAMES = tuple(column.name for column in COLUMNS)
