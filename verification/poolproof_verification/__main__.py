"""The command `poolproof`: says plainly when what it needs is missing, or when it is ended."""

from __future__ import annotations

import os
import signal
import sys
import threading

COULD_NOT_RUN, UNKNOWN = 2, 3
USUAL = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}


def main() -> None:
    """Run the command line; without the extra `verify` there is none."""
    stand_in()
    for number, usual in USUAL.items():
        if signal.getsignal(number) is usual:  # else whoever started it wants something else
            signal.signal(number, give_up)
    try:
        from poolproof_verification.cli import run
    except ModuleNotFoundError as error:
        missing(error)
    try:
        run()
    except SystemExit as end:
        if end.code == UNKNOWN or threads_left():
            end_at_once(end.code if isinstance(end.code, int) else COULD_NOT_RUN)
        raise


def threads_left() -> bool:
    """Python would wait for them: a target has started them, and ends them or not."""
    others = (each for each in threading.enumerate() if each is not threading.main_thread())
    return any(not each.daemon for each in others)


def stand_in() -> None:
    """Something is where an output was closed, or the next file that is opened would be.

    Nothing can be written to the output, as an output that is lost is no verdict; what is told
    beside it goes nowhere, as whoever closed that wants it.
    """
    for number, name, mode in ((1, "stdout", os.O_RDONLY), (2, "stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, mode)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8", closefd=False))


def give_up(number: int, frame: object) -> None:
    """Before anything is under way: one line, and the end."""
    try:
        os.write(2, b"poolproof: interrupted; nothing is known\n")
    finally:
        os._exit(UNKNOWN)


def end_at_once(code: int) -> None:
    """End, but not by Python's own way: after Ctrl-C that may kill itself instead.

    It does where a KeyboardInterrupt has ever left `exec` of a text, whoever has caught it since.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = COULD_NOT_RUN
    os._exit(code)


def missing(error: ModuleNotFoundError) -> None:
    """One line that names the module and the extra; then the end."""
    words = f"poolproof: {error.name} is not installed; run: pip install 'poolproof[verify]'"
    print(words, file=sys.stderr)
    sys.exit(COULD_NOT_RUN)


if __name__ == "__main__":
    main()
