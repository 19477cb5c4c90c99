"""The bars of benchmarks, and the parts of the fleet benchmark."""

import os

from benchmarks.bars import Bar, report
from benchmarks.fleet import __main__ as fleet


def test_a_missed_bar_is_named_with_its_limit_and_fails_the_run(capsys):
    kept, missed = Bar.at_most("gauges", 12.0, 50, " ms"), Bar.at_least("GET", 0.39, 0.4)
    assert report([kept]) == 0
    assert report([kept, missed]) == 1
    printed = capsys.readouterr().out
    assert "pass  gauges  12 ms, at most 50 ms" in printed
    assert "MISS  GET     0.39, at least 0.4" in printed
    assert "bars missed: 1 of 2; load average" in printed


def test_the_fleet_reports_the_bars_of_all_its_parts_at_once(capsys, monkeypatch):
    given = {}

    def part(name):
        def bars(options):
            given[name] = options
            assert "ACREDITA_OF_A_PART" not in os.environ
            os.environ["ACREDITA_OF_A_PART"] = name
            return [Bar.at_most(name, 4.0 if name == "tenants" else 2.0, 3)]

        return bars

    monkeypatch.setattr(fleet, "PARTS", {name: part(name) for name in fleet.PARTS})
    assert fleet.main(["--peers", "folder"]) == 1
    printed = capsys.readouterr().out
    assert "pass  connections" in printed
    assert "MISS  tenants" in printed
    assert given["ledger"] == ["--peers", "folder"]
    assert fleet.main(["--only", "ledger", "ageing"]) == 0
    assert "ACREDITA_OF_A_PART" not in os.environ


def test_a_part_that_ends_early_is_missed_and_the_others_go_on(capsys, monkeypatch):
    def lost(_):
        raise SystemExit("a delivery came twice")

    kept = [Bar.at_most("gauges", 12.0, 50)]
    monkeypatch.setattr(fleet, "PARTS", {"deliveries": lost, "ledger": lambda _: kept})
    assert fleet.main([]) == 1
    printed = capsys.readouterr().out
    assert "MISS  deliveries  ended early: SystemExit('a delivery came twice')" in printed
    assert "pass  gauges" in printed
