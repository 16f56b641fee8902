"""``bgnet serve``: starts, answers, and ends on SIGTERM."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bgnet.cli import main


@contextmanager
def serving(*words: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "bgnet", "serve", *words]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_external_answers_and_ends_on_sigterm(net: str) -> None:
    with serving("external", "--port", "0", "--net", net) as process:
        first = process.stderr.readline()
        port = int(re.search(r"127.0.0.1:(\d+)", first)[1])
        with socket.create_connection(("127.0.0.1", port), timeout=10) as peer:
            peer.sendall(b"board:x\n")
            assert peer.recv(100).startswith(b"Error: ")
            process.send_signal(signal.SIGTERM)
            assert process.wait(10) == 0
            assert peer.recv(100) == b""


@pytest.mark.parametrize("processes", ["1", "2"])
def test_http_answers_and_ends_on_sigterm(net: str, processes: str) -> None:
    pytest.importorskip("fastapi")
    words = ("http", "--port", "0", "--net", net, "--processes", processes)
    with serving(*words) as process:
        where = re.search(r"http://[0-9.:]+", process.stderr.readline())[0]
        with urllib.request.urlopen(f"{where}/health", timeout=10) as answer:
            assert json.load(answer) == {"status": "ok"}
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0


def test_ubgi_on_standard_input_and_output(net: str) -> None:
    with serving("ubgi", "--net", net) as process:
        out, _ = process.communicate("isready\nhello\nquit\n", timeout=30)
        assert out.splitlines()[0] == "readyok" and out.splitlines()[1].startswith("error ")
        assert process.returncode == 0


def test_ubgi_ends_on_sigterm(net: str) -> None:
    with serving("ubgi", "--net", net) as process:
        process.stdin.write("isready\n")
        process.stdin.flush()
        assert process.stdout.readline() == "readyok\n"
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(10) == 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["smtp"], "invalid choice"), ([], "PROTOCOL"), (["ubgi", "--port", "1"], "no port"),
        (["external", "--processes", "2"], "only http"),
        (["external", "--port", "70000"], "0 to 65535"), (["http", "--seconds", "0"], "seconds"),
        (["external", "--net", "nowhere"], "nowhere"), (["external", "--seconds", "x"], "seconds"),
    ],
)  # fmt: skip
def test_bad_words_are_one_sentence(
    net: str, words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    known = [] if "--net" in words else ["--net", net]
    assert main(["serve", *words, *known]) == 2
    error = capsys.readouterr().err
    assert complaint in error and error.count("\n") == 1


@pytest.mark.parametrize("protocol", ["external", "http"])
def test_a_port_that_is_taken(
    protocol: str, net: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve", protocol, "--port", port, "--net", net]) == 2
    assert "in use" in capsys.readouterr().err
