"""Adapters: how the harness talks to a manager that it did not write."""
