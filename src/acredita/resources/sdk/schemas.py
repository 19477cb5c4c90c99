from enum import StrEnum
from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Body, ClientTime, FreeForm, ReasonCodeField, Shape, Timestamp
from acredita.api.step_types import KnownStepType
from acredita.domain.liveness.challenge import Move
from acredita.domain.next_action import Action
from acredita.domain.verification import DocumentRole, StepStatus, VerificationStatus

UUID_PATTERN = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"


class ConsentWrite(Body):
    """The person's consent. The organization keeps the text of each version itself."""

    version: str = Field(
        pattern="^[A-Za-z0-9._-]{1,64}$",
        description="The version of the text that was shown.",
        examples=["2026-01"],
    )
    locale: str = Field(
        pattern="^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$",
        description="The language in which the text was shown.",
        examples=["es-MX"],
    )
    accepted_at: ClientTime = Field(description="The time on the person's own clock.")


class SessionCreate(Body):
    client_id: str = Field(
        pattern=UUID_PATTERN,
        description="The organization's id.",
        examples=["0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"],
    )
    flow_id: str = Field(
        pattern=UUID_PATTERN,
        description="An active workflow of that organization.",
        examples=["0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"],
    )
    metadata: FreeForm | None = Field(None, examples=[{"sucursal": "Centro"}])
    consent: ConsentWrite | None = Field(
        None,
        description=(
            "The person's consent, if the page that opens the session has already asked for it."
        ),
    )


class AdviceShape(Shape):
    es: str = Field(examples=["Falta luz. Acércate a una ventana o enciende una lámpara."])
    en: str = Field(examples=["There is too little light. Go near a window or turn on a lamp."])


class StepView(Shape):
    id: UUID
    type: KnownStepType
    status: StepStatus
    code: ReasonCodeField | None = Field(
        description="Why another image is needed, or would have helped. Otherwise null.",
        examples=["IMAGE_TOO_DARK"],
    )
    advice: AdviceShape | None = Field(description="What the person can do about the problem.")
    requires: list[DocumentRole] = Field(description="Roles still missing for this step.")
    retakes_left: int = Field(
        ge=0, description="How many more times another image can be requested.", examples=[3]
    )


class NextAction(Shape):
    action: Action = Field(
        description=(
            "consent: ask the person for consent. upload: send files of `roles`. liveness: start "
            "a challenge. code: have a code sent and confirmed. form: show the form. location: ask"
            " for the device's position. external: the organization's own application performs the"
            " step, such as a signature. wait: wait for the next event. done: the verification has"
            " ended."
        )
    )
    step_id: UUID | None = Field(description="Id of the step that the action is for.")
    roles: list[DocumentRole] = Field(description="The roles that are required.")
    optional_roles: list[DocumentRole] = Field(
        description="Optional roles. The step continues without them after some time."
    )
    alternative_roles: list[DocumentRole] = Field(
        description=(
            "A file of one of these roles replaces all of `roles`. Example: a passport replaces "
            "both sides of a card."
        )
    )
    challenges_left: int = Field(
        ge=0, description="Number of liveness challenges that can still be started.", examples=[10]
    )


class HandOverState(StrEnum):
    WAITING = "waiting"
    OPENED = "opened"


class HandOverView(Shape):
    """A link with which the person continues on another device."""

    state: HandOverState = Field(
        description="waiting: nobody has opened it. opened: another device continues."
    )
    expires_at: Timestamp = Field(description="When a link that waits stops working.")


class StatusView(Shape):
    """The view of a verification for anyone who knows its id. It contains no personal data."""

    id: UUID
    status: VerificationStatus
    expires_at: Timestamp = Field(
        description=("When the verification becomes EXPIRED, unless it ends before.")
    )
    workflow_id: UUID = Field(description="The workflow whose theme the pages use.")
    organization_name: str = Field(examples=["Banco Ejemplo"])
    consent_given: bool
    steps: list[StepView]
    hand_over: HandOverView | None
    next: NextAction


class SessionAnswer(Shape):
    verification_id: UUID
    token: str = Field(
        description=(
            "Send it as a bearer token or as `?token=`. It is valid for this verification only."
        ),
        examples=["eyJhbGciOiJIUzI1NiIsImtpZCI6IjEyIn0.eyJ0eXAiOiJzZGsifQ.c2lnbmF0dXJl"],
    )
    expires_at: Timestamp = Field(description="When the token expires.")
    page_url: str = Field(
        description="The page on which the person completes the verification.",
        examples=["https://api.example/verify/0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11#eyJhbGciOiJI"],
    )
    verification: StatusView


class LinkOpen(Body):
    link: str = Field(
        min_length=16,
        max_length=128,
        description="The token in the fragment of the link's URL.",
        examples=["cl_4k2m9x7q8Jt1vQzXw3nRk6LbYc0dHfMgPsUaEoIiTlN"],
    )


class LinkSessionAnswer(Shape):
    verification_id: UUID
    token: str = Field(
        description="Send it as a bearer token. It is valid for this verification only.",
        examples=["eyJhbGciOiJIUzI1NiIsImtpZCI6IjEyIn0.eyJ0eXAiOiJzZGsifQ.c2lnbmF0dXJl"],
    )
    expires_at: Timestamp = Field(
        description="When the token expires. The link then opens another session."
    )
    return_url: str | None = Field(
        description="The page to go back to at the end, with the parameter `verificationId`.",
        examples=["https://app.banco.example/alta?verificationId=0b6a4c3e"],
    )
    verification: StatusView


class InputsAnswer(Shape):
    documents: list[DocumentRole] = Field(description="The roles of the stored files.")
    message: str = Field(examples=["2 files were stored; the checks go on with what has arrived."])
    verification: StatusView


class ConsentAnswer(Shape):
    version: str = Field(examples=["2026-01"])
    locale: str = Field(examples=["es-MX"])
    accepted_at: Timestamp
    verification: StatusView


class PromptShape(Shape):
    id: str = Field(description="Prefix of the names of the prompt's frames.", examples=["p2"])
    action: Move = Field(examples=["turn_left"])
    timeout_ms: int = Field(
        description="Milliseconds that the person has for the prompt.", examples=[5000]
    )
    still_ms: int = Field(
        description="Milliseconds for which the person is asked to keep still before the action is "
        "asked for; `timeoutMs` begins after that. 0 for the first prompt.",
        examples=[800],
    )


class LightShape(Shape):
    """Colours that the whole screen shows, one after another, after the last prompt."""

    prompt_id: str = Field(
        description=(
            "Prefix of their frames' names: `p6-1.jpg` is the frame of the first colour, and so on."
        ),
        examples=["p6"],
    )
    colours: list[str] = Field(examples=[["#00ffff", "#ff00ff", "#00ff00"]])
    each_ms: int = Field(description="Milliseconds for which each colour is shown.", examples=[700])


class ChallengeAnswer(Shape):
    challenge_id: UUID
    nonce: str = Field(
        description="Send it back with the frames.",
        examples=["Vg3hJmkqYw0b2oQ8n0lTnU9oVb1Z2yq5"],
    )
    prompts: list[PromptShape] = Field(description="The person follows the prompts in this order.")
    light: LightShape | None = Field(
        description=(
            "Null if the step's option `light` is `off`. A client that cannot show the colours "
            "sends no frames for them."
        )
    )
    expires_at: Timestamp


class FramesAnswer(Shape):
    challenge_id: UUID
    frames: int = Field(description="Number of frames that were stored.", examples=[30])
    message: str = Field(examples=["30 frames were stored; they are judged next."])
