"""Source code, diffs, terminal output and Markdown as data that templates can show safely."""
