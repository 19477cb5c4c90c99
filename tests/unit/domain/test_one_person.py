"""APPROVED means one human being: whatever two people's pages are mixed, in whatever order.

The steps are run by a model of the pipeline that uses the domain's own rules: which files count,
which step may run, what each step concludes, and the last look at everything together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import permutations
from math import cos, sin
from uuid import UUID, uuid5

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acredita.domain import faces
from acredita.domain.decision import FinishedStep, decide
from acredita.domain.documents import (
    DocumentOutcome,
    PageKind,
    PageReading,
    Portrait,
    Quality,
    Sighting,
    judge,
)
from acredita.domain.documents.picture_problems import misplaced
from acredita.domain.documents.same_person import (
    Holder,
    Tie,
    holder_from_fields,
    tie_of_holders,
    tie_of_portraits,
)
from acredita.domain.identifiers import clave_elector, curp, mrz, states
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.liveness.challenge import FACE_CHANGED
from acredita.domain.names import PersonName
from acredita.domain.reasons import DocumentReason, FaceReason
from acredita.domain.steps import DOCUMENT_OCR, FACE_MATCH, GOVERNMENT_VERIFY, LIVENESS
from acredita.domain.subject import (
    Face,
    Subject,
    UploadedPage,
    establish,
    find_doubts,
    judge_pages,
)
from acredita.domain.verification import (
    DOCUMENT_ROLES,
    DocumentRole,
    StepStatus,
    StepType,
    VerificationStatus,
)
from acredita.domain.workflow import missing_roles, settled_roles
from acredita_synthetic import mrz_zones

TODAY = date(2026, 6, 1)
QUALITY = Quality(1012, 638, 900.0, 0.0, 200.0, 0.99)
NAMESPACE = UUID("00000000-0000-4000-8000-000000000000")
VERSION = "test"
STATE = states.BY_CODE["JC"]


@pytest.fixture(scope="module", autouse=True)
def each_zone_is_read_once():
    """The mixtures repeat a few zones thousands of times; reading them takes most of the time."""
    read_zone = mrz.read
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mrz, "read", cache(read_zone))
        yield


@dataclass(frozen=True)
class Person:
    """`face` is the direction of the person's embeddings, in radians; two people are 1.7 apart."""

    name: PersonName
    born: date
    sex: Sex
    face: float
    number: str

    def __repr__(self) -> str:
        return self.name.given

    @property
    def curp(self) -> str:
        return str(curp.compose(self.name, self.born, self.sex, STATE))

    def portrait(self) -> Portrait:
        return Portrait((0.1, 0.4, 0.25, 0.7), 150.0, 80.0, 0.95, toward(self.face), VERSION)

    def selfie(self) -> tuple[float, ...]:
        return toward(self.face + 0.3)


def toward(angle):
    return (cos(angle), sin(angle))


ANA = Person(
    PersonName("MARÍA FERNANDA", "CASTAÑEDA", "LÓPEZ"), date(1988, 3, 7), Sex.FEMALE, 0.0, "1"
)
# As alike as two people on paper get: her sister, of the same birthday two years later.
EVA = Person(
    PersonName("MARÍA FERNANDINA", "CASTAÑEDA", "LÓPEZ"), date(1990, 3, 7), Sex.FEMALE, 2.0, "2"
)
JUAN = Person(PersonName("JUAN", "PÉREZ", "DÍAZ"), date(1970, 1, 2), Sex.MALE, 4.0, "3")
PEOPLE = (ANA, EVA, JUAN)


def page(kind, values, zone=(), **changes):
    sightings = tuple(
        Sighting(name, (value, value), 0.99, box=(0.3, 0.2, 0.9, 0.8))
        for name, value in values.items()
        if value
    )
    return PageReading(kind, QUALITY, sightings, (zone, zone) if zone else (), 0.99, **changes)


@cache
def ine_front(person):
    values = {
        "paternalSurname": person.name.paterno,
        "maternalSurname": person.name.materno,
        "givenNames": person.name.given,
        "address1": "C PINO 1",
        "curp": person.curp,
        "clave": str(
            clave_elector.compose(person.name, person.born, person.sex, STATE, assigned="100")
        ),
        "dateOfBirth": person.born.isoformat(),
        "sex": person.sex.value,
        "section": "1234",
        "registrationYear": "2010",
        "emission": "00",
        "emissionYear": "2021",
        "expiryYear": "2031",
    }
    return replace(page(PageKind.INE_FRONT, values, portrait=person.portrait()), model="G")


