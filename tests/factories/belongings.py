"""Everything that an organization can own, and a valid request for every route."""

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import UUID

import httpx
from fastapi.routing import APIRoute
from sqlalchemy import select, text
from sqlalchemy.dialects.postgresql import insert

from acredita.domain.audit import canonical
from acredita.domain.signing_in import SignInMethod
from acredita.kit import ids
from acredita.kit.crypto import token_digest
from acredita.models import (
    Base,
    Browser,
    Hit,
    IdentityProvider,
    Media,
    MediaKind,
    Monitor,
    MonitorMatch,
    Passkey,
    ReviewFilter,
    User,
    UserSession,
    Watchlist,
    WatchlistEntity,
)
from acredita.resources.aml.hits.recording import question_of
from acredita.resources.auth.queries import Account
from acredita.resources.files import service as files
from acredita.resources.policies.schemas import DraftWrite
from acredita.resources.routes import ROUTERS
from acredita.resources.sessions import service as sessions
from acredita.services import Services
from tests.factories import samples, training
from tests.factories.organizations import Member, make_verification, make_workflow
from tests.factories.samples import picture

ME = "/v1/organizations/me"
# The compatible API: it ignores unknown keys, and words its errors as the other one does.
METAMAP = "/v1/metamap"
# Parameters in the query that a route demands: the noun whose id each is.
QUERIES = {
    f"{METAMAP}/file": {"location": "documents"},
    # Any text is a name.
    "/v1/aml/entries": {"name": "workflows"},
}
STEPS = [{"type": "DOCUMENT_OCR", "order": 0}]
QUESTION = {"id": "ocupacion", "type": "text", "label": "Ocupación", "required": False}
ANSWERS = {"ocupacion": "panadera"}
CREDIT_CHECK = {"fullName": "Ana María de la Cruz Ruiz", "curp": "CURA900505MDFRZN03"}
SIGNATURE = {
    "verificationId": "?",
    "tier": "name_only",
    "signerName": "Ana María de la Cruz Ruiz",
    "documents": [{"title": "Contrato", "content": "Las partes acuerdan."}],
}
DRAFT = {"rules": [], "otherwise": {"outcome": "DEFAULT"}}
DIGEST = sha256(canonical(DraftWrite.model_validate(DRAFT).document()).encode())
POLICY = {"name": "Riesgo", **DRAFT}
MONITOR = {"verificationId": "?", "fullName": "Ana María de la Cruz Ruiz", "enabled": True}
CONSENT = {"version": "1", "locale": "es", "acceptedAt": "2026-01-31T18:05:09.120Z"}
# A valid body for each route that takes JSON from a caller; a new route brings its own.
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("PATCH", ME): {"name": "Otro nombre", "dataRetentionDays": 30, "supportContact": None},
    ("PUT", "/v1/verifications/{id}/legal-hold"): {"reason": "Requerimiento 1"},
    ("PUT", f"{ME}/allowed-origins"): {"allowedOrigins": ["https://other.example"]},
    ("PUT", f"{ME}/identity-provider"): {
        "issuer": "https://localhost/",
        "clientId": "acredita",
        "clientSecret": "secret",
    },
    ("POST", "/v1/auth/oidc/start"): {"organization": "nobody"},
    ("POST", f"{ME}/api-keys"): {"name": "Otra", "rateLimit": 1},
    ("POST", "/v1/auth/totp/confirm"): {"code": "000000"},
    ("POST", "/v1/auth/passkeys"): {"name": "Laptop", "credential": {}},
    ("POST", f"{ME}/users"): {"email": "otra@banco.example", "role": "MEMBER"},
    ("PATCH", f"{ME}/users/{{id}}"): {"role": "MEMBER", "email": "otra@banco.example"},
    ("POST", "/v1/workflows"): {"name": "Otro", "steps": STEPS},
    ("PATCH", "/v1/workflows/{id}"): {
        "name": "Otro",
        "description": "Otro",
        "steps": STEPS,
        "isActive": True,
    },
    ("PUT", "/v1/workflows/{id}/theme"): {"accentColor": "#000000"},
    ("POST", "/v1/workflows/{id}/metamap-aliases"): {"alias": "60aa1b2c3d4e5f6071829303"},
    ("PUT", "/v1/workflows/{id}/metamap-default"): {"isDefault": True},
    ("POST", "/v1/sdk/verifications/{id}/consent"): CONSENT,
    ("POST", "/v1/verifications/{id}/capture"): {"expiresIn": 3600},
    ("POST", "/v1/sdk/verifications/{id}/hand-over"): {},
    ("POST", "/v1/sdk/verifications/{id}/code/send"): {
        "channel": "email",
        "destination": "ana@correo.example",
    },
    ("POST", "/v1/sdk/verifications/{id}/code/confirm"): {"channel": "sms", "code": "000000"},
    ("POST", "/v1/sdk/verifications/{id}/form"): {"values": ANSWERS},
    ("POST", "/v1/sdk/verifications/{id}/position"): {"state": "refused"},
    ("POST", "/v1/sdk/hand-overs"): {"code": "0000-0000-0000"},
    ("POST", "/v1/sdk/link-sessions"): {"link": "cl_" + "x" * 43},
    ("POST", "/v1/verifications"): {"workflowId": "?", "externalId": "otro"},
    ("PATCH", "/v1/verifications/{id}/status"): {"status": "APPROVED", "notes": "Otra"},
    ("PATCH", "/v1/verifications/{id}"): {"relationshipEndedAt": CONSENT["acceptedAt"]},
    ("POST", "/v1/verifications/{id}/notes"): {"note": "Otra"},
    ("POST", "/v1/verifications/{id}/proposal/confirm"): {"proposal": "x", "notes": "Otra"},
    ("POST", "/v1/verifications/{id}/proposal/decline"): {"proposal": "x", "notes": "Otra"},
    ("POST", "/v1/verifications/{id}/replay"): {},
    ("POST", "/v1/verifications/{id}/reveal"): {"kinds": ["FIELDS"]},
    ("POST", "/v1/verifications/{id}/retake"): {"pictures": ["front"], "message": "Otra"},
    ("POST", "/v1/reviews/next"): {"reason": "FACE_UNCERTAIN"},
    ("POST", "/v1/reviews/filters"): {"name": "Otros", "filter": {"sort": "newest"}},
    ("POST", "/v1/reviews/{id}/hand-over"): {"userId": "?"},
    ("POST", "/v1/policies"): POLICY,
    ("PUT", "/v1/policies/{id}/draft"): DRAFT,
    ("POST", "/v1/policies/{id}/publish"): {
        "digest": sha256(
            canonical(DraftWrite.model_validate(DRAFT).document()).encode()
        ).hexdigest()
    },
    ("POST", "/v1/policies/{id}/simulate"): {"workflowId": "?", "most": 10},
    ("POST", "/v1/policies/{id}/simulations/{simulationId}/threshold"): {"name": "Con umbral"},
    ("POST", "/v1/esignature/sign"): SIGNATURE,
    ("POST", "/v1/credit/check"): CREDIT_CHECK,
    ("POST", "/v1/location/check"): {"ipAddress": "203.0.113.7", "allowedCountries": ["MX"]},
    ("POST", "/v1/custom-input/forms"): {"title": "Otro", "fields": [QUESTION]},
    ("POST", "/v1/custom-input/submit"): {"verificationId": "?", "formId": "?", "values": {}},
    ("POST", "/v1/aml/screen"): {"fullName": "Ana María de la Cruz Ruiz"},
    ("POST", "/v1/aml/screen/batch"): {"queries": [{"fullName": "Ana María de la Cruz Ruiz"}]},
    ("POST", "/v1/aml/monitor"): MONITOR,
    ("PATCH", "/v1/aml/monitor/{verificationId}/matches/{id}"): {"dismissed": True},
    ("POST", "/v1/aml/matches/{id}/review"): {
        "decision": "needs_information",
        "openedAt": "2026-01-31T18:05:09.120Z",
        "note": "Otra",
    },
    ("POST", "/v1/aml/matches/{id}/hand-over"): {"userId": "?"},
    ("POST", "/v1/aml/matches/{id}/proposal/confirm"): {"proposal": "x", "note": "Otra"},
    ("POST", "/v1/aml/matches/{id}/proposal/decline"): {"proposal": "x", "note": "Otra"},
    ("POST", "/v1/training/docs/{docId}/labels"): {
        "fields": [{"fieldName": "curp", "wasMlCorrect": True, "notes": "Ana"}],
        "reviewSeconds": 4.5,
    },
    ("POST", f"{METAMAP}/v2/verifications"): {"flowId": "?"},
    ("POST", f"{METAMAP}/v2/identities"): {"flowId": "?"},
    ("PUT", f"{METAMAP}/v2/verifications/{{id}}/status"): {"status": "verified"},
    ("PATCH", f"{METAMAP}/v2/verifications/{{id}}/status"): {"status": "verified"},
    ("POST", f"{METAMAP}/safety/v1/checks/comply-advantage"): {"name": "Ana María de la Cruz"},
    ("POST", f"{METAMAP}/safety/v1/checks/email/risk"): {"recipient": "ana@banco.example"},
    ("POST", f"{METAMAP}/safety/v1/checks/phone/risk"): {"recipient": "525512345678"},
    ("POST", f"{METAMAP}/safety/v1/checks/email/otp"): {"recipient": "ana@banco.example"},
    ("POST", f"{METAMAP}/safety/v1/checks/phone/otp"): {"recipient": "525512345678"},
    ("POST", f"{METAMAP}/verification/v1/pdf/download"): {
        "request_id": "informe",
        "verification_ids": ["?"],
        "callback_details": {"url": "https://localhost/"},
    },
    ("POST", f"{METAMAP}/govchecks/v1/mx/pep"): {"fullName": "Ana María de la Cruz"},
    ("POST", f"{METAMAP}/govchecks/v1/mx/curp"): {"curp": "CURA900505MDFRZN03"},
    ("POST", f"{METAMAP}/govchecks/v1/mx/ine"): {"documentNumber": "123456789"},
    ("POST", f"{METAMAP}/govchecks/v1/mx/rfc"): {"rfc": "CURA900505AB1"},
    ("POST", f"{METAMAP}/govchecks/v1/mx/rfc-status"): {"rfc": "CURA900505AB1"},
    ("PATCH", "/v1/dl-groundtruth/{id}"): {"state": "NL", "notes": "Otra"},
    ("PATCH", "/v1/dl-state-groundtruth/{id}"): {"state": "NL"},
    ("PATCH", "/v1/selfie-groundtruth/{id}"): {"isSamePerson": False, "notes": "Otra"},
    ("POST", "/v1/webhooks"): {"url": "https://localhost/", "events": ["verification.created"]},
}
# The nouns of the things whose ids stand in bodies.
IDS_IN_BODIES = {
    "workflowId": "workflows",
    "flowId": "workflows",
    "verificationId": "verifications",
    "formId": "forms",
    "userId": "users",
}
# Roles of the files of a form, and its other fields.
FILES: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "/v1/verifications/{id}/inputs": (("front",), {}),
    "/v1/sdk/verifications/{id}/inputs": (("front",), {}),
    "/v1/dl-groundtruth/upload": (("document",), {"truth": json.dumps(samples.LICENCE)}),
    "/v1/selfie-groundtruth/upload": (
        ("selfie", "document"),
        {"truth": json.dumps(samples.SELFIE)},
    ),
}


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    route: APIRoute

    @property
    def nouns(self) -> list[str]:
        """What the ids in the path are of: the segment before each."""
        return re.findall(r"/([\w-]+)/\{\w+\}", self.path)

    @property
    def takes_json(self) -> bool:
        return self.route.body_field is not None

    def address(self, named: dict[str, str]) -> str:
        """The path with the ids of those things in it."""
        return re.sub(
            r"/([\w-]+)/\{\w+\}", lambda found: f"/{found[1]}/{named[found[1]]}", self.path
        )

    def request(self, named: dict[str, str]) -> dict[str, Any]:
        """The arguments of `Member.request` for a valid call on the things of those ids."""
        call: dict[str, Any] = {"method": self.method, "path": self.address(named)}
        if self.takes_json:
            body = dict(BODIES[self.method, self.path])
            body |= {key: named[noun] for key, noun in IDS_IN_BODIES.items() if key in body}
            call["json"] = body
        if self.path in QUERIES:
            call["params"] = {name: named[noun] for name, noun in QUERIES[self.path].items()}
        if self.path in FILES:
            roles, call["data"] = FILES[self.path]
            call["files"] = {role: ("x.png", picture(), "image/png") for role in roles}
        return call


