"""Tables that others published, kept apart from everything that was run here. `published.py` reads them."""
