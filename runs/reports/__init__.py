"""Reports of evaluations: gathered from the database, told in Markdown and JSON, drawn as SVG."""
