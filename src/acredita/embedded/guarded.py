"""A command that never outlives this process: the holder's side of guardian.py."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO

from acredita.embedded.account import Account

_GUARDIAN = str(Path(__file__).with_name("guardian.py"))


class GuardedProcess:
    """One running command.

    `passed_fds`: descriptors that the command inherits under the same numbers. `kept_fds`:
    descriptors that only the guardian keeps open while the command runs (a lock on its folder).
    `env`: the environment of guardian and command. `command_env`: the command's environment
    instead; every user can read it. `grace`: seconds from the stop signal until the command is
    killed.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        output: int | IO[bytes],
        env: Mapping[str, str] | None = None,
        command_env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        stop_signal: signal.Signals = signal.SIGTERM,
        grace: float = 10.0,
        account: Account | None = None,
        passed_fds: Iterable[int] = (),
        kept_fds: Iterable[int] = (),
    ) -> None:
        passed_fds, kept_fds = list(passed_fds), list(kept_fds)
        order = {
            "argv": list(argv),
            "holder": os.getpid(),
            "stop_signal": int(stop_signal),
            "grace": grace,
            "account": [account.uid, account.gid] if account else None,
            "environment": None if command_env is None else dict(command_env),
            "kept_fds": kept_fds,
        }
        self._grace = grace
        self._guardian = subprocess.Popen(  # noqa: S603 (argv is ours)
            [sys.executable, "-I", "-S", _GUARDIAN, json.dumps(order)],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=env,
            cwd=cwd,
            pass_fds=(*passed_fds, *kept_fds),
            # Ctrl-C reaches the terminal's whole process group, but servers must stop after their
            # clients.
            start_new_session=True,
        )

    @property
    def output(self) -> IO[bytes]:
        if self._guardian.stdout is None:
            raise ValueError("the output is not a pipe")
        return self._guardian.stdout

    def exit_code(self) -> int | None:
        """None while the command runs; 128 + N if signal N ended it."""
        code = self._guardian.poll()
        if code is not None:
            self.ask_to_stop()
        return code

    def wait(self, timeout: float | None = None) -> int:
        """Raises subprocess.TimeoutExpired."""
        self._guardian.wait(timeout)
        self.ask_to_stop()
        return self._guardian.returncode

    def ask_to_stop(self) -> None:
        """Asks the command to stop, by closing the guardian's input. Does not wait."""
        if self._guardian.stdin:
            self._guardian.stdin.close()

    def stop(self) -> int:
        """Stops the command and returns its exit code, after at most `grace` + 2 seconds."""
        self.ask_to_stop()
        try:
            return self._guardian.wait(self._grace + 2)
        except subprocess.TimeoutExpired:
            # The kernel kills the command when its guardian dies.
            self._guardian.kill()
            return self._guardian.wait()

    def kill(self) -> int:
        """Kills the command and its process group."""
        self._guardian.send_signal(signal.SIGUSR1)
        return self.stop()
