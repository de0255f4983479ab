"""A worker class for gunicorn whose threads never wait for slow clients.

It replaces the event loop of gunicorn's ThreadWorker, which is no public interface, because no other server that was
tried keeps the limits of docs/operations.md: gunicorn's own threads served no page within 20 s beside 40 half-sent
requests, waitress 3.0.2 none beside 600 connections of one address, and granian 2.8.9 held what 40 clients did not read
in memory (315 MB; here the process has 64 MB). All three waited longer than 40 s for a body that came byte by byte, and
none limits the connections of an address, or asks before a large body arrives whether its sender may send it.
"""