@cache
def ine_back(person):
    lines = mrz_zones.compose_ine(
        person.name,
        person.born,
        person.sex,
        cic=f"22345678{person.number}",
        ocr=f"123400056789{person.number}",
        expiry=date(2031, 12, 31),
    )
    return page(PageKind.INE_BACK, {}, tuple(lines))


@cache
def passport(person):
    lines = mrz_zones.compose_td3(
        person.name, person.born, person.sex, number="G12345678", expiry=date(2030, 5, 4)
    )
    values = {
        "surnames": person.name.surnames,
        "givenNames": person.name.given,
        "curp": person.curp,
        "dateOfBirth": person.born.isoformat(),
        "sex": "F" if person.sex is Sex.FEMALE else "M",
        "documentNumber": "G12345678",
        "dateOfIssue": "2020-05-04",
        "dateOfExpiry": "2030-05-04",
    }
    return page(PageKind.PASSPORT, values, tuple(lines), portrait=person.portrait())


@cache
def certificate(person):
    values = {"curp": person.curp, "fullName": person.name.full}
    return page(PageKind.CURP_CERTIFICATE, values)


def covered(person):
    return replace(ine_front(person), portrait=None)


def photograph(_person):
    return PageReading(PageKind.UNKNOWN, QUALITY, code="DOCUMENT_NOT_RECOGNIZED")


DRAWN = (ine_front, ine_back, passport, certificate, covered, photograph)


@dataclass(frozen=True)
class Upload:
    """One file: the people of its pages, in order; a selfie or liveness file shows one of them."""

    role: DocumentRole
    pages: tuple[tuple[object, Person], ...]

    def __repr__(self) -> str:
        shown = ", ".join(f"{draw.__name__} of {person}" for draw, person in self.pages)
        return f"{self.role.value}: {shown}"

    @property
    def people(self):
        return {person for _, person in self.pages}

    @property
    def readings(self):
        return [draw(person) for draw, person in self.pages]


@dataclass
class Run:
    """A verification that is run by the domain's rules alone."""

    order: Sequence[StepType]
    stated: Person | None = None
    subject: Subject = field(default_factory=Subject)
    files: list[tuple[UUID, Upload, datetime]] = field(default_factory=list)
    ended: dict[int, tuple[StepStatus, datetime, str | None]] = field(default_factory=dict)
    asked: Holder | None = None
    now: datetime = datetime(2026, 6, 1, tzinfo=UTC)

    def tick(self):
        self.now += timedelta(seconds=1)
        return self.now

    def upload(self, uploads):
        moment = self.tick()
        for upload in uploads:
            identity = uuid5(NAMESPACE, f"{len(self.files)}")
            self.files.append((identity, upload, moment))
        self.go_on()

    def current(self):
        """The files that count, by role: `verifications.queries.current_files`."""
        arrived = [(upload.role, moment) for _, upload, moment in self.files]
        finished = [
            (self.order[place], moment)
            for place, (status, moment, _) in self.ended.items()
            if status in (StepStatus.PASSED, StepStatus.REVIEW)
        ]
        settled = settled_roles(finished, arrived) if finished else {}
        found: dict[DocumentRole, list] = {}
        for each in self.files:
            role, moment = each[1].role, each[2]
            if role in settled and moment > settled[role]:
                continue
            known = found.setdefault(role, [])
            if known and known[0][2] < moment:
                known.clear()
            known.append(each)
        return found

    def go_on(self):
        while len(self.ended) < len(self.order):
            place = len(self.ended)
            step = self.order[place]
            current = self.current()
            if missing_roles(step, {}, frozenset(current)):
                return
            status, code = STEPS[step](self, current)
            self.ended[place] = (status, self.tick(), code)
            if status is StepStatus.FAILED:
                for left in range(place + 1, len(self.order)):
                    self.ended[left] = (StepStatus.SKIPPED, self.now, None)

    def decide(self):
        """The decision, once all steps have ended and late pages were read; None before."""
        if len(self.ended) < len(self.order):
            return None
        self._judge_late_pages()
        judged, passed = (
            {self.order[place] for place, it in self.ended.items() if it[0] in statuses}
            for statuses in ((StepStatus.PASSED, StepStatus.REVIEW), (StepStatus.PASSED,))
        )
        asked = {} if self.asked is None else {GOVERNMENT_VERIFY: self.asked}
        asked = {step: holder for step, holder in asked.items() if step in judged}
        for doubt in find_doubts(self.subject, judged, passed, asked):
            for place, step in enumerate(self.order):
                if step is doubt.step and self.ended[place][0] is StepStatus.PASSED:
                    self.ended[place] = (StepStatus.REVIEW, self.now, doubt.code)
        return decide(
            [
                FinishedStep(step, self.ended[place][0], self.ended[place][2])
                for place, step in enumerate(self.order)
            ]
        ).status

    def _judge_late_pages(self):
        judging = next(
            (
                place
                for wanted in (DOCUMENT_OCR, FACE_MATCH)
                for place, step in enumerate(self.order)
                if step is wanted
            ),
            None,
        )
        if judging is None or self.ended[judging][0] is not StepStatus.PASSED:
            return
        since = self.ended[judging][1]
        late = [each for each in self.files if each[1].role in DOCUMENT_ROLES and each[2] > since]
        known = documents(self.current())
        pages = read([*known, *(each for each in late if each not in known)])
        verdict = judge_pages(pages, TODAY, former=self.subject)
        late_ids = {each[0] for each in late}
        codes = {
            code
            for place, code in verdict.page_codes.items()
            if pages[place].document_id in late_ids
        }
        if codes:
            self.ended[judging] = (StepStatus.REVIEW, since, min(codes))


