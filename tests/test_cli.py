"""The command line as a whole: help, bad input, interruptions, what it loads."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import bgnet
from bgnet.cli import COMMANDS, main

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(bgnet.__file__).parents[1])}
BGNET = [sys.executable, "-m", "bgnet"]


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]])
def test_help_names_every_command(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    out = capsys.readouterr().out
    assert all(f"  {name} " in out for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0
    out = capsys.readouterr().out
    assert f"bgnet {command}" in out.partition("examples:")[2]
    assert max(map(len, out.splitlines())) <= 90


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"bgnet {bgnet.__version__}\n"


FOREIGN = str(Path(__file__))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["evil"], "bgnet: no command is called 'evil'; there are eval, "),
        (["eval", "--bogus"], "unrecognized arguments: --bogus"),
        (["eval", "garbage"], "a position is an XGID"),
        (["eval", "-p----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"], "has 29 men"),
        (["eval", "4HPwATDgc/ABMb"], "position id"),
        (["eval", "--dice", "07"], "a roll is two dice of 1 to 6"),
        (["eval", "--dice", "10"], "a roll is two dice of 1 to 6"),
        (["eval", "--top", "0"], "'0' is not a whole number from 1 on"),
        (["eval", "--play", "8/5"], "--play needs the roll"),
        (["eval", "--dice", "31", "--play", "8/4 6/4"], "cannot be made with 3-1"),
        (["eval", "--dice", "31", "--play", "24/18*/x"], "column 1"),
        (["eval", "-", "--play", "8/5 6/5"], "instead of -"),
        (["eval", "--net", "nowhere"], "there is no network or file 'nowhere'"),
        (["eval", "--net", FOREIGN], "is not a whole checkpoint"),
        (["eval", "XGID=-a----------------------o-:0:0:1:00:0:0:0:0:10"], "16 men"),
        (["duel", "random"], "required: B"),
        (["duel", "random", "nobody"], "no player or file is called 'nobody'; there are random"),
        (["duel", "random", "random", "--games", "0"], "'0' is not a whole number"),
        (["duel", "random", "random", "--games", "9" * 5000], "9' is more than 10,000,000"),
        (["rollout", "--jobs", "257"], "'257' is more than 256"),
        (["play", "--match", "65"], "'65' is more than 64"),
        (["duel", "pubeval", "random", "--variant", "hypergammon"], "does not play hypergammon"),
        (["benchmark", "nowhere.jsonl", "--player", "random"], "cannot read nowhere.jsonl"),
        (["benchmark", FOREIGN, "--player", "random"], "line 1 is no decision"),
        (["perft", "--depth", "deep"], "'deep' is not a whole number"),
        (["perft", "nonsense"], "a position is an XGID"),
        (["play", "--level", "god"], "invalid choice: 'god'"),
        (["report", "--plot", "picture"], "--plot picture does not say the format"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence_and_status_2(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert err.startswith("bgnet") and err.count("\n") == 1


def test_a_file_that_cannot_be_written_costs_no_answer(
    capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["report", "random", "--against", "random", "--games", "4", "--plot", "no/x.png"]
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert "against random" in out and "no/x.png: No such file" in err


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_terminal(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])
    explained, examples = capsys.readouterr().out.split("\nexamples:\n")
    assert max(map(len, explained.splitlines())) <= 80
    assert f"bgnet {name}" in examples


@pytest.mark.parametrize("words", ["eval - <&-", "play <&-", "eval >&-", "eval >&- 2>&-",
                                   "serve ubgi <&-"])  # fmt: skip
def test_closed_streams_are_empty_ones(words: str, net: str) -> None:
    command = f"exec {sys.executable} -m bgnet {words} --net {net}"
    done = subprocess.run(["sh", "-c", command], env=ENVIRONMENT, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_truncated_network(net: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    half = tmp_path / "half.safetensors"
    half.write_bytes(Path(net).read_bytes()[:3000])
    assert main(["eval", "--net", str(half)]) == 2
    assert "is not a whole checkpoint" in capsys.readouterr().err


def test_a_bug_is_not_taken_for_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(argv: object) -> int:
        raise ValueError("shapes do not match")

    monkeypatch.setattr("bgnet.cli.perft.main", broken)
    with pytest.raises(ValueError, match="shapes"):
        main(["perft"])


def test_a_reader_who_goes_away_is_no_error(net: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"yes 4HPwATDgc/ABMA | {' '.join(BGNET)} eval - --net {net} | head -1; "
         "echo ${PIPESTATUS[1]}"],
        capture_output=True, text=True, env=ENVIRONMENT,
    )  # fmt: skip
    assert done.stdout.startswith('{"schema"') and done.stdout.endswith("\n141\n")
    assert done.stderr == ""


def test_a_full_disk_is_a_sentence() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*BGNET, "perft"], stdout=full, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
        )
    assert done.returncode == 2
    assert done.stderr == "bgnet perft: No space left on device\n"


def test_ctrl_c_is_quiet() -> None:
    command = [*BGNET, "perft", "--depth", "4"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT,
        # Whoever runs the tests in the background has them ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        try:
            assert process.communicate(timeout=60) == (b"", b"")
        finally:
            process.kill()
    assert process.returncode == 130


def seconds_of_children() -> float:
    """Seconds that a core has worked for processes which have ended; waiting does not count."""
    times = os.times()
    return times.children_user + times.children_system


def test_evaluating_starts_cold_without_torch_and_fast(net: str) -> None:
    code = (
        "import sys; from bgnet.cli import main; status = main(['eval', '--net', sys.argv[1], "
        "'--dice', '31']); heavy = [m for m in ('torch', 'tqdm', 'matplotlib', 'bgnet.arena.duel') "
        "if m in sys.modules]; sys.exit(status or str(heavy) * bool(heavy) or 0)"
    )
    best = 9.0
    for _ in range(3):
        start = seconds_of_children()
        done = subprocess.run(
            [sys.executable, "-c", code, net], capture_output=True, text=True, env=ENVIRONMENT
        )
        best = min(best, seconds_of_children() - start)
        assert (done.returncode, done.stderr) == (0, "")
    assert best < 1  # 0.3 s of a core to itself


def test_help_loads_nothing() -> None:
    code = "import sys; from bgnet.cli import main; main(['-h']); print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT
    )
    assert done.stdout.endswith("False\n")
