"""Watchlists by MetaMap's API: the screening of /v1 in other words."""

from acredita.providers.watchlists.catalogue import BY_ID

PEP = "/v1/metamap/govchecks/v1/mx/pep"
ASK = "/v1/metamap/safety/v1/checks/comply-advantage"
ENTRY = "X-1,person,Quirino Zalabardo Wexler,,1969-09-14,MX,"


async def test_a_name_is_screened_as_in_v1_and_recorded(banco, rival, lists):
    async def ask(**body):
        answer = await banco.post(ASK, json={"name": "Quirino Zalabardo Wexler", **body})
        assert answer.status_code == 200, answer.text
        return answer.json()

    nothing_loaded = (await ask())["data"]["error"]
    assert nothing_loaded["type"] == "systemError"
    assert nothing_loaded["code"] == "system.serviceUnavailable"
    await lists.write(ENTRY)
    await lists.serve()

    found = await ask(birthYear=1969, countryCodes=["MX"], metadata={"pedido": "4711"})
    assert found["metadata"] == {"pedido": "4711"}
    error = found["data"]["error"]
    assert (error["type"], error["code"]) == (
        "SafetyCheckError",
        "premiumAmlWatchlists.matchFound",
    )
    assert error["details"]["matchStatus"] == "potential_match"
    assert error["details"]["totalMatches"] == 1
    record = await banco.get(found["data"]["profileUrl"])
    assert record.status_code == 200, record.text
    assert found["data"]["searchId"] in record.text
    assert (await rival.get(found["data"]["profileUrl"])).status_code == 404

    unlike = await ask(name="Ottoline Fanshawe")
    assert unlike["data"]["error"] is None
    assert unlike["metadata"] == {}
    typo = "Quirino Zalabarda Wexler"
    assert (await ask(name=typo))["data"]["error"] is not None
    assert (await ask(name=typo, exactMatch=True))["data"]["error"] is None
    assert (await ask(name=typo, fuzzinessThreshold=0))["data"]["error"] is None
    assert (await ask(entityType="company"))["data"]["error"] is None

    # Clients send numbers and truth values as texts, too.
    loose = {"birthYear": "1969", "fuzzinessThreshold": "0", "exactMatch": "true"}
    assert (await ask(**loose))["data"]["error"]["details"]["totalMatches"] == 1
    assert (await ask(name=typo, **loose))["data"]["error"] is None

    for body, place in (
        ({"name": "?"}, ".name"),
        ({"countryCodes": ["XX"]}, ".countryCodes"),
        # A fraction could be of 1 or of 100.
        ({"fuzzinessThreshold": 0.5}, ".fuzzinessThreshold"),
        ({"birthYear": "x"}, ".birthYear"),
        ({"callbackUrl": "https://a@banco.example"}, ".callbackUrl"),
    ):
        refused = await banco.post(ASK, json={"name": "Quirino", **body})
        assert refused.status_code == refused.json()["code"] == 422
        assert refused.json()["data"][0]["dataPath"] == place
    for monitor in (True, "true"):
        monitored = await banco.post(ASK, json={"name": "Quirino", "monitor": monitor})
        assert monitored.status_code == monitored.json()["code"] == 400


async def test_an_exposed_person_is_found_on_the_lists_of_such_persons(banco, lists, tmp_path):
    async def ask(name):
        answer = await banco.post(PEP, json={"fullName": name, "metadata": {"pedido": "4711"}})
        assert answer.status_code == 200, answer.text
        return answer.json()

    assert (await ask("Quirina Zalabardo"))["error"]["code"] == "system.serviceUnavailable"
    # A list of others says nothing about offices.
    await lists.write(ENTRY)
    path = tmp_path / "peps.csv"
    path.write_text(
        "nombres,primer_apellido,segundo_apellido,cargo,institucion,fecha_inicio\n"
        "Quirina,Zalabardo,Wexler,Senadora,Senado de la República,2024-09-01\n"
    )
    await lists.load([path], BY_ID["pep-mx"])
    await lists.serve()
    listed = await ask("Quirina Zalabardo Wexler")
    assert listed["error"] == {
        "type": "legacy.error",
        "code": "mxPepError.matchFound",
        "message": "The user was found to be a PEP",
    }
    assert listed["metadata"] == {"pedido": "4711"}
    data = listed["data"]
    assert (data["pep"], data["country"]) == (True, "MX")
    assert data["fullName"] == "Quirina Zalabardo Wexler"
    (office,) = data["PEPdata"]
    assert office["PEPfullName"] == "Quirina Zalabardo Wexler"
    assert office["position"] == "Senadora, Senado de la República (2024-09-01 – …)"
    unlisted = await ask("Ottoline Fanshawe Dubois")
    assert (unlisted["error"], unlisted["data"]["pep"]) == (None, False)
    assert unlisted["data"]["PEPdata"] is None
    refused = await banco.post(PEP, json={"fullName": "?"})
    assert refused.json()["data"][0]["dataPath"] == ".fullName"
