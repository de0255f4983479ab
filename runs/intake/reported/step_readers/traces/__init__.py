"""Traces of requests and calls, as libraries that observe agents write them."""
