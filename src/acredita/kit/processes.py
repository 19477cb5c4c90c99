"""A process pool for work that may hang, crash or exhaust memory.

These processes decode and read untrusted files. Each stays warm and runs one task at a time. A
time-out, a segmentation fault or too much memory costs one process and one task.
(concurrent.futures gives up the whole pool when one process dies, and cannot end one task.)

A process that a hostile file has compromised cannot attack its parent through its result: the
parent unpickles results with an allow-list of plain data.
"""

import asyncio
import ctypes
import json
import os
import pickle
import resource
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from acredita.kit import tracing
from acredita.kit.metrics import LONG, counter, gauge, seconds
from acredita.kit.plain_data import PlainData
from acredita.kit.processor_time import processor_seconds, within

T = TypeVar("T")

# The parent counts: a child process may die at any time and is not trusted.
TASKS = counter("pool_tasks", "Tasks of a process pool that ended.", "pool", "task", "outcome")
TASK_SECONDS = seconds("pool_task", "A task in its process.", "pool", "task", buckets=LONG)
WAIT_SECONDS = seconds("pool_wait", "A task's wait for a free process.", "pool", buckets=LONG)
IN_PROGRESS = gauge("pool_tasks_in_progress", "Tasks that wait or run.", "pool")
PROCESSOR_SECONDS = counter(
    "pool_cpu_seconds", "CPU seconds of a process pool's tasks.", "pool", "task"
)
STARTS = counter("pool_process_starts", "Processes started: at first, and for lost ones.", "pool")

HEADER = 8
LARGEST_ANSWER = 256 * 1024 * 1024
OUT_OF_MEMORY = 77
PR_SET_PDEATHSIG = 1
THREAD_COUNTS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class PoolError(Exception):
    """The task has no result, for a reason other than an exception that it raised."""


class TaskTimedOut(PoolError):
    """The task exceeded its time limit, and its process was killed."""


class ProcessDied(PoolError):
    """The process died during the task or while it started."""


class TaskFailed(PoolError):
    """The task raised or returned something that is not plain data. The message names the class."""


OUTCOMES: dict[type[Exception], str] = {
    TaskTimedOut: "timed_out",
    ProcessDied: "died",
    TaskFailed: "failed",
}


