"""A command that dies with us: the holder's side of guardian.py."""

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

    `handed` are descriptors that the command gets under the same numbers; `withheld` are kept open
    by the guardian alone, for as long as the command lives (a lock on its folder). `env` is what
    guardian and command get; `bare_env` is the command's alone and anybody may read it. `grace` is
    in seconds: how long the command may take to end before it is killed.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        output: int | IO[bytes],
        env: Mapping[str, str] | None = None,
        bare_env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        stop_signal: signal.Signals = signal.SIGTERM,
        grace: float = 10.0,
        account: Account | None = None,
        handed: Iterable[int] = (),
        withheld: Iterable[int] = (),
    ) -> None:
        handed, withheld = list(handed), list(withheld)
        order = {
            "argv": list(argv),
            "holder": os.getpid(),
            "stop_signal": int(stop_signal),
            "grace": grace,
            "account": [account.uid, account.gid] if account else None,
            "environment": None if bare_env is None else dict(bare_env),
            "withheld": withheld,
        }
        self._grace = grace
        self._guardian = subprocess.Popen(  # noqa: S603 (argv is ours)
            [sys.executable, "-I", "-S", _GUARDIAN, json.dumps(order)],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=env,
            cwd=cwd,
            pass_fds=(*handed, *withheld),
            # Ctrl-C reaches the terminal's whole group at once; servers must end after their users.
            start_new_session=True,
        )

    @property
    def output(self) -> IO[bytes]:
        if self._guardian.stdout is None:
            raise ValueError("the output goes elsewhere")
        return self._guardian.stdout

    @property
    def guardian_pid(self) -> int:
        return self._guardian.pid

    def exit_code(self) -> int | None:
        """None while it runs; 128 + N for a command that signal N ended."""
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
        """Starts the end of the command without waiting for it, by closing the guardian's input."""
        if self._guardian.stdin:
            self._guardian.stdin.close()

    def stop(self) -> int:
        """Ends the command and returns its exit code, after at most the grace and two seconds."""
        self.ask_to_stop()
        try:
            return self._guardian.wait(self._grace + 2)
        except subprocess.TimeoutExpired:
            # The kernel kills the command when its guardian dies.
            self._guardian.kill()
            return self._guardian.wait()

    def kill(self) -> int:
        """Ends the command at once, with all that it has started."""
        self._guardian.send_signal(signal.SIGUSR1)
        return self.stop()
