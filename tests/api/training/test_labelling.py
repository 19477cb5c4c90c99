"""From the queue to a label, and what a label may say."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select, text, update

from acredita.domain.caller import Caller, CallerKind
from acredita.domain.roles import Role
from acredita.models import TrainingField, TrainingItem, TrainingLabel, Verification
from acredita.resources.training import service
from acredita.resources.training.queue_order import Filters, Strategy
from tests.factories.belongings import picture
from tests.factories.organizations import with_new_key
from tests.factories.training import CURP, batch_of, field, make_read_document, multiply

QUEUE, NEXT = "/v1/training/queue", "/v1/training/next"


@pytest.fixture
async def document(services, banco):
    return await make_read_document(services, banco, picture())


def labels(document_id):
    return f"/v1/training/docs/{document_id}/labels"


async def ids_in(member, query=""):
    answer = await member.get(f"{QUEUE}?{query}")
    assert answer.status_code == 200, answer.text
    return [each["id"] for each in answer.json()["documents"]]


async def drawn(member, query=""):
    answer = await member.get(f"{NEXT}?{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()["document"]


async def test_a_document_that_was_read_waits_with_what_it_is_chosen_by(banco, rival, document):
    (queued,) = (await banco.get(QUEUE)).json()["documents"]
    assert queued["id"] == document
    assert (
        queued
        | {
            "docType": "INE_FRONT",
            "engineVersion": "engine-1",
            "lowestConfidence": 0.61,
            "disagreements": 1,
            "hitRate": 0.3333,
            "metamapStatus": "reviewNeeded",
            "batchId": None,
            "lease": None,
        }
        == queued
    )
    assert await ids_in(rival) == []


async def test_the_queue_follows_the_verifications_status(banco, document):
    (queued,) = (await banco.get(QUEUE)).json()["documents"]
    decide = {"status": "APPROVED"}
    await banco.patch(f"/v1/verifications/{queued['verificationId']}/status", json=decide)
    assert await ids_in(banco, "metamapStatus=verified") == [document]
    assert await ids_in(banco, "metamapStatus=reviewNeeded") == []


async def test_each_strategy_has_its_order_and_pages_through_it(banco, services, document):
    await multiply(services, document, 60)
    async with services.database.transaction() as session:
        rows = (await session.scalars(select(TrainingItem))).all()
    orders = {
        "uncertain": sorted(rows, key=lambda r: (r.lowest_confidence, r.document_id)),
        "disagreement": sorted(rows, key=lambda r: (r.disagreements, r.document_id))[::-1],
        "random": sorted(rows, key=lambda r: (r.random_order, r.document_id)),
        "oldest": sorted(rows, key=lambda r: (r.created_at, r.document_id)),
        "newest": sorted(rows, key=lambda r: (r.created_at, r.document_id))[::-1],
    }
    for strategy, expected in orders.items():
        found, after = [], ""
        while True:
            page = (await banco.get(f"{QUEUE}?strategy={strategy}&limit=25{after}")).json()
            found += [each["id"] for each in page["documents"]]
            if page["nextAfter"] is None:
                break
            after = f"&after={page['nextAfter']}"
        assert found == [str(row.document_id) for row in expected], strategy
        assert (await drawn(banco, f"strategy={strategy}&after={found[7]}"))["id"] == found[8]


async def test_filters_leave_in_what_they_say_and_nothing_else(banco, services, document):
    await multiply(services, document, 80)
    every = (await banco.get(f"{QUEUE}?limit=200")).json()["documents"]

    def those(**wanted):
        return [d["id"] for d in every if all(d[k] == v for k, v in wanted.items())]

    def between(low, high):
        return [d["id"] for d in every if low <= d["hitRate"] <= high]

    for query, expected in {
        "docType=PASSPORT": those(docType="PASSPORT"),
        "metamapStatus=verified&docType=INE_BACK": those(
            metamapStatus="verified", docType="INE_BACK"
        ),
        "hitRate=low": between(0, 0.4999),
        "hitRate=medium": between(0.5, 0.8999),
        "hitRate=high": between(0.9, 1),
        "hitRate=0.25-0.75": between(0.25, 0.75),
    }.items():
        assert expected
        assert await ids_in(banco, f"limit=200&{query}") == expected, query


UNKNOWN_FILTERS = (
    "docType=ine",
    "strategy=best",
    "metamapStatus=APPROVED",
    "hitRate=0.5",
    "hitRate=0.9-0.1",
    "hitRate=0-2",
    "color=red",
)


async def test_a_filter_that_is_not_known_is_refused(banco):
    for query in UNKNOWN_FILTERS:
        for path in (QUEUE, NEXT):
            assert (await banco.get(f"{path}?{query}")).status_code == 422, query
    for limit in (0, 201):
        assert (await banco.get(f"{QUEUE}?limit={limit}")).status_code == 422


async def test_batches_and_places_of_others_are_not_found(banco, rival, document, services):
    for query in (f"after={document}", f"after={uuid4()}", f"batchId={uuid4()}", "batchId=x"):
        for path in (QUEUE, NEXT):
            assert (await rival.get(f"{path}?{query}")).status_code == 404, query


async def test_what_a_reviewer_has_in_hand_is_renewed_and_nobody_elses(banco, services, document):
    await multiply(services, document, 2)
    luis, eva = await with_new_key(banco, "REVIEWER"), await with_new_key(banco, "REVIEWER")
    first = await drawn(luis)
    assert first["lease"]["reviewerId"] == luis.registration["id"]
    again = await drawn(luis)
    assert again["id"] == first["id"]
    assert again["lease"]["expiresAt"] > first["lease"]["expiresAt"]
    second = await drawn(eva)
    assert second["id"] != first["id"]
    # Another kind is asked for: what is in hand goes back.
    other = await drawn(luis, f"after={first['id']}")
    assert other["id"] not in {first["id"], second["id"]}
    assert (await drawn(eva, "strategy=newest"))["id"] == second["id"]
    taken = await eva.post(labels(other["id"]), json={"fields": []})
    assert (taken.status_code, taken.json()["error"]["code"]) == (409, "DOCUMENT_LEASED")
    # Time passes, and what was left lying is anybody's.
    async with services.database.transaction() as session:
        past = services.clock.now() - timedelta(seconds=1)
        leased = TrainingItem.lease_owner == luis.registration["id"]
        await session.execute(update(TrainingItem).where(leased).values(lease_until=past))
    assert (await eva.post(labels(other["id"]), json={"fields": []})).status_code == 201


@pytest.mark.parametrize("draws", [200, pytest.param(1000, marks=pytest.mark.thorough)])
async def test_two_reviewers_never_draw_the_same_document_in_many_draws(
    banco, services, document, draws
):
    """Ten at a time, each by a reviewer who has nothing in hand; nothing is put back."""
    await multiply(services, document, draws - 1)
    found = []

    async def draw_a_tenth():
        for _ in range(draws // 10):
            reviewer = Caller(UUID(banco.organization_id), CallerKind.USER, uuid4(), Role.REVIEWER)
            async with services.database.transaction() as session:
                row = await service.next_document(
                    session,
                    services.settings,
                    services.clock,
                    reviewer,
                    Strategy.UNCERTAIN,
                    Filters(),
                    after=None,
                )
            found.append(row.id)

    await asyncio.gather(*(draw_a_tenth() for _ in range(10)))
    assert len(found) == len(set(found)) == draws


async def test_a_skipped_document_is_offered_to_others_alone(banco, document):
    luis, eva = await with_new_key(banco, "REVIEWER"), await with_new_key(banco, "REVIEWER")
    assert (await drawn(luis))["id"] == document
    answer = await luis.post(f"/v1/training/docs/{document}/skip")
    assert (answer.status_code, answer.json()["documentId"]) == (200, document)
    assert (await luis.post(f"/v1/training/docs/{document}/skip")).status_code == 200
    assert await drawn(luis) is None
    assert (await drawn(eva))["id"] == document


async def test_a_document_shows_each_field_with_its_sources_and_where_it_stands(banco, document):
    shown = (await banco.get(f"/v1/training/docs/{document}")).json()["document"]
    (media,) = shown["media"]
    by_name = {each["field"]: each for each in shown["fields"]}
    assert by_name["curp"]["value"] == CURP
    assert by_name["curp"]["sources"] == [
        {
            "source": "ocr",
            "value": CURP,
            "confidence": 0.97,
            "alternatives": [],
            "mediaId": media["id"],
            "box": [0.1, 0.2, 0.4, 0.25],
        }
    ]
    assert by_name["section"]["reasons"] == ["READINGS_DIFFER"]
    assert shown["label"] is None
    assert "rfc" in shown["fieldNames"]


LABEL = {
    "fields": [
        {"fieldName": "curp", "wasMlCorrect": True, "wasMetamapCorrect": False},
        {"fieldName": "givenNames", "confirmedValue": "ANITA", "notes": "tilde"},
        {"fieldName": "section", "confirmedValue": " 0123"},
        {"fieldName": "maternalSurname", "wasFieldPresent": False},
        {"fieldName": "dateOfBirth", "confirmedValue": "1990-01-01"},
    ],
    "documentTypeOverride": "DRIVER_LICENCE",
    "flags": ["glare"],
    "reviewSeconds": 12.5,
    "reviewNotes": "Señora",
}


async def test_a_label_is_kept_sealed_and_compared_with_what_was_read(banco, services, document):
    answer = await banco.post(labels(document), json=LABEL)
    assert answer.status_code == 201, answer.text
    assert answer.json()["label"]["version"] == 1
    async with services.database.transaction() as session:
        (label,) = (await session.scalars(select(TrainingLabel))).all()
        rows = {row.field: row for row in (await session.scalars(select(TrainingField))).all()}
    assert b"ANITA" not in label.label_sealed
    assert (label.read_type, label.document_type) == ("INE_FRONT", "DRIVER_LICENCE")
    said = {name: (row.was_read, row.is_present, row.is_correct) for name, row in rows.items()}
    assert said == {
        "curp": (True, True, True),
        "givenNames": (True, True, False),
        "section": (True, True, True),
        "maternalSurname": (False, False, None),
        "dateOfBirth": (False, True, None),
    }
    assert rows["curp"].is_metamap_correct is False
    assert (rows["givenNames"].confidence, rows["givenNames"].confirmation) == (0.61, "NONE")
    assert rows["givenNames"].is_decided_by_confidence
    assert not rows["section"].is_decided_by_confidence
    shown = (await banco.get(f"/v1/training/docs/{document}")).json()["document"]["label"]
    assert shown["fields"][1]["confirmedValue"] == "ANITA"
    assert shown["reviewNotes"] == "Señora"
    assert await ids_in(banco) == []
    entries = (await banco.get(f"/v1/audit-logs?resourceId={document}")).json()["auditLogs"]
    (entry,) = (each for each in entries if each["action"] == "document.labelled")
    assert entry["details"] == {"label": str(label.id), "version": 1, "fields": 5}


async def test_every_version_stays_and_the_last_one_counts(banco, services, document):
    eva = await with_new_key(banco, "REVIEWER")
    for reviewer, name in ((banco, "ANA"), (eva, "EVA"), (eva, "ANA")):
        fields = [{"fieldName": "givenNames", "confirmedValue": name}]
        answer = await reviewer.post(labels(document), json={"fields": fields})
        assert answer.status_code == 201, answer.text
    async with services.database.transaction() as session:
        query = select(TrainingLabel).order_by(TrainingLabel.version)
        rows = (await session.scalars(query)).all()
    assert [(r.version, r.is_last, r.compared, r.agreed) for r in rows] == [
        (1, False, None, None),
        (2, False, 1, 0),
        (3, True, 1, 1),
    ]


CONTRADICTIONS = [
    ({"fields": [{"fieldName": "shoeSize"}]}, "fields.0.fieldName"),
    ({"fields": [{"fieldName": "curp"}, {"fieldName": "curp"}]}, "fields.1.fieldName"),
    (
        {"fields": [{"fieldName": "rfc", "wasFieldPresent": False, "confirmedValue": "X"}]},
        "fields.0.confirmedValue",
    ),
    (
        {"fields": [{"fieldName": "curp", "wasFieldPresent": False, "wasMlCorrect": True}]},
        "fields.0.wasMlCorrect",
    ),
    ({"fields": [{"fieldName": "rfc", "wasMlCorrect": True}]}, "fields.0.wasMlCorrect"),
    (
        {"fields": [{"fieldName": "curp", "wasMlCorrect": True, "confirmedValue": "X"}]},
        "fields.0.confirmedValue",
    ),
    (
        {"fields": [{"fieldName": "curp", "wasMlCorrect": False, "confirmedValue": CURP}]},
        "fields.0.confirmedValue",
    ),
    ({}, "fields"),
    ({"fields": None}, "fields"),
    ({"fields": [{}]}, "fields.0.fieldName"),
    ({"fields": [{"fieldName": "curp", "wasMlCorrect": "yes"}]}, "fields.0.wasMlCorrect"),
    ({"fields": [], "reviewSeconds": -1}, "reviewSeconds"),
    ({"fields": [], "reviewSeconds": "9"}, "reviewSeconds"),
    ({"fields": [], "documentTypeOverride": "Ana María"}, "documentTypeOverride"),
    ({"fields": [], "flags": ["x" * 51]}, "flags.0"),
    ({"fields": [], "flags": "glare"}, "flags"),
    ({"fields": [], "color": "red"}, "color"),
]


async def test_a_label_that_contradicts_itself_or_the_document_changes_nothing(
    banco, services, document
):
    for body, place in CONTRADICTIONS:
        answer = await banco.post(labels(document), json=body)
        assert answer.status_code == 422, (body, answer.text)
        details = answer.json()["error"]["details"]
        assert any(detail.startswith(f"body.{place}: ") for detail in details), details
    async with services.database.transaction() as session:
        assert await session.scalar(select(func.count()).select_from(TrainingLabel)) == 0
    assert await ids_in(banco) == [document]


async def test_members_may_not_see_the_queue(banco):
    member = await with_new_key(banco, "MEMBER")
    for path in (QUEUE, NEXT, "/v1/training/batches", "/v1/training/stats"):
        assert (await member.get(path)).status_code == 403


async def test_stats_say_who_labelled_how_much_how_fast_and_how_alike(banco, services, document):
    second = await make_read_document(services, banco, picture(), field("curp", CURP))
    luis, eva = await with_new_key(banco, "REVIEWER"), await with_new_key(banco, "REVIEWER")
    right = {"fields": [{"fieldName": "curp", "wasMlCorrect": True}]}
    wrong = {"fields": [{"fieldName": "curp", "confirmedValue": "X"}]}
    await luis.post(labels(document), json=right | {"reviewSeconds": 10})
    await luis.post(labels(second), json=right | {"reviewSeconds": 30})
    await eva.post(labels(document), json=right)
    await eva.post(labels(second), json=wrong)
    await eva.post(f"/v1/training/docs/{second}/skip")
    stats = (await banco.get("/v1/training/stats")).json()
    assert (stats["waiting"], stats["labelled"], stats["inHand"]) == (0, 2, 0)
    by_id = {each["reviewerId"]: each for each in stats["reviewers"]}
    assert by_id[luis.registration["id"]] == {
        "reviewerId": luis.registration["id"],
        "reviewerKind": "client",
        "documents": 2,
        "documentsLastDay": 2,
        "medianReviewSeconds": 20.0,
        "documentsPerHour": 180.0,
        "skipped": 0,
        "agreement": None,
    }
    of_eva = by_id[eva.registration["id"]]
    assert (of_eva["agreement"], of_eva["skipped"]) == (0.5, 1)
    assert (of_eva["medianReviewSeconds"], of_eva["documentsPerHour"]) == (None, None)


async def test_a_verification_that_is_purged_takes_its_labels_along(banco, services, document):
    assert (await banco.post(labels(document), json=LABEL)).status_code == 201
    async with services.database.transaction() as session:
        await session.execute(text("DELETE FROM document"))
    async with services.database.transaction() as session:
        for table in ("training_item", "training_label", "training_field"):
            assert await session.scalar(text(f"SELECT count(*) FROM {table}")) == 0  # noqa: S608
        assert await session.scalar(select(func.count()).select_from(Verification)) == 1


async def test_a_picture_is_streamed_whole_or_one_range_of_it(client, banco, rival, document):
    shown = (await banco.get(f"/v1/training/docs/{document}")).json()["document"]
    (media,) = shown["media"]
    path = f"/v1/training/media/{media['id']}"
    assert media["url"].startswith(f"http://test{path}?key=")
    whole = await client.get(media["url"])
    assert (whole.status_code, whole.content) == (200, picture())
    assert whole.headers["accept-ranges"] == "bytes"
    size = len(whole.content)
    for wanted, expected in {
        "bytes=0-9": whole.content[:10],
        "bytes=10-": whole.content[10:],
        "bytes=-7": whole.content[-7:],
        f"bytes=5-{10 * size}": whole.content[5:],
        f"bytes=-{10 * size}": whole.content,
    }.items():
        part = await banco.get(path, headers={"Range": wanted})
        assert (part.status_code, part.content) == (206, expected), wanted
        start = (
            size - len(expected) if wanted.startswith("bytes=-") else int(wanted[6:].split("-")[0])
        )
        end = start + len(expected) - 1
        assert part.headers["content-range"] == f"bytes {start}-{end}/{size}"
    for refused in (f"bytes={size}-", "bytes=0-1,4-5", "bytes=-0"):
        part = await banco.get(path, headers={"Range": refused})
        assert (part.status_code, part.headers["content-range"]) == (416, f"bytes */{size}")
        assert part.json()["error"]["code"] == "RANGE_NOT_SATISFIABLE"
    for ignored in ("bytes=9-5", "lines=1-2", "bytes=a-b", "bytes=-"):
        assert (await banco.get(path, headers={"Range": ignored})).status_code == 200, ignored
    stale = {"Range": "bytes=0-9", "If-Range": '"other"'}
    assert (await banco.get(path, headers=stale)).status_code == 200
    fresh = {"Range": "bytes=0-9", "If-Range": whole.headers["etag"]}
    assert (await banco.get(path, headers=fresh)).status_code == 206
    assert (await client.get(path)).status_code == 401
    assert (await client.get(path + "?key=1.x")).status_code == 401
    assert (await (await with_new_key(banco, "MEMBER")).get(path)).status_code == 403
    assert (await rival.get(path)).status_code == 404


async def test_batches_show_how_far_they_are(banco, services, document):
    batch_id = await batch_of(services, document)
    assert await ids_in(banco, f"batchId={batch_id}") == [document]
    await drawn(banco)
    (listed,) = (await banco.get("/v1/training/batches")).json()["batches"]
    assert (listed["id"], listed["total"], listed["labelled"], listed["inHand"]) == (
        batch_id,
        1,
        0,
        1,
    )
    await banco.post(labels(document), json={"fields": []})
    shown = (await banco.get(f"/v1/training/batches/{batch_id}")).json()["batch"]
    assert (shown["total"], shown["labelled"], shown["inHand"]) == (1, 1, 0)
    assert shown["byDocType"] == [{"docType": "INE_FRONT", "total": 1, "labelled": 1}]