OPERATIONS = [
    Operation(method, route.path, route)
    for router in ROUTERS
    for route in router.routes
    if isinstance(route, APIRoute)
    for method in sorted(route.methods)
]


def code_of(answer: httpx.Response) -> str:
    """The code of an error; in the words of the compatible API its type, or its name."""
    body = answer.json()
    return str(body["error"]["code"] if "error" in body else body.get("type", body["name"]))


async def make_one_of_each(services: Services, member: Member) -> dict[str, str]:
    """Something of every kind for one organization; the ids, by the nouns of the paths."""
    workflow_id = await make_workflow(member)
    webhook = await member.post(
        "/v1/webhooks", json={"url": "https://localhost/", "events": ["verification.created"]}
    )
    verification_id = await make_verification(member, workflow_id, externalId="cliente 1")
    webhook_id = webhook.json()["webhook"]["id"]
    deliveries = await member.get(f"/v1/webhooks/{webhook_id}/deliveries")
    upload = await member.post(
        f"/v1/verifications/{verification_id}/inputs", files={"front": ("x.png", picture())}
    )
    assert upload.status_code == 202, upload.text
    email = f"luis@{member.organization_id}.example"
    user = await member.post(f"{ME}/users", json={"email": email, "role": "REVIEWER"})
    key = await member.post(f"{ME}/api-keys", json={"name": "Otra llave"})
    check = await member.post("/v1/credit/check", json=CREDIT_CHECK)
    document_id = upload.json()["uploaded"][0]["id"]
    await training.enter(services, verification_id, document_id, finish=False)
    batch_id = await training.batch_of(services, document_id)
    package = {**SIGNATURE, "verificationId": verification_id}
    signature = await member.post("/v1/esignature/sign", json=package)
    assert signature.status_code == 201, signature.text
    form_id = await make_form(member)
    submission = {"formId": form_id, "verificationId": verification_id, "values": ANSWERS}
    assert (await member.post("/v1/custom-input/submit", json=submission)).json()["valid"]
    monitored = {**MONITOR, "verificationId": verification_id}
    assert (await member.post("/v1/aml/monitor", json=monitored)).json()["monitoring"]
    policy = await member.post("/v1/policies", json=POLICY)
    policy_id = policy.json()["policy"]["id"]
    simulation = await member.post(f"/v1/policies/{policy_id}/simulate", json={"most": 10})
    screening = await member.post("/v1/aml/screen", json=BODIES["POST", "/v1/aml/screen"])
    licence = await samples.add_licence(member)
    selfie = await samples.add_selfie(member)
    return {
        "workflows": workflow_id,
        "dl-groundtruth": licence["id"],
        "dl-state-groundtruth": licence["id"],
        "selfie-groundtruth": selfie["id"],
        "policies": policy_id,
        "simulations": simulation.json()["simulation"]["id"],
        "webhooks": webhook_id,
        "deliveries": deliveries.json()["deliveries"][0]["id"],
        "verifications": verification_id,
        "reviews": verification_id,
        "custom-input": verification_id,
        "identities": verification_id,
        "identity": verification_id,
        "monitor": verification_id,
        "screenings": screening.json()["screeningId"],
        # Watchlists belong to nobody, and no entry has this id.
        "entries": verification_id,
        "matches": await add_match(services, verification_id),
        "forms": form_id,
        "documents": document_id,
        "passport-image": (media_id := await add_media(services, member, document_id)),
        "media": media_id,
        "docs": document_id,
        "batches": batch_id,
        "check": check.json()["id"],
        "esignature": signature.json()["id"],
        "users": (user_id := user.json()["user"]["id"]),
        "sessions": (session_id := await add_session(services, member)),
        "filters": await add_filter(services, member, user_id),
        "passkeys": await add_passkey(services, session_id),
        "api-keys": key.json()["apiKey"]["id"],
    }


