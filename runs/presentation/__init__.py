"""How numbers, texts and charts are written, and how each number is documented."""
