"""Watching a manager while a server runs: each operation is judged, and nothing is changed.

    manager = watch(BlockManager(1000, 16), on_fault=warn)

It needs nothing but Python and this project's own packages.

Cost of the shipped manager in a pool of 10,000 blocks of 16 slots, in microseconds of CPU time and
as multiples of what the manager takes by itself:

    call                              alone     watched       with a log
    append                             0.10    1.1  (11x)     12  (125x)
    release and allocate 1 block       1.0     15   (15x)     31   (29x)
    release and allocate 10 blocks     2.1     23   (11x)     42   (20x)
    release and allocate 100 blocks    3.8     90   (24x)    125   (33x)
    fork 10 blocks, append, release    2.0     29   (14x)     52   (26x)

A look at the whole state takes 1.4 microseconds for each block of the pool, 13 ms here; there is
one every 10,000 operations, unless told otherwise, and after each `release_all` and fault. The
table leaves it out; with it an append takes 2.1 (22x). Measured in one process, a sample of each of
the three in turn, medians of 7 samples of CPU time on CPython 3.11, the garbage collector off; two
rows of `poolproof bench` measure it anew, looks included and without a log.
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