async def make_form(member: Member, *fields: dict[str, Any]) -> str:
    answer = await member.post(
        "/v1/custom-input/forms", json={"title": "Conoce", "fields": fields or [QUESTION]}
    )
    assert answer.status_code == 201, answer.text
    return str(answer.json()["formId"])


async def add_session(services: Services, member: Member) -> str:
    """A session of the organization's owner."""
    async with services.database.transaction() as session:
        owner = (
            await session.scalars(
                select(User).where(
                    User.organization_id == UUID(member.organization_id), User.role == "OWNER"
                )
            )
        ).one()
        account = Account(owner.id, owner.organization_id, None, owner.token_version)
        token = sessions.new_token()
        await sessions.open_session(
            session,
            services,
            account,
            Browser("198.51.100.7", "Navegador"),
            token,
            former=b"",
            method=SignInMethod.PASSWORD,
        )
        await session.flush()
        opened = select(UserSession.id).where(UserSession.token_digest == token_digest(token))
        return str((await session.scalars(opened)).one())


async def add_passkey(services: Services, session_id: str) -> str:
    """A passkey of a session's user."""
    async with services.database.transaction() as session:
        opened = await session.get_one(UserSession, UUID(session_id))
        passkey = Passkey(
            id=ids.sortable(),
            organization_id=opened.organization_id,
            user_id=opened.user_id,
            credential_id=ids.capability().bytes,
            public_key=b"",
            sign_count=0,
        )
        passkey.name.seal(services.keys, "Laptop")
        session.add(passkey)
        return str(passkey.id)


