"""The shapes of the API, made from openapi.json by `make openapi`; not for changes by hand."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias

from acredita_client.step_result import StepResult
from typing_extensions import TypedDict

Act: TypeAlias = Literal['APPROVE', 'REJECT', 'REVIEW', 'REQUIRE_STEP', 'ASK_AGAIN', 'DEFAULT']


Action: TypeAlias = Literal['consent', 'upload', 'liveness', 'code', 'form', 'location', 'external', 'wait', 'done']


class ActorShape(TypedDict):
    id: str | None
    type: str


class AddedNote(TypedDict):
    id: str


AddressKind: TypeAlias = Literal['PUBLIC', 'PRIVATE', 'SHARED', 'LOOPBACK', 'LINK_LOCAL', 'DOCUMENTATION', 'MULTICAST', 'RESERVED']


class AddressWrite(TypedDict, closed=True):
    city: str
    municipality: str
    neighborhood: str
    postalCode: str
    state: str
    street: str


class AdviceShape(TypedDict):
    en: str
    es: str


AlertCode: TypeAlias = Literal['FILE_BLOCKED', 'LIST_MATCH', 'PREVENTION_KEY', 'DECEASED', 'ANOTHER_PERSON', 'MESSAGE']


class AlertShape(TypedDict):
    code: Literal['FILE_BLOCKED', 'LIST_MATCH', 'PREVENTION_KEY', 'DECEASED', 'ANOTHER_PERSON', 'MESSAGE']
    message: str
    source: str | None


class Aliases(TypedDict):
    aliases: list[str]


class AllowedOrigins(TypedDict):
    allowedOrigins: list[str]


AllowedOrigin: TypeAlias = str


class AllowedOriginsUpdate(TypedDict, closed=True):
    allowedOrigins: list[str]


class AmountsShape(TypedDict):
    balance: float
    creditLimit: float
    currency: str
    pastDue: float


class ApiKeyCreate(TypedDict, closed=True):
    name: str
    rateLimit: NotRequired[int | None]
    role: NotRequired[Literal['ADMIN', 'REVIEWER', 'MEMBER'] | None]


AskerType: TypeAlias = Literal['client', 'user', 'step', 'monitor']


class AsnShape(TypedDict):
    number: int
    organization: str | None


class Assignee(TypedDict):
    id: str
    name: str


class AuditEntryShape(TypedDict):
    action: str
    actor: ActorShape
    createdAt: str
    details: dict[str, Any]
    hash: str | None
    id: str
    position: int | None
    resourceId: str
    resourceType: str


Band: TypeAlias = Literal['match', 'uncertain', 'mismatch']


List: TypeAlias = str


class BatchShape(TypedDict):
    createdAt: str
    id: str
    inHand: int
    labelled: int
    name: str
    total: int


class BinShape(TypedDict):
    accuracy: float | None
    fromConfidence: float
    meanConfidence: float | None
    readings: int
    toConfidence: float


class CallbackDetails(TypedDict):
    headers: NotRequired[dict[str, str]]
    url: str


CallerKind: TypeAlias = Literal['client', 'user', 'holder']


class CaptureAnswer(TypedDict):
    expiresAt: str
    url: str


CaptureSource: TypeAlias = Literal['camera', 'file']


class CaptureWrite(TypedDict, closed=True):
    """
    The link with which the person goes through the verification in a browser.
    """

    expiresAt: NotRequired[str | None]
    expiresIn: NotRequired[int | None]
    language: NotRequired[Literal['es', 'en', 'pt', 'fr', 'de'] | None]
    origin: NotRequired[str | None]
    returnUrl: NotRequired[str | None]


Carrier: TypeAlias = Literal['IPV4_MAPPED', 'NAT64', '6TO4', 'TEREDO']


class ChainCheck(TypedDict):
    badPosition: int | None
    checkedAt: str
    entries: int
    fault: str | None
    sound: bool
    unchained: int


class ChangeShape(TypedDict):
    """
    The verifications that were decided one way and would be decided another, or the same.
    """

    decided: str
    examples: list[str]
    simulated: str
    verifications: int


Channel: TypeAlias = Literal['sms', 'email']


class CheckAnswer(TypedDict):
    data: dict[str, Any] | None
    error: dict[str, Any] | None
    metadata: dict[str, Any]


CheckStatus: TypeAlias = Literal['PENDING', 'COMPLETED', 'FAILED', 'UNKNOWN']


class CodeChannel(TypedDict):
    channel: Literal['sms', 'email']
    destinationKnown: bool


class CodeConfirm(TypedDict, closed=True):
    channel: Literal['sms', 'email']
    code: str


class CodeSend(TypedDict, closed=True):
    channel: Literal['sms', 'email']
    destination: NotRequired[str | None]


class CodeSent(TypedDict):
    channel: Literal['sms', 'email']
    destination: str
    expiresIn: int
    resendIn: int


class CodeSentView(TypedDict):
    attemptsRemaining: int
    channel: Literal['sms', 'email']
    expiresAt: str
    resendIn: int


class CodeShape(TypedDict):
    """
    A decoded barcode of the page.
    """

    box: list[float] | None
    mediaId: str | None
    symbology: str
    text: str


class ComparedShape(TypedDict):
    """
    The verifications with one outcome for which the draft has another one, or the same.
    """

    decided: str
    examples: list[str]
    proposed: str
    verifications: int


class Component(TypedDict):
    detail: str | None
    status: Literal['up', 'down', 'absent']


class ConfusionCell(TypedDict):
    documents: int
    labelled: str
    readAs: str


class ConsentWrite(TypedDict, closed=True):
    """
    The person's consent. The organization keeps the text of each version itself.
    """

    acceptedAt: str
    locale: str
    version: str


class Conservation(TypedDict):
    """
    NOM-151-SCFI-2016: a certificate of conservation by an accredited provider.
    """

    issuedAt: str | None
    provider: str | None
    status: str
    token: str | None


class Constraints(TypedDict, closed=True):
    """
    Limits for text, date and select fields. A checkbox has none.
    """

    maxLength: NotRequired[int | None]
    minLength: NotRequired[int | None]
    pattern: NotRequired[str | None]


ContentFormat: TypeAlias = Literal['text', 'markdown', 'html']


class CoordinatesShape(TypedDict):
    accuracyRadiusKm: int | None
    latitude: float
    longitude: float


class CreatedCapture(TypedDict):
    capture: CaptureAnswer


class CreatedForm(TypedDict):
    createdAt: str
    fieldCount: int
    formId: str
    title: str


class CurpCheck(TypedDict):
    callbackUrl: NotRequired[str | None]
    curp: str
    metadata: NotRequired[dict[str, Any] | str | None]
    webhookUrl: NotRequired[str | None]


DatabaseRole: TypeAlias = Literal['city', 'asn', 'anonymousIp', 'vpn', 'proxy', 'tor', 'hosting', 'sandbox']


class DatabaseShape(TypedDict):
    builtAt: str | None
    name: str
    problem: str | None
    role: Literal['city', 'asn', 'anonymousIp', 'vpn', 'proxy', 'tor', 'hosting', 'sandbox']


Decision: TypeAlias = Literal['true_hit', 'false_hit', 'needs_information']


class DefaultFlow(TypedDict, closed=True):
    isDefault: bool


class DefaultFlowShape(TypedDict):
    isDefault: bool


class DeliveryCounts(TypedDict):
    cancelled: int
    delivered: int
    failed: int
    pending: int


class DeliveryPayload(TypedDict):
    body: str
    id: str


DeliveryState: TypeAlias = Literal['pending', 'delivered', 'failed', 'cancelled']


class Destination(TypedDict, closed=True):
    """
    A phone or a mailbox.
    """

    channel: Literal['sms', 'email']
    destination: str


DeviceAnswer: TypeAlias = Literal['given', 'refused', 'unavailable']


class DeviceShape(TypedDict):
    ip: str | None
    ua: str | None
    vpnDetectionEnabled: bool


class DocumentEvidence(TypedDict):
    name: str
    passedAt: str | None
    stepId: str


DocumentKind: TypeAlias = Literal['passport', 'national_id', 'voter_id', 'driver_license', 'tax_id', 'registration', 'imo', 'mmsi', 'lei', 'swift', 'crypto_wallet', 'aircraft_registration', 'aircraft_serial', 'aircraft_transponder']


DocumentRole: TypeAlias = Literal['front', 'back', 'selfie', 'passport', 'liveness', 'proofOfAddress']


class DocumentToSign(TypedDict, closed=True):
    content: str
    format: NotRequired[Literal['text', 'markdown', 'html'] | None]
    title: str


class DraftPublication(TypedDict, closed=True):
    digest: str


class EmailAndPassword(TypedDict, closed=True):
    email: str
    password: str


class EmailConfirmation(TypedDict, closed=True):
    token: str


class Empty(TypedDict):
    """
    The request succeeded. The response has no content.
    """


class EngineHealth(TypedDict):
    face: Component
    governmentBridge: Component
    status: Literal['ok', 'degraded']
    syntheticIdGenerator: Component
    textRecognition: Component
    timestamp: str


EntityType: TypeAlias = Literal['person', 'company', 'vessel', 'aircraft', 'other']


class EntryIdentifier(TypedDict):
    kind: str
    value: str


class EntryName(TypedDict):
    family: str
    given: str
    kind: str
    quality: Literal['strong', 'weak']
    text: str


class EntrySource(TypedDict):
    """
    An entry about the same person or firm.
    """

    entryId: str
    id: str
    list: str
    name: str


ErrorCode: TypeAlias = str


EventKind: TypeAlias = Literal['verification.created', 'verification.updated', 'verification.completed', 'verification.approved', 'verification.rejected', 'verification.manual_review', 'step.completed', 'step.failed', 'aml.match']


class EvidenceShape(TypedDict):
    effect: str
    kind: str
    text: str
    weight: float


class ExtractedField(TypedDict):
    alternatives: list[str]
    confidence: float
    decision: str
    documentId: str | None
    field: str
    source: str
    value: str


class FaceEvidence(TypedDict):
    passedAt: str | None
    similarity: float | None
    stepId: str


class FieldErrorShape(TypedDict):
    fieldId: str
    message: str


class FieldExtraction(TypedDict):
    accepted: int
    accuracy: float | None
    coverage: float | None
    field: str
    labels: int
    meanConfidence: float | None
    metamapAccuracy: float | None
    needlesslyReviewed: int
    present: int
    read: int
    readWhereAbsent: int
    wronglyAccepted: int


FieldFault: TypeAlias = Literal['required', 'unchecked', 'not_text', 'not_a_checkbox', 'not_an_option', 'not_a_date', 'too_short', 'too_long', 'no_match', 'unknown']


class FieldLabel(TypedDict, closed=True):
    confirmedValue: NotRequired[str | None]
    fieldName: str
    notes: NotRequired[str | None]
    wasFieldPresent: NotRequired[bool | None]
    wasMetamapCorrect: NotRequired[bool | None]
    wasMlCorrect: NotRequired[bool | None]


class FieldTrialShape(TypedDict):
    confidence: float | None
    expected: str | None
    field: str
    isCorrect: bool | None
    read: str | None
    readBefore: str | None
    wasCorrectBefore: bool | None


FieldType: TypeAlias = Literal['text', 'date', 'checkbox', 'select']


class FilterShape(TypedDict):
    filter: dict[str, Any]
    id: str
    name: str


class FilterValues(TypedDict, closed=True):
    """
    Filters of the queue, as the parameters of `GET /v1/reviews`.
    """

    assignee: NotRequired[str | None]
    minAgeHours: NotRequired[float | None]
    overdue: NotRequired[bool]
    queue: NotRequired[str | None]
    reason: NotRequired[str | None]
    sort: NotRequired[Literal['oldest', 'newest']]
    workflowId: NotRequired[str | None]


class FilterWrite(TypedDict, closed=True):
    filter: FilterValues
    name: str


class FlowShape(TypedDict):
    id: str
    name: str


class ForgottenPassword(TypedDict, closed=True):
    email: str


class FormAnswer(TypedDict, closed=True):
    values: dict[str, str | bool | None]


class FormFault(TypedDict):
    code: Literal['required', 'unchecked', 'not_text', 'not_a_checkbox', 'not_an_option', 'not_a_date', 'too_short', 'too_long', 'no_match', 'unknown']
    fieldId: str
    limit: int
    message: str


class FormOptionShape(TypedDict):
    label: str
    value: str


Format: TypeAlias = Literal['csv', 'jsonl']


class FramesAnswer(TypedDict):
    challengeId: str
    frames: int
    message: str


class FullHealth(TypedDict):
    database: Component
    governmentBridge: Component
    redis: Component
    status: Literal['ok', 'degraded']
    storage: Component
    timestamp: str
    uptime: float
    workers: Component


class Funnel(TypedDict):
    created: int
    decided: int
    submitted: int


Gender: TypeAlias = Literal['male', 'female']


class GivenSecondFactor(TypedDict, closed=True):
    code: str
    method: Literal['TOTP', 'RECOVERY_CODE']


class GovernmentAnswer(TypedDict):
    data: dict[str, Any] | None
    error: dict[str, Any] | None
    id: str
    status: int
    timestamp: str


class GroupRole(TypedDict, closed=True):
    group: str
    role: Literal['ADMIN', 'REVIEWER', 'MEMBER']


class HandOver(TypedDict, closed=True):
    """
    Give what one reviews to another reviewer.
    """

    userId: str


class HandOverAnswer(TypedDict):
    expiresAt: str
    url: str


class HandOverOpen(TypedDict, closed=True):
    code: str


class HandOverSession(TypedDict):
    expiresAt: str
    pageUrl: str
    token: str
    verificationId: str


class HandOverStart(TypedDict, closed=True):
    send: NotRequired[Destination | None]


HandOverState: TypeAlias = Literal['waiting', 'opened']


class HandOverView(TypedDict):
    """
    A link with which the person continues on another device.
    """

    expiresAt: str
    state: Literal['waiting', 'opened']


class Health(TypedDict):
    redis: Literal['up', 'down']
    status: Literal['ok', 'degraded']
    timestamp: str
    uptime: float


class HistoryItem(TypedDict):
    actor: ActorShape
    createdAt: str
    details: dict[str, Any]
    id: str
    kind: str
    note: str | None


class HitProposal(TypedDict):
    decision: Literal['true_hit', 'false_hit', 'needs_information']
    id: str
    proposedBy: str


class HitReviewer(TypedDict):
    id: str
    type: str


HitState: TypeAlias = Literal['open', 'needs_information', 'true_hit', 'false_hit']


class HitSummary(TypedDict):
    """
    A match of a customer and an entry, without the person.
    """

    claimedAt: str | None
    claimedBy: str | None
    decidedAt: str | None
    decidedBy: str | None
    entry: str
    entryName: str
    id: str
    list: str
    openedAt: str
    proposalId: str | None
    score: float
    screeningId: str | None
    seenAt: str
    state: Literal['open', 'needs_information', 'true_hit', 'false_hit']
    verificationId: str | None


class HoldShape(TypedDict):
    """
    A verification whose data the retention does not delete.
    """

    externalId: str | None
    heldAt: str
    reason: str | None
    verificationId: str


class HoldWrite(TypedDict, closed=True):
    reason: NotRequired[str | None]


class Identity(TypedDict):
    field_id: str
    alive: bool | None
    dateCreated: str
    dateUpdated: str
    metadata: dict[str, Any]
    status: str
    user: str


AllowedDomain: TypeAlias = str


Scope: TypeAlias = str


class IdentityProviderWrite(TypedDict, closed=True):
    """
    The whole configuration. An absent `clientSecret` keeps the stored one.
    """

    allowedDomains: NotRequired[list[str]]
    clientId: str
    clientSecret: NotRequired[str]
    defaultRole: NotRequired[Literal['ADMIN', 'REVIEWER', 'MEMBER'] | None]
    groupsClaim: NotRequired[str]
    issuer: str
    only: NotRequired[bool]
    roles: NotRequired[list[GroupRole]]
    scopes: NotRequired[list[str]]
    secondFactor: NotRequired[bool]


class IdentityStatus(TypedDict):
    id: str
    status: str


class IndexHealth(TypedDict):
    builtAt: str
    entries: int
    version: int


class IneCheck(TypedDict):
    callbackUrl: NotRequired[str | None]
    cde: NotRequired[str]
    documentNumber: NotRequired[str]
    metadata: NotRequired[dict[str, Any] | str | None]
    ne: NotRequired[str]
    ocrNumber: NotRequired[str]
    webhookUrl: NotRequired[str | None]


class InquiriesShape(TypedDict):
    lastYear: int
    total: int


class LabelShape(TypedDict):
    createdAt: str
    documentId: str
    id: str
    reviewerId: str
    reviewerKind: Literal['client', 'user', 'holder']
    version: int


Flag: TypeAlias = str


class LabelWrite(TypedDict, closed=True):
    documentTypeOverride: NotRequired[str | None]
    fields: list[FieldLabel]
    flags: NotRequired[list[str] | None]
    reviewNotes: NotRequired[str | None]
    reviewSeconds: NotRequired[float | None]


class LabelledReadings(TypedDict):
    """
    What reviewers' labels say about the reading; the last label of each document counts.
    """

    accuracy: float | None
    correct: int
    documents: int
    fields: int


class LeaseShape(TypedDict):
    expiresAt: str
    reviewerId: str


Level: TypeAlias = Literal['PAdES-B-T', 'PAdES-B-LT']


class LicenceTruthChange(TypedDict, closed=True):
    """
    Absent fields stay unchanged. `fields` is replaced as a whole.
    """

    fields: NotRequired[dict[Literal['address', 'bloodGroup', 'curp', 'dateOfBirth', 'documentNumber', 'expiryDate', 'fullName', 'givenNames', 'issueDate', 'licenceClass', 'maternalSurname', 'paternalSurname', 'rfc', 'surnames'], str]]
    notes: NotRequired[str | None]
    state: NotRequired[Literal['AS', 'BC', 'BS', 'CC', 'CH', 'CL', 'CM', 'CS', 'DF', 'DG', 'GR', 'GT', 'HG', 'JC', 'MC', 'MN', 'MS', 'NL', 'NT', 'OC', 'PL', 'QR', 'QT', 'SL', 'SP', 'SR', 'TC', 'TL', 'TS', 'VZ', 'YN', 'ZS'] | None]


class LightShape(TypedDict):
    """
    Colours that the whole screen shows, one after another, after the last prompt.
    """

    colours: list[str]
    eachMs: int
    promptId: str


class LinkOpen(TypedDict, closed=True):
    link: str


LinkState: TypeAlias = Literal['created', 'opened', 'expired', 'revoked']


ListStatus: TypeAlias = Literal['current', 'stale']


class ListedPolicy(TypedDict):
    createdAt: str
    id: str
    name: str


class ListedSession(TypedDict):
    address: str | None
    createdAt: str
    current: bool
    expiresAt: str
    id: str
    lastSeenAt: str
    userAgent: str | None


AllowedCity: TypeAlias = str


AllowedCountry: TypeAlias = str


class LocationCheck(TypedDict, closed=True):
    allowedCities: NotRequired[list[str] | None]
    allowedCountries: NotRequired[list[str] | None]
    blockVpn: NotRequired[bool | None]
    ipAddress: str


LocationReason: TypeAlias = Literal['COUNTRY_NOT_ALLOWED', 'COUNTRY_UNKNOWN', 'CITY_NOT_ALLOWED', 'CITY_UNKNOWN', 'VPN', 'PROXY', 'TOR', 'VPN_UNKNOWN']


class Login(TypedDict, closed=True):
    code: NotRequired[str | None]
    email: str
    password: str


class MatchReview(TypedDict):
    """
    What reviewers decided about this customer and entry, if it still holds.
    """

    decidedAt: str | None
    state: Literal['open', 'needs_information', 'true_hit', 'false_hit']


class MatchUpdate(TypedDict, closed=True):
    dismissed: bool
    notes: NotRequired[str | None]
    openedAt: NotRequired[str | None]


MediaKind: TypeAlias = Literal['page', 'portrait', 'frame']


class MediaShape(TypedDict):
    id: str
    imageUrl: str
    kind: Literal['page', 'portrait', 'frame']


class Message(TypedDict):
    message: str


class MetamapError(TypedDict):
    """
    An error of the compatible API.
    """

    code: int
    data: NotRequired[list[dict[str, Any]]]
    message: str
    name: str
    status: NotRequired[int]
    statusCode: NotRequired[int]
    type: NotRequired[str]


class MetamapScopedToken(TypedDict):
    access_token: str
    expires_in: int
    scope: str
    token_type: Literal['bearer']


MetamapStatus: TypeAlias = Literal['pending', 'running', 'verified', 'rejected', 'reviewNeeded', 'expired']


class MetamapStep(TypedDict):
    data: dict[str, Any] | None
    error: dict[str, Any] | None
    id: str
    status: int


class MonitorMatchShape(TypedDict):
    country: str | None
    dismissed: bool
    dismissedAt: str | None
    entityType: Literal['person', 'company', 'vessel', 'aircraft', 'other']
    entryId: str
    firstSeenAt: str
    goneAt: str | None
    id: str
    list: str
    matchId: str | None
    name: str
    notes: str | None
    score: float
    seenAt: str


class MonitorRequest(TypedDict, closed=True):
    curp: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    enabled: bool
    fullName: str
    rfc: NotRequired[str | None]
    verificationId: str


MonitorState: TypeAlias = Literal['active', 'disabled', 'ended']


class MonitoringAnswer(TypedDict):
    message: str
    monitoring: bool
    verificationId: str


Move: TypeAlias = Literal['look_straight', 'turn_left', 'turn_right', 'look_up', 'blink', 'smile', 'open_mouth']


class Movement(TypedDict):
    status: str


class NamesShape(TypedDict):
    given: str
    materno: str | None
    paterno: str


class NamesWrite(TypedDict, closed=True):
    given: str
    materno: NotRequired[str | None]
    paterno: str


class NewAlias(TypedDict, closed=True):
    alias: str


class NewTotp(TypedDict):
    otpauthUri: str
    secret: str


class NextAction(TypedDict):
    action: Literal['consent', 'upload', 'liveness', 'code', 'form', 'location', 'external', 'wait', 'done']
    alternativeRoles: list[Literal['front', 'back', 'selfie', 'passport', 'liveness', 'proofOfAddress']]
    challengesLeft: int
    optionalRoles: list[Literal['front', 'back', 'selfie', 'passport', 'liveness', 'proofOfAddress']]
    roles: list[Literal['front', 'back', 'selfie', 'passport', 'liveness', 'proofOfAddress']]
    stepId: str | None


class NextWrite(TypedDict, closed=True):
    """
    Which verifications to take from. An absent field selects all.
    """

    minAgeHours: NotRequired[float | None]
    overdue: NotRequired[bool]
    queue: NotRequired[str | None]
    reason: NotRequired[str | None]
    sort: NotRequired[Literal['oldest', 'newest']]
    workflowId: NotRequired[str | None]


NotEvaluated: TypeAlias = Literal['PURGED', 'RUNNING_AGAIN', 'NO_DECISION', 'UNREADABLE']


class NoteCreate(TypedDict, closed=True):
    note: str


class OptionWrite(TypedDict, closed=True):
    label: str
    value: str


class OtpSend(TypedDict, closed=True):
    channel: Literal['sms', 'email']
    destination: str
    verificationId: str


class OtpSendAnswer(TypedDict):
    channel: Literal['sms', 'email']
    expiresIn: int
    sent: bool


class OtpVerify(TypedDict, closed=True):
    channel: Literal['sms', 'email']
    code: str
    verificationId: str


class OtpVerifyAnswer(TypedDict):
    attemptsRemaining: int
    valid: bool


Outcome: TypeAlias = Literal['clean', 'hit']


class OutcomeShape(TypedDict):
    """
    The result of a monitor, valid from `at` until the next entry of the history.
    """

    at: str
    cause: str
    matches: int
    outcome: Literal['clean', 'hit']


class Outcomes(TypedDict):
    """
    The present status of the verifications.
    """

    approved: int
    expired: int
    manualReview: int
    rejected: int


class OverviewDay(TypedDict):
    approved: int
    created: int
    date: str
    rejected: int
    review: int


OverviewLines: TypeAlias = Literal['day', 'workflow', 'reason']


class OverviewWorkflow(TypedDict):
    """
    What became of the verifications of one workflow.
    """

    funnel: Funnel
    id: str
    medianSecondsToDecision: float | None
    name: str
    outcomes: Outcomes
    p95SecondsToDecision: float | None


OverviewWorkflows = TypedDict(
    'OverviewWorkflows',
    {
        'from': str,
        'to': str,
        'workflows': list[OverviewWorkflow],
    },
)


class OwnershipCheck(TypedDict):
    """
    A code for a phone or a mailbox. `senderName` and `senderEmail` are ignored: the message
    names the organization, so that nobody sends in another name.
    """

    callbackUrl: NotRequired[str | None]
    locale: NotRequired[str | None]
    metadata: NotRequired[dict[str, Any] | str | None]
    recipient: str


PackageStatus: TypeAlias = Literal['PENDING', 'SIGNED', 'FAILED']


PageKind: TypeAlias = Literal['INE_FRONT', 'INE_BACK', 'PASSPORT', 'DRIVER_LICENCE', 'CURP_CERTIFICATE', 'RFC_CERTIFICATE', 'RFC_CERTIFICATE_ANNEX', 'PROOF_OF_ADDRESS', 'UNKNOWN']


class Pagination(TypedDict):
    hasMore: bool
    limit: int
    offset: int
    total: int


class PasskeyAnswer(TypedDict, closed=True):
    credential: dict[str, Any]


class PasskeyNew(TypedDict, closed=True):
    credential: dict[str, Any]
    name: str


class PasskeyOptions(TypedDict):
    publicKey: dict[str, Any]


class PasskeyShape(TypedDict):
    createdAt: str
    id: str
    lastUsedAt: str | None
    name: str


class PasswordReset(TypedDict, closed=True):
    password: str
    token: str


class Pdf(TypedDict):
    fileSize: int
    pages: int
    replacedCharacters: int
    sha256: str


class PepCheck(TypedDict):
    callbackUrl: NotRequired[str | None]
    fullName: str
    metadata: NotRequired[dict[str, Any] | str | None]
    webhookUrl: NotRequired[str | None]


PersonLanguage: TypeAlias = Literal['es', 'en', 'pt', 'fr', 'de']


class PersonShape(TypedDict):
    """
    The person that the bureau was asked about: stated and derived data.
    """

    curp: str | None
    dateOfBirth: str | None
    fullName: str
    names: NamesShape | None
    rfc: str | None


PersonalData: TypeAlias = Literal['FIELDS', 'PICTURES', 'NOTES']


class PolicyList(TypedDict):
    policies: list[ListedPolicy]


PolicyStatus: TypeAlias = Literal['DRAFT', 'PUBLISHED', 'RETIRED']


class PositionGive(TypedDict, closed=True):
    """
    The device's answer. A position has all three numbers; a refusal has none.
    """

    accuracyMetres: NotRequired[float | None]
    latitude: NotRequired[float | None]
    longitude: NotRequired[float | None]
    state: Literal['given', 'refused', 'unavailable']


PreviewScreen: TypeAlias = Literal['consent', 'document', 'back', 'proofOfAddress', 'selfie', 'challenge', 'code', 'position', 'signature', 'checking', 'approved', 'rejected', 'review', 'expired']


class PromptShape(TypedDict):
    action: Literal['look_straight', 'turn_left', 'turn_right', 'look_up', 'blink', 'smile', 'open_mouth']
    id: str
    stillMs: int
    timeoutMs: int


class ProviderSignInStart(TypedDict, closed=True):
    organization: str


class ProviderSignInStarted(TypedDict):
    authorizationUrl: str


class QueueState(TypedDict):
    oldestSeconds: int | None
    waiting: int


class QueuedDocument(TypedDict):
    """
    The facts by which a reviewer chooses a document. Its content is at
    /v1/training/docs/{docId}.
    """

    batchId: str | None
    createdAt: str
    disagreements: int
    docType: Literal['INE_FRONT', 'INE_BACK', 'PASSPORT', 'DRIVER_LICENCE', 'CURP_CERTIFICATE', 'RFC_CERTIFICATE', 'RFC_CERTIFICATE_ANNEX', 'PROOF_OF_ADDRESS', 'UNKNOWN']
    engineVersion: str
    hitRate: float
    id: str
    lease: LeaseShape | None
    lowestConfidence: float
    metamapStatus: Literal['pending', 'running', 'verified', 'rejected', 'reviewNeeded', 'expired']
    verificationId: str


class ReadByShape(TypedDict):
    """
    The engine that read the document, and the type that it recognized.
    """

    at: str
    engine: str
    kind: str
    model: str | None
    rules: str
    state: str | None


Reason: TypeAlias = Literal['http_status', 'timeout', 'refused', 'dns', 'tls', 'blocked_address', 'invalid_target', 'disconnected', 'invalid_response', 'too_large', 'interrupted', 'not_rendered']


ReasonCode: TypeAlias = Literal['BIRTH_DATE_MISMATCH', 'BLACK_AND_WHITE_COPY', 'CHECK_UNAVAILABLE', 'CREDIT_ALERT', 'CREDIT_CONSENT_MISSING', 'CREDIT_DATA_INSUFFICIENT', 'CREDIT_NO_ANSWER', 'CREDIT_NO_FILE', 'CREDIT_PERSON_DIFFERS', 'CREDIT_SCORE_LOW', 'CREDIT_SCORE_UNKNOWN', 'CURP_CHANGED', 'CURP_NOT_FOUND', 'CURP_STATUS_ANNULLED', 'CURP_STATUS_UNKNOWN', 'DOCUMENTS_OF_DIFFERENT_PEOPLE', 'DOCUMENT_CUT_OFF', 'DOCUMENT_EXPIRED', 'DOCUMENT_LAYOUT_UNKNOWN', 'DOCUMENT_NOT_RECOGNIZED', 'DOCUMENT_NOT_SUPPORTED', 'DOCUMENT_UNREADABLE', 'EVIDENCE_CONFIRMED', 'FACE_BLURRED', 'FACE_MISMATCH', 'FACE_NOT_FOUND', 'FACE_TOO_SMALL', 'FACE_UNCERTAIN', 'FIELDS_CONTRADICT', 'FIELDS_UNCERTAIN', 'FORM_NOT_FOUND', 'FRAUD_CONFIRMED', 'IDENTITY_CONFIRMED_IN_PERSON', 'IMAGE_BLURRED', 'IMAGE_GLARE', 'IMAGE_OVEREXPOSED', 'IMAGE_TOO_DARK', 'IMAGE_TOO_SMALL', 'INE_MISMATCH', 'INE_NOT_CURRENT', 'INE_NOT_FOUND', 'INE_STATUS_UNKNOWN', 'INSUFFICIENT_DATA', 'LIVENESS_FACE_CHANGED', 'LIVENESS_FACE_NOT_FOUND', 'LIVENESS_FRAMES_DISORDERED', 'LIVENESS_FRAMES_REPEATED', 'LIVENESS_LIGHT_DIFFERS', 'LIVENESS_LIGHT_NOT_SEEN', 'LIVENESS_MOUTH_STILL', 'LIVENESS_MOVE_NOT_SEEN', 'LIVENESS_NOT_PROVEN', 'LIVENESS_PORTRAIT_MISMATCH', 'LIVENESS_PORTRAIT_NOT_FOUND', 'LIVENESS_SELFIE_MISMATCH', 'LIVENESS_SEVERAL_FACES', 'LIVENESS_SPEECH_NOT_JUDGED', 'LIVENESS_SPOOF_SUSPECTED', 'LIVENESS_TOO_FAST', 'LOCATION_ADDRESS_UNKNOWN', 'LOCATION_HIDDEN', 'LOCATION_NOT_ALLOWED', 'LOCATION_NOT_SHARED', 'LOCATION_UNCERTAIN', 'NAME_MISMATCH', 'NAME_NOT_CONFIRMED', 'OTP_DESTINATION_UNKNOWN', 'OTP_TOO_MANY_MISTAKES', 'PAGE_NOT_CONFIRMED', 'PAGE_NOT_RECOGNIZED', 'PERSON_NOT_ELIGIBLE', 'PERSON_WITHDREW', 'PICTURE_ASKED_AGAIN', 'POLICY_APPROVAL_WITHHELD', 'POLICY_NOT_EVALUATED', 'POLICY_RETAKE_NOT_POSSIBLE', 'PORTRAITS_DIFFER', 'PORTRAIT_BLURRED', 'PORTRAIT_NOT_FOUND', 'PORTRAIT_TOO_SMALL', 'PROOF_ADDRESS_DIFFERS', 'PROOF_ADDRESS_INCONSISTENT', 'PROOF_ISSUER_UNKNOWN', 'PROOF_NAME_DIFFERS', 'PROOF_NOT_COMPARED', 'PROOF_NOT_RECOGNIZED', 'PROOF_TOO_OLD', 'PROOF_UNCERTAIN', 'PROOF_UNREADABLE', 'REGISTRY_PERSON_DIFFERS', 'REGISTRY_REFUSED', 'REGISTRY_UNAVAILABLE', 'REQUIRED_FIELD_MISSING', 'RFC_MISMATCH', 'RFC_NOT_CURRENT', 'RFC_NOT_FOUND', 'RFC_STATUS_UNKNOWN', 'RISK_ABOVE_LIMIT', 'SCREEN_PHOTOGRAPHED', 'SELFIE_COPIES_PORTRAIT', 'SELFIE_SHOWS_DOCUMENT', 'SEVERAL_DOCUMENTS', 'SEVERAL_FACES', 'SEX_MISMATCH', 'STATE_MISMATCH', 'TAMPERING_SUSPECTED', 'UNDERAGE', 'WATCHLISTS_NOT_LOADED', 'WATCHLIST_MATCH', 'WATCHLIST_MATCH_CONFIRMED', 'WATCHLIST_MATCH_DISMISSED', 'WATCHLIST_NAME_UNCERTAIN', 'WATCHLIST_NAME_UNKNOWN', 'WRONG_DOCUMENT', 'WRONG_SIDE']


class ReasonCount(TypedDict):
    code: str
    count: int


class RecoveryCodes(TypedDict):
    recoveryCodes: list[str]


class RedeliveryAnswer(TypedDict):
    id: str
    state: Literal['pending', 'delivered', 'failed', 'cancelled']


class RefusedInput(TypedDict):
    data: dict[str, Any]
    error: dict[str, Any]


class RegionShape(TypedDict):
    code: str | None
    name: str | None


class RegisteredKey(TypedDict):
    createdAt: str
    id: str
    key: str
    name: str
    prefix: str


class RegisteredOrganization(TypedDict):
    id: str
    name: str
    slug: str


class Registration(TypedDict, closed=True):
    email: str
    orgName: str
    password: str


class RemarkShape(TypedDict):
    code: str
    field: str
    message: str


class ReplayRequest(TypedDict, closed=True):
    policyId: NotRequired[str | None]
    version: NotRequired[int | None]


class ReportAnswer(TypedDict):
    acceptedVerificationIds: list[str]
    rejectedVerificationIds: list[str]
    status: str


class ReportRequest(TypedDict):
    callback_details: CallbackDetails
    metadata: NotRequired[dict[str, Any] | str | None]
    request_id: str
    verification_ids: list[str]


class RequestedReading(TypedDict):
    message: str
    verificationId: str


class RetakeSending(TypedDict, closed=True):
    channel: Literal['sms', 'email']


RetentionStart: TypeAlias = Literal['CREATION', 'RELATIONSHIP_END']


class RevealRequest(TypedDict, closed=True):
    kinds: list[Literal['FIELDS', 'PICTURES', 'NOTES']]


class RevealedNote(TypedDict):
    id: str
    note: str


ReviewKind: TypeAlias = Literal['decided', 'proposed', 'declined']


class ReviewQueue(TypedDict):
    name: str
    total: int


class ReviewQueueList(TypedDict):
    queues: list[ReviewQueue]


class ReviewReason(TypedDict):
    code: str
    message: str | None


class ReviewRequest(TypedDict, closed=True):
    decision: Literal['true_hit', 'false_hit', 'needs_information']
    note: NotRequired[str | None]
    openedAt: str


class ReviewWorkflow(TypedDict):
    id: str
    name: str


class ReviewedShape(TypedDict):
    decided: str
    examples: list[str]
    reviewer: str
    simulated: str
    verifications: int


class ReviewerList(TypedDict):
    reviewers: list[Assignee]


class ReviewerStats(TypedDict):
    agreement: float | None
    documents: int
    documentsLastDay: int
    documentsPerHour: float | None
    medianReviewSeconds: float | None
    reviewerId: str
    reviewerKind: Literal['client', 'user', 'holder']
    skipped: int


class RfcCheck(TypedDict):
    callbackUrl: NotRequired[str | None]
    metadata: NotRequired[dict[str, Any] | str | None]
    rfc: str
    webhookUrl: NotRequired[str | None]


class RiskCheck(TypedDict):
    callbackUrl: NotRequired[str | None]
    metadata: NotRequired[dict[str, Any] | str | None]
    recipient: str


Role: TypeAlias = Literal['OWNER', 'ADMIN', 'REVIEWER', 'MEMBER']


class SandboxResult(TypedDict):
    code: str
    source: Literal['government', 'credit', 'watchlist']
    text: str


class ScoreShape(TypedDict):
    name: str
    reasons: list[str]
    value: int | None


Alias: TypeAlias = str


Nationality: TypeAlias = str


class ScreenedList(TypedDict):
    asOf: str | None
    id: str
    loadedAt: str | None
    version: int


class ScreeningCaller(TypedDict):
    id: str
    type: str


class Sealing(TypedDict):
    """
    The electronic seal of the PDF and its time stamp.
    """

    certificateSha256: str
    certificateSubject: str
    isDevelopment: bool
    level: Literal['PAdES-B-T', 'PAdES-B-LT']
    timestampAuthority: str
    timestampedAt: str


class SearchPagination(TypedDict):
    hasMore: bool
    limit: int
    offset: int
    total: int
    totalIsExact: NotRequired[bool]


class SecondDecision(TypedDict, closed=True):
    note: NotRequired[str | None]
    proposal: str


SecondFactor: TypeAlias = Literal['TOTP', 'RECOVERY_CODE', 'PASSKEY', 'PROVIDER']


class SecondFactors(TypedDict):
    isRequired: bool
    recoveryCodesLeft: int
    totpConfirmedAt: str | None


class SecondReview(TypedDict, closed=True):
    notes: NotRequired[str | None]
    proposal: str


class SelfieTruthChange(TypedDict, closed=True):
    """
    Absent fields stay unchanged.
    """

    isSamePerson: NotRequired[bool]
    notes: NotRequired[str | None]


class SessionCreate(TypedDict, closed=True):
    clientId: str
    consent: NotRequired[ConsentWrite | None]
    flowId: str
    metadata: NotRequired[dict[str, Any] | None]


class SessionList(TypedDict):
    sessions: list[ListedSession]


class SessionOrganization(TypedDict):
    id: str
    name: str


SessionState: TypeAlias = Literal['ACTIVE', 'SECOND_FACTOR', 'SECOND_FACTOR_SETUP']


class ShadowShape(TypedDict):
    changed: int
    compared: int
    digest: str
    matrix: list[ComparedShape]
    policyId: str
    version: int
    withoutResult: int


class SignedDocument(TypedDict):
    characters: int
    format: Literal['text', 'markdown', 'html']
    sha256: str
    title: str


class SimulationFilters(TypedDict):
    most: int
    since: str | None
    until: str
    workflowId: str | None


class SimulationRequest(TypedDict, closed=True):
    measure: NotRequired[str | None]
    most: NotRequired[int]
    since: NotRequired[str | None]
    until: NotRequired[str | None]
    version: NotRequired[int | None]
    workflowId: NotRequired[str | None]


SimulationStatus: TypeAlias = Literal['RUNNING', 'DONE', 'CANCELLED', 'FAILED']


class SkipAnswer(TypedDict):
    documentId: str
    skippedAt: str


class SkippedShape(TypedDict):
    examples: list[str]
    reason: Literal['PURGED', 'RUNNING_AGAIN', 'NO_DECISION', 'UNREADABLE']
    verifications: int


class SourceShape(TypedDict):
    """
    The value of a field from one source.
    """

    alternatives: list[str]
    box: list[float] | None
    confidence: float | None
    mediaId: str | None
    source: str
    value: str


Standing: TypeAlias = Literal['listed', 'cleared']


class StandingLabel(TypedDict):
    """
    The current label, as it was sent.
    """

    createdAt: str
    documentId: str
    documentTypeOverride: str | None
    fields: list[dict[str, Any]]
    flags: list[str]
    id: str
    reviewNotes: str | None
    reviewSeconds: float | None
    reviewerId: str
    reviewerKind: Literal['client', 'user', 'holder']
    version: int


class Start(TypedDict):
    capture: NotRequired[CaptureWrite | None]
    flowId: str
    identityId: NotRequired[str | None]
    metadata: NotRequired[dict[str, Any] | str | None]


class StartIdentity(TypedDict):
    capture: NotRequired[CaptureWrite | None]
    flowId: NotRequired[str | None]
    metadata: NotRequired[dict[str, Any] | str | None]


class StartedIdentity(TypedDict):
    field_id: str
    alive: bool | None
    capture: NotRequired[CaptureAnswer | None]
    dateCreated: str
    dateUpdated: str
    metadata: dict[str, Any]
    status: str
    user: str


class StartedMetamapVerification(TypedDict):
    capture: NotRequired[CaptureAnswer | None]
    deviceFingerprint: DeviceShape
    documents: list[dict[str, Any]]
    expired: bool
    flow: FlowShape
    hasProblem: bool
    id: str
    identity: str
    inputs: list[dict[str, Any]]
    metadata: dict[str, Any]
    steps: list[dict[str, Any]]


class StateCount(TypedDict):
    hasTemplate: bool
    licences: int
    name: str
    state: str


class StateList(TypedDict):
    states: list[StateCount]


class StateStat(TypedDict):
    accuracy: float | None
    fieldsCompared: int
    fieldsCorrect: int
    hasTemplate: bool
    licences: int
    name: str | None
    read: int
    state: str | None
    stateCorrect: int


class StateStats(TypedDict):
    states: list[StateStat]


class StateTruthChange(TypedDict, closed=True):
    """
    Absent fields stay unchanged.
    """

    state: NotRequired[Literal['AS', 'BC', 'BS', 'CC', 'CH', 'CL', 'CM', 'CS', 'DF', 'DG', 'GR', 'GT', 'HG', 'JC', 'MC', 'MN', 'MS', 'NL', 'NT', 'OC', 'PL', 'QR', 'QT', 'SL', 'SP', 'SR', 'TC', 'TL', 'TS', 'VZ', 'YN', 'ZS'] | None]
    template: NotRequired[dict[str, Any] | None]


StepStatus: TypeAlias = Literal['PENDING', 'WAITING_INPUT', 'RUNNING', 'PASSED', 'FAILED', 'REVIEW', 'SKIPPED']


StepType: TypeAlias = Literal['AML_SCREEN', 'CREDIT', 'DOCUMENT_OCR', 'ESIGNATURE', 'FACE_MATCH', 'FORM', 'GOVERNMENT_VERIFY', 'LIVENESS', 'LOCATION', 'OTP', 'PROOF_OF_ADDRESS']


class StepView(TypedDict):
    advice: AdviceShape | None
    code: Literal['BIRTH_DATE_MISMATCH', 'BLACK_AND_WHITE_COPY', 'CHECK_UNAVAILABLE', 'CREDIT_ALERT', 'CREDIT_CONSENT_MISSING', 'CREDIT_DATA_INSUFFICIENT', 'CREDIT_NO_ANSWER', 'CREDIT_NO_FILE', 'CREDIT_PERSON_DIFFERS', 'CREDIT_SCORE_LOW', 'CREDIT_SCORE_UNKNOWN', 'CURP_CHANGED', 'CURP_NOT_FOUND', 'CURP_STATUS_ANNULLED', 'CURP_STATUS_UNKNOWN', 'DOCUMENTS_OF_DIFFERENT_PEOPLE', 'DOCUMENT_CUT_OFF', 'DOCUMENT_EXPIRED', 'DOCUMENT_LAYOUT_UNKNOWN', 'DOCUMENT_NOT_RECOGNIZED', 'DOCUMENT_NOT_SUPPORTED', 'DOCUMENT_UNREADABLE', 'EVIDENCE_CONFIRMED', 'FACE_BLURRED', 'FACE_MISMATCH', 'FACE_NOT_FOUND', 'FACE_TOO_SMALL', 'FACE_UNCERTAIN', 'FIELDS_CONTRADICT', 'FIELDS_UNCERTAIN', 'FORM_NOT_FOUND', 'FRAUD_CONFIRMED', 'IDENTITY_CONFIRMED_IN_PERSON', 'IMAGE_BLURRED', 'IMAGE_GLARE', 'IMAGE_OVEREXPOSED', 'IMAGE_TOO_DARK', 'IMAGE_TOO_SMALL', 'INE_MISMATCH', 'INE_NOT_CURRENT', 'INE_NOT_FOUND', 'INE_STATUS_UNKNOWN', 'INSUFFICIENT_DATA', 'LIVENESS_FACE_CHANGED', 'LIVENESS_FACE_NOT_FOUND', 'LIVENESS_FRAMES_DISORDERED', 'LIVENESS_FRAMES_REPEATED', 'LIVENESS_LIGHT_DIFFERS', 'LIVENESS_LIGHT_NOT_SEEN', 'LIVENESS_MOUTH_STILL', 'LIVENESS_MOVE_NOT_SEEN', 'LIVENESS_NOT_PROVEN', 'LIVENESS_PORTRAIT_MISMATCH', 'LIVENESS_PORTRAIT_NOT_FOUND', 'LIVENESS_SELFIE_MISMATCH', 'LIVENESS_SEVERAL_FACES', 'LIVENESS_SPEECH_NOT_JUDGED', 'LIVENESS_SPOOF_SUSPECTED', 'LIVENESS_TOO_FAST', 'LOCATION_ADDRESS_UNKNOWN', 'LOCATION_HIDDEN', 'LOCATION_NOT_ALLOWED', 'LOCATION_NOT_SHARED', 'LOCATION_UNCERTAIN', 'NAME_MISMATCH', 'NAME_NOT_CONFIRMED', 'OTP_DESTINATION_UNKNOWN', 'OTP_TOO_MANY_MISTAKES', 'PAGE_NOT_CONFIRMED', 'PAGE_NOT_RECOGNIZED', 'PERSON_NOT_ELIGIBLE', 'PERSON_WITHDREW', 'PICTURE_ASKED_AGAIN', 'POLICY_APPROVAL_WITHHELD', 'POLICY_NOT_EVALUATED', 'POLICY_RETAKE_NOT_POSSIBLE', 'PORTRAITS_DIFFER', 'PORTRAIT_BLURRED', 'PORTRAIT_NOT_FOUND', 'PORTRAIT_TOO_SMALL', 'PROOF_ADDRESS_DIFFERS', 'PROOF_ADDRESS_INCONSISTENT', 'PROOF_ISSUER_UNKNOWN', 'PROOF_NAME_DIFFERS', 'PROOF_NOT_COMPARED', 'PROOF_NOT_RECOGNIZED', 'PROOF_TOO_OLD', 'PROOF_UNCERTAIN', 'PROOF_UNREADABLE', 'REGISTRY_PERSON_DIFFERS', 'REGISTRY_REFUSED', 'REGISTRY_UNAVAILABLE', 'REQUIRED_FIELD_MISSING', 'RFC_MISMATCH', 'RFC_NOT_CURRENT', 'RFC_NOT_FOUND', 'RFC_STATUS_UNKNOWN', 'RISK_ABOVE_LIMIT', 'SCREEN_PHOTOGRAPHED', 'SELFIE_COPIES_PORTRAIT', 'SELFIE_SHOWS_DOCUMENT', 'SEVERAL_DOCUMENTS', 'SEVERAL_FACES', 'SEX_MISMATCH', 'STATE_MISMATCH', 'TAMPERING_SUSPECTED', 'UNDERAGE', 'WATCHLISTS_NOT_LOADED', 'WATCHLIST_MATCH', 'WATCHLIST_MATCH_CONFIRMED', 'WATCHLIST_MATCH_DISMISSED', 'WATCHLIST_NAME_UNCERTAIN', 'WATCHLIST_NAME_UNKNOWN', 'WRONG_DOCUMENT', 'WRONG_SIDE'] | None
    id: str
    requires: list[Literal['front', 'back', 'selfie', 'passport', 'liveness', 'proofOfAddress']]
    retakesLeft: int
    status: Literal['PENDING', 'WAITING_INPUT', 'RUNNING', 'PASSED', 'FAILED', 'REVIEW', 'SKIPPED']
    type: Literal['AML_SCREEN', 'CREDIT', 'DOCUMENT_OCR', 'ESIGNATURE', 'FACE_MATCH', 'FORM', 'GOVERNMENT_VERIFY', 'LIVENESS', 'LOCATION', 'OTP', 'PROOF_OF_ADDRESS']


class StepWithConfig(TypedDict):
    config: dict[str, Any]
    id: str
    order: int
    type: Literal['AML_SCREEN', 'CREDIT', 'DOCUMENT_OCR', 'ESIGNATURE', 'FACE_MATCH', 'FORM', 'GOVERNMENT_VERIFY', 'LIVENESS', 'LOCATION', 'OTP', 'PROOF_OF_ADDRESS']


class StepWrite(TypedDict, closed=True):
    config: NotRequired[dict[str, Any] | None]
    id: NotRequired[str | None]
    order: int
    type: Literal['AML_SCREEN', 'CREDIT', 'DOCUMENT_OCR', 'ESIGNATURE', 'FACE_MATCH', 'FORM', 'GOVERNMENT_VERIFY', 'LIVENESS', 'LOCATION', 'OTP', 'PROOF_OF_ADDRESS']


Strategy: TypeAlias = Literal['uncertain', 'disagreement', 'random', 'oldest', 'newest']


class SubmissionShape(TypedDict):
    submittedAt: str
    values: dict[str, Any]


class Submit(TypedDict, closed=True):
    formId: str
    values: dict[str, Any]
    verificationId: str


class SubmitAnswer(TypedDict):
    errors: list[FieldErrorShape]
    submittedAt: str
    valid: bool


class SubmittedForm(TypedDict):
    """
    The newest answers to a form, and the earlier ones.
    """

    formId: str
    history: list[SubmissionShape]
    submittedAt: str
    title: str
    values: dict[str, Any]


class SubmittedForms(TypedDict):
    submissions: list[SubmittedForm]
    verificationId: str


class TakenInput(TypedDict):
    data: dict[str, Any]
    result: bool


class TestAnswer(TypedDict):
    delivered: bool


class TestShape(TypedDict):
    approvals: int
    pValue: float
    threshold: float
    wrong: int


class ThemeShape(TypedDict):
    accentColor: str | None
    backgroundColor: str | None
    bodyTextColor: str | None
    borderColor: str | None
    errorColor: str | None
    fontFamily: str | None
    logoUrl: str | None
    subtitleColor: str | None
    successColor: str | None
    titleTextColor: str | None
    warningColor: str | None


class ThemeWrite(TypedDict, closed=True):
    """
    The whole theme. An absent or null field is not set.
    """

    accentColor: NotRequired[str | None]
    backgroundColor: NotRequired[str | None]
    bodyTextColor: NotRequired[str | None]
    borderColor: NotRequired[str | None]
    errorColor: NotRequired[str | None]
    fontFamily: NotRequired[str | None]
    logoUrl: NotRequired[str | None]
    subtitleColor: NotRequired[str | None]
    successColor: NotRequired[str | None]
    titleTextColor: NotRequired[str | None]
    warningColor: NotRequired[str | None]


class ThresholdRequest(TypedDict, closed=True):
    confidence: NotRequired[float]
    limit: NotRequired[float]
    name: str


class ThresholdShape(TypedDict):
    """
    The threshold that `acredita calibrate` would fit to the same labels.
    """

    confirmation: str
    labels: int
    leastConfidence: float | None
    precision: float | None
    rulesLeastConfidence: float


Tier: TypeAlias = Literal['name_only', 'id_and_name', 'face_id_and_name']


class TokenAnswer(TypedDict):
    access_token: str
    expires_in: int
    token_type: Literal['Bearer']


class TokenForm(TypedDict):
    """
    A token request, from its form and its Authorization header.
    """

    client_id: NotRequired[str]
    client_secret: NotRequired[str]
    grant_type: NotRequired[str]
    scope: NotRequired[str]


class TokenPair(TypedDict):
    listed: str
    query: str
    reason: str
    similarity: float


class TokenRequest(TypedDict, closed=True):
    """
    RFC 6749, section 4.4. The OAuth names keep their underscores.
    """

    client_id: str
    client_secret: str
    grant_type: Literal['client_credentials']


class TokenUser(TypedDict):
    field_id: str


class TotpConfirmation(TypedDict, closed=True):
    code: str


class TrainingMedia(TypedDict):
    id: str
    kind: Literal['page', 'portrait', 'frame']
    url: str


class TrainingStats(TypedDict):
    inHand: int
    labelled: int
    reviewers: list[ReviewerStats]
    waiting: int


TrialStatus: TypeAlias = Literal['PENDING', 'DONE', 'FAILED']


class TypeAccuracy(TypedDict):
    accuracy: float | None
    correct: int
    docType: str
    documents: int
    precision: float | None
    readAsThis: int


class TypeProgress(TypedDict):
    docType: Literal['INE_FRONT', 'INE_BACK', 'PASSPORT', 'DRIVER_LICENCE', 'CURP_CERTIFICATE', 'RFC_CERTIFICATE', 'RFC_CERTIFICATE_ANNEX', 'PROOF_OF_ADDRESS', 'UNKNOWN']
    labelled: int
    total: int


class UpdatedData(TypedDict):
    changes: list[str]
    externalId: str | None
    verificationId: str


class UploadedDocument(TypedDict):
    id: str
    mimeType: str
    type: Literal['front', 'back', 'selfie', 'passport', 'liveness', 'proofOfAddress']


class UserInvite(TypedDict, closed=True):
    email: str
    role: Literal['OWNER', 'ADMIN', 'REVIEWER', 'MEMBER']


class UserShape(TypedDict):
    email: str
    id: str
    role: Literal['OWNER', 'ADMIN', 'REVIEWER', 'MEMBER']


class UserUpdate(TypedDict, closed=True):
    """
    An absent field stays unchanged. Null is not allowed.
    """

    email: NotRequired[str]
    role: NotRequired[Literal['OWNER', 'ADMIN', 'REVIEWER', 'MEMBER']]


class VerificationCreate(TypedDict, closed=True):
    callbackUrl: NotRequired[str | None]
    capture: NotRequired[CaptureWrite | None]
    externalId: NotRequired[str | None]
    metadata: NotRequired[dict[str, Any] | None]
    workflowId: str


VerificationStatus: TypeAlias = Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW']


class VerificationStepShape(TypedDict):
    id: str
    requires: list[Literal['front', 'back', 'selfie', 'passport', 'liveness', 'proofOfAddress']]
    result: StepResult | None
    status: Literal['PENDING', 'WAITING_INPUT', 'RUNNING', 'PASSED', 'FAILED', 'REVIEW', 'SKIPPED']
    type: Literal['AML_SCREEN', 'CREDIT', 'DOCUMENT_OCR', 'ESIGNATURE', 'FACE_MATCH', 'FORM', 'GOVERNMENT_VERIFY', 'LIVENESS', 'LOCATION', 'OTP', 'PROOF_OF_ADDRESS']


class VerificationUpdate(TypedDict, closed=True):
    """
    An absent field stays unchanged.
    """

    relationshipEndedAt: NotRequired[str | None]


class VerificationUpdatedEvent(TypedDict):
    createdAt: str
    data: UpdatedData
    event: Literal['verification.updated']
    id: str


class VersionShape(TypedDict):
    authorId: str
    authorType: Literal['client', 'user']
    basis: dict[str, Any] | None
    createdAt: str
    digest: str
    otherwise: dict[str, Any]
    publishedAt: str | None
    publishedBy: str | None
    rules: list[dict[str, Any]]
    status: Literal['DRAFT', 'PUBLISHED', 'RETIRED']
    version: int


Warned: TypeAlias = Literal['ADDRESS_NOT_PUBLIC', 'NO_CITY_DATABASE', 'NO_ASN_DATABASE', 'NO_VPN_DATABASE', 'DATABASE_PROBLEM']


class WatchlistAnswer(TypedDict):
    data: dict[str, Any]
    metadata: dict[str, Any]


class WatchlistCheck(TypedDict):
    birthYear: NotRequired[int | None]
    callbackUrl: NotRequired[str | None]
    countryCodes: NotRequired[list[str] | None]
    entityType: NotRequired[Literal['person', 'company']]
    exactMatch: NotRequired[bool]
    fuzzinessThreshold: NotRequired[int]
    metadata: NotRequired[dict[str, Any] | str | None]
    monitor: NotRequired[bool]
    name: str


WebhookFormat: TypeAlias = Literal['standard', 'metamap']


class WebhookShape(TypedDict):
    createdAt: str
    events: list[Literal['verification.created', 'verification.updated', 'verification.completed', 'verification.approved', 'verification.rejected', 'verification.manual_review', 'step.completed', 'step.failed', 'aml.match']]
    format: Literal['standard', 'metamap']
    id: str
    isActive: bool
    url: str


Window: TypeAlias = Literal['24h', '7d', '30d']


class WorkShape(TypedDict):
    """
    The unfinished jobs of one kind. Kinds without unfinished jobs are left out.
    """

    dead: int
    depth: int
    due: int
    kind: str
    oldestDueSeconds: float
    queue: str
    running: int


class WorkflowCreate(TypedDict, closed=True):
    allowFiles: NotRequired[bool]
    description: NotRequired[str | None]
    name: str
    policyId: NotRequired[str | None]
    shadowPolicyId: NotRequired[str | None]
    steps: list[StepWrite]


class WorkflowShape(TypedDict):
    allowFiles: bool
    createdAt: str
    description: str | None
    id: str
    isActive: bool
    name: str
    policyId: str | None
    shadowPolicyId: str | None
    steps: list[StepWithConfig]


class WorkflowUpdate(TypedDict, closed=True):
    """
    An absent field stays unchanged. Steps are replaced as a whole. A description and
    policies may be null.
    """

    allowFiles: NotRequired[bool]
    description: NotRequired[str | None]
    isActive: NotRequired[bool]
    name: NotRequired[str]
    policyId: NotRequired[str | None]
    shadowPolicyId: NotRequired[str | None]
    steps: NotRequired[list[StepWrite]]


class AccountsShape(TypedDict):
    amounts: list[AmountsShape]
    closed: int
    disputed: int
    mostPaymentsMissed: int
    oldestOpened: str | None
    open: int
    pastDue: int
    total: int


class ApiKeyShape(TypedDict):
    createdAt: str
    id: str
    isActive: bool
    lastUsedAt: str | None
    name: str
    prefix: str
    rateLimit: int
    role: Literal['OWNER', 'ADMIN', 'REVIEWER', 'MEMBER']


class AttemptShape(TypedDict):
    durationMs: int
    id: str
    reason: Literal['http_status', 'timeout', 'refused', 'dns', 'tls', 'blocked_address', 'invalid_target', 'disconnected', 'invalid_response', 'too_large', 'interrupted', 'not_rendered'] | None
    responseCode: int | None
    startedAt: str
    status: str


class AuditLogPage(TypedDict):
    auditLogs: list[AuditEntryShape]
    nextCursor: NotRequired[str]
    pagination: Pagination


class BatchDetail(TypedDict):
    byDocType: list[TypeProgress]
    createdAt: str
    id: str
    inHand: int
    labelled: int
    name: str
    total: int


class BatchList(TypedDict):
    batches: list[BatchShape]


class ButtonSession(TypedDict):
    """
    The data that the button in the browser sends. `identityId` is ignored, because a browser
    cannot prove it.
    """

    clientId: str
    consent: NotRequired[ConsentWrite | None]
    flowId: NotRequired[str | None]
    metadata: NotRequired[dict[str, Any] | str | None]


class CaptureState(TypedDict):
    """
    The newest link for the person.
    """

    expiresAt: str
    firstOpenedAt: str | None
    lastOpenedAt: str | None
    openings: int
    state: Literal['created', 'opened', 'expired', 'revoked']


class ChallengeAnswer(TypedDict):
    challengeId: str
    expiresAt: str
    light: LightShape | None
    nonce: str
    prompts: list[PromptShape]


class ChangedVerification(TypedDict):
    id: str
    status: Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW']
    updatedAt: str


class ChangedVerificationAnswer(TypedDict):
    verification: ChangedVerification


class ClassifierMetrics(TypedDict):
    accuracy: float | None
    byDocumentType: list[TypeAccuracy]
    confusionMatrix: list[ConfusionCell]
    documents: int
    window: Literal['24h', '7d', '30d']


class CodeAsked(TypedDict):
    """
    What an OTP step asks of the person.
    """

    channels: list[CodeChannel]
    sent: CodeSentView | None


class Confirmation(TypedDict):
    at: str
    indexVersion: int
    lists: list[ScreenedList]


class CreatedApiKey(TypedDict):
    createdAt: str
    id: str
    key: str
    name: str
    prefix: str
    rateLimit: int
    role: Literal['OWNER', 'ADMIN', 'REVIEWER', 'MEMBER']


class CreatedApiKeyAnswer(TypedDict):
    apiKey: CreatedApiKey


class CreatedData(TypedDict):
    externalId: str | None
    status: Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW']
    test: NotRequired[bool]
    verificationId: str
    workflowId: str


class CreatedVerification(TypedDict):
    callbackSecret: str | None
    capture: CaptureAnswer | None
    createdAt: str
    externalId: str | None
    id: str
    ipAddress: str | None
    metadata: dict[str, Any] | None
    status: Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW']
    updatedAt: str
    workflowId: str


class CreatedVerificationAnswer(TypedDict):
    verification: CreatedVerification


class CreatedWebhook(TypedDict):
    createdAt: str
    events: list[Literal['verification.created', 'verification.updated', 'verification.completed', 'verification.approved', 'verification.rejected', 'verification.manual_review', 'step.completed', 'step.failed', 'aml.match']]
    format: Literal['standard', 'metamap']
    id: str
    isActive: bool
    secret: str
    url: str


class CreatedWebhookAnswer(TypedDict):
    webhook: CreatedWebhook


class CreditCheckCreate(TypedDict, closed=True):
    address: NotRequired[AddressWrite | None]
    consentReference: NotRequired[str | None]
    curp: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    fullName: str
    names: NotRequired[NamesWrite | None]
    rfc: NotRequired[str | None]


class CreditCheckShape(TypedDict):
    accounts: AccountsShape | None
    alerts: list[AlertShape]
    code: str | None
    completedAt: str | None
    consentReference: str | None
    createdAt: str
    folio: str | None
    found: bool | None
    id: str
    inquiries: InquiriesShape | None
    message: str | None
    person: PersonShape
    provider: str
    sandbox: bool
    score: int | None
    scores: list[ScoreShape]
    status: Literal['PENDING', 'COMPLETED', 'FAILED', 'UNKNOWN']
    warnings: list[RemarkShape]


class DecidedData(TypedDict):
    externalId: str | None
    newStatus: Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW']
    previousStatus: Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW']
    verificationId: str


class DecidingPolicy(TypedDict):
    digest: str | None
    id: str | None
    queue: str | None
    rule: str | None
    version: int | None
    withoutPolicy: Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW']


class DecisionShape(TypedDict):
    """
    The last decision of the rules. A reviewer may have decided otherwise since: the history has
    both.
    """

    policy: DecidingPolicy | None
    reasons: list[str]
    rules: str
    status: Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW']


class DeliveryShape(TypedDict):
    attempts: list[AttemptShape]
    createdAt: str
    event: Literal['verification.created', 'verification.updated', 'verification.completed', 'verification.approved', 'verification.rejected', 'verification.manual_review', 'step.completed', 'step.failed', 'aml.match']
    eventId: str
    finishedAt: str | None
    id: str
    nextAttemptAt: str | None
    redeliveredAt: str | None
    state: Literal['pending', 'delivered', 'failed', 'cancelled']
    verificationId: str | None


class Document(TypedDict, closed=True):
    """
    An identifier other than RFC and CURP. Only its letters and digits are compared, at least
    five of them.
    """

    kind: Literal['passport', 'national_id', 'voter_id', 'driver_license', 'tax_id', 'registration', 'imo', 'mmsi', 'lei', 'swift', 'crypto_wallet', 'aircraft_registration', 'aircraft_serial', 'aircraft_transponder']
    value: str


class DocumentShape(TypedDict):
    createdAt: str
    fileSize: int
    id: str
    imageUrl: str
    media: list[MediaShape]
    mimeType: str
    source: Literal['camera', 'file'] | None
    type: Literal['front', 'back', 'selfie', 'passport', 'liveness', 'proofOfAddress']


class EntryContent(TypedDict):
    """
    What the list says of an entry. Empty: the list does not say it.
    """

    addresses: list[str]
    countries: list[str]
    datesOfBirth: list[str]
    entityType: Literal['person', 'company', 'vessel', 'aircraft', 'other']
    genders: list[str]
    identifiers: list[EntryIdentifier]
    listedOn: str | None
    names: list[EntryName]
    nationalities: list[str]
    placesOfBirth: list[str]
    positions: list[str]
    programs: list[str]
    remarks: list[str]
    standing: Literal['listed', 'cleared']
    updatedOn: str | None
    url: str | None


EntryForm = TypedDict(
    'EntryForm',
    {
        'changed': list[str],
        'content': EntryContent,
        'from': str | None,
        'fromVersion': int,
        'until': str | None,
        'untilVersion': int | None,
    },
)


class EntryShape(TypedDict):
    addresses: list[str]
    clusterId: str | None
    countries: list[str]
    datesOfBirth: list[str]
    entityType: Literal['person', 'company', 'vessel', 'aircraft', 'other']
    entryId: str
    genders: list[str]
    id: str
    identifiers: list[EntryIdentifier]
    list: str
    listed: bool
    listedOn: str | None
    names: list[EntryName]
    nationalities: list[str]
    placesOfBirth: list[str]
    positions: list[str]
    programs: list[str]
    remarks: list[str]
    sources: list[EntrySource]
    standing: Literal['listed', 'cleared']
    updatedOn: str | None
    url: str | None


class ErrorBody(TypedDict):
    code: str
    details: NotRequired[list[str]]
    message: str
    requestId: str
    retryAfter: NotRequired[int]


class ErrorEnvelope(TypedDict):
    error: ErrorBody


class Evidence(TypedDict):
    """
    The evidence of the tier. A part that the tier does not require is null.
    """

    document: DocumentEvidence | None
    face: FaceEvidence | None
    verificationStatus: str


class Explanation(TypedDict):
    """
    How the score was computed.
    """

    evidence: list[EvidenceShape]
    tokens: list[TokenPair]
    unmatchedListed: list[str]
    unmatchedQuery: list[str]


class ExtractionMetrics(TypedDict):
    documents: int
    fields: list[FieldExtraction]
    window: Literal['24h', '7d', '30d']


class FaceMatchShape(TypedDict):
    at: str
    band: Literal['match', 'uncertain', 'mismatch'] | None
    calibration: str
    code: Literal['BIRTH_DATE_MISMATCH', 'BLACK_AND_WHITE_COPY', 'CHECK_UNAVAILABLE', 'CREDIT_ALERT', 'CREDIT_CONSENT_MISSING', 'CREDIT_DATA_INSUFFICIENT', 'CREDIT_NO_ANSWER', 'CREDIT_NO_FILE', 'CREDIT_PERSON_DIFFERS', 'CREDIT_SCORE_LOW', 'CREDIT_SCORE_UNKNOWN', 'CURP_CHANGED', 'CURP_NOT_FOUND', 'CURP_STATUS_ANNULLED', 'CURP_STATUS_UNKNOWN', 'DOCUMENTS_OF_DIFFERENT_PEOPLE', 'DOCUMENT_CUT_OFF', 'DOCUMENT_EXPIRED', 'DOCUMENT_LAYOUT_UNKNOWN', 'DOCUMENT_NOT_RECOGNIZED', 'DOCUMENT_NOT_SUPPORTED', 'DOCUMENT_UNREADABLE', 'EVIDENCE_CONFIRMED', 'FACE_BLURRED', 'FACE_MISMATCH', 'FACE_NOT_FOUND', 'FACE_TOO_SMALL', 'FACE_UNCERTAIN', 'FIELDS_CONTRADICT', 'FIELDS_UNCERTAIN', 'FORM_NOT_FOUND', 'FRAUD_CONFIRMED', 'IDENTITY_CONFIRMED_IN_PERSON', 'IMAGE_BLURRED', 'IMAGE_GLARE', 'IMAGE_OVEREXPOSED', 'IMAGE_TOO_DARK', 'IMAGE_TOO_SMALL', 'INE_MISMATCH', 'INE_NOT_CURRENT', 'INE_NOT_FOUND', 'INE_STATUS_UNKNOWN', 'INSUFFICIENT_DATA', 'LIVENESS_FACE_CHANGED', 'LIVENESS_FACE_NOT_FOUND', 'LIVENESS_FRAMES_DISORDERED', 'LIVENESS_FRAMES_REPEATED', 'LIVENESS_LIGHT_DIFFERS', 'LIVENESS_LIGHT_NOT_SEEN', 'LIVENESS_MOUTH_STILL', 'LIVENESS_MOVE_NOT_SEEN', 'LIVENESS_NOT_PROVEN', 'LIVENESS_PORTRAIT_MISMATCH', 'LIVENESS_PORTRAIT_NOT_FOUND', 'LIVENESS_SELFIE_MISMATCH', 'LIVENESS_SEVERAL_FACES', 'LIVENESS_SPEECH_NOT_JUDGED', 'LIVENESS_SPOOF_SUSPECTED', 'LIVENESS_TOO_FAST', 'LOCATION_ADDRESS_UNKNOWN', 'LOCATION_HIDDEN', 'LOCATION_NOT_ALLOWED', 'LOCATION_NOT_SHARED', 'LOCATION_UNCERTAIN', 'NAME_MISMATCH', 'NAME_NOT_CONFIRMED', 'OTP_DESTINATION_UNKNOWN', 'OTP_TOO_MANY_MISTAKES', 'PAGE_NOT_CONFIRMED', 'PAGE_NOT_RECOGNIZED', 'PERSON_NOT_ELIGIBLE', 'PERSON_WITHDREW', 'PICTURE_ASKED_AGAIN', 'POLICY_APPROVAL_WITHHELD', 'POLICY_NOT_EVALUATED', 'POLICY_RETAKE_NOT_POSSIBLE', 'PORTRAITS_DIFFER', 'PORTRAIT_BLURRED', 'PORTRAIT_NOT_FOUND', 'PORTRAIT_TOO_SMALL', 'PROOF_ADDRESS_DIFFERS', 'PROOF_ADDRESS_INCONSISTENT', 'PROOF_ISSUER_UNKNOWN', 'PROOF_NAME_DIFFERS', 'PROOF_NOT_COMPARED', 'PROOF_NOT_RECOGNIZED', 'PROOF_TOO_OLD', 'PROOF_UNCERTAIN', 'PROOF_UNREADABLE', 'REGISTRY_PERSON_DIFFERS', 'REGISTRY_REFUSED', 'REGISTRY_UNAVAILABLE', 'REQUIRED_FIELD_MISSING', 'RFC_MISMATCH', 'RFC_NOT_CURRENT', 'RFC_NOT_FOUND', 'RFC_STATUS_UNKNOWN', 'RISK_ABOVE_LIMIT', 'SCREEN_PHOTOGRAPHED', 'SELFIE_COPIES_PORTRAIT', 'SELFIE_SHOWS_DOCUMENT', 'SEVERAL_DOCUMENTS', 'SEVERAL_FACES', 'SEX_MISMATCH', 'STATE_MISMATCH', 'TAMPERING_SUSPECTED', 'UNDERAGE', 'WATCHLISTS_NOT_LOADED', 'WATCHLIST_MATCH', 'WATCHLIST_MATCH_CONFIRMED', 'WATCHLIST_MATCH_DISMISSED', 'WATCHLIST_NAME_UNCERTAIN', 'WATCHLIST_NAME_UNKNOWN', 'WRONG_DOCUMENT', 'WRONG_SIDE'] | None
    distance: float | None
    engine: str
    similarity: float | None


class FieldCalibration(TypedDict):
    bins: list[BinShape]
    expectedCalibrationError: float | None
    field: str
    readings: int
    suggestedThresholds: list[ThresholdShape]


class FieldCalibrationMetrics(TypedDict):
    bins: list[BinShape]
    expectedCalibrationError: float | None
    fields: list[FieldCalibration]
    labelsNeeded: int
    readings: int
    targetPrecision: float
    window: Literal['24h', '7d', '30d']


class FieldShape(TypedDict):
    confidence: float | None
    decision: str | None
    field: str
    reasons: list[str]
    source: str | None
    sources: list[SourceShape]
    value: str | None


class FieldWrite(TypedDict, closed=True):
    id: str
    label: str
    options: NotRequired[list[OptionWrite] | None]
    placeholder: NotRequired[str | None]
    required: bool
    type: Literal['text', 'date', 'checkbox', 'select']
    validation: NotRequired[Constraints | None]


class FilterAnswer(TypedDict):
    filter: FilterShape


class FilterList(TypedDict):
    filters: list[FilterShape]


class FinishedStep(TypedDict):
    id: str
    status: Literal['PENDING', 'WAITING_INPUT', 'RUNNING', 'PASSED', 'FAILED', 'REVIEW', 'SKIPPED']
    type: Literal['AML_SCREEN', 'CREDIT', 'DOCUMENT_OCR', 'ESIGNATURE', 'FACE_MATCH', 'FORM', 'GOVERNMENT_VERIFY', 'LIVENESS', 'LOCATION', 'OTP', 'PROOF_OF_ADDRESS']


class FormCreate(TypedDict, closed=True):
    description: NotRequired[str | None]
    fields: list[FieldWrite]
    title: str


class FormFieldShape(TypedDict):
    id: str
    label: str
    maxLength: int | None
    options: list[FormOptionShape]
    placeholder: str | None
    required: bool
    type: Literal['text', 'date', 'checkbox', 'select']


class FoundEntry(TypedDict):
    addresses: list[str]
    clusterId: str | None
    countries: list[str]
    datesOfBirth: list[str]
    entityType: Literal['person', 'company', 'vessel', 'aircraft', 'other']
    entryId: str
    genders: list[str]
    id: str
    identifiers: list[EntryIdentifier]
    list: str
    listed: bool
    listedOn: str | None
    matchedName: str
    names: list[EntryName]
    nationalities: list[str]
    placesOfBirth: list[str]
    positions: list[str]
    programs: list[str]
    remarks: list[str]
    score: float
    sources: list[EntrySource]
    standing: Literal['listed', 'cleared']
    updatedOn: str | None
    url: str | None


class GroupRoleShape(TypedDict):
    group: str
    role: Literal['OWNER', 'ADMIN', 'REVIEWER', 'MEMBER']


class HistoryPage(TypedDict):
    history: list[HistoryItem]
    pagination: Pagination


class HitPage(TypedDict):
    matches: list[HitSummary]
    nextCursor: NotRequired[str]
    pagination: Pagination


class HitReviewShape(TypedDict):
    at: str
    current: bool
    decision: Literal['open', 'needs_information', 'true_hit', 'false_hit']
    id: str
    kind: Literal['decided', 'proposed', 'declined']
    note: str | None
    proposalId: str | None
    reviewer: HitReviewer


class HoldList(TypedDict):
    holds: list[HoldShape]
    total: int


class IdentityProviderShape(TypedDict):
    allowedDomains: list[str]
    clientId: str
    createdAt: str
    defaultRole: Literal['OWNER', 'ADMIN', 'REVIEWER', 'MEMBER'] | None
    groupsClaim: str
    id: str
    issuer: str
    only: bool
    roles: list[GroupRoleShape]
    scopes: list[str]
    secondFactor: bool


class LabelAnswer(TypedDict):
    label: LabelShape


class LicenceTruthShape(TypedDict):
    compared: int
    correct: int
    createdAt: str
    fields: dict[str, str]
    id: str
    notes: str | None
    previouslyReadBy: ReadByShape | None
    readBy: ReadByShape | None
    state: str | None
    status: Literal['PENDING', 'DONE', 'FAILED']
    trials: list[FieldTrialShape]
    updatedAt: str


class ListHealth(TypedDict):
    confirmedDays: int | None
    downloaded: bool
    entries: int
    id: str
    indexed: bool
    problem: str | None
    publishedDays: int | None
    status: Literal['current', 'stale']
    version: int


class ListShape(TypedDict):
    asOf: str | None
    entries: int
    id: str
    loadedAt: str | None
    name: str
    problem: str | None
    publisher: str
    sandbox: bool
    status: Literal['current', 'stale']
    version: int


class ListedVerification(TypedDict):
    createdAt: str
    externalId: str | None
    id: str
    status: Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW']


class ListsAnswer(TypedDict):
    lists: list[ListShape]


class ListsHealth(TypedDict):
    index: IndexHealth | None
    lists: list[ListHealth]
    neverLoaded: list[str]
    status: Literal['ok', 'degraded']
    timestamp: str


class LocatedField(TypedDict):
    """
    A field of a judged document. Its `sources` say where the pictures show it.
    """

    confidence: float | None
    decision: str | None
    documentId: str
    field: str
    reasons: list[str]
    role: Literal['front', 'back', 'selfie', 'passport', 'liveness', 'proofOfAddress']
    source: str | None
    sources: list[SourceShape]
    value: str | None


class LocatedFields(TypedDict):
    fields: list[LocatedField]


class LocationCheckShape(TypedDict):
    addressKind: Literal['PUBLIC', 'PRIVATE', 'SHARED', 'LOOPBACK', 'LINK_LOCAL', 'DOCUMENTATION', 'MULTICAST', 'RESERVED']
    allowed: bool
    asn: AsnShape | None
    carrier: Literal['IPV4_MAPPED', 'NAT64', '6TO4', 'TEREDO'] | None
    city: str | None
    coordinates: CoordinatesShape | None
    country: str | None
    countryName: str | None
    databases: list[DatabaseShape]
    hosting: bool | None
    id: str
    ipAddress: str
    provider: str
    proxy: bool | None
    reasons: list[Literal['COUNTRY_NOT_ALLOWED', 'COUNTRY_UNKNOWN', 'CITY_NOT_ALLOWED', 'CITY_UNKNOWN', 'VPN', 'PROXY', 'TOR', 'VPN_UNKNOWN']]
    region: RegionShape | None
    sandbox: bool
    tor: bool | None
    vpn: bool | None
    warnings: list[Literal['ADDRESS_NOT_PUBLIC', 'NO_CITY_DATABASE', 'NO_ASN_DATABASE', 'NO_VPN_DATABASE', 'DATABASE_PROBLEM']]


class MatchShape(TypedDict):
    assessment: str
    countries: list[str]
    country: str | None
    entityType: Literal['person', 'company', 'vessel', 'aircraft', 'other']
    entry: EntryShape
    entryId: str
    explanation: Explanation
    likelihood: float
    list: str
    listAsOf: str | None
    listVersion: int
    matchId: str
    matchedKind: str
    matchedName: str
    name: str
    programs: list[str]
    review: MatchReview
    score: float


class MetamapDocument(TypedDict):
    country: str
    fields: dict[str, Any]
    photos: list[str]
    region: str
    steps: list[MetamapStep]
    type: str


class MetamapVerification(TypedDict):
    computed: dict[str, Any]
    deviceFingerprint: DeviceShape
    documents: list[MetamapDocument]
    expired: bool
    flow: FlowShape
    hasProblem: bool
    id: str
    identity: IdentityStatus
    inputs: list[dict[str, Any]]
    metadata: dict[str, Any]
    steps: list[MetamapStep]


class MonitorShape(TypedDict):
    endsAt: str
    fullName: str
    history: list[OutcomeShape]
    matches: list[MonitorMatchShape]
    monitoring: bool
    nextScreeningAt: str | None
    outcome: Literal['clean', 'hit'] | None
    screenedAt: str | None
    screeningId: str | None
    startedAt: str
    state: Literal['active', 'disabled', 'ended']
    verificationId: str


class MonitorSummary(TypedDict):
    endsAt: str
    nextScreeningAt: str | None
    openMatches: int
    outcome: Literal['clean', 'hit'] | None
    screenedAt: str | None
    screeningId: str | None
    startedAt: str
    state: Literal['active', 'disabled', 'ended']
    verificationId: str


class NextAnswer(TypedDict):
    document: QueuedDocument | None


class OrganizationShape(TypedDict):
    createdAt: str
    dataRetentionDays: int
    dataRetentionYears: int | None
    defaultLanguage: Literal['es', 'en', 'pt', 'fr', 'de'] | None
    id: str
    name: str
    requiresSecondReviewer: bool
    retentionStart: Literal['CREATION', 'RELATIONSHIP_END']
    revealsOnDemand: bool
    reviewSlaHours: int | None
    secondFactorRequired: bool
    slug: str
    supportContact: str | None


class OrganizationUpdate(TypedDict, closed=True):
    """
    An absent field stays unchanged. Those that can be empty may be null.
    """

    dataRetentionDays: NotRequired[int]
    dataRetentionYears: NotRequired[int | None]
    defaultLanguage: NotRequired[Literal['es', 'en', 'pt', 'fr', 'de'] | None]
    name: NotRequired[str]
    requiresSecondReviewer: NotRequired[bool]
    retentionStart: NotRequired[Literal['CREATION', 'RELATIONSHIP_END']]
    revealsOnDemand: NotRequired[bool]
    reviewSlaHours: NotRequired[int | None]
    secondFactorRequired: NotRequired[bool]
    supportContact: NotRequired[str | None]


class OrganizationUser(TypedDict):
    createdAt: str
    email: str
    hasJoined: bool
    id: str
    pendingEmail: str | None
    role: Literal['OWNER', 'ADMIN', 'REVIEWER', 'MEMBER']


Overview = TypedDict(
    'Overview',
    {
        'days': list[OverviewDay],
        'from': str,
        'funnel': Funnel,
        'labels': LabelledReadings,
        'medianSecondsToDecision': float | None,
        'outcomes': Outcomes,
        'p95SecondsToDecision': float | None,
        'reasons': list[ReasonCount],
        'reviewQueue': QueueState,
        'to': str,
    },
)


class PasskeyAdded(TypedDict):
    passkey: PasskeyShape
    recoveryCodes: list[str] | None


class PasskeyList(TypedDict):
    passkeys: list[PasskeyShape]


class PolicyShape(TypedDict):
    createdAt: str
    id: str
    name: str
    versions: list[VersionShape]


class Proposal(TypedDict):
    id: str
    proposedBy: str
    reason: Literal['BIRTH_DATE_MISMATCH', 'BLACK_AND_WHITE_COPY', 'CHECK_UNAVAILABLE', 'CREDIT_ALERT', 'CREDIT_CONSENT_MISSING', 'CREDIT_DATA_INSUFFICIENT', 'CREDIT_NO_ANSWER', 'CREDIT_NO_FILE', 'CREDIT_PERSON_DIFFERS', 'CREDIT_SCORE_LOW', 'CREDIT_SCORE_UNKNOWN', 'CURP_CHANGED', 'CURP_NOT_FOUND', 'CURP_STATUS_ANNULLED', 'CURP_STATUS_UNKNOWN', 'DOCUMENTS_OF_DIFFERENT_PEOPLE', 'DOCUMENT_CUT_OFF', 'DOCUMENT_EXPIRED', 'DOCUMENT_LAYOUT_UNKNOWN', 'DOCUMENT_NOT_RECOGNIZED', 'DOCUMENT_NOT_SUPPORTED', 'DOCUMENT_UNREADABLE', 'EVIDENCE_CONFIRMED', 'FACE_BLURRED', 'FACE_MISMATCH', 'FACE_NOT_FOUND', 'FACE_TOO_SMALL', 'FACE_UNCERTAIN', 'FIELDS_CONTRADICT', 'FIELDS_UNCERTAIN', 'FORM_NOT_FOUND', 'FRAUD_CONFIRMED', 'IDENTITY_CONFIRMED_IN_PERSON', 'IMAGE_BLURRED', 'IMAGE_GLARE', 'IMAGE_OVEREXPOSED', 'IMAGE_TOO_DARK', 'IMAGE_TOO_SMALL', 'INE_MISMATCH', 'INE_NOT_CURRENT', 'INE_NOT_FOUND', 'INE_STATUS_UNKNOWN', 'INSUFFICIENT_DATA', 'LIVENESS_FACE_CHANGED', 'LIVENESS_FACE_NOT_FOUND', 'LIVENESS_FRAMES_DISORDERED', 'LIVENESS_FRAMES_REPEATED', 'LIVENESS_LIGHT_DIFFERS', 'LIVENESS_LIGHT_NOT_SEEN', 'LIVENESS_MOUTH_STILL', 'LIVENESS_MOVE_NOT_SEEN', 'LIVENESS_NOT_PROVEN', 'LIVENESS_PORTRAIT_MISMATCH', 'LIVENESS_PORTRAIT_NOT_FOUND', 'LIVENESS_SELFIE_MISMATCH', 'LIVENESS_SEVERAL_FACES', 'LIVENESS_SPEECH_NOT_JUDGED', 'LIVENESS_SPOOF_SUSPECTED', 'LIVENESS_TOO_FAST', 'LOCATION_ADDRESS_UNKNOWN', 'LOCATION_HIDDEN', 'LOCATION_NOT_ALLOWED', 'LOCATION_NOT_SHARED', 'LOCATION_UNCERTAIN', 'NAME_MISMATCH', 'NAME_NOT_CONFIRMED', 'OTP_DESTINATION_UNKNOWN', 'OTP_TOO_MANY_MISTAKES', 'PAGE_NOT_CONFIRMED', 'PAGE_NOT_RECOGNIZED', 'PERSON_NOT_ELIGIBLE', 'PERSON_WITHDREW', 'PICTURE_ASKED_AGAIN', 'POLICY_APPROVAL_WITHHELD', 'POLICY_NOT_EVALUATED', 'POLICY_RETAKE_NOT_POSSIBLE', 'PORTRAITS_DIFFER', 'PORTRAIT_BLURRED', 'PORTRAIT_NOT_FOUND', 'PORTRAIT_TOO_SMALL', 'PROOF_ADDRESS_DIFFERS', 'PROOF_ADDRESS_INCONSISTENT', 'PROOF_ISSUER_UNKNOWN', 'PROOF_NAME_DIFFERS', 'PROOF_NOT_COMPARED', 'PROOF_NOT_RECOGNIZED', 'PROOF_TOO_OLD', 'PROOF_UNCERTAIN', 'PROOF_UNREADABLE', 'REGISTRY_PERSON_DIFFERS', 'REGISTRY_REFUSED', 'REGISTRY_UNAVAILABLE', 'REQUIRED_FIELD_MISSING', 'RFC_MISMATCH', 'RFC_NOT_CURRENT', 'RFC_NOT_FOUND', 'RFC_STATUS_UNKNOWN', 'RISK_ABOVE_LIMIT', 'SCREEN_PHOTOGRAPHED', 'SELFIE_COPIES_PORTRAIT', 'SELFIE_SHOWS_DOCUMENT', 'SEVERAL_DOCUMENTS', 'SEVERAL_FACES', 'SEX_MISMATCH', 'STATE_MISMATCH', 'TAMPERING_SUSPECTED', 'UNDERAGE', 'WATCHLISTS_NOT_LOADED', 'WATCHLIST_MATCH', 'WATCHLIST_MATCH_CONFIRMED', 'WATCHLIST_MATCH_DISMISSED', 'WATCHLIST_NAME_UNCERTAIN', 'WATCHLIST_NAME_UNKNOWN', 'WRONG_DOCUMENT', 'WRONG_SIDE'] | None
    status: Literal['APPROVED', 'REJECTED', 'MANUAL_REVIEW']


class ProposedDecision(TypedDict):
    """
    The decision waits for a second reviewer; the status is still the former one.
    """

    proposal: Proposal
    verification: ChangedVerification


class ProposedThreshold(TypedDict):
    """
    A threshold that keeps the limit, and the data that it rests on.
    """

    confidence: float
    filters: SimulationFilters
    limit: float
    measure: str
    method: str
    needed: int
    notCovered: list[str]
    pilot: int
    rulesDigest: str
    simulationId: str
    tested: int
    tests: list[TestShape]
    threshold: float | None
    upperBound: float | None


class QuestionShape(TypedDict):
    aliases: list[str] | None
    birthYear: int | None
    country: str | None
    curp: str | None
    dateOfBirth: str | None
    entityType: Literal['person', 'company', 'vessel', 'aircraft', 'other'] | None
    externalId: str | None
    fullName: str
    gender: Literal['male', 'female'] | None
    identifiers: list[Document] | None
    nationalities: list[str] | None
    rfc: str | None


class QueueAnswer(TypedDict):
    documents: list[QueuedDocument]
    nextAfter: str | None


class QueueStats(TypedDict):
    deliveries: DeliveryCounts
    deliveriesSince: str
    queues: list[WorkShape]
    timestamp: str


class RegistrationAnswer(TypedDict):
    apiKey: RegisteredKey
    org: RegisteredOrganization
    user: UserShape


class Replay(TypedDict):
    """
    What the rules decide today on the stored evidence. Nothing is changed.
    """

    isSame: bool
    pictures: list[Literal['front', 'back', 'selfie', 'passport', 'liveness', 'proofOfAddress']]
    policy: dict[str, Any] | None
    reasons: list[str]
    requiredStep: Literal['AML_SCREEN', 'CREDIT', 'DOCUMENT_OCR', 'ESIGNATURE', 'FACE_MATCH', 'FORM', 'GOVERNMENT_VERIFY', 'LIVENESS', 'LOCATION', 'OTP', 'PROOF_OF_ADDRESS'] | None
    rules: str
    status: Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW']
    stored: dict[str, Any] | None


class RequiredStep(TypedDict, closed=True):
    config: NotRequired[dict[str, Any] | None]
    type: Literal['AML_SCREEN', 'CREDIT', 'DOCUMENT_OCR', 'ESIGNATURE', 'FACE_MATCH', 'FORM', 'GOVERNMENT_VERIFY', 'LIVENESS', 'LOCATION', 'OTP', 'PROOF_OF_ADDRESS']


class RetakeAnswer(TypedDict):
    capture: CaptureAnswer
    verification: ChangedVerification


class RetakeRequest(TypedDict, closed=True):
    """
    Which pictures the person takes again.
    """

    capture: NotRequired[CaptureWrite]
    message: NotRequired[str | None]
    pictures: list[Literal['front', 'back', 'selfie', 'passport', 'liveness', 'proofOfAddress']]
    send: NotRequired[RetakeSending | None]


class ReviewItem(TypedDict):
    """
    A verification that waits for a reviewer.
    """

    assignee: Assignee | None
    deadline: str | None
    externalId: str | None
    leaseExpiresAt: str | None
    overdue: bool
    proposal: bool
    queue: str | None
    reasons: list[ReviewReason]
    rule: str | None
    verificationId: str
    waitingSince: str
    workflow: ReviewWorkflow


class ReviewPage(TypedDict):
    items: list[ReviewItem]
    nextCursor: NotRequired[str]
    total: int


class SandboxPerson(TypedDict):
    """
    An invented person. Null: nothing is known or needed.
    """

    cic: str | None
    curp: str | None
    dateOfBirth: str | None
    id: str
    name: str
    pictures: list[Literal['front', 'back', 'selfie', 'passport', 'liveness', 'proofOfAddress']]
    results: list[SandboxResult]
    rfc: str | None


class ScreenAnswer(TypedDict):
    lists: list[ScreenedList]
    matches: list[MatchShape]
    openMatches: int
    sandbox: bool
    screened: bool
    screenedAt: str
    screeningId: str
    totalMatches: int


class ScreenRequest(TypedDict, closed=True):
    aliases: NotRequired[list[str] | None]
    birthYear: NotRequired[int | None]
    country: NotRequired[Literal['AD', 'AE', 'AF', 'AG', 'AI', 'AL', 'AM', 'AO', 'AQ', 'AR', 'AS', 'AT', 'AU', 'AW', 'AX', 'AZ', 'BA', 'BB', 'BD', 'BE', 'BF', 'BG', 'BH', 'BI', 'BJ', 'BL', 'BM', 'BN', 'BO', 'BQ', 'BR', 'BS', 'BT', 'BV', 'BW', 'BY', 'BZ', 'CA', 'CC', 'CD', 'CF', 'CG', 'CH', 'CI', 'CK', 'CL', 'CM', 'CN', 'CO', 'CR', 'CU', 'CV', 'CW', 'CX', 'CY', 'CZ', 'DE', 'DJ', 'DK', 'DM', 'DO', 'DZ', 'EC', 'EE', 'EG', 'EH', 'ER', 'ES', 'ET', 'FI', 'FJ', 'FK', 'FM', 'FO', 'FR', 'GA', 'GB', 'GD', 'GE', 'GF', 'GG', 'GH', 'GI', 'GL', 'GM', 'GN', 'GP', 'GQ', 'GR', 'GS', 'GT', 'GU', 'GW', 'GY', 'HK', 'HM', 'HN', 'HR', 'HT', 'HU', 'ID', 'IE', 'IL', 'IM', 'IN', 'IO', 'IQ', 'IR', 'IS', 'IT', 'JE', 'JM', 'JO', 'JP', 'KE', 'KG', 'KH', 'KI', 'KM', 'KN', 'KP', 'KR', 'KW', 'KY', 'KZ', 'LA', 'LB', 'LC', 'LI', 'LK', 'LR', 'LS', 'LT', 'LU', 'LV', 'LY', 'MA', 'MC', 'MD', 'ME', 'MF', 'MG', 'MH', 'MK', 'ML', 'MM', 'MN', 'MO', 'MP', 'MQ', 'MR', 'MS', 'MT', 'MU', 'MV', 'MW', 'MX', 'MY', 'MZ', 'NA', 'NC', 'NE', 'NF', 'NG', 'NI', 'NL', 'NO', 'NP', 'NR', 'NU', 'NZ', 'OM', 'PA', 'PE', 'PF', 'PG', 'PH', 'PK', 'PL', 'PM', 'PN', 'PR', 'PS', 'PT', 'PW', 'PY', 'QA', 'RE', 'RO', 'RS', 'RU', 'RW', 'SA', 'SB', 'SC', 'SD', 'SE', 'SG', 'SH', 'SI', 'SJ', 'SK', 'SL', 'SM', 'SN', 'SO', 'SR', 'SS', 'ST', 'SV', 'SX', 'SY', 'SZ', 'TC', 'TD', 'TF', 'TG', 'TH', 'TJ', 'TK', 'TL', 'TM', 'TN', 'TO', 'TR', 'TT', 'TV', 'TW', 'TZ', 'UA', 'UG', 'UM', 'US', 'UY', 'UZ', 'VA', 'VC', 'VE', 'VG', 'VI', 'VN', 'VU', 'WF', 'WS', 'XK', 'YE', 'YT', 'ZA', 'ZM', 'ZW'] | None]
    curp: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    entityType: NotRequired[Literal['person', 'company', 'vessel', 'aircraft', 'other'] | None]
    externalId: NotRequired[str | None]
    fullName: str
    fuzzyThreshold: NotRequired[float | None]
    gender: NotRequired[Literal['male', 'female'] | None]
    identifiers: NotRequired[list[Document] | None]
    lists: NotRequired[list[str] | None]
    nationalities: NotRequired[list[str] | None]
    rfc: NotRequired[str | None]
    verificationId: NotRequired[str | None]


class ScreeningSummary(TypedDict):
    """
    A record of a screening without the person.
    """

    caller: ScreeningCaller
    complete: bool
    confirmed: Confirmation | None
    engineVersion: str
    id: str
    indexVersion: int | None
    lists: list[ScreenedList]
    sandbox: bool
    screenedAt: str
    threshold: float
    totalMatches: int
    verificationId: str | None


class SelfieTruthShape(TypedDict):
    createdAt: str
    id: str
    isCorrect: bool | None
    isSamePerson: bool
    notes: str | None
    previousResult: FaceMatchShape | None
    result: FaceMatchShape | None
    status: Literal['PENDING', 'DONE', 'FAILED']
    updatedAt: str


class SessionShape(TypedDict):
    csrfToken: str
    expiresAt: str
    factors: list[Literal['TOTP', 'RECOVERY_CODE', 'PASSKEY', 'PROVIDER']]
    id: str
    idleExpiresAt: str
    organization: SessionOrganization | None
    secondFactorRequired: bool
    state: Literal['ACTIVE', 'SECOND_FACTOR', 'SECOND_FACTOR_SETUP']
    user: UserShape | None


class ShadowAnswer(TypedDict):
    shadow: ShadowShape | None


class SignRequest(TypedDict, closed=True):
    documents: list[DocumentToSign]
    ipAddress: NotRequired[str | None]
    signerName: str
    tier: Literal['name_only', 'id_and_name', 'face_id_and_name']
    touchSignature: NotRequired[str | None]
    userAgent: NotRequired[str | None]
    verificationId: str


class SignatureRecord(TypedDict):
    code: str | None
    conservation: Conservation
    createdAt: str
    documents: list[SignedDocument]
    evidence: Evidence | None
    hasTouchSignature: bool | None
    id: str
    ipAddress: str | None
    pdf: Pdf | None
    purgedAt: str | None
    sandbox: bool | None
    seal: Sealing | None
    signedAt: str | None
    signerName: str | None
    status: Literal['PENDING', 'SIGNED', 'FAILED']
    tier: Literal['name_only', 'id_and_name', 'face_id_and_name']
    userAgent: str | None
    verificationId: str


class SimulationShape(TypedDict):
    agreedBefore: int
    agreedSimulated: int
    changed: int
    createdAt: str
    digest: str
    evaluated: int
    filters: SimulationFilters
    finishedAt: str | None
    id: str
    matrix: list[ChangeShape]
    measure: str | None
    notEvaluated: list[SkippedShape]
    policyId: str
    processed: int
    reviewed: list[ReviewedShape]
    status: Literal['RUNNING', 'DONE', 'CANCELLED', 'FAILED']
    total: int | None
    version: int
    withoutResult: int


class StateTruthDetail(TypedDict):
    createdAt: str
    hasTemplate: bool
    id: str
    isCorrect: bool | None
    model: str | None
    readState: str | None
    state: str | None
    status: Literal['PENDING', 'DONE', 'FAILED']
    template: dict[str, Any] | None


class StateTruthShape(TypedDict):
    """
    The state of a licence: the known one and the recognized one.
    """

    createdAt: str
    hasTemplate: bool
    id: str
    isCorrect: bool | None
    model: str | None
    readState: str | None
    state: str | None
    status: Literal['PENDING', 'DONE', 'FAILED']


class StatusChange(TypedDict, closed=True):
    expectedStatus: NotRequired[Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW'] | None]
    notes: NotRequired[str | None]
    reason: NotRequired[Literal['BIRTH_DATE_MISMATCH', 'BLACK_AND_WHITE_COPY', 'CHECK_UNAVAILABLE', 'CREDIT_ALERT', 'CREDIT_CONSENT_MISSING', 'CREDIT_DATA_INSUFFICIENT', 'CREDIT_NO_ANSWER', 'CREDIT_NO_FILE', 'CREDIT_PERSON_DIFFERS', 'CREDIT_SCORE_LOW', 'CREDIT_SCORE_UNKNOWN', 'CURP_CHANGED', 'CURP_NOT_FOUND', 'CURP_STATUS_ANNULLED', 'CURP_STATUS_UNKNOWN', 'DOCUMENTS_OF_DIFFERENT_PEOPLE', 'DOCUMENT_CUT_OFF', 'DOCUMENT_EXPIRED', 'DOCUMENT_LAYOUT_UNKNOWN', 'DOCUMENT_NOT_RECOGNIZED', 'DOCUMENT_NOT_SUPPORTED', 'DOCUMENT_UNREADABLE', 'EVIDENCE_CONFIRMED', 'FACE_BLURRED', 'FACE_MISMATCH', 'FACE_NOT_FOUND', 'FACE_TOO_SMALL', 'FACE_UNCERTAIN', 'FIELDS_CONTRADICT', 'FIELDS_UNCERTAIN', 'FORM_NOT_FOUND', 'FRAUD_CONFIRMED', 'IDENTITY_CONFIRMED_IN_PERSON', 'IMAGE_BLURRED', 'IMAGE_GLARE', 'IMAGE_OVEREXPOSED', 'IMAGE_TOO_DARK', 'IMAGE_TOO_SMALL', 'INE_MISMATCH', 'INE_NOT_CURRENT', 'INE_NOT_FOUND', 'INE_STATUS_UNKNOWN', 'INSUFFICIENT_DATA', 'LIVENESS_FACE_CHANGED', 'LIVENESS_FACE_NOT_FOUND', 'LIVENESS_FRAMES_DISORDERED', 'LIVENESS_FRAMES_REPEATED', 'LIVENESS_LIGHT_DIFFERS', 'LIVENESS_LIGHT_NOT_SEEN', 'LIVENESS_MOUTH_STILL', 'LIVENESS_MOVE_NOT_SEEN', 'LIVENESS_NOT_PROVEN', 'LIVENESS_PORTRAIT_MISMATCH', 'LIVENESS_PORTRAIT_NOT_FOUND', 'LIVENESS_SELFIE_MISMATCH', 'LIVENESS_SEVERAL_FACES', 'LIVENESS_SPEECH_NOT_JUDGED', 'LIVENESS_SPOOF_SUSPECTED', 'LIVENESS_TOO_FAST', 'LOCATION_ADDRESS_UNKNOWN', 'LOCATION_HIDDEN', 'LOCATION_NOT_ALLOWED', 'LOCATION_NOT_SHARED', 'LOCATION_UNCERTAIN', 'NAME_MISMATCH', 'NAME_NOT_CONFIRMED', 'OTP_DESTINATION_UNKNOWN', 'OTP_TOO_MANY_MISTAKES', 'PAGE_NOT_CONFIRMED', 'PAGE_NOT_RECOGNIZED', 'PERSON_NOT_ELIGIBLE', 'PERSON_WITHDREW', 'PICTURE_ASKED_AGAIN', 'POLICY_APPROVAL_WITHHELD', 'POLICY_NOT_EVALUATED', 'POLICY_RETAKE_NOT_POSSIBLE', 'PORTRAITS_DIFFER', 'PORTRAIT_BLURRED', 'PORTRAIT_NOT_FOUND', 'PORTRAIT_TOO_SMALL', 'PROOF_ADDRESS_DIFFERS', 'PROOF_ADDRESS_INCONSISTENT', 'PROOF_ISSUER_UNKNOWN', 'PROOF_NAME_DIFFERS', 'PROOF_NOT_COMPARED', 'PROOF_NOT_RECOGNIZED', 'PROOF_TOO_OLD', 'PROOF_UNCERTAIN', 'PROOF_UNREADABLE', 'REGISTRY_PERSON_DIFFERS', 'REGISTRY_REFUSED', 'REGISTRY_UNAVAILABLE', 'REQUIRED_FIELD_MISSING', 'RFC_MISMATCH', 'RFC_NOT_CURRENT', 'RFC_NOT_FOUND', 'RFC_STATUS_UNKNOWN', 'RISK_ABOVE_LIMIT', 'SCREEN_PHOTOGRAPHED', 'SELFIE_COPIES_PORTRAIT', 'SELFIE_SHOWS_DOCUMENT', 'SEVERAL_DOCUMENTS', 'SEVERAL_FACES', 'SEX_MISMATCH', 'STATE_MISMATCH', 'TAMPERING_SUSPECTED', 'UNDERAGE', 'WATCHLISTS_NOT_LOADED', 'WATCHLIST_MATCH', 'WATCHLIST_MATCH_CONFIRMED', 'WATCHLIST_MATCH_DISMISSED', 'WATCHLIST_NAME_UNCERTAIN', 'WATCHLIST_NAME_UNKNOWN', 'WRONG_DOCUMENT', 'WRONG_SIDE'] | None]
    status: Literal['APPROVED', 'REJECTED', 'MANUAL_REVIEW']


class StatusView(TypedDict):
    """
    The view of a verification for anyone who knows its id. It contains no personal data.
    """

    consentGiven: bool
    expiresAt: str
    handOver: HandOverView | None
    id: str
    next: NextAction
    organizationName: str
    status: Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW']
    steps: list[StepView]
    workflowId: str


class StepData(TypedDict):
    externalId: str | None
    status: Literal['PENDING', 'WAITING_INPUT', 'RUNNING', 'PASSED', 'FAILED', 'REVIEW', 'SKIPPED']
    stepId: str
    stepType: Literal['AML_SCREEN', 'CREDIT', 'DOCUMENT_OCR', 'ESIGNATURE', 'FACE_MATCH', 'FORM', 'GOVERNMENT_VERIFY', 'LIVENESS', 'LOCATION', 'OTP', 'PROOF_OF_ADDRESS']
    verificationId: str


class StepFailedEvent(TypedDict):
    createdAt: str
    data: StepData
    event: Literal['step.failed']
    id: str


class StepShape(TypedDict):
    id: str
    order: int
    type: Literal['AML_SCREEN', 'CREDIT', 'DOCUMENT_OCR', 'ESIGNATURE', 'FACE_MATCH', 'FORM', 'GOVERNMENT_VERIFY', 'LIVENESS', 'LOCATION', 'OTP', 'PROOF_OF_ADDRESS']


class SubjectToScreen(TypedDict, closed=True):
    aliases: NotRequired[list[str] | None]
    birthYear: NotRequired[int | None]
    country: NotRequired[Literal['AD', 'AE', 'AF', 'AG', 'AI', 'AL', 'AM', 'AO', 'AQ', 'AR', 'AS', 'AT', 'AU', 'AW', 'AX', 'AZ', 'BA', 'BB', 'BD', 'BE', 'BF', 'BG', 'BH', 'BI', 'BJ', 'BL', 'BM', 'BN', 'BO', 'BQ', 'BR', 'BS', 'BT', 'BV', 'BW', 'BY', 'BZ', 'CA', 'CC', 'CD', 'CF', 'CG', 'CH', 'CI', 'CK', 'CL', 'CM', 'CN', 'CO', 'CR', 'CU', 'CV', 'CW', 'CX', 'CY', 'CZ', 'DE', 'DJ', 'DK', 'DM', 'DO', 'DZ', 'EC', 'EE', 'EG', 'EH', 'ER', 'ES', 'ET', 'FI', 'FJ', 'FK', 'FM', 'FO', 'FR', 'GA', 'GB', 'GD', 'GE', 'GF', 'GG', 'GH', 'GI', 'GL', 'GM', 'GN', 'GP', 'GQ', 'GR', 'GS', 'GT', 'GU', 'GW', 'GY', 'HK', 'HM', 'HN', 'HR', 'HT', 'HU', 'ID', 'IE', 'IL', 'IM', 'IN', 'IO', 'IQ', 'IR', 'IS', 'IT', 'JE', 'JM', 'JO', 'JP', 'KE', 'KG', 'KH', 'KI', 'KM', 'KN', 'KP', 'KR', 'KW', 'KY', 'KZ', 'LA', 'LB', 'LC', 'LI', 'LK', 'LR', 'LS', 'LT', 'LU', 'LV', 'LY', 'MA', 'MC', 'MD', 'ME', 'MF', 'MG', 'MH', 'MK', 'ML', 'MM', 'MN', 'MO', 'MP', 'MQ', 'MR', 'MS', 'MT', 'MU', 'MV', 'MW', 'MX', 'MY', 'MZ', 'NA', 'NC', 'NE', 'NF', 'NG', 'NI', 'NL', 'NO', 'NP', 'NR', 'NU', 'NZ', 'OM', 'PA', 'PE', 'PF', 'PG', 'PH', 'PK', 'PL', 'PM', 'PN', 'PR', 'PS', 'PT', 'PW', 'PY', 'QA', 'RE', 'RO', 'RS', 'RU', 'RW', 'SA', 'SB', 'SC', 'SD', 'SE', 'SG', 'SH', 'SI', 'SJ', 'SK', 'SL', 'SM', 'SN', 'SO', 'SR', 'SS', 'ST', 'SV', 'SX', 'SY', 'SZ', 'TC', 'TD', 'TF', 'TG', 'TH', 'TJ', 'TK', 'TL', 'TM', 'TN', 'TO', 'TR', 'TT', 'TV', 'TW', 'TZ', 'UA', 'UG', 'UM', 'US', 'UY', 'UZ', 'VA', 'VC', 'VE', 'VG', 'VI', 'VN', 'VU', 'WF', 'WS', 'XK', 'YE', 'YT', 'ZA', 'ZM', 'ZW'] | None]
    curp: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    entityType: NotRequired[Literal['person', 'company', 'vessel', 'aircraft', 'other'] | None]
    externalId: NotRequired[str | None]
    fullName: str
    gender: NotRequired[Literal['male', 'female'] | None]
    identifiers: NotRequired[list[Document] | None]
    nationalities: NotRequired[list[str] | None]
    rfc: NotRequired[str | None]
    verificationId: NotRequired[str | None]


class ThresholdAnswer(TypedDict):
    policyId: str | None
    proposal: ProposedThreshold


class TokenPayload(TypedDict):
    user: TokenUser


class TrainingBatchAnswer(TypedDict):
    batch: BatchDetail


class TrainingDocument(TypedDict):
    """
    A document with all extracted values, by source.
    """

    batchId: str | None
    codes: list[CodeShape]
    createdAt: str
    disagreements: int
    docType: Literal['INE_FRONT', 'INE_BACK', 'PASSPORT', 'DRIVER_LICENCE', 'CURP_CERTIFICATE', 'RFC_CERTIFICATE', 'RFC_CERTIFICATE_ANNEX', 'PROOF_OF_ADDRESS', 'UNKNOWN']
    engineVersion: str
    fieldNames: list[str]
    fields: list[FieldShape]
    hitRate: float
    id: str
    imageUrl: str
    label: StandingLabel | None
    lease: LeaseShape | None
    lowestConfidence: float
    masked: bool
    media: list[TrainingMedia]
    metamapStatus: Literal['pending', 'running', 'verified', 'rejected', 'reviewNeeded', 'expired']
    mimeType: str
    rulesVersion: str
    type: Literal['front', 'back', 'selfie', 'passport', 'liveness', 'proofOfAddress']
    verificationId: str


class TrainingDocumentAnswer(TypedDict):
    document: TrainingDocument


class TrialAnswer(TypedDict):
    id: str
    status: Literal['PENDING', 'DONE', 'FAILED']


class UpdatedVerification(TypedDict):
    id: str
    relationshipEndedAt: str | None
    status: Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW']
    updatedAt: str


class UpdatedVerificationAnswer(TypedDict):
    verification: UpdatedVerification


class UploadAnswer(TypedDict):
    message: str
    uploaded: list[UploadedDocument]


class UserAnswer(TypedDict):
    user: OrganizationUser


class UserList(TypedDict):
    users: list[OrganizationUser]


class VerificationApprovedEvent(TypedDict):
    createdAt: str
    data: DecidedData
    event: Literal['verification.approved']
    id: str


class VerificationCreatedEvent(TypedDict):
    createdAt: str
    data: CreatedData
    event: Literal['verification.created']
    id: str


class VerificationLink(TypedDict):
    """
    Another verification of the organization with the same identifiers.
    """

    createdAt: str
    status: Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW']
    verificationId: str
    via: list[Literal['CURP', 'RFC', 'PHONE', 'EMAIL', 'EXTERNAL_ID']]


class VerificationLinks(TypedDict):
    links: list[VerificationLink]


class VerificationManualReviewEvent(TypedDict):
    createdAt: str
    data: DecidedData
    event: Literal['verification.manual_review']
    id: str


class VerificationPage(TypedDict):
    nextCursor: NotRequired[str]
    pagination: SearchPagination
    verifications: list[ListedVerification]


class VerificationRejectedEvent(TypedDict):
    createdAt: str
    data: DecidedData
    event: Literal['verification.rejected']
    id: str


class VerificationShape(TypedDict):
    capture: CaptureState | None
    createdAt: str
    decision: DecisionShape | None
    externalId: str | None
    id: str
    metadata: dict[str, Any] | None
    status: Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW']
    steps: list[VerificationStepShape]
    updatedAt: str
    workflowId: str


class WebhookCreate(TypedDict, closed=True):
    events: list[Literal['verification.created', 'verification.updated', 'verification.completed', 'verification.approved', 'verification.rejected', 'verification.manual_review', 'step.completed', 'step.failed', 'aml.match']]
    format: NotRequired[Literal['standard', 'metamap']]
    secret: NotRequired[str | None]
    url: str


class WebhookList(TypedDict):
    webhooks: list[WebhookShape]


class WorkflowList(TypedDict):
    workflows: list[WorkflowShape]


class AnswerContent(TypedDict):
    matches: list[MatchShape]
    openMatches: int
    sandbox: bool
    screened: bool
    totalMatches: int


class ApiKeyList(TypedDict):
    apiKeys: list[ApiKeyShape]


class BatchAnswer(TypedDict):
    results: list[ScreenAnswer]


class BatchRequest(TypedDict, closed=True):
    fuzzyThreshold: NotRequired[float | None]
    lists: NotRequired[list[str] | None]
    queries: list[SubjectToScreen]


class CodeConfirmed(TypedDict):
    attemptsRemaining: int
    valid: bool
    verification: StatusView


class CompletedData(TypedDict):
    externalId: str | None
    status: Literal['PENDING', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'EXPIRED', 'MANUAL_REVIEW']
    steps: list[FinishedStep]
    verificationId: str


class ConsentAnswer(TypedDict):
    acceptedAt: str
    locale: str
    verification: StatusView
    version: str


class CreatedWorkflow(TypedDict):
    allowFiles: bool
    createdAt: str
    id: str
    isActive: bool
    name: str
    policyId: str | None
    shadowPolicyId: str | None
    steps: list[StepShape]


class CreatedWorkflowAnswer(TypedDict):
    workflow: CreatedWorkflow


class DeliveryPage(TypedDict):
    deliveries: list[DeliveryShape]
    nextCursor: NotRequired[str]
    pagination: Pagination
    pausedUntil: str | None


class EntriesAnswer(TypedDict):
    entries: list[FoundEntry]
    total: int


class EntryDetail(TypedDict):
    addresses: list[str]
    clusterId: str | None
    countries: list[str]
    datesOfBirth: list[str]
    entityType: Literal['person', 'company', 'vessel', 'aircraft', 'other']
    entryId: str
    genders: list[str]
    history: list[EntryForm]
    id: str
    identifiers: list[EntryIdentifier]
    list: str
    listed: bool
    listedOn: str | None
    names: list[EntryName]
    nationalities: list[str]
    placesOfBirth: list[str]
    positions: list[str]
    programs: list[str]
    remarks: list[str]
    sources: list[EntrySource]
    standing: Literal['listed', 'cleared']
    updatedOn: str | None
    url: str | None


class FormAsked(TypedDict):
    """
    The form of a FORM step.
    """

    description: str | None
    fields: list[FormFieldShape]
    formId: str
    title: str


class FormTaken(TypedDict):
    errors: list[FormFault]
    valid: bool
    verification: StatusView


class HitShape(TypedDict):
    claimedAt: str | None
    claimedBy: str | None
    decidedAt: str | None
    decidedBy: str | None
    entry: str
    entryName: str
    entryNow: EntryShape
    id: str
    list: str
    openedAt: str
    person: QuestionShape
    proposal: HitProposal | None
    proposalId: str | None
    reviews: list[HitReviewShape]
    score: float
    screeningId: str | None
    seenAt: str
    state: Literal['open', 'needs_information', 'true_hit', 'false_hit']
    verificationId: str | None


class IdentityProviderAnswer(TypedDict):
    identityProvider: IdentityProviderShape | None
    redirectUri: str


class InputsAnswer(TypedDict):
    documents: list[Literal['front', 'back', 'selfie', 'passport', 'liveness', 'proofOfAddress']]
    message: str
    verification: StatusView


class LicenceTruthPage(TypedDict):
    licences: list[LicenceTruthShape]
    pagination: Pagination


class LinkSessionAnswer(TypedDict):
    expiresAt: str
    returnUrl: str | None
    token: str
    verification: StatusView
    verificationId: str


class LoginAnswer(TypedDict):
    access_token: str
    expires_in: int
    org: OrganizationShape
    token_type: Literal['Bearer']
    user: UserShape


class MatchData(TypedDict):
    externalId: str | None
    fullName: str
    newMatches: list[MatchShape]
    screeningId: str
    verificationId: str


class MetamapSessionAnswer(TypedDict):
    expiresAt: str
    identityId: str
    pageUrl: str
    token: str
    verification: StatusView
    verificationId: str


class MetamapToken(TypedDict):
    access_token: str
    expiresIn: int
    payload: TokenPayload


class MonitorPage(TypedDict):
    monitors: list[MonitorSummary]
    nextCursor: NotRequired[str]
    pagination: Pagination


class OrganizationAnswer(TypedDict):
    org: OrganizationShape


class OutcomeWrite(TypedDict, closed=True):
    outcome: Literal['APPROVE', 'REJECT', 'REVIEW', 'REQUIRE_STEP', 'ASK_AGAIN', 'DEFAULT']
    pictures: NotRequired[list[Literal['front', 'back', 'selfie', 'passport', 'liveness', 'proofOfAddress']] | None]
    queue: NotRequired[str | None]
    reasons: NotRequired[list[Literal['BIRTH_DATE_MISMATCH', 'BLACK_AND_WHITE_COPY', 'CHECK_UNAVAILABLE', 'CREDIT_ALERT', 'CREDIT_CONSENT_MISSING', 'CREDIT_DATA_INSUFFICIENT', 'CREDIT_NO_ANSWER', 'CREDIT_NO_FILE', 'CREDIT_PERSON_DIFFERS', 'CREDIT_SCORE_LOW', 'CREDIT_SCORE_UNKNOWN', 'CURP_CHANGED', 'CURP_NOT_FOUND', 'CURP_STATUS_ANNULLED', 'CURP_STATUS_UNKNOWN', 'DOCUMENTS_OF_DIFFERENT_PEOPLE', 'DOCUMENT_CUT_OFF', 'DOCUMENT_EXPIRED', 'DOCUMENT_LAYOUT_UNKNOWN', 'DOCUMENT_NOT_RECOGNIZED', 'DOCUMENT_NOT_SUPPORTED', 'DOCUMENT_UNREADABLE', 'EVIDENCE_CONFIRMED', 'FACE_BLURRED', 'FACE_MISMATCH', 'FACE_NOT_FOUND', 'FACE_TOO_SMALL', 'FACE_UNCERTAIN', 'FIELDS_CONTRADICT', 'FIELDS_UNCERTAIN', 'FORM_NOT_FOUND', 'FRAUD_CONFIRMED', 'IDENTITY_CONFIRMED_IN_PERSON', 'IMAGE_BLURRED', 'IMAGE_GLARE', 'IMAGE_OVEREXPOSED', 'IMAGE_TOO_DARK', 'IMAGE_TOO_SMALL', 'INE_MISMATCH', 'INE_NOT_CURRENT', 'INE_NOT_FOUND', 'INE_STATUS_UNKNOWN', 'INSUFFICIENT_DATA', 'LIVENESS_FACE_CHANGED', 'LIVENESS_FACE_NOT_FOUND', 'LIVENESS_FRAMES_DISORDERED', 'LIVENESS_FRAMES_REPEATED', 'LIVENESS_LIGHT_DIFFERS', 'LIVENESS_LIGHT_NOT_SEEN', 'LIVENESS_MOUTH_STILL', 'LIVENESS_MOVE_NOT_SEEN', 'LIVENESS_NOT_PROVEN', 'LIVENESS_PORTRAIT_MISMATCH', 'LIVENESS_PORTRAIT_NOT_FOUND', 'LIVENESS_SELFIE_MISMATCH', 'LIVENESS_SEVERAL_FACES', 'LIVENESS_SPEECH_NOT_JUDGED', 'LIVENESS_SPOOF_SUSPECTED', 'LIVENESS_TOO_FAST', 'LOCATION_ADDRESS_UNKNOWN', 'LOCATION_HIDDEN', 'LOCATION_NOT_ALLOWED', 'LOCATION_NOT_SHARED', 'LOCATION_UNCERTAIN', 'NAME_MISMATCH', 'NAME_NOT_CONFIRMED', 'OTP_DESTINATION_UNKNOWN', 'OTP_TOO_MANY_MISTAKES', 'PAGE_NOT_CONFIRMED', 'PAGE_NOT_RECOGNIZED', 'PERSON_NOT_ELIGIBLE', 'PERSON_WITHDREW', 'PICTURE_ASKED_AGAIN', 'POLICY_APPROVAL_WITHHELD', 'POLICY_NOT_EVALUATED', 'POLICY_RETAKE_NOT_POSSIBLE', 'PORTRAITS_DIFFER', 'PORTRAIT_BLURRED', 'PORTRAIT_NOT_FOUND', 'PORTRAIT_TOO_SMALL', 'PROOF_ADDRESS_DIFFERS', 'PROOF_ADDRESS_INCONSISTENT', 'PROOF_ISSUER_UNKNOWN', 'PROOF_NAME_DIFFERS', 'PROOF_NOT_COMPARED', 'PROOF_NOT_RECOGNIZED', 'PROOF_TOO_OLD', 'PROOF_UNCERTAIN', 'PROOF_UNREADABLE', 'REGISTRY_PERSON_DIFFERS', 'REGISTRY_REFUSED', 'REGISTRY_UNAVAILABLE', 'REQUIRED_FIELD_MISSING', 'RFC_MISMATCH', 'RFC_NOT_CURRENT', 'RFC_NOT_FOUND', 'RFC_STATUS_UNKNOWN', 'RISK_ABOVE_LIMIT', 'SCREEN_PHOTOGRAPHED', 'SELFIE_COPIES_PORTRAIT', 'SELFIE_SHOWS_DOCUMENT', 'SEVERAL_DOCUMENTS', 'SEVERAL_FACES', 'SEX_MISMATCH', 'STATE_MISMATCH', 'TAMPERING_SUSPECTED', 'UNDERAGE', 'WATCHLISTS_NOT_LOADED', 'WATCHLIST_MATCH', 'WATCHLIST_MATCH_CONFIRMED', 'WATCHLIST_MATCH_DISMISSED', 'WATCHLIST_NAME_UNCERTAIN', 'WATCHLIST_NAME_UNKNOWN', 'WRONG_DOCUMENT', 'WRONG_SIDE']]]
    step: NotRequired[RequiredStep | None]


class PolicyAnswer(TypedDict):
    policy: PolicyShape


class RevealedVerification(TypedDict):
    documents: list[DocumentShape]
    extraction: list[ExtractedField]
    masked: list[Literal['FIELDS', 'PICTURES', 'NOTES']]
    notes: list[RevealedNote]
    verification: VerificationShape


class RuleWrite(TypedDict, closed=True):
    name: str
    then: OutcomeWrite
    when: str


class SandboxPeople(TypedDict):
    people: list[SandboxPerson]


class ScreeningPage(TypedDict):
    nextCursor: NotRequired[str]
    pagination: Pagination
    screenings: list[ScreeningSummary]


class ScreeningShape(TypedDict):
    answer: AnswerContent
    caller: ScreeningCaller
    complete: bool
    confirmed: Confirmation | None
    digest: str
    engineVersion: str
    id: str
    indexVersion: int | None
    intact: bool
    lists: list[ScreenedList]
    question: QuestionShape
    sandbox: bool
    screenedAt: str
    threshold: float
    totalMatches: int
    verificationId: str | None


class SelfieTruthPage(TypedDict):
    pagination: Pagination
    selfies: list[SelfieTruthShape]


class SessionAnswer(TypedDict):
    expiresAt: str
    pageUrl: str
    token: str
    verification: StatusView
    verificationId: str


class SimulationAnswer(TypedDict):
    simulation: SimulationShape


class SimulationPage(TypedDict):
    pagination: Pagination
    simulations: list[SimulationShape]


class StateTruthPage(TypedDict):
    licences: list[StateTruthShape]
    pagination: Pagination


class StepCompletedEvent(TypedDict):
    createdAt: str
    data: StepData
    event: Literal['step.completed']
    id: str


class VerificationAnswer(TypedDict):
    documents: list[DocumentShape]
    extraction: list[ExtractedField]
    masked: list[Literal['FIELDS', 'PICTURES', 'NOTES']]
    verification: VerificationShape


class VerificationCompletedEvent(TypedDict):
    createdAt: str
    data: CompletedData
    event: Literal['verification.completed']
    id: str


class AmlMatchEvent(TypedDict):
    createdAt: str
    data: MatchData
    event: Literal['aml.match']
    id: str


class DraftWrite(TypedDict, closed=True):
    """
    The rules of a draft. They are tried in order, and the first that applies decides.
    """

    name: NotRequired[str | None]
    otherwise: OutcomeWrite
    rules: list[RuleWrite]


class EntryAnswer(TypedDict):
    entry: EntryDetail


class HitAnswer(TypedDict):
    match: HitShape


class PolicyCreate(TypedDict, closed=True):
    name: str
    otherwise: OutcomeWrite
    rules: list[RuleWrite]
