"""Adapters: how the harness talks to a manager that it did not write.

`adapter` is the protocol, `example` a complete adapter to start from, and `lesson` calls any class
with the lesson's interface as it is.
"""