async def add_identity_provider(services: Services, member: Member) -> None:
    async with services.database.transaction() as session:
        row = IdentityProvider(
            id=ids.sortable(),
            organization_id=UUID(member.organization_id),
            issuer="https://login.banco.example",
            client_id="acredita",
            scopes=["openid"],
            allowed_domains=[],
            groups_claim="groups",
            roles=[],
        )
        row.client_secret.seal(services.keys, "secret")
        session.add(row)


async def add_media(services: Services, member: Member, document_id: str) -> str:
    """A picture derived from a document, as the engine leaves it, without the engine."""
    media = Media(
        id=ids.capability(),
        organization_id=UUID(member.organization_id),
        document_id=UUID(document_id),
        kind=MediaKind.PAGE,
        storage_key=f"media-of-{document_id}",
    )
    await files.store(services, media, picture())
    async with services.database.transaction() as session:
        session.add(media)
    return str(media.id)


async def add_filter(services: Services, member: Member, user_id: str) -> str:
    """A filter that the user saved: keys have none."""
    row = ReviewFilter(
        id=ids.sortable(),
        organization_id=UUID(member.organization_id),
        user_id=UUID(user_id),
        name="Mías",
        filter={},
    )
    async with services.database.transaction() as session:
        session.add(row)
    return str(row.id)


