"""A paged KV-cache block manager for LLM serving, in plain Python without dependencies."""

from poolproof.block_manager import BlockManager
from poolproof.block_table import Growth
from poolproof.errors import OutOfBlocks, SequenceExists, UnknownSequence
from poolproof.usage import Usage
from poolproof.violations import Violation

__all__ = [
    "BlockManager",
    "Growth",
    "OutOfBlocks",
    "SequenceExists",
    "UnknownSequence",
    "Usage",
    "Violation",
]
