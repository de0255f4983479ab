"""Source code, diffs, terminal output and Markdown as data for templates, which escape all text."""
