"""The action and the workflows are what GitHub takes, and the action ends as the search did."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
ACTION = ROOT / "ci" / "action"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))  # none in an unpacked package


def loaded(text: str) -> Any:
    return YAML(typ="safe").load(text)


def complaints(data: Any, schema: str) -> list[str]:
    """What the schema, `github-actions` or `github-workflows`, says against the data."""
    vendored = files("check_jsonschema") / "builtin_schemas" / "vendor" / f"{schema}.json"
    validator = Draft7Validator(json.loads(vendored.read_text("utf-8")))
    return [error.message for error in validator.iter_errors(data)]


def steps(data: Any) -> Iterator[dict[str, Any]]:
    """Every step of an action or of a workflow."""
    jobs = data["jobs"].values() if "jobs" in data else [data["runs"]]
    for job in jobs:
        yield from job["steps"]


def mixed(data: Any) -> list[str]:
    """Commands that have an expression's value among what the shell reads."""
    return [step["run"] for step in steps(data) if "${{" in step.get("run", "")]


def test_the_action_is_one() -> None:
    data = loaded((ACTION / "action.yml").read_text("utf-8"))
    assert complaints(data, "github-actions") == []
    assert list(data["inputs"]) == ["target", "budget", "seed", "out"]
    assert mixed(data) == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_is_one(path: Path) -> None:
    data = loaded(path.read_text("utf-8"))
    assert complaints(data, "github-workflows") == []
    assert mixed(data) == []


def test_the_projects_own_workflow_uses_the_action_and_keeps_what_it_finds() -> None:
    for path in WORKFLOWS:
        used = [step.get("uses", "").partition("@")[0] for step in steps(loaded(path.read_text()))]
        assert {"./ci/action", "actions/upload-artifact", "github/codeql-action/upload-sarif"} <= {
            *used
        }


