"""Reports of evaluations: the known problems, then the results of all topics, in Markdown, JSON and SVG."""
