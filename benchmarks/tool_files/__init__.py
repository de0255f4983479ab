"""Tools write files themselves, and what is read of these must equal what the tools say of them."""
