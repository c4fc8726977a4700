"""Why a run has no report to show: an annotation and a job's summary for GitHub.

For the action: `python -m poolproof_verification.reports.unreported STATUS LOG FOLDER STAMP`, where
STAMP is a file as old as the run's start. What an earlier run left in the folder is set aside.

Does not cover: whether the log tells the truth; a target can print into it whatever it likes.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from poolproof_verification.reports.folder import EARLIER, set_aside
from poolproof_verification.reports.github import command
from poolproof_verification.reports.markdown_words import code
from poolproof_verification.reports.plain_words import visible
from poolproof_verification.verdict import COULD_NOT_RUN, EXIT_CODES

OURS = "poolproof: "  # how the command's last words begin


def why(status: int, log: Iterable[str]) -> str:
    """Why nothing is known, in a line, of a search that ended with the status."""
    if status in EXIT_CODES.values():
        return f"it ended with {status}, and no report of this run says so"
    told = [line.removeprefix(OURS) for line in log if line.startswith(OURS)]
    if status == COULD_NOT_RUN and told:
        return f"it could not run: {visible(told[-1].rstrip())}"
    return f"it could not run: the target ended the process with {status}{signal_of(status)}"


def signal_of(status: int) -> str:
    """The signal that the shell tells by this status, if it is one's."""
    names = {128 + each: each.name for each in signal.Signals}
    return f", {names[status]}" if status in names else ""


def summary(words: str, left: str) -> str:
    """The same in Markdown, with what became of the files of an earlier run."""
    parts = ["## poolproof: could not run", code(words)]
    parts.append("Nothing is known of the target. The log of this step has all that was told.")
    return "".join(f"{part}\n\n" for part in (*parts, left) if part)


def main(arguments: Sequence[str]) -> None:
    """Print the annotation, add to the job's summary, and set aside what is of an earlier run."""
    status, log, folder, stamp = arguments
    with open(log, encoding="utf-8", errors="replace") as lines:
        words = why(int(status), lines)
    print(command("error", "poolproof", words, None), flush=True)
    left = left_there(Path(folder), os.stat(stamp).st_mtime_ns)
    if file := os.environ.get("GITHUB_STEP_SUMMARY"):
        with open(file, "a", encoding="utf-8") as job:
            job.write(summary(words, left))


def left_there(folder: Path, since: int) -> str:
    """What became of the files of an earlier run: where they are, or why they cannot be moved."""
    try:
        set_aside(folder, since)  # if the search itself has not done so
    except OSError as error:
        why_not = visible(error.strerror or error)
        return f"What is in the folder is of an earlier run, and cannot be moved: {code(why_not)}"
    there = (folder / EARLIER).is_dir()
    return f"What an earlier run left in the folder is in its `{EARLIER}/` now." if there else ""


if __name__ == "__main__":
    main(sys.argv[1:])