def documents(current):
    return [each for role in sorted(DOCUMENT_ROLES) for each in current.get(role, ())]


def read(files):
    return [
        UploadedPage(identity, upload.role, number, reading)
        for identity, upload, _ in files
        for number, reading in enumerate(upload.readings)
    ]


def read_documents(run, current):
    pages = read(documents(current))
    against = misplaced([(it.role, it.reading) for it in pages])
    verdict = judge_pages(pages, TODAY, against=against, former=run.subject)
    run.subject = establish(verdict, pages, run.subject)
    return StepStatus(verdict.outcome), verdict.code


def match_faces(run, current):
    established = not run.subject.is_established
    if established:
        pages = read(documents(current))
        run.subject = establish(judge_pages(pages, TODAY), pages, run.subject)
    portrait = run.subject.portrait
    if portrait is None:
        return StepStatus.REVIEW, FaceReason.PORTRAIT_NOT_FOUND
    selfies = [
        (identity, person.selfie())
        for identity, upload, _ in current[DocumentRole.SELFIE]
        for person in upload.people
    ]
    identity, worst = max(selfies, key=lambda it: distance(it[1], portrait.embedding))
    run.subject = replace(run.subject, selfie=Face(identity, worst, VERSION))
    band = faces.judge(distance(worst, portrait.embedding)).band
    if band is faces.Band.MISMATCH:
        return StepStatus.FAILED, FaceReason.FACE_MISMATCH
    if established and run.subject.page_codes:
        return StepStatus.REVIEW, run.subject.page_codes[0]
    return StepStatus.PASSED, None


def judge_liveness(run, current):
    pictures = current[DocumentRole.LIVENESS]
    identity = pictures[0][0]
    person, *others = [it for _, upload, _ in pictures for it in upload.people]
    if any(distance(it.selfie(), person.selfie()) > FACE_CHANGED for it in others):
        return StepStatus.FAILED, "LIVENESS_FACE_CHANGED"
    selfies = [
        it.selfie() for each in current.get(DocumentRole.SELFIE, ()) for it in each[1].people
    ]
    if any(distance(person.selfie(), selfie) > FACE_CHANGED for selfie in selfies):
        return StepStatus.FAILED, "LIVENESS_SELFIE_MISMATCH"
    run.subject = replace(run.subject, living=Face(identity, person.selfie(), VERSION))
    return StepStatus.PASSED, None


def ask_registries(run, _current):
    if run.subject.fields:
        return StepStatus.PASSED, None
    if run.stated is None:
        return StepStatus.REVIEW, "INSUFFICIENT_DATA"
    run.asked = holder_from_fields({"curp": (run.stated.curp, True)})
    return StepStatus.PASSED, None


STEPS = {
    DOCUMENT_OCR: read_documents,
    FACE_MATCH: match_faces,
    LIVENESS: judge_liveness,
    GOVERNMENT_VERIFY: ask_registries,
}


def distance(one, other):
    return faces.distance_at(sum(a * b for a, b in zip(one, other, strict=True)))


