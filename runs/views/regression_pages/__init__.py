"""Pages about scheduled evaluations and what became worse in them."""
