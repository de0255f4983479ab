"""Tables that others published, separate from everything that was run here."""
