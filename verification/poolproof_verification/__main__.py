"""The command `poolproof`: says plainly when what it needs is not installed."""

from __future__ import annotations

import sys

COULD_NOT_RUN, UNKNOWN = 2, 3


def main() -> None:
    """Run the command line; without the extra `verify` there is none."""
    try:
        from poolproof_verification.cli import run
    except ModuleNotFoundError as error:
        missing(error)
    except KeyboardInterrupt:
        print("poolproof: interrupted; nothing is known", file=sys.stderr)
        sys.exit(UNKNOWN)
    run()


def missing(error: ModuleNotFoundError) -> None:
    """One line that names the module and the extra; then the end."""
    words = f"poolproof: {error.name} is not installed; run: pip install 'poolproof[verify]'"
    print(words, file=sys.stderr)
    sys.exit(COULD_NOT_RUN)


if __name__ == "__main__":
    main()