class ProcessPool:
    def __init__(
        self,
        size: int,
        *,
        name: str = "unnamed",
        initializer: Callable[..., object] | None = None,
        initargs: Sequence[Any] = (),
        memory_limit_mib: int | None = None,
        threads: int = 1,
        niceness: int = 0,
        hidden_environment: str | None = None,
        plain_data_from: Sequence[str] = (),
        start_timeout: float = 60.0,
    ) -> None:
        """A pool of at most `size` processes. Each starts when first needed, or by `start`.

        `name` labels the pool's metrics. `initializer(*initargs)` runs once in each process.
        `memory_limit_mib` limits the address space (MiB), `threads` the threads of numeric
        libraries. Processes with a `niceness` of 1 to 19 yield the processor to others (nice(2)).
        Environment variables that begin with `hidden_environment` are not inherited.
        Besides builtins and numpy arrays, tasks may return and raise dataclasses, enums, named
        tuples and exceptions of the packages in `plain_data_from`. Timeouts are in seconds.
        """
        self._start_data = pickle.dumps((initializer, tuple(initargs)))
        self._memory_limit = memory_limit_mib
        self._niceness = niceness
        self._environment = {
            name: value
            for name, value in os.environ.items()
            if not (hidden_environment and name.startswith(hidden_environment))
        } | dict.fromkeys(THREAD_COUNTS, str(threads))
        self._plain_data_from = tuple(plain_data_from)
        self._start_timeout = start_timeout
        self._size = size
        self._name = name
        self._places = asyncio.Semaphore(size)
        self._idle: list[_Process] = []
        self._all: set[_Process] = set()
        self._closed = False

    @property
    def size(self) -> int:
        """The greatest number of processes, which is that of tasks at once."""
        return self._size

    async def start(self) -> None:
        """Start all processes now. Raise the error of the initializer if it fails."""
        while len(self._all) < self._size:
            self._idle.append(await self._start())

    async def run(
        self,
        function: Callable[..., T],
        *args: Any,
        timeout: float,
        most_processor_time: float | None = None,
        charge: Callable[[float], object] = lambda _: None,
    ) -> T:
        """Call a module-level function in the next free process and return its result.

        `charge` gets the CPU seconds that the task took, however it ends. Raise what the function
        raises; TaskTimedOut after `timeout` seconds (the wait for a free process does not count)
        or `most_processor_time` CPU seconds; ProcessDied; TaskFailed. Cancelling the caller kills
        the task.
        """
        task = pickle.dumps((function, args), protocol=5)
        with (
            self._counted(function.__name__),
            tracing.within(f"{self._name} {function.__name__}"),
        ):
            answer = await self._answer(
                task, function.__name__, timeout, most_processor_time, charge
            )
            result: T = self._open(answer)
            return result

    async def _answer(
        self,
        task: bytes,
        name: str,
        timeout: float,
        most_processor_time: float | None,
        charge: Callable[[float], object],
    ) -> bytes:
        asked = time.perf_counter()
        async with self._places:
            process = self._take_idle() or await self._start()
            began = time.perf_counter()
            WAIT_SECONDS.labels(self._name).observe(began - asked)
            try:
                with self._measured(process, name, charge):
                    async with asyncio.timeout(timeout) as limit:
                        with within(limit, process.pid, most_processor_time):
                            answer = await process.ask(task)
            except TimeoutError:
                await self._end(process)
                raise TaskTimedOut(f"a task took over {timeout:g} s") from None
            except BaseException:
                await self._end(process)
                raise
            finally:
                TASK_SECONDS.labels(self._name, name).observe(time.perf_counter() - began)
            self._idle.append(process)
            return answer

    @contextmanager
    def _measured(
        self, process: "_Process", task: str, charge: Callable[[float], object]
    ) -> Iterator[None]:
        began, before = time.perf_counter(), processor_seconds(process.pid)
        try:
            yield
        finally:
            after = processor_seconds(process.pid)
            # A process that died tells no more. It had one thread.
            known = before is not None and after is not None
            spent = after - before if known else time.perf_counter() - began  # type: ignore[operator]
            PROCESSOR_SECONDS.labels(self._name, task).inc(spent)
            charge(spent)

    @contextmanager
    def _counted(self, task: str) -> Iterator[None]:
        outcome = "cancelled"
        IN_PROGRESS.labels(self._name).inc()
        try:
            yield
            outcome = "answered"
        except Exception as fault:
            outcome = OUTCOMES.get(type(fault), "raised")
            raise
        finally:
            IN_PROGRESS.labels(self._name).dec()
            TASKS.labels(self._name, task, outcome).inc()

    async def close(self) -> None:
        """Kill all processes and the tasks that they run."""
        self._closed = True
        self._idle.clear()
        await asyncio.gather(*(self._end(process) for process in list(self._all)))

    def _take_idle(self) -> "_Process | None":
        while self._idle:
            process = self._idle.pop()
            if process.is_alive():
                return process
            self._all.discard(process)
            process.close()
        return None

    async def _start(self) -> "_Process":
        if self._closed:
            raise PoolError("the pool is closed")
        process = _Process(self._environment)
        self._all.add(process)
        STARTS.labels(self._name).inc()
        try:
            async with asyncio.timeout(self._start_timeout):
                answer = await process.start(self._memory_limit, self._niceness, self._start_data)
            self._open(answer)
        except TimeoutError:
            await self._end(process)
            raise TaskTimedOut(f"a process took over {self._start_timeout:g} s to start") from None
        except BaseException:
            await self._end(process)
            raise
        return process

    async def _end(self, process: "_Process") -> None:
        self._all.discard(process)
        process.kill()
        await asyncio.shield(asyncio.to_thread(process.wait))
        process.close()

    def _open(self, answer: bytes) -> Any:
        """Return the result or raise the exception of an answer. Its envelope holds only text."""
        raised, content = PlainData(answer).load()
        try:
            value = PlainData(content, self._plain_data_from).load()
        except Exception as fault:
            raise TaskFailed(f"not plain data: {raised or 'the answer of a task'}") from fault
        if raised is None:
            return value
        raise value if isinstance(value, Exception) else TaskFailed(str(raised))


