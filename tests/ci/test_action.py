"""The action and the workflows are what GitHub takes, and the action ends as the search did."""

from __future__ import annotations

import json
import os
import re
import signal
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
ROOMS = [str(ROOT / room) for room in ("model", "impl", "verification")]
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
    own = {path.stem: loaded(path.read_text("utf-8")) for path in WORKFLOWS}
    used = {
        name: {step.get("uses", "").partition("@")[0] for step in steps(own[name])} for name in own
    }
    ran = {name: {step.get("run") for step in steps(own[name])} for name in own}
    if own:
        assert {"./ci/action", "github/codeql-action/upload-sarif"} <= used["verify"]
        assert "ci/run" in ran["verify"]
        assert "ci/nightly" in ran["nightly"]
        assert "schedule" in own["nightly"]["on"]
    assert all("actions/upload-artifact" in each for each in used.values())


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
    folder: Path,
    status: int,
    target: str = "pool",
    reported: int | None = None,
    keeps: str = "yes",
    says: str = "",
    explains: str = "yes",
) -> Any:
    """The script's end, where the search prints, writes its files and ends with the status.

    `reported`: the status that its report tells, if another; `keeps`: "no" where it writes none;
    `says`: shell commands; `explains`: "no" where nothing can say why it could not run.
    """
    python = folder / "bin" / "python"
    python.parent.mkdir()
    python.write_text(
        f'#!/bin/bash\nif [ "$1" = -I ]; then exec {sys.executable} "$@"; fi\n'
        f'if [ "${{2##*.}}{explains}" = unreportedyes ]; then exec {sys.executable} "$@"; fi\n'
        f'if [ "${{2##*.}}" = unreported ]; then exit 1; fi\n'
        f'if [ "$3" = report ]; then exit {status if reported is None else reported}; fi\n'
        f'{says}\nprintf "%s\\n" "$@" >"{folder}/asked"\nprintf "::error::not ours" >&2\n'
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
        "PYTHONPATH": os.pathsep.join(ROOMS),
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


@pytest.mark.parametrize(
    ("status", "says", "words"),
    [
        (2, "echo poolproof: first >&2; echo poolproof: no target >&2", "no target"),
        (2, "echo nothing of ours", "the target ended the process with 2"),
        (137, "echo poolproof: no", "the target ended the process with 137, SIGKILL"),
        (77, "", "the target ended the process with 77"),
    ],
)
def test_where_it_could_not_run_it_ends_with_2_and_says_why(
    tmp_path: Path, status: int, says: str, words: str
) -> None:
    ran = search(tmp_path, status, says=says)
    assert ran.returncode == 2
    assert ran.stdout.splitlines()[-1] == f"::error title=poolproof::it could not run: {words}"
    assert "found" not in ran.stdout
    summary = (tmp_path / "summary").read_text()
    assert summary.startswith(f"## poolproof: could not run\n\n`it could not run: {words}`\n")


def test_a_module_of_the_checkout_is_not_taken_for_the_library_s(tmp_path: Path) -> None:
    (tmp_path / "secrets.py").write_text("raise SystemExit(7)")
    ran = search(tmp_path, 0)
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (0, "::error::found")


def test_where_not_even_the_search_can_begin_the_reason_is_told(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").write_text("#!/bin/sh\nexit 7\n")
    (tmp_path / "bin" / "python").chmod(0o755)
    environment = {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    script = ["bash", str(ACTION / "search")]
    ran = subprocess.run(script, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stdout == "::error title=poolproof::it could not run: no Python runs\n"


def test_where_nothing_can_say_why_it_could_not_run_the_log_does(tmp_path: Path) -> None:
    ran = search(tmp_path, 1, reported=0, explains="no")
    assert ran.returncode == 2
    last = ran.stdout.splitlines()[-1]
    assert last == "::error title=poolproof::it could not run: the log says why"


def test_what_a_target_leaves_running_is_not_waited_for(tmp_path: Path) -> None:
    ran = search(tmp_path, 1, says=f'sleep 60 &\necho $! >"{tmp_path}/left"')
    os.kill(int((tmp_path / "left").read_text()), signal.SIGKILL)  # so it is still there
    assert ran.returncode == 1
    assert ran.stdout.splitlines()[-1] == "::error::found"


def unbelieved(folder: Path, ran: Any) -> bool:
    """It ends as what could not run, with an error, and shows nothing that was found."""
    last = ran.stdout.splitlines()[-1]
    told = last.startswith("::error title=poolproof::it ended with") and "found" not in last
    shown = (folder / "summary").read_text()
    return ran.returncode == 2 and told and "it ended with" in shown and "found" not in shown


@pytest.mark.parametrize("status", [0, 1, 3])
def test_a_search_that_was_ended_before_its_report_is_not_believed(
    tmp_path: Path, status: int
) -> None:
    assert unbelieved(tmp_path, search(tmp_path, status, keeps="no"))


def test_the_report_of_an_earlier_run_is_not_shown(tmp_path: Path) -> None:
    earlier = tmp_path / "o t"
    earlier.mkdir()
    for name in ("report.json", "annotations.txt", "summary.md"):
        (earlier / name).write_text('{"report": 2, "found": 1}')
        os.utime(earlier / name, (1, 1))
    assert unbelieved(tmp_path, search(tmp_path, 0, keeps="no"))
    assert sorted(each.name for each in (earlier / "earlier").iterdir()) == [
        "annotations.txt", "report.json", "summary.md",
    ]  # fmt: skip
    assert [each.name for each in earlier.iterdir()] == ["earlier"]


def test_a_status_that_the_report_denies_is_not_believed(tmp_path: Path) -> None:
    assert unbelieved(tmp_path, search(tmp_path, 0, reported=1))


def test_a_target_that_ends_the_process_does_not_make_the_job_green(tmp_path: Path) -> None:
    (tmp_path / "leaving.py").write_text(
        "import os\nclass Pool:\n    def __init__(self, *_): os._exit(0)\n"
        "    allocate = fork = append = release = None\n"
    )
    inputs = {"TARGET": "leaving:Pool", "BUDGET": "1", "SEED": "0", "OUT": "out"}
    environment = inputs | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([*ROOMS, str(tmp_path)]),
        "GITHUB_STEP_SUMMARY": f"{tmp_path}/summary",
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
