"""Watching a manager while a server runs: each operation is judged, and nothing is changed.

    manager = watch(BlockManager(1000, 16), on_fault=warn)

It needs nothing but Python and this project's own packages.
"""

from poolproof_verification.watching.fault import BrokenLaw, Fault, Kind, PoolWarning
from poolproof_verification.watching.watched import Watched, WatchedAdapter, watch, watch_adapter
from poolproof_verification.watching.watcher import complain, stop, warn

__all__ = [
    "BrokenLaw",
    "Fault",
    "Kind",
    "PoolWarning",
    "Watched",
    "WatchedAdapter",
    "complain",
    "stop",
    "warn",
    "watch",
    "watch_adapter",
]
