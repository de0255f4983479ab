"""The project's Markdown files as pages of the site."""
