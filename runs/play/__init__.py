"""Tasks that people play: sessions, the processes that execute them, and the mailbox between person and process."""
