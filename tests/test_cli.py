"""The frame of the command line: help, errors and exit codes, streams."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from azul_ai.cli.main import COMMANDS, cli
from tests.oracle.positions import board, position

Run = Callable[..., Result]

AZUL_AI = (sys.executable, "-m", "azul_ai")
OPENING = position(["BBYR", "KKWW", "WWYY", "RRRY", "BYRK"], "1", [board(), board()])


@pytest.fixture
def opening(tmp_path: Path) -> Path:
    path = tmp_path / "opening.json"
    path.write_text(json.dumps(OPENING))
    return path


def error_document(result: Result) -> list[dict[str, str]]:
    document = json.loads(result.stdout)
    assert document["schema"] == "azul-error/1"
    assert result.stderr == ""
    errors: list[dict[str, str]] = document["errors"]
    assert all(set(error) == {"field", "reason", "hint"} for error in errors)
    return errors


# --- help -----------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_nothing_heavy(option: str) -> None:
    program = (
        "import sys\n"
        "from azul_ai.cli.main import cli\n"
        f"cli.main(['{option}'], 'azul-ai', standalone_mode=False)\n"
        "print(*{'numba', 'numpy', 'rich'} & set(sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(("Usage: azul-ai", "azul-ai 0."))
    assert done.stderr == "\n"


def test_help_lists_every_command_with_its_line(run: Run) -> None:
    lines = run("--help").stdout.splitlines()
    listed = lines[lines.index("Commands:") + 1 :]
    assert [line.split()[0] for line in listed] == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_loads_and_explains_itself(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    usage, text, *_ = result.stdout.split("\n\n")
    assert usage.startswith(f"Usage: cli {name} [OPTIONS]")
    assert text.rstrip().endswith((".", "?"))


def test_a_misspelled_command_is_answered_with_the_closest(run: Run) -> None:
    result = run("analyse")
    assert result.exit_code == 2
    assert "Did you mean 'analyze'?" in result.stderr


# --- errors and exit codes ------------------------------------------------------------------


@pytest.fixture
def code(run: Run, opening: Path) -> str:
    printed: str = run("move", opening, "--code").stdout.strip()
    return printed


def assert_bad_position(run: Run, argument: object, words: str) -> None:
    result = run("show", argument)
    assert result.exit_code == 3
    assert words in result.stderr
    assert result.stdout == ""
    result = run("perft", argument, "--depth", "1", "--json")
    assert result.exit_code == 3
    (error,) = error_document(result)
    assert words in error["reason"]


def test_a_code_stands_for_a_file(run: Run, code: str) -> None:
    assert run("move", code, "--code").stdout.strip() == code


def test_a_damaged_code_exits_with_3(run: Run, code: str) -> None:
    assert_bad_position(run, code.replace("BBYR", "BBYK"), "checksum")


def test_a_code_of_a_newer_version_exits_with_3(run: Run, code: str) -> None:
    assert_bad_position(run, code.replace("azul:1:", "azul:2:"), "version 2")


def test_a_missing_file_exits_with_3(run: Run, tmp_path: Path) -> None:
    assert_bad_position(run, tmp_path / "missing.toml", "No such file")


def test_a_directory_exits_with_3(run: Run, tmp_path: Path) -> None:
    assert_bad_position(run, tmp_path, "directory")


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("", ""),
        ("game = ", ""),
        (json.dumps({**OPENING, "centre": "1"}), "centre"),
        (json.dumps({**OPENING, "round": "one"}), "round"),
        (json.dumps({**OPENING, "center": "G1"}), "center"),
        (json.dumps({**OPENING, "bag": "B20 Y20 R20 K20 W20"}), "bag"),
        (json.dumps({**OPENING, "factories": ["BBYRK", "KKWW"]}), "factories[0]"),
        (json.dumps({**OPENING, "factories": ["BBYR"] * 6}), "factories"),
        (json.dumps({**OPENING, "center": "11"}), "center"),
        (json.dumps({**OPENING, "center": ""}), "center"),
        (json.dumps({**OPENING, "players": [board(7), board()]}), "players[0].score"),
        (
            json.dumps(
                {**OPENING, "players": [board(15, wall=["BYRKW"] + ["....."] * 4), board()]}
            ),
            "players[0].wall[0]",
        ),
        (
            json.dumps(
                {
                    **OPENING,
                    "players": [
                        board(1, ["", "Y", "", "", ""], [".....", "..Y..", *["....."] * 3])
                    ],
                }
            ),
            "players[0].lines[1]",
        ),
    ],
)
def test_every_fault_of_a_position_is_told_and_exits_with_3(
    run: Run, text: str, field: str
) -> None:
    result = run("move", "-", "--json", stdin=text)
    assert result.exit_code == 3
    assert field in [error["field"] for error in error_document(result)]
    for_people = run("move", "-", stdin=text)
    assert for_people.exit_code == 3
    assert for_people.stdout == ""
    assert f"Error: {field}" in for_people.stderr


def test_several_faults_are_all_told(run: Run) -> None:
    text = json.dumps({**OPENING, "round": 0, "factories": ["BBYRK"], "center": "Q1"})
    fields = {error["field"] for error in error_document(run("move", "-", "--json", stdin=text))}
    assert {"round", "factories[0]", "center"} <= fields


def test_counts_need_not_add_up_if_so_wanted(run: Run) -> None:
    text = json.dumps({**OPENING, "bag": "B20 Y20 R20 K20 W20"})
    assert run("move", "-", stdin=text).exit_code == 3
    assert run("move", "-", "--no-count-check", stdin=text).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["analyze", "--time", "0"], "seconds above 0"),
        (["analyze", "--time", "-1"], "seconds above 0"),
        (["analyze", "--time", "nan"], "seconds above 0"),
        (["analyze", "--time", "inf"], "seconds above 0"),
        (["analyze", "--time", "soon"], "not a valid float"),
        (["analyze", "--iterations", "0"], "from 1 up"),
        (["analyze", "--iterations", "-5"], "from 1 up"),
        (["analyze", "--threads", "-2"], "from 1 up"),
        (["analyze", "--top", "0"], "from 1 up"),
        (["analyze", "--seed", "-1"], "from 0 up, or random"),
        (["analyze", "--memory", "-1MB"], "200MB"),
        (["analyze", "--memory", "much"], "200MB"),
        (["analyze", "--set", "exploration"], "KEY=VALUE"),
        (["analyze", "--set", "leaf=round", "--set", "leaf=game"], "twice"),
        (["analyze", "--set", "expolration=1"], "exploration"),
        (["analyze", "--set", "exploration=much"], "much"),
        (["analyze", "--set", "evaluation=mine"], "mine"),
        (["analyze", "--engine", "stockfish"], "ismcts"),
        (["analyze", "--nodes", "5", "--engine", "ismcts"], "no such limit"),
        (["analyze", "--objective", "lose"], "'win', 'diff'"),
        (["analyze", "--bogus"], "--bogus"),
        (["perft"], "--depth"),
        (["perft", "--depth", "0"], "from 1 up"),
        (["move", "--seed", "1", "--deal", "BBYR"], "--deal and --seed"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_is_allowed(
    run: Run, opening: Path, arguments: list[str], words: str
) -> None:
    name, *options = arguments
    result = run(name, opening, *options)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
    assert result.stdout == ""


def test_usage_errors_as_json_name_the_option(run: Run, opening: Path) -> None:
    result = run("analyze", opening, "--time", "0", "--json")
    assert result.exit_code == 2
    (error,) = error_document(result)
    assert error["field"] == "--time"
    assert "above 0" in error["reason"]


def test_json_and_code_exclude_each_other(run: Run, opening: Path) -> None:
    result = run("move", opening, "--json", "--code")
    assert result.exit_code == 2
    assert "--json and --code" in error_document(result)[0]["reason"]


def test_an_illegal_move_exits_with_1_and_says_why(run: Run, opening: Path) -> None:
    result = run("move", opening, "F1-W-1")
    assert result.exit_code == 1
    assert "F1-W-1" in result.stderr
    assert "white" in result.stderr
    (error,) = error_document(run("move", opening, "F1-W-1", "--json"))
    assert "white" in error["reason"]


def test_a_fault_of_the_program_is_an_error_object_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **_more: object) -> None:
        raise RuntimeError("the roof is leaking")

    monkeypatch.setattr("azul_ai.cli.setup.load", broken)
    result = CliRunner().invoke(cli, ["perft", "x", "--depth", "1", "--json"])
    assert result.exit_code == 1
    assert isinstance(result.exception, RuntimeError)  # and Python prints its traceback
    (error,) = error_document(result)
    assert "the roof is leaking" in error["reason"]


# --- processes ------------------------------------------------------------------------------


def test_without_a_writable_cache_directory_one_line_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environment = {**os.environ, "AZUL_AI_CACHE_DIR": str(tmp_path / "file" / "cache")}
    done = subprocess.run(
        [*AZUL_AI, "new", "--empty"], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("# An Azul position")
    (line,) = done.stderr.splitlines()
    assert line.startswith("azul-ai: the cache directory")
    assert "AZUL_AI_CACHE_DIR" in line


@pytest.mark.parametrize("arguments", [["show", "--moves"], ["perft", "--depth=1", "--divide"]])
def test_a_closed_pipe_ends_quietly(opening: Path, arguments: list[str]) -> None:
    with subprocess.Popen(
        [*AZUL_AI, *arguments, "--quiet", opening], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, said = process.communicate()
    assert (process.returncode, said) == (0, b"")


def test_a_full_disk_is_an_error(opening: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*AZUL_AI, "move", opening], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


@contextlib.contextmanager
def terminal() -> Iterator[tuple[int, Iterator[str]]]:
    """The descriptor to write to, and what is printed there, piece by piece until it closes."""
    leader, follower = pty.openpty()

    def printed() -> Iterator[str]:
        with contextlib.suppress(OSError):  # how Linux says that the other end is closed
            while chunk := os.read(leader, 4096):
                yield chunk.decode(errors="replace")

    try:
        yield follower, printed()
    finally:
        os.close(leader)


def in_a_terminal(*arguments: object, **environment: str) -> str:
    """What a command prints on a terminal."""
    with terminal() as (descriptor, printed):
        process = subprocess.Popen(
            [*AZUL_AI, *map(str, arguments)],
            stdout=descriptor,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TERM": "xterm-256color", **environment},
        )
        os.close(descriptor)
        text = "".join(printed)
    assert process.wait() == 0
    return text


def test_color_only_on_a_terminal_and_without_no_color(run: Run, opening: Path) -> None:
    blue_ground = "48;5;20m"
    assert blue_ground in in_a_terminal("show", opening)
    assert blue_ground not in in_a_terminal("show", opening, NO_COLOR="1")
    assert "\x1b" not in run("show", opening).stdout


def test_ctrl_c_prints_the_best_so_far_and_exits_with_130(opening: Path) -> None:
    with terminal() as (descriptor, progress):
        process = subprocess.Popen(
            [*AZUL_AI, "analyze", opening, "--time", "600", "--json"],
            stdout=subprocess.PIPE,
            stderr=descriptor,
            text=True,
        )
        os.close(descriptor)
        assert any("best so far" in text for text in progress)
        process.send_signal(signal.SIGINT)
        written, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    document = json.loads(written)
    assert document["moves"]
    assert document["deterministic"] is False
    assert any("interrupted" in warning for warning in document["warnings"])
