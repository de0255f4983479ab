"""Makes tasks from repositories: without Django, from texts and digests alone."""
