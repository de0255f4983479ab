"""Judges: models that review how an agent worked, one dimension at a time, with quotes that are checked.

| module          | content                                                                                        |
| --------------- | ---------------------------------------------------------------------------------------------- |
| `dimensions`    | what a judge reviews; one file in `prompts/dimensions/` each                                   |
| `panel`         | which judges review which dimensions, how often, and how they are called                       |
| `rendering`     | the text of a run that judges see, reduced where it is too long                                |
| `lookup`        | finds quotes in that text                                                                      |
| `evidence`      | whether a quote is what the trajectory says, and where                                         |
| `answer`        | the tool call that a judge answers with, checked strictly                                      |
| `asking`        | one question to a model, asked once more if the answer does not fit                            |
| `review`        | one review of one run                                                                          |
| `burden`        | points of pitfalls, and the score of two runs that follows from them                           |
| `pairwise`      | the comparison of two runs, in both orders                                                     |
| `summary`       | what many reviews or comparisons have in common; counts are made from lists of runs            |
| `summary_answer`| the tool calls that a summary is answered with, checked strictly                               |
| `summary_file`  | summaries as files in the directory of their first run                                         |
| `review_file`   | reviews and comparisons as files in the run directory                                          |
| `faults/`       | planted faults with clean twins, by which judges are measured                                    |
"""
