"""Who may do what: accounts, signing in, the addresses of clients, and the audit log."""
