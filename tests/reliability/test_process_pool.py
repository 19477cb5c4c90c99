import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import asynccontextmanager

import numpy as np
import psutil
import pytest
import uvloop

from acredita.kit.processes import PoolError, ProcessDied, ProcessPool, TaskFailed, TaskTimedOut
from tests.reliability import tasks

TIMEOUT = 20


@asynccontextmanager
async def pool_of(size, **terms):
    pool = ProcessPool(size, plain_data_from=("tests.reliability",), **terms)
    try:
        yield pool
    finally:
        await pool.close()


@pytest.fixture
async def pool():
    async with pool_of(1, initializer=tasks.warm_up, memory_limit_mib=2048) as pool:
        yield pool


@pytest.fixture(scope="module")
async def lasting_pool():
    """For tests that neither end its process nor count what it did before."""
    async with pool_of(1, initializer=tasks.warm_up, memory_limit_mib=2048) as pool:
        yield pool


@pytest.fixture
def trap(tmp_path) -> Iterator[str]:
    """A file that comes to be if an answer's code is run."""
    yield str(tmp_path / "trap")
    assert not (tmp_path / "trap").exists()


async def who(pool) -> tuple[int, int]:
    return await pool.run(tasks.who, timeout=TIMEOUT)


class TestAnswers:
    async def test_a_process_stays_warm_and_is_initialized_once(self, lasting_pool):
        first, second = await who(lasting_pool), await who(lasting_pool)
        assert first == second
        assert first[0] != os.getpid()
        assert first[1] == 1

    async def test_plain_data_and_declared_classes_come_back_as_they_were(self, lasting_pool):
        finding = await lasting_pool.run(tasks.find, timeout=TIMEOUT)
        assert (finding.name, finding.colour, finding.at) == ("card", tasks.Colour.RED, (1, 2))
        assert np.array_equal(finding.pixels, np.arange(6).reshape(2, 3))
        assert await lasting_pool.run(tasks.plain, timeout=TIMEOUT) == tasks.plain()

    async def test_large_data_goes_both_ways(self, lasting_pool):
        data = os.urandom(20_000_000)
        assert await lasting_pool.run(tasks.echo, data, timeout=TIMEOUT) == data

    async def test_exceptions_come_back_typed_and_the_process_goes_on(self, lasting_pool):
        before = await who(lasting_pool)
        with pytest.raises(tasks.CannotRead) as caught:
            await lasting_pool.run(tasks.fail, "ours", timeout=TIMEOUT)
        assert caught.value.page == 3
        assert "at fail:" in caught.value.__notes__[0]
        with pytest.raises(KeyError, match="gone"):
            await lasting_pool.run(tasks.fail, "builtin", timeout=TIMEOUT)
        with pytest.raises(TaskFailed, match=r"tests\.reliability\.tasks\.Strict"):
            await lasting_pool.run(tasks.fail, "strict", timeout=TIMEOUT)
        with pytest.raises(TypeError, match="pickle"):
            await lasting_pool.run(tasks.unanswerable, timeout=TIMEOUT)
        assert await who(lasting_pool) == before

    async def test_classes_of_undeclared_packages_do_not_come_back(self):
        pool = ProcessPool(1)
        try:
            with pytest.raises(TaskFailed):
                await pool.run(tasks.find, timeout=TIMEOUT)
        finally:
            await pool.close()

    @pytest.mark.parametrize("task", [tasks.evil, tasks.sneaky])
    async def test_an_answer_cannot_run_code_in_the_parent(self, lasting_pool, trap, task):
        with pytest.raises(TaskFailed):
            await lasting_pool.run(task, trap, timeout=TIMEOUT)

    async def test_tasks_run_beside_each_other(self, tmp_path):
        async with pool_of(2) as pool:
            await pool.start()
            numbers = await asyncio.gather(
                *(pool.run(tasks.meet, str(tmp_path), n, 2, timeout=TIMEOUT) for n in range(2))
            )
            assert len(set(numbers)) == 2

    async def test_the_environment_bounds_threads_and_holds_no_secrets(self, monkeypatch):
        monkeypatch.setenv("ACREDITA_SECRET_KEY", "secret")
        async with pool_of(1, threads=3, hidden_environment="ACREDITA_") as pool:
            assert await pool.run(tasks.environment, "OMP_NUM_THREADS", timeout=TIMEOUT) == "3"
            name = "ACREDITA_SECRET_KEY"
            assert await pool.run(tasks.environment, name, timeout=TIMEOUT) is None

    def test_it_works_on_the_event_loop_of_production(self):
        async def once():
            async with pool_of(1) as pool:
                with pytest.raises(ProcessDied):
                    await pool.run(tasks.crash, timeout=TIMEOUT)
                return await pool.run(tasks.echo, b"x" * 3_000_000, timeout=TIMEOUT)

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            assert len(runner.run(once())) == 3_000_000


