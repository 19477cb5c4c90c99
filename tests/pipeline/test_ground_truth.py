"""Ground truth held against the real engines, before and after a change."""

import json

import pytest

from acredita.engines.documents.licences.templates import dump_template, known_templates
from acredita_synthetic.faces.people import people
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.specimens import make_specimen
from tests.factories.challenges import selfie
from tests.factories.samples import LICENCES, SELFIES, STATES, add_licence, add_selfie
from tests.pipeline.conftest import until

SEED = 68  # a licence of Puebla
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("worker")]


async def done(member, path):
    async def when_done():
        shown = (await member.get(path)).json()
        return None if shown["status"] == "PENDING" else shown

    return await until(when_done)


# test_licences.py reads this licence by both templates; tests/api/ground_truth compares values.
@pytest.mark.thorough
async def test_a_licence_is_read_and_read_again_by_another_template(banco):
    specimen = make_specimen(SpecimenKind.DRIVER_LICENCE, SEED)
    known = {
        name: specimen.truth["values"][name]
        for name in ("documentNumber", "curp", "issueDate", "paternalSurname", "licenceClass")
    }
    added = await add_licence(
        banco, specimen.image_bytes, state="PL", fields=known | {"address": "Otra, 1"}
    )
    path = f"{LICENCES}/{added['id']}"
    first = await done(banco, path)
    assert (first["status"], first["readBy"]["state"]) == ("DONE", "PL")
    assert (first["compared"], first["correct"]) == (6, 5)

    builtin = next(each for each in known_templates() if each.state == "PL")
    template = json.loads(dump_template(builtin)) | {"id": "propia"}
    template["fields"]["documentNumber"]["shapes"] = ["AAAA99AAAA"]
    kept = await banco.patch(f"{STATES}/{added['id']}", json={"template": template})
    assert kept.status_code == 200, kept.text
    assert (await banco.post(f"{path}/reocr")).json()["status"] == "PENDING"
    second = await done(banco, path)
    assert (second["readBy"]["model"], second["previouslyReadBy"]["model"]) == ("propia", "mx-pl")
    assert second["correct"] == 4
    number = next(each for each in second["trials"] if each["field"] == "documentNumber")
    assert number["read"] is None
    assert number["readBefore"] == known["documentNumber"]
    assert (number["isCorrect"], number["wasCorrectBefore"]) == (False, True)


async def test_pairs_are_compared_and_compared_again(banco):
    # Of the drawn people, these two are the least alike.
    face, _, other = people()[:3]
    same = await add_selfie(banco, selfie(face, 1), selfie(face, 2))
    different = await add_selfie(banco, selfie(face, 1), selfie(other, 1), isSamePerson=False)
    for added in (same, different):
        shown = await done(banco, f"{SELFIES}/{added['id']}")
        assert (shown["status"], shown["isCorrect"]) == ("DONE", True), shown
    path = f"{SELFIES}/{same['id']}"
    assert (await banco.post(f"{path}/rematch")).status_code == 202
    again = await done(banco, path)
    assert again["previousResult"]["distance"] == again["result"]["distance"]
