"""Reading one line from a terminal, byte by byte."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator

import pytest

from p2pdurak.cli.asking import ask, read_line

Pipe = Callable[[bytes], int]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    """A file descriptor from which these bytes can be read, and then no more."""
    opened: list[int] = []

    def fill(data: bytes) -> int:
        reader, writer = os.pipe()
        opened.append(reader)
        os.write(writer, data)
        os.close(writer)
        return reader

    yield fill
    for fd in opened:
        os.close(fd)


def test_line_is_read_and_nothing_behind_it(pipe: Pipe) -> None:
    fd = pipe("k7q2m-otter\nтуз\n".encode())
    assert [read_line(fd), read_line(fd)] == ["k7q2m-otter", "туз"]


def test_last_line_needs_no_end(pipe: Pipe) -> None:
    fd = pipe(b"take")
    assert [read_line(fd), read_line(fd)] == ["take", None]


def test_empty_line_is_not_the_end(pipe: Pipe) -> None:
    assert read_line(pipe(b"\n")) == ""


def test_bytes_that_are_no_text_are_read_as_signs(pipe: Pipe) -> None:
    assert read_line(pipe(b"\xff\n")) == "\N{REPLACEMENT CHARACTER}"


def test_terminal_that_was_closed_gives_no_line() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    os.close(writer)
    assert read_line(reader) is None


def test_ctrl_c_means_again_what_it_meant_before(pipe: Pipe) -> None:
    before = signal.getsignal(signal.SIGINT)
    read_line(pipe(b"x\n"))
    assert signal.getsignal(signal.SIGINT) is before


def test_question_without_an_answer_ends_its_line(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr("p2pdurak.cli.asking.read_line", lambda: None)
    assert ask("Code: ") is None
    assert capsys.readouterr().err == "Code: \n"
