"""Signing in: throttled passwords, one-time passwords, the second factor."""
