"""The invented people of the sandboxes: those in use, with numbers that lead to what is said."""

import re
from datetime import date
from pathlib import Path

import cv2
import numpy as np
import pytest

from acredita.domain.errors import NotFound
from acredita.domain.identifiers import curp as curps
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.states import BORN_ABROAD
from acredita.providers.credit.sandbox import MAGIC
from acredita.providers.credit.sandbox import Behaviour as CreditBehaviour
from acredita.providers.government.sandbox import NAME, Behaviour
from acredita.providers.watchlists.catalogue import BY_ID
from acredita.resources.aml.lists.sandbox import SAMPLE
from acredita.resources.sandbox import people
from acredita.settings.server import Environment
from acredita_synthetic.people import known_person
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

    drawn = {person["name"]: person["pictures"] for person in listed}
    # A card needs a whole date of birth, and a firm has none.
    assert drawn["Baltasar Evaristo Quimbaya Zorrozúa"] == ["front", "back", "selfie"]
    assert next(name for name, roles in drawn.items() if not roles).startswith("Ludmila")

    off = services.settings.model_copy(
        update={"government_provider": "none", "credit_provider": "none"}
    )
    async with services.database.transaction() as session:
        left = await people.people(session, off)
    assert [person.name for person in left] == [person["name"] for person in listed]


async def test_a_persons_card_is_drawn_with_the_numbers_that_lead_to_the_result(
    banco, services, client
):
    person = next(each for each in await asked(banco) if each["cic"] == "000000007")
    assert person["pictures"] == ["front", "back", "selfie"]
    where = f"/v1/sandbox/picture?person={person['id']}&role="
    sizes = []
    for role in person["pictures"]:
        answer = await banco.get(f"{where}{role}")
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "image/jpeg"
        image = cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR)
        sizes.append(image.shape[:2])
    assert sizes[0][1] > sizes[0][0]
    assert sizes[2] == (500, 400)
    card = known_person(NAME, date(1990, 2, 7), Sex.MALE, BORN_ABROAD, cic="000000007")
    assert card.curp.text == person["curp"]
    assert card.voter_card.cic == "000000007"
    assert "000000007" in card.voter_card.mrz[0]
    assert (await banco.get(f"{where}passport")).status_code == 422
    assert (await banco.get("/v1/sandbox/picture?person=nobody&role=front")).status_code == 404
    assert (await client.get(f"{where}front")).status_code == 401

    real = services.settings.model_copy(update={"env": Environment.PRODUCTION})
    async with services.database.transaction() as session:
        assert {len(each.pictures) for each in await people.people(session, real)} == {0}
        with pytest.raises(NotFound):
            await people.identity(session, real, person["id"])
