from tests.conftest import test_data as data_file

SCREEN = "/v1/aml/screen"


async def test_a_fresh_installation_screens_invented_names_and_says_so(banco, sandbox):
    answer = await banco.post(SCREEN, json={"fullName": "Otolina Fanshawe Dubois"})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["totalMatches"], found["screened"], found["sandbox"]) == (1, True, True)
    (match,) = found["matches"]
    assert match["list"] == "sandbox"
    assert match["name"] == "Ottoline Marguerite Fanshawe-Dubois"
    assert match["entityType"] == "person"
    assert match["country"] == "GB"
    assert 0.75 <= match["score"] <= 1
    assert match["entryId"] == "S-04"
    assert match["listVersion"] == 1
    words = match["explanation"]["tokens"]
    assert {"fanshawe", "dubois"} <= {pair["query"] for pair in words}
    assert {pair["reason"] for pair in words} <= {"exact", "typo", "phonetic", "initial"}


async def test_ofacs_list_is_screened_with_its_aliases(banco, lists):
    files = ["sdn.csv", "alt_2025-12.csv", "add_2025-12.csv"]
    paths = [data_file("watchlists", "ofac", name) for name in files]
    change = await lists.load(paths, indexing_list("ofac-sdn"))
    assert (change.added, change.entries) == (11_443, 11_443)
    await lists.serve()
    body = {"fullName": "Joaquin Guzman Loera", "lists": ["ofac-sdn"]}
    found = (await banco.post(SCREEN, json=body)).json()
    assert found["matches"][0]["name"] == "GUZMAN LOERA, Joaquin"
    assert found["matches"][0]["score"] == 1.0
    assert found["sandbox"] is False


def indexing_list(list_id):
    from acredita.providers.watchlists.catalogue import BY_ID

    return BY_ID[list_id]