class _Process:
    """The parent's end of one process."""

    def __init__(self, environment: dict[str, str]) -> None:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        self._socket = ours
        with theirs:
            # In the event loop's thread: PR_SET_PDEATHSIG fires when the thread that forked ends.
            self._process = subprocess.Popen(  # noqa: S603 (our own interpreter and code)
                [sys.executable, "-P", "-c", CHILD, str(theirs.fileno()), str(os.getpid())],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,
            )

    async def start(self, memory_limit: int | None, niceness: int, start_data: bytes) -> bytes:
        limits = {"memory": memory_limit, "niceness": niceness}
        await self._send(json.dumps({"path": sys.path} | limits).encode())
        return await self.ask(start_data)

    async def ask(self, task: bytes) -> bytes:
        """Send a task and wait for its answer; raise ProcessDied."""
        try:
            await self._send(task)
            length = int.from_bytes(await self._receive(HEADER), "big")
            if length > LARGEST_ANSWER:
                raise ProcessDied("a task's answer is too large")
            return await self._receive(length)
        except (ConnectionError, EOFError):
            code = await asyncio.to_thread(self.wait)
            raise ProcessDied(_cause_of_death(code)) from None

    async def _send(self, message: bytes) -> None:
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(self._socket, len(message).to_bytes(HEADER, "big"))
        await loop.sock_sendall(self._socket, message)

    async def _receive(self, size: int) -> bytes:
        loop, buffer = asyncio.get_running_loop(), bytearray(size)
        view = memoryview(buffer)
        while view:
            received = await loop.sock_recv_into(self._socket, view)
            if not received:
                raise EOFError
            view = view[received:]
        return bytes(buffer)

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()

    def wait(self) -> int:
        return self._process.wait()

    def close(self) -> None:
        self._socket.close()


def _cause_of_death(code: int) -> str:
    if code == OUT_OF_MEMORY:
        return "a process passed its memory limit"
    if code < 0:
        return f"a process was ended by signal {-code}"
    return f"a process exited with code {code}"


# The child's code follows. It trusts its parent; the parent does not trust it.

CHILD = "from acredita.kit.processes import serve_parent; serve_parent()"


def serve_parent() -> None:
    """Run the parent's tasks until it closes the socket."""
    descriptor, parent = (int(argument) for argument in sys.argv[1:])
    _die_with(parent)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(
            number, signal.SIG_IGN
        )  # the parent handles these and then kills this process
    with socket.socket(fileno=descriptor) as channel, channel.makefile("rb") as requests:
        start = json.loads(_read(requests))
        sys.path[:] = start["path"]
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if start["memory"] is not None:
            limit = start["memory"] * 1024 * 1024
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        _yield_to_others(start["niceness"])
        request = _read(requests)
        while request:
            answer = _answer(request)
            channel.sendall(len(answer).to_bytes(HEADER, "big") + answer)
            request = _read(requests)


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _yield_to_others(niceness: int) -> None:
    if not niceness:
        return
    os.nice(niceness)
    # Each process of a pool leads a session. With the scheduler's autogroups (sched(7)), niceness
    # only counts within a session, and a session's own niceness counts among sessions.
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(niceness), encoding="ascii")


def _read(requests: Any) -> bytes:
    length = int.from_bytes(requests.read(HEADER), "big")
    message: bytes = requests.read(length)
    return message


def _answer(request: bytes) -> bytes:
    """Run a task and pickle (None or the exception's class, pickled result or exception)."""
    try:
        function, arguments = pickle.loads(request)  # noqa: S301 (from the parent)
        result = function(*arguments) if function is not None else None
        return pickle.dumps((None, pickle.dumps(result, protocol=5)), protocol=5)
    except MemoryError:
        # After it ran out of memory, a library's state is undefined: accept no further task.
        os._exit(OUT_OF_MEMORY)
    except Exception as fault:
        kind = f"{type(fault).__module__}.{type(fault).__qualname__}"
        place = traceback.extract_tb(fault.__traceback__)[-1]
        fault.add_note(f"in a process of the pool, at {place.name}:{place.lineno}")
        try:
            return pickle.dumps((kind, pickle.dumps(fault, protocol=5)))
        except Exception:
            return pickle.dumps((kind, b""))
