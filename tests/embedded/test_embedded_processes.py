"""The supervisor of the product's own processes."""

import io
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from contextlib import suppress

import psutil
import pytest

from acredita.embedded.errors import EmbeddedError
from acredita.embedded.folder import ServerLog, check_finished
from acredita.embedded.guarded import GuardedProcess
from acredita.embedded.ports import free_port
from acredita.embedded.processes import ProcessEndedError, Supervisor

EVENTUALLY = 15.0
SERVE = """
import http.server, sys
class Health(http.server.BaseHTTPRequestHandler):
    left = int(sys.argv[2])
    def do_GET(self):
        type(self).left -= 1
        self.send_response(200 if self.left < 0 else 503)
        self.end_headers()
    def log_message(self, *args): pass
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Health).serve_forever()
"""
DEAF = "import signal, time; signal.signal(15, signal.SIG_IGN); print('deaf'); time.sleep(60)"


def python(program, *arguments):
    return [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)]


class Command:
    """A command that ends with `code` after it was looked at `looks` times."""

    def __init__(self, looks, code):
        self.looks, self.code = looks, code

    def exit_code(self):
        self.looks -= 1
        return self.code if self.looks < 0 else None

    def stop(self):
        pass


@pytest.mark.parametrize("looks", range(6))
def test_a_command_is_done_whenever_it_ends_between_two_looks(looks, tmp_path):
    log = ServerLog(tmp_path / "log")
    check_finished(Command(looks, 0), log, "PostgreSQL", 5)
    with pytest.raises(EmbeddedError, match="could not start"):
        check_finished(Command(looks, 1), log, "PostgreSQL", 5)
    log.close()


def until(condition):
    deadline = time.monotonic() + EVENTUALLY
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_lines_appear_whole_under_the_name_of_their_process():
    output = io.StringIO()
    with Supervisor(output=output) as supervisor:
        supervisor.start("api", python("print('a\\n' * 200, end='')"))
        supervisor.start("worker", python("import sys; print('b\\n' * 200, file=sys.stderr)"))
        for _ in range(2):
            with pytest.raises(ProcessEndedError):
                supervisor.wait()
    lines = output.getvalue().splitlines()
    assert lines.count("api     | a") == 200
    assert lines.count("worker  | b") == 200


def test_a_process_gets_our_environment_and_its_own(monkeypatch):
    monkeypatch.setenv("OURS", "1")
    output = io.StringIO()
    with Supervisor(output=output) as supervisor:
        program = "import os; print(os.environ['OURS'] + os.environ['ITS'])"
        supervisor.start("api", python(program), env={"ITS": "2"})
        with pytest.raises(ProcessEndedError):
            supervisor.wait()
    assert output.getvalue() == "api     | 12\n"


def test_health_is_waited_for_until_it_is_200():
    port = free_port()
    with Supervisor() as supervisor:
        supervisor.start("api", python(SERVE, port, 3))
        supervisor.wait_healthy(f"http://127.0.0.1:{port}/health")


def test_a_slow_process_is_waited_for_with_a_note_for_as_long_as_it_runs(capsys):
    url = f"http://127.0.0.1:{free_port()}/health"
    with Supervisor(output=io.StringIO()) as supervisor:
        supervisor.start("api", python("import time; time.sleep(1.2); raise SystemExit(3)"))
        with pytest.raises(ProcessEndedError):
            supervisor.wait_healthy(url, note_every=0.3)
    notes = capsys.readouterr().err.splitlines()
    assert len(notes) > 1
    assert all(note.startswith(f"{url} does not answer 200 after ") for note in notes)


def test_a_process_that_ends_too_early_is_named_with_its_code():
    with Supervisor(output=io.StringIO()) as supervisor:
        supervisor.start("worker", python("raise SystemExit(3)"))
        with pytest.raises(ProcessEndedError, match="'worker' ended with exit code 3") as ended:
            supervisor.wait_healthy(f"http://127.0.0.1:{free_port()}/health")
        assert (ended.value.name, ended.value.exit_code) == ("worker", 3)


def test_a_command_run_to_its_end_is_not_missed_later():
    output = io.StringIO()
    port = free_port()
    with Supervisor(output=output) as supervisor:
        supervisor.run("migrate", python("print('migrated')"))
        supervisor.start("api", python(SERVE, port, 0))
        supervisor.wait_healthy(f"http://127.0.0.1:{port}/health")
        with pytest.raises(ProcessEndedError, match="'migrate' ended with exit code 3"):
            supervisor.run("migrate", python("raise SystemExit(3)"))
    assert "migrate | migrated\n" in output.getvalue()


def test_a_command_that_does_not_exist_is_told():
    output = io.StringIO()
    with Supervisor(output=output) as supervisor:
        supervisor.start("api", ["/no/such/command"])
        with pytest.raises(ProcessEndedError, match="127"):
            supervisor.wait()
    assert "/no/such/command: [Errno 2]" in output.getvalue()


def test_stopping_asks_first():
    output = io.StringIO()
    program = """
        import signal, sys, time
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("goodbye"))
        print("ready", flush=True)
        time.sleep(60)
    """
    with Supervisor(output=output) as supervisor:
        supervisor.start("api", python(program))
        until(lambda: "ready" in output.getvalue())
    assert "api     | goodbye" in output.getvalue()


def test_stopping_kills_who_does_not_listen_after_the_grace():
    output = io.StringIO()
    with Supervisor(output=output, grace=0.3) as supervisor:
        deaf = supervisor.start("api", python(DEAF))
        until(lambda: "deaf" in output.getvalue())
        began = time.monotonic()
    assert 0.3 <= time.monotonic() - began < EVENTUALLY
    assert deaf.exit_code() == 128 + signal.SIGKILL


def test_a_second_ctrl_c_kills_at_once(monkeypatch):
    output = io.StringIO()
    supervisor = Supervisor(output=output, grace=60)
    deaf = supervisor.start("api", python(DEAF))
    until(lambda: "deaf" in output.getvalue())
    interrupt = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    interrupt.start()
    with pytest.raises(KeyboardInterrupt):
        supervisor.stop()
    assert deaf.exit_code() == 128 + signal.SIGKILL


def test_a_stop_that_meets_the_command_while_it_starts_is_not_lost():
    began = time.monotonic()
    for _ in range(20):
        process = GuardedProcess(["sleep", "60"], output=subprocess.DEVNULL, grace=60)
        process.stop()
    assert time.monotonic() - began < 60


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_everything_ends_with_the_supervisor_grandchildren_included(number):
    program = """
        import time
        from acredita.embedded.processes import Supervisor, unwind_on_sigterm
        unwind_on_sigterm()
        with Supervisor(grace=1) as supervisor:
            supervisor.start("shell", ["sh", "-c", "sleep 61 & sleep 62; true"])
            print("up", flush=True)
            supervisor.wait()
    """
    with subprocess.Popen(python(program), stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "up\n"
        below = psutil.Process(holder.pid).children
        until(lambda: sum(p.name() == "sleep" for p in below(recursive=True)) == 2)
        processes = below(recursive=True)
        holder.send_signal(number)
        _, alive = psutil.wait_procs(processes, timeout=EVENTUALLY)
        for process in alive:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        assert not alive
        assert holder.wait(EVENTUALLY) in (128 + number, -number)