ORDERS = [
    order
    for count in (1, 2, 3, 4)
    for order in permutations(STEPS, count)
    if DOCUMENT_OCR in order or FACE_MATCH in order
]


@st.composite
def uploads(draw, people):
    role = draw(st.sampled_from(DocumentRole))
    person = st.sampled_from(people)
    if role in DOCUMENT_ROLES:
        drawn = st.tuples(st.sampled_from(DRAWN), person)
        return Upload(role, tuple(draw(st.lists(drawn, min_size=1, max_size=3))))
    return Upload(role, ((photograph, draw(person)),))


@st.composite
def mixtures(draw):
    people = draw(st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=2, unique=True))
    rounds = draw(
        st.lists(st.lists(uploads(people), min_size=1, max_size=4), min_size=1, max_size=4)
    )
    return (
        draw(st.sampled_from(ORDERS)),
        rounds,
        draw(st.sampled_from([None, *people])),
    )


UNHURRIED = settings(deadline=None, suppress_health_check=list(HealthCheck))


@settings(UNHURRIED, max_examples=60)
@given(mixtures())
def test_approved_means_that_all_evidence_is_of_one_person(mixture):
    approves_evidence_of_one_person(mixture)


@pytest.mark.thorough
@pytest.mark.timeout(600)
@settings(UNHURRIED, max_examples=4000)
@given(mixtures())
def test_approved_means_the_same_in_thousands_of_mixtures(mixture):
    approves_evidence_of_one_person(mixture)


def approves_evidence_of_one_person(mixture):
    order, rounds, stated = mixture
    run = Run(order, stated)
    for files in rounds:
        run.upload(files)
    if run.decide() is not VerificationStatus.APPROVED:
        return
    # A file that a later one replaced before it was judged counts for nothing.
    counted = [upload for rows in run.current().values() for _, upload, _ in rows]
    late = [upload for _, upload, _ in run.files if upload.role in DOCUMENT_ROLES]
    judged = {each.document_id for each in run.subject.pages}
    people = {person for upload in counted if matters(upload, order) for person in upload.people}
    assert len(people) == 1, (order, rounds)
    (person,) = people
    assert not judged or run.subject.holder.curp in (None, person.curp)
    if FACE_MATCH in order:
        assert run.subject.portrait is not None
        assert run.subject.selfie is not None
        assert run.subject.portrait.embedding == person.portrait().embedding
        assert run.subject.selfie.embedding == person.selfie()
    if GOVERNMENT_VERIFY in order and run.asked is not None:
        assert stated is person
    assert late


def matters(upload, order):
    """Whether a step of the workflow judges such a file at all."""
    if upload.role is DocumentRole.SELFIE:
        return FACE_MATCH in order or LIVENESS in order
    if upload.role is DocumentRole.LIVENESS:
        return LIVENESS in order
    # No workflow of these has the step of that role.
    return upload.role is not DocumentRole.PROOF_OF_ADDRESS


FRONT, BACK, PASSPORT = DocumentRole.FRONT, DocumentRole.BACK, DocumentRole.PASSPORT


ARRANGED = [
    [(FRONT, [ine_front])],
    [(FRONT, [ine_front]), (BACK, [ine_back])],
    [(FRONT, [ine_back]), (BACK, [ine_front])],
    [(FRONT, [ine_front, ine_back])],
    [(PASSPORT, [passport])],
    [(FRONT, [passport])],
    [(FRONT, [ine_front]), (PASSPORT, [passport])],
    [(FRONT, [ine_front]), (BACK, [ine_back]), (PASSPORT, [passport])],
    [(FRONT, [ine_front]), (BACK, [certificate])],
    [(FRONT, [ine_front]), (FRONT, [ine_front])],
]


# `make test` has each order and each arrangement, and not all pairs of them.
@pytest.mark.parametrize(
    ("order", "files"),
    [
        pytest.param(
            *(order, files),
            marks=() if (place + number) % len(ARRANGED) == 0 else pytest.mark.thorough,
            id=f"{order}-" + "+".join("".join(draw.__name__ for draw in each[1]) for each in files),
        )
        for number, order in enumerate(each for each in ORDERS if DOCUMENT_OCR in each)
        for place, files in enumerate(ARRANGED)
    ],
)
def test_one_persons_documents_are_approved_in_every_arrangement_and_order(order, files):
    run = Run(order, ANA)
    pages = [Upload(role, tuple((draw, ANA) for draw in drawn)) for role, drawn in files]
    people = [Upload(role, ((photograph, ANA),)) for role in ("selfie", "liveness")]
    run.upload([*pages, *(replace(each, role=DocumentRole(each.role)) for each in people)])
    assert run.decide() is VerificationStatus.APPROVED, run.ended


