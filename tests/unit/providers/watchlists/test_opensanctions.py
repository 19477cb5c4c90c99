"""The index of a dataset, and the changes between its versions."""

import json

import pytest

from acredita.providers.watchlists import opensanctions
from acredita.providers.watchlists.catalogue import BY_ID
from acredita.providers.watchlists.protocol import ListFault, ListFile

ADDRESS = "https://data.example/datasets/latest/default/index.json"
PEPS, SANCTIONS = BY_ID["opensanctions-peps"], BY_ID["opensanctions-sanctions"]


def line(operation, identifier, topics=(), name="Ottoline Fanshawe"):
    properties = {"name": [name], "topics": list(topics)}
    entity = {"id": identifier, "schema": "Person", "properties": properties}
    return {"op": operation, "entity": {"id": identifier} if operation == "DEL" else entity}


def write(path, *values):
    path.write_text("\n".join(map(json.dumps, values)), encoding="utf-8")
    return path


def changes(path, known, *values):
    file = ListFile(write(path, *values), "entities.delta.json")
    found = opensanctions.read_changes([file], known.wants)
    return {key: entity and entity.programs for key, entity in found}


def test_an_index_names_the_version_its_day_and_the_files(tmp_path):
    resources = [{"name": "names.txt", "url": "x"}, {"name": "entities.ftm.json", "url": "/e.json"}]
    index = {"version": "20260131180509-abc", "resources": resources, "delta_url": "delta.json"}
    found = opensanctions.release(write(tmp_path / "index", index), ADDRESS)
    assert found.entities == "https://data.example/e.json"
    assert found.changes == "https://data.example/datasets/latest/default/delta.json"
    assert found.as_of.isoformat() == "2026-01-31T18:05:09+00:00"
    for damaged in ({}, {"version": "1", "resources": []}, {**index, "version": None}, []):
        with pytest.raises(ListFault, match=r"index\.json"):
            opensanctions.release(write(tmp_path / "index", damaged), ADDRESS)


def test_changes_are_those_after_the_loaded_version_in_order(tmp_path):
    index = write(tmp_path / "delta", {"versions": {"3": "c", "1": "a", "2": "b", "4": "d"}})
    for known, expected in (("1", ["b", "c"]), ("3", []), ("2x", ["c"])):
        found = opensanctions.changes_since(index, "https://h/delta.json", known, "3")
        assert found == [f"https://h/{name}" for name in expected]
    # The changes do not reach back so far, or not to the newest version.
    assert opensanctions.changes_since(index, "https://h/delta.json", "0", "3") is None
    assert opensanctions.changes_since(index, "https://h/delta.json", "1", "5") is None


def test_a_list_of_a_topic_takes_the_entities_of_that_topic(tmp_path):
    values = [
        line("ADD", "pep", ["role.pep"]),
        line("ADD", "both", ["sanction", "role.rca"]),
        line("MOD", "no-more", ["poi"]),
        line("DEL", "gone"),
    ]
    path = tmp_path / "changes"
    assert changes(path, PEPS, *values) == {
        "pep": ("role.pep",),
        "both": ("sanction", "role.rca"),
        "no-more": None,
        "gone": None,
    }
    found = changes(path, SANCTIONS, *values)
    assert [key for key, topics in found.items() if topics] == ["both"]
    assert all(changes(path, BY_ID["opensanctions"], *values[:3]).values())


@pytest.mark.parametrize("value", [{"op": "ADD"}, line("PUT", "x"), {"op": "DEL", "entity": {}}])
def test_a_damaged_change_is_refused(tmp_path, value):
    with pytest.raises(ListFault, match="line 1"):
        changes(tmp_path / "changes", PEPS, value)