async def add_match(services: Services, verification_id: str) -> str:
    """What a screening leaves when it finds something, without lists and index."""
    async with services.database.transaction() as session:
        await session.execute(
            insert(Watchlist)
            .values(id="private", name="Ours", publisher="", format="csv")
            .on_conflict_do_nothing()
        )
        entity = WatchlistEntity(
            list_id="private",
            source_id=verification_id,
            entity_type="person",
            standing="listed",
            names=[{"text": "Ana Cruz", "kind": "primary", "family": "", "given": ""}],
            countries=[],
            dates_of_birth=[],
            identifiers=[],
            programs=[],
            row_hash=b"",
            changed_version=1,
        )
        session.add(entity)
        monitor = (
            await session.scalars(
                select(Monitor).where(Monitor.verification_id == UUID(verification_id))
            )
        ).one()
        await session.flush()
        now = services.clock.now()
        match = MonitorMatch(
            organization_id=monitor.organization_id,
            monitor_id=monitor.id,
            entity_id=entity.id,
            score=0.9,
            announced_score=0.9,
            announced_at=now,
            seen_at=now,
            row_hash=b"",
        )
        session.add(match)
        await session.flush()
        # One id for both: their paths have the same noun.
        hit = Hit(
            id=match.id,
            organization_id=monitor.organization_id,
            entity_id=entity.id,
            customer_hash=b"",
            person_hash=b"",
            row_hash=b"",
            score=0.9,
            state="open",
            opened_at=now,
            seen_at=now,
            verification_id=monitor.verification_id,
        )
        hit.person.seal(services.keys, question_of("Ana Cruz"))
        session.add(hit)
        match.hit_id = hit.id
        return str(match.id)


async def everything_of(services: Services, member: Member) -> dict[str, list[str]]:
    """Every row that is the organization's, or that says of none whose it is, as text."""
    rows: dict[str, list[str]] = {}
    async with services.database.reading() as connection:
        for table in Base.metadata.sorted_tables:
            owner = "id" if table.name == "organization" else "organization_id"
            where = f"WHERE {owner} = :mine" if owner in table.c else ""
            # A key's last use changes with its use, by whomever.
            query = text(
                f"SELECT (to_jsonb(t) - 'last_used_at')::text FROM {table.name} t {where}"  # noqa: S608
            )
            arguments = {"mine": UUID(member.organization_id)} if where else {}
            rows[table.name] = sorted(await connection.scalars(query, arguments))
    return rows
