"""Protocols of other programs: each a class without sockets, and a thin server beside it."""
