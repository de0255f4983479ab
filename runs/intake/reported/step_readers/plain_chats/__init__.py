"""Conversations of which only the messages of a chat API were stored."""
