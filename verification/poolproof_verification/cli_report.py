"""The command `report`: a run's report.json, rendered for whoever reads it."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from poolproof_verification.cli_base import app, console, tell
from poolproof_verification.verdict import CouldNotRun
from poolproof_verification.workloads.lines import shown


def file_named(name: str | Path) -> Path:
    """The file; an empty name, which would be the current folder's, is none."""
    if not str(name):
        raise typer.BadParameter("an empty name is no file")
    return Path(name)


@app.command()
def report(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            parser=file_named,
            help="report.json of a run; of others of the same target, shown behind it.",
        ),
    ],
    format: Annotated[
        str, typer.Option(help="text, html, junit, sarif, markdown, github or itf.")
    ] = "text",
    output: Annotated[
        Path | None,
        typer.Option(
            help="The file to write; standard output if not given.",
            parser=file_named,
            metavar="FILE",
        ),
    ] = None,
    exit_code: Annotated[
        bool,
        typer.Option("--exit-code", help="End as the reported run did: 0 held, 1 refuted, 3 not."),
    ] = False,
) -> None:
    """Render report.json. Exit code 0 once it is rendered, whatever it reports: see --exit-code."""
    from poolproof_verification.files import write_whole
    from poolproof_verification.ledger import wants_ascii
    from poolproof_verification.reports import FORMATS, renderer
    from poolproof_verification.reports.report_file import read
    from poolproof_verification.reports.text import render as render_text

    if format not in FORMATS:
        raise CouldNotRun(f"--format {format!r} is unknown; there are {', '.join(FORMATS)}")
    if output is not None:
        check_apart(output, files)
    first, *others = map(read, files)
    found = first.followed_by(*others)
    text = renderer(format)(found)
    if format == "text" and output is None and wants_ascii(console()):
        text = render_text(found, ascii_only=True)
    if output is None:
        put(text if text.endswith("\n") else f"{text}\n", None if format == "text" else "utf-8")
    else:
        tell(f"wrote {write_whole(output, text)}")
    if exit_code:
        raise typer.Exit(found.exit_code)


def check_apart(output: Path, files: list[Path]) -> None:
    """CouldNotRun where the output is one of the files it is made of, by whichever name."""
    for file in files:
        with suppress(OSError):  # one of them is not there, or cannot be looked at
            if output.samefile(file):
                words = f"--output {shown(output)} is {shown(file)}, which it is made of"
                raise CouldNotRun(words)


def put(text: str, encoding: str | None) -> None:
    """To standard output: a file's formats say that they are UTF-8, text is as the terminal is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode(encoding or sys.stdout.encoding, "backslashreplace"))
    sys.stdout.buffer.flush()
