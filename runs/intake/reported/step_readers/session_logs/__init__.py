"""Reads the sessions that coding agents store on the machines of their users."""
