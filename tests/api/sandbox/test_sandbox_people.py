"""The invented people of the sandboxes: those in use, with numbers that lead to what is said."""

import re
from pathlib import Path

from acredita.domain.identifiers import curp as curps
from acredita.providers.credit.sandbox import MAGIC
from acredita.providers.credit.sandbox import Behaviour as CreditBehaviour
from acredita.providers.government.sandbox import Behaviour
from acredita.providers.watchlists.catalogue import BY_ID
from acredita.resources.aml.lists.sandbox import SAMPLE
from acredita.resources.sandbox import people
from tests.api.aml.conftest import Lists

GUIDE = Path(__file__).parents[3] / "docs" / "operators" / "government-bridge.md"


async def asked(member):
    answer = await member.get("/v1/sandbox/people")
    assert answer.status_code == 200, answer.text
    return answer.json()["people"]


async def test_the_sandboxes_in_use_show_whom_they_know(banco, services, app, tmp_path):
    found = await asked(banco)
    by_curp = {person["curp"]: person for person in found}
    # Those that the guide names, and no others.
    assert set(by_curp) == set(re.findall(r"XUXX\d{6}HNEXXX\d\d", GUIDE.read_text()))
    for curp, person in by_curp.items():
        assert curps.parse(curp).faults == ()
        assert person["dateOfBirth"] == curps.parse(curp).value.birth_date.isoformat()
    given = [(each["source"], each["code"]) for person in found for each in person["results"]]
    assert {("government", it.name.lower()) for it in Behaviour} <= set(given)
    assert {("credit", it.name.lower()) for it in CreditBehaviour} <= set(given)
    unknown = by_curp["XUXX900201HNEXXX01"]
    assert (unknown["rfc"], unknown["cic"]) == ("XUXX900201AB1", "000000001")
    assert MAGIC.match(unknown["rfc"])
    assert by_curp["XUXX900101HNEXXX02"]["cic"] is None

    await Lists(app.state.services, tmp_path).load([SAMPLE], BY_ID["sandbox"])
    listed = (await asked(banco))[len(found) :]
    assert len(listed) == 10
    assert listed[0]["name"] == "Baltasar Evaristo Quimbaya Zorrozúa"
    assert listed[0]["results"] == [
        {
            "source": "watchlist",
            "code": "SAMPLE-SANCTIONS",
            "text": "A watchlist has the name.",
        }
    ]
    assert listed[6]["rfc"] == "CLB110315AB1"

    off = services.settings.model_copy(
        update={"government_provider": "none", "credit_provider": "none"}
    )
    async with services.database.transaction() as session:
        left = await people.people(session, off)
    assert [person.name for person in left] == [person["name"] for person in listed]