def test_the_readme_shows_steps_that_github_takes() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    section = text.partition("## In your own CI\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("    ")]
    job = {"runs-on": "ubuntu-latest", "steps": loaded("\n".join(lines))}
    workflow = {"on": "push", "jobs": {"check": job}}
    assert len(lines) <= 10
    assert complaints(workflow, "github-workflows") == []
    (action,) = (step for step in steps(workflow) if "ci/action" in step.get("uses", ""))
    inputs = loaded((ACTION / "action.yml").read_text("utf-8"))["inputs"]
    assert set(action["with"]) <= set(inputs)


def test_a_wrong_file_is_noticed() -> None:
    data = loaded((ACTION / "action.yml").read_text("utf-8"))
    data["runs"]["steps"][0] = {"run": "echo ${{ inputs.target }}"}  # and no shell
    assert complaints(data, "github-actions")
    assert mixed(data) == ["echo ${{ inputs.target }}"]
    assert complaints({"on": "push", "jobs": {"a": {"steps": []}}}, "github-workflows")


# --- what the action does -------------------------------------------------------------------------


def search(
    folder: Path, status: int, target: str = "pool", reported: int | None = None, keeps: str = "yes"
) -> Any:
    """The script's end, where the search prints, writes its files and ends with the status.

    `reported`: the status that its report tells, if another; `keeps`: "no" where it writes none.
    """
    python = folder / "bin" / "python"
    python.parent.mkdir()
    python.write_text(
        f'#!/bin/bash\nif [ "$1" = -c ]; then exec {sys.executable} "$@"; fi\n'
        f'if [ "$3" = report ]; then exit {status if reported is None else reported}; fi\n'
        f'printf "%s\\n" "$@" >"{folder}/asked"\nprintf "::error::not ours" >&2\n'
        f'if [ {keeps} = no ]; then exit {status}; fi\nmkdir -p "{folder}/o t"\n'
        f'echo "::error::found" >"{folder}/o t/annotations.txt"\n'
        f'echo "# found" >"{folder}/o t/summary.md"\n'
        f'echo "{{}}" >"{folder}/o t/report.json"\nexit {status}\n'
    )
    python.chmod(0o755)
    inputs = {"TARGET": target, "BUDGET": "5", "SEED": "3", "OUT": f"{folder}/o t"}
    environment = inputs | {
        "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": f"{folder}/summary",
    }
    return subprocess.run(
        ["bash", str(ACTION / "search")],
        env=environment, cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("status", [0, 1, 3])
def test_it_shows_what_was_found_and_ends_as_the_search_did(tmp_path: Path, status: int) -> None:
    (tmp_path / "summary").write_text("before\n")
    ran = search(tmp_path, status)
    assert (ran.returncode, ran.stderr) == (status, "")
    assert ran.stdout.splitlines()[-1] == "::error::found"
    assert (tmp_path / "summary").read_text() == "before\n# found\n"


def test_what_the_target_prints_is_no_command(tmp_path: Path) -> None:
    first, printed, end, shown = search(tmp_path, 1).stdout.splitlines()
    token = first.removeprefix("::stop-commands::")
    assert re.fullmatch("[0-9a-f]{32}", token)
    assert (printed, end, shown) == ("::error::not ours", f"::{token}::", "::error::found")


@pytest.mark.parametrize("status", [2, 137])
def test_where_it_could_not_run_nothing_of_an_earlier_run_is_shown(
    tmp_path: Path, status: int
) -> None:
    ran = search(tmp_path, status)
    assert ran.returncode == status
    assert ran.stdout.splitlines()[-1].startswith("::error title=poolproof::it could not run")
    assert "found" not in ran.stdout
    assert not (tmp_path / "summary").exists()


def unbelieved(folder: Path, ran: Any) -> bool:
    """It ends as what could not run, with an error, and shows nothing that was found."""
    last = ran.stdout.splitlines()[-1]
    told = last.startswith("::error title=poolproof::it ended with") and "found" not in last
    return ran.returncode == 2 and told and not (folder / "summary").exists()


@pytest.mark.parametrize("status", [0, 1, 3])
def test_a_search_that_was_ended_before_its_report_is_not_believed(
    tmp_path: Path, status: int
) -> None:
    assert unbelieved(tmp_path, search(tmp_path, status, keeps="no"))


def test_the_report_of_an_earlier_run_is_not_shown(tmp_path: Path) -> None:
    earlier = tmp_path / "o t"
    earlier.mkdir()
    for name in ("report.json", "annotations.txt", "summary.md"):
        (earlier / name).write_text("found")
        os.utime(earlier / name, (1, 1))
    assert unbelieved(tmp_path, search(tmp_path, 0, keeps="no"))


def test_a_status_that_the_report_denies_is_not_believed(tmp_path: Path) -> None:
    assert unbelieved(tmp_path, search(tmp_path, 0, reported=1))


def test_a_target_that_ends_the_process_does_not_make_the_job_green(tmp_path: Path) -> None:
    (tmp_path / "leaving.py").write_text(
        "import os\nclass Pool:\n    def __init__(self, *_): os._exit(0)\n"
        "    allocate = fork = append = release = None\n"
    )
    rooms = [str(ROOT / room) for room in ("model", "impl", "verification")]
    inputs = {"TARGET": "leaving:Pool", "BUDGET": "1", "SEED": "0", "OUT": "out"}
    environment = inputs | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([*rooms, str(tmp_path)]),
    }
    ran = subprocess.run(
        ["bash", str(ACTION / "search")],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert unbelieved(tmp_path, ran), ran.stdout


def test_inputs_reach_the_search_as_they_are(tmp_path: Path) -> None:
    target = "a b;$(touch gone)`touch gone`'\"*"
    search(tmp_path, 0, target)
    assert (tmp_path / "asked").read_text().splitlines() == [
        "-m", "poolproof_verification", "fuzz", f"--target={target}",
        "--seconds=5", "--seed=3", f"--out={tmp_path}/o t",
    ]  # fmt: skip
    assert not (tmp_path / "gone").exists()
