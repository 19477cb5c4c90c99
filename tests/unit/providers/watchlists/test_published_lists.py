"""Lists as their publishers published them."""

from collections import Counter
from datetime import date
from functools import cache

import pytest

from acredita.domain.identifiers.company_letters import company_letters, letters_in_use
from acredita.providers.watchlists.protocol import ListFault
from tests.conftest import test_data as data_file
from tests.unit.providers.watchlists.conftest import read_paths


def published(*names):
    return read_paths(*(data_file("watchlists", *name.split("/")) for name in names))


@cache
def sats_complete_list():
    return published("sat69b/Listado_Completo_69-B_2023-07.csv")


def test_ofacs_four_files_are_one_list():
    form, entries, facts = published(
        "ofac/bench2021_sdn.csv", "ofac/bench2021_alt.csv", "ofac/bench2021_add.csv"
    )
    assert form == "ofac-csv"
    assert Counter(entry.entity_type for entry in entries) == {
        "person": 4_620,
        "company": 3_673,
        "vessel": 406,
        "aircraft": 277,
    }
    assert not facts.remarks
    by_id = {entry.source_id: entry for entry in entries}
    assert len(by_id) == 8_976
    guzman = by_id["6861"]
    assert guzman.names[0].text == "GUZMAN LOERA, Joaquin"
    assert (guzman.names[0].family, guzman.names[0].given) == ("GUZMAN LOERA", "Joaquin")
    assert "1954-12-25" in guzman.dates_of_birth
    assert guzman.programs == ("SDNTK",)
    kinds = Counter(name.kind for entry in entries for name in entry.names)
    assert kinds["alias"] > 11_000
    assert kinds["weak"] > 2_000
    assert kinds["former"] > 300
    identifiers = Counter(kind for entry in entries for kind, _ in entry.identifiers)
    assert identifiers["curp"] > 300
    assert identifiers["rfc"] > 250
    assert identifiers["imo"] > 400
    aircraft = [dict(each.identifiers) for each in entries if each.entity_type == "aircraft"]
    assert all("aircraft_registration" in each for each in aircraft)
    assert sum("aircraft_serial" in each for each in aircraft) > 250


def test_remarks_that_were_too_long_go_on_in_the_comments():
    *files, comments = ("prim", "alt", "add", "comments")
    names = [f"ofac/cons_{name}.csv" for name in files]
    without = {e.source_id: e for e in published(*names)[1]}
    complete = {e.source_id: e for e in published(*names, f"ofac/cons_{comments}.csv")[1]}
    assert "RUSAG" not in {name.text for name in without["17014"].names}
    assert "RUSAG" in {name.text for name in complete["17014"].names}


def test_the_united_nations_list_has_its_aliases_by_their_quality():
    form, entries, facts = published("un/consolidated_2026-02-27.xml")
    assert form == "un-xml"
    assert Counter(entry.entity_type for entry in entries) == {"person": 730, "company": 273}
    assert facts.as_of.isoformat() == "2026-02-27T00:00:09.554000+00:00"
    kinds = Counter(name.kind for entry in entries for name in entry.names)
    assert kinds == {
        "primary": 1_003,
        "alias": 2_108,
        "weak": 615,
        "original_script": 378,
        "former": 19,
    }
    assert sum(bool(entry.countries) for entry in entries) > 800
    assert sum(bool(entry.dates_of_birth) for entry in entries) > 650


def test_sats_complete_list_is_read_in_latin_1_and_clears_whom_it_clears():
    form, entries, facts = sats_complete_list()
    assert form == "sat-69b"
    assert len(entries) == 12_517
    assert sum(entry.cleared for entry in entries) == 1_601
    assert sum(entry.entity_type == "person" for entry in entries) == 2_617
    names = {entry.names[0].text for entry in entries}
    assert "AMADOR AQUINO JOSÉ AVENAMAR" in names
    assert facts.remarks == ["87 rows without a name skipped"]
    assert all(entry.identifiers == (("rfc", entry.source_id),) for entry in entries)


def test_the_rfcs_of_sats_companies_have_the_letters_of_their_names():
    companies = [entry for entry in sats_complete_list()[1] if entry.entity_type == "company"]
    assert len(companies) == 9_900
    composed = confirmed = 0
    some = companies[::3]
    for entry in some:
        name, letters = entry.names[0].text, entry.source_id[:3]
        year = int(entry.source_id[3:5])
        day = date(year + (2000 if year < 40 else 1900), 1, 1)
        composed += company_letters(name, day) == letters
        confirmed += letters in letters_in_use(name)
    # The others changed their names after they were registered, or have names with errors.
    assert composed / len(some) >= 0.97
    assert confirmed / len(some) >= 0.98


def test_sats_files_by_standing_are_one_list_and_who_is_adverse_in_one_is_adverse():
    form, entries, facts = published(
        *(
            f"sat69b/{name}_2025-12.csv"
            for name in ("Definitivos", "Presuntos", "Desvirtuados", "SentenciasFavorables")
        )
    )
    assert form == "sat-69b"
    assert len(entries) == len({entry.source_id for entry in entries}) == 13_761
    assert facts.as_of.date().isoformat() == "2025-10-31"
    standings = {entry.source_id: (entry.programs, entry.cleared) for entry in entries}
    # Won in court about one procedure, and listed for good after another.
    assert standings["AAS110331G59"] == (("Definitivo", "Sentencia favorable"), False)
    assert sum(cleared for _, cleared in standings.values()) == 1_892
    assert not any("//" in name.text for entry in entries for name in entry.names)


def test_sats_list_of_article_69_b_bis_has_fewer_columns():
    _, entries, _ = published("sat69b/ListadoGlobalDefinitivo_2025-12.csv")
    assert entries[0].source_id == "OAN151230HWA"
    assert len(entries) == 3


def test_a_screening_list_that_was_cut_short_is_refused_and_the_whole_of_it_is_read(tmp_path):
    source = data_file("watchlists", "other", "us_csl.csv")
    with pytest.raises(ListFault, match=r"us_csl.csv, line 4233: the file ends inside a quoted"):
        read_paths(source)
    whole = tmp_path / "us_csl.csv"
    whole.write_bytes(source.read_bytes().rpartition(b'\n"')[0] + b"\n")
    form, entries, facts = read_paths(whole)
    assert form == "us-csl-csv"
    assert len(entries) == len({entry.source_id for entry in entries}) > 4_000
    assert facts.remarks == ["us_csl.csv repeats its header: 1 rows skipped"]
    by_id = {entry.source_id: entry for entry in entries}
    assert by_id["SDN-11280"].names[0].family == "SHIH"
    assert by_id["SDN-11280"].names[1].text == "AH SAN"
    assert by_id["SDN-11280"].dates_of_birth == ("1964",)
