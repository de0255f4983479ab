"""Reports of evaluations: what is known to be bad, then the answers of all topics, in Markdown, JSON and SVG."""