def judged(*pages):
    return judge([*pages], TODAY)


def test_documents_of_two_people_are_named_as_such():
    for other in (ine_front(JUAN), passport(JUAN), certificate(JUAN), ine_back(JUAN)):
        verdict = judged(ine_front(ANA), other)
        assert verdict.outcome is DocumentOutcome.REVIEW
        assert DocumentReason.DOCUMENTS_OF_DIFFERENT_PEOPLE in verdict.reasons


def test_a_page_that_shows_no_document_is_named_whatever_role_it_was_sent_in():
    verdict = judged(ine_front(ANA), photograph(JUAN))
    assert (verdict.outcome, verdict.code) == (
        DocumentOutcome.REVIEW,
        DocumentReason.PAGE_NOT_RECOGNIZED,
    )
    assert verdict.page_codes == {1: DocumentReason.PAGE_NOT_RECOGNIZED}


def test_a_page_of_which_too_little_was_read_is_not_confirmed():
    illegible = PageReading(PageKind.PASSPORT, QUALITY, code="DOCUMENT_UNREADABLE")
    verdict = judged(ine_front(ANA), illegible)
    assert (verdict.outcome, verdict.code) == (
        DocumentOutcome.REVIEW,
        DocumentReason.PAGE_NOT_CONFIRMED,
    )


def test_another_face_on_the_second_document_of_one_name_is_another_person():
    forged = replace(passport(ANA), portrait=JUAN.portrait())
    assert judged(ine_front(ANA), forged).code is DocumentReason.DOCUMENTS_OF_DIFFERENT_PEOPLE


def test_a_document_with_a_portrait_is_judged_before_one_without():
    verdict = judged(certificate(ANA), ine_front(ANA))
    assert (verdict.kind, verdict.judged) == (PageKind.INE_FRONT, (1,))
    assert verdict.outcome is DocumentOutcome.PASSED


def test_the_pages_of_one_tax_certificate_belong_together():
    first = page(PageKind.RFC_CERTIFICATE, {})
    annex = page(PageKind.RFC_CERTIFICATE_ANNEX, {})
    verdict = judge([first, photograph(ANA), annex], TODAY, files=["csf", "csf", "csf"])
    assert verdict.page_codes == {}
    apart = judge([first, photograph(ANA), annex], TODAY)
    assert apart.page_codes == {1: DocumentReason.PAGE_NOT_RECOGNIZED}


@given(st.sampled_from(PEOPLE), st.sampled_from(PEOPLE), st.data())
def test_holders_of_two_people_are_never_tied(one, other, data):
    fields = ("curp", "givenNames", "paternalSurname", "maternalSurname", "dateOfBirth", "sex")

    def holder(person):
        values = {
            "curp": person.curp,
            "givenNames": person.name.given,
            "paternalSurname": person.name.paterno,
            "maternalSurname": person.name.materno,
            "dateOfBirth": person.born.isoformat(),
            "sex": person.sex.value,
        }
        named = data.draw(st.sets(st.sampled_from(fields)))
        sure = data.draw(st.booleans())
        return holder_from_fields({name: (values[name], sure) for name in named})

    tie = tie_of_holders(holder(one), holder(other))
    assert tie is not Tie.SAME or one is other
    assert tie is not Tie.DIFFERENT or one is not other


def test_portraits_of_different_embeddings_are_not_compared():
    foreign = replace(ANA.portrait(), version="other")
    assert tie_of_portraits(ANA.portrait(), foreign) is Tie.UNKNOWN
    assert tie_of_portraits(ANA.portrait(), None) is Tie.SAME


def test_a_living_face_of_another_version_than_the_selfie_goes_to_a_reviewer():
    one, other = UUID(int=1), UUID(int=2)
    passed = (FACE_MATCH, LIVENESS)
    subject = Subject(
        selfie=Face(one, ANA.selfie(), "older"), living=Face(other, ANA.selfie(), VERSION)
    )
    (doubt,) = find_doubts(subject, passed, passed, {})
    assert doubt.code == "LIVENESS_SELFIE_MISMATCH"
    same = replace(subject, selfie=Face(one, ANA.selfie(), VERSION))
    assert not list(find_doubts(same, passed, passed, {}))
