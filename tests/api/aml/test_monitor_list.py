"""The list of monitors: whose, in which state, page by page, without the persons."""

from tests.api.aml.conftest import monitored, shown
from tests.api.verifications.test_cursor_pages import flat
from tests.factories.organizations import make_verification

NAME = "Evaristo Quimbaya Lunario"


async def listed(member, **query):
    answer = await member.get("/v1/aml/monitors", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_monitors_are_listed_newest_first_by_state_and_outcome(banco, rival, lists, days):
    await lists.write(f"1,person,{NAME},,,MX,", "2,person,Persona Inventada,,,MX,")
    await days.pass_to(0)
    found = await monitored(banco, NAME)
    await days.pass_to(0)
    clean = [await monitored(banco, "Otilia Ferreyra Zendejas") for _ in range(2)]
    stop = {"verificationId": clean[1], "fullName": NAME, "enabled": False}
    assert (await banco.post("/v1/aml/monitor", json=stop)).status_code == 200
    theirs = await monitored(rival, NAME)
    await days.pass_to(0)

    page = await listed(banco)
    assert [row["verificationId"] for row in page["monitors"]] == [*clean[::-1], found]
    assert "Quimbaya" not in str(page)
    row, whole = page["monitors"][-1], await shown(banco, found)
    assert row == {key: whole[key] for key in row if key != "openMatches"} | {"openMatches": 1}
    for query, expected in (
        ({"state": "active"}, [clean[0], found]),
        ({"state": "disabled"}, [clean[1]]),
        ({"outcome": "hit"}, [found]),
        ({"outcome": "clean", "state": "active"}, [clean[0]]),
        ({"state": "ended"}, []),
    ):
        rows, cursor = [], {}
        while cursor is not None:
            page = await listed(banco, limit=1, **query, **cursor)
            assert page["pagination"]["total"] == len(expected)
            rows.append([row["verificationId"] for row in page["monitors"]])
            cursor = {"cursor": page["nextCursor"]} if "nextCursor" in page else None
        assert flat(rows) == expected
    assert [row["verificationId"] for row in (await listed(rival))["monitors"]] == [theirs]

    match = whole["matches"][0]["id"]
    path = f"/v1/aml/monitor/{found}/matches/{match}"
    assert (await banco.patch(path, json={"dismissed": True})).status_code == 200
    assert (await listed(banco, outcome="hit"))["monitors"] == []
    assert (await listed(banco))["monitors"][-1]["openMatches"] == 0
    await make_verification(banco)
    assert (await listed(banco, offset=2))["pagination"] == {
        "total": 3,
        "limit": 50,
        "offset": 2,
        "hasMore": False,
    }
    other = (await listed(banco, limit=1))["nextCursor"]
    refused = await banco.get("/v1/aml/monitors", params={"cursor": other, "state": "active"})
    assert refused.status_code == 400
