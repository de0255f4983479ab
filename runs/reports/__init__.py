"""Reports of evaluations: what is known to be bad, then the results of all topics, in Markdown, JSON and SVG."""
