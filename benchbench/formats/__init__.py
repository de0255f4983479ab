"""How the admin writes times, by language. The site's own pages name their formats."""
