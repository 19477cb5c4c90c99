"""What the tests let the processes of a pool do."""

import ctypes
import enum
import os
import pathlib
import signal
import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np

state: dict = {"warm": 0}


class Colour(enum.Enum):
    RED = "red"


class Point(NamedTuple):
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Finding:
    name: str
    colour: Colour
    pixels: np.ndarray
    at: Point


class CannotRead(Exception):
    def __init__(self, page: int) -> None:
        super().__init__(page)
        self.page = page


class Strict(Exception):
    """Cannot be copied: its arguments are not those of its constructor."""

    def __init__(self, one: str, *, two: str) -> None:
        super().__init__(one + two)


def warm_up(start: int = 1) -> None:
    state["warm"] += start


def who() -> tuple[int, int]:
    return os.getpid(), state["warm"]


def find() -> Finding:
    return Finding("card", Colour.RED, np.arange(6, dtype=np.uint8).reshape(2, 3), Point(1, 2))


def plain() -> list:
    return [{"a": {1, 2}}, b"x", 1.5, None, datetime(2026, 1, 2, tzinfo=UTC), np.float32(2)]


def echo(data: bytes) -> bytes:
    return data


def fail(kind: str) -> None:
    raise {"ours": CannotRead(3), "builtin": KeyError("gone"), "strict": Strict("a", two="b")}[kind]


@dataclass
class Trap:
    """Runs `function(path)` where it is unpickled."""

    function: object
    path: str

    def __reduce__(self):
        return self.function, (self.path,)


def touch(path: str) -> None:
    pathlib.Path(path).touch()


def evil(path: str) -> Trap:
    return Trap(os.mkdir, path)


def sneaky(path: str) -> Trap:
    """By a function of a package whose classes may come back."""
    return Trap(touch, path)


def unanswerable() -> object:
    return threading.Lock()


def sleep(seconds: float) -> str:
    time.sleep(seconds)
    return "slept"


def stubborn() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(60)


def meet(path: str, number: int, of: int) -> int:
    """Return only when `of` tasks are in here at a time."""
    folder = pathlib.Path(path)
    (folder / str(number)).touch()
    deadline = time.monotonic() + 20
    while len(list(folder.iterdir())) < of:
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.01)
    return os.getpid()


def eat(mebibytes: int) -> int:
    return len(bytearray(mebibytes * 1024 * 1024))


def crash() -> None:
    ctypes.string_at(0)


def leave(code: int) -> None:
    os._exit(code)


def kill_self() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt_self() -> str:
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGTERM)
    return "unmoved"


def environment(name: str) -> str | None:
    return os.environ.get(name)


def refuse_to_start() -> None:
    raise CannotRead(0)


def use_processor(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
