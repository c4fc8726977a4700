"""What is true of a paged KV-cache block pool: one description, executed and proved from one text.

Read `state`, `transitions`, `invariants`, `promises`, `system`; `execute` runs them.
"""