class TestLosses:
    @pytest.mark.parametrize(
        ("task", "arguments", "reason"),
        [
            (tasks.eat, (4096,), "memory limit"),
            (tasks.crash, (), "signal 11"),
            (tasks.kill_self, (), "signal 9"),
            (tasks.leave, (5,), "code 5"),
            (tasks.leave, (0,), "code 0"),
        ],
    )
    async def test_a_death_costs_one_task_and_one_process(self, pool, task, arguments, reason):
        before = await who(pool)
        with pytest.raises(ProcessDied, match=reason):
            await pool.run(task, *arguments, timeout=TIMEOUT)
        after = await who(pool)
        assert after[0] != before[0]
        assert after[1] == 1

    async def test_others_do_not_notice(self):
        async with pool_of(2) as pool:
            bystander = asyncio.create_task(pool.run(tasks.sleep, 0.5, timeout=TIMEOUT))
            for task in (tasks.crash, tasks.kill_self):
                with pytest.raises(ProcessDied):
                    await pool.run(task, timeout=TIMEOUT)
            assert await bystander == "slept"

    async def test_a_task_past_its_time_is_ended_and_its_process_replaced(self, pool):
        before = await who(pool)
        with pytest.raises(TaskTimedOut):
            await pool.run(tasks.stubborn, timeout=0.3)
        assert not psutil.pid_exists(before[0])
        assert (await who(pool))[0] != before[0]

    async def test_its_processor_time_is_charged_however_it_ends(self):
        charged = []
        async with pool_of(1) as pool:
            await pool.run(tasks.use_processor, 0.2, timeout=TIMEOUT, charge=charged.append)
            await pool.run(time.sleep, 0.2, timeout=TIMEOUT, charge=charged.append)
            with pytest.raises(TaskTimedOut):
                await pool.run(
                    tasks.use_processor,
                    60,
                    timeout=200,
                    most_processor_time=0.5,
                    charge=charged.append,
                )
            with pytest.raises(ProcessDied):
                await pool.run(os._exit, 3, timeout=TIMEOUT, charge=charged.append)
        assert 0.2 <= charged[0] < 0.4
        assert charged[1] < 0.1
        assert 0.5 <= charged[2] < 1.5
        assert charged[3] > 0

    async def test_a_cancelled_caller_ends_its_task(self, pool):
        process, _ = await who(pool)
        call = asyncio.create_task(pool.run(tasks.stubborn, timeout=TIMEOUT))
        await asyncio.sleep(0.1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert not psutil.pid_exists(process)
        assert (await who(pool))[0] != process

    async def test_a_process_that_died_while_idle_costs_no_task(self, pool):
        process, _ = await who(pool)
        os.kill(process, signal.SIGKILL)
        await asyncio.to_thread(os.waitid, os.P_PID, process, os.WEXITED | os.WNOWAIT)
        assert (await who(pool))[0] != process

    async def test_signals_to_the_group_are_the_parents_to_answer(self, lasting_pool):
        assert await lasting_pool.run(tasks.interrupt_self, timeout=TIMEOUT) == "unmoved"

    async def test_an_initializer_that_fails_is_told_to_who_asked(self):
        async with pool_of(1, initializer=tasks.refuse_to_start) as pool:
            with pytest.raises(tasks.CannotRead):
                await pool.start()
            with pytest.raises(tasks.CannotRead):
                await pool.run(tasks.who, timeout=TIMEOUT)

    async def test_closing_ends_the_tasks_in_flight(self, pool):
        process, _ = await who(pool)
        call = asyncio.create_task(pool.run(tasks.stubborn, timeout=TIMEOUT))
        await asyncio.sleep(0.1)
        await pool.close()
        with pytest.raises(ProcessDied):
            await call
        assert not psutil.pid_exists(process)
        with pytest.raises(PoolError, match="closed"):
            await who(pool)


def test_processes_die_with_a_parent_that_is_killed(tmp_path):
    program = """
        import asyncio
        from acredita.kit.processes import ProcessPool
        from tests.reliability import tasks

        async def main():
            pool = ProcessPool(1)
            process, _ = await pool.run(tasks.who, timeout=20)
            print(process, flush=True)
            await pool.run(tasks.stubborn, timeout=60)

        asyncio.run(main())
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True
    )
    with parent:
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
        parent.wait()
        deadline = time.monotonic() + 10
        while child.is_running() and child.status() != psutil.STATUS_ZOMBIE:
            assert time.monotonic() < deadline
            time.sleep(0.01)
