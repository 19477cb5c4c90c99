from datetime import date
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import AfterValidator, Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.credit.person import PostalAddress, Stated
from acredita.domain.credit.report import AlertCode
from acredita.domain.credit.status import CheckStatus
from acredita.domain.identifiers import states
from acredita.domain.names import PersonName


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("has control characters")
    if not text.strip():
        raise ValueError("is blank")
    return text


def _state(code: str) -> str:
    if code not in states.BY_CODE or states.BY_CODE[code] is states.BORN_ABROAD:
        raise ValueError("is not a state code")
    return code


Words = Annotated[str, AfterValidator(_printable)]
Name = Annotated[Words, Field(min_length=1, max_length=100)]
AddressLine = Annotated[Words, Field(min_length=1, max_length=65)]


class NamesWrite(Body):
    given: Name = Field(examples=["Ana María"])
    paterno: Name = Field(description="First surname.", examples=["de la Cruz"])
    materno: Name | None = Field(
        None, description="Second surname, if the person has one.", examples=["Ruiz"]
    )

    def parts(self) -> PersonName:
        return PersonName(self.given, self.paterno, self.materno or "")


class AddressWrite(Body):
    street: Annotated[Words, Field(min_length=1, max_length=85)] = Field(
        description="Street and number.", examples=["Pasadizo Encontrado 58"]
    )
    neighborhood: AddressLine = Field(description="Colonia.", examples=["Montevideo"])
    municipality: AddressLine = Field(
        description="Municipio or alcaldía.", examples=["Gustavo A. Madero"]
    )
    city: AddressLine = Field(examples=["Ciudad de México"])
    state: Annotated[str, AfterValidator(_state)] = Field(
        description="Two-letter state code, as in a CURP.", examples=["DF"]
    )
    postal_code: str = Field(pattern="^[0-9]{5}$", examples=["07730"])

    def parts(self) -> PostalAddress:
        return PostalAddress(
            self.street,
            self.neighborhood,
            self.municipality,
            self.city,
            states.BY_CODE[self.state],
            self.postal_code,
        )


class CreditCheckCreate(Body):
    full_name: Words = Field(min_length=2, max_length=500, examples=["Ana María de la Cruz Ruiz"])
    rfc: str | None = Field(
        None,
        min_length=12,
        max_length=13,
        description="A wrong check digit causes a warning.",
        examples=["CURA900505AB1"],
    )
    curp: str | None = Field(
        None,
        min_length=18,
        max_length=18,
        description="A wrong check digit is an error.",
        examples=["CURA900505MDFRZN04"],
    )
    date_of_birth: str | None = Field(
        None, min_length=10, max_length=10, description="YYYY-MM-DD.", examples=["1990-05-05"]
    )
    consent_reference: Words | None = Field(
        None,
        min_length=1,
        max_length=255,
        description="Your reference to the person's consent, which the law requires.",
        examples=["contrato-4711/consentimiento-2"],
    )
    names: NamesWrite | None = Field(
        None,
        description="The parts of the name. Default: derived with the letters of CURP or RFC.",
    )
    address: AddressWrite | None = Field(None, description="The person's home address.")

    def stated(self) -> Stated:
        return Stated(
            full_name=self.full_name,
            rfc=self.rfc,
            curp=self.curp,
            date_of_birth=self.date_of_birth,
            names=self.names.parts() if self.names else None,
            address=self.address.parts() if self.address else None,
            consent_reference=self.consent_reference,
        )


class NamesShape(Shape):
    given: str = Field(examples=["Ana María"])
    paterno: str = Field(examples=["de la Cruz"])
    materno: str | None = Field(examples=["Ruiz"])


class PersonShape(Shape):
    """The person that the bureau was asked about: stated and derived data."""

    full_name: str = Field(examples=["Ana María de la Cruz Ruiz"])
    names: NamesShape | None
    date_of_birth: date | None = Field(examples=["1990-05-05"])
    rfc: str | None = Field(examples=["CURA900505AB1"])
    curp: str | None = Field(examples=["CURA900505MDFRZN04"])


class ScoreShape(Shape):
    name: str = Field(
        description="Name of the scoring model, as the bureau writes it.", examples=["FICO"]
    )
    value: int | None = Field(
        description="Null if the bureau could not compute it.", examples=[674]
    )
    reasons: list[str] = Field(
        description="Reason codes of the model, most important first.", examples=[["D8", "K0"]]
    )


class AmountsShape(Shape):
    currency: str = Field(description="As the bureau writes it.", examples=["MX"])
    balance: float = Field(examples=[18250.5])
    past_due: float = Field(examples=[0.0])
    credit_limit: float = Field(examples=[45000.0])


class AccountsShape(Shape):
    total: int = Field(examples=[5])
    open: int = Field(examples=[3])
    closed: int = Field(examples=[2])
    past_due: int = Field(description="Accounts with an amount past due.", examples=[0])
    disputed: int = Field(description="Accounts that the person disputes.", examples=[0])
    most_payments_missed: int = Field(
        description="Highest number of payments past due on one account.", examples=[0]
    )
    oldest_opened: date | None = Field(examples=["2014-03-02"])
    amounts: list[AmountsShape] = Field(description="Sums, one entry per currency.")


class InquiriesShape(Shape):
    total: int = Field(description="Earlier consultations by others.", examples=[4])
    last_year: int = Field(examples=[1])


class AlertShape(Shape):
    code: AlertCode
    message: str = Field(examples=["The person was found on a list."])
    source: str | None = Field(
        description="The list, key or field, as the bureau writes it.", examples=["OFAC"]
    )


class RemarkShape(Shape):
    field: str = Field(description="Field of the request.", examples=["rfc"])
    code: str = Field(examples=["CHECK_DIGIT"])
    message: str = Field(examples=["The check digit is wrong."])


class CreditCheckShape(Shape):
    id: UUID
    status: CheckStatus = Field(
        description=(
            "PENDING: the consultation is in progress. COMPLETED: the bureau answered. FAILED: "
            "there was certainly no consultation, so nothing is billed. UNKNOWN: there may have "
            "been a consultation. The service does not retry, because a new check may be a second "
            "consultation."
        ),
        examples=["COMPLETED"],
    )
    code: str | None = Field(
        description=(
            "Why there is no report: NO_FILE, BUREAU_UNAVAILABLE, BUREAU_REFUSED, "
            "BUREAU_CREDENTIALS, BUREAU_BUSY, BUREAU_NO_ANSWER, BUREAU_ANSWER_INVALID or "
            "BUREAU_ANSWER_NOT_AUTHENTIC."
        ),
        examples=[None],
    )
    message: str | None = Field(description="Human-readable text of `code`.", examples=[None])
    provider: str = Field(description="The credit bureau.", examples=["circulo"])
    sandbox: bool = Field(description="Whether a sandbox invented the report.", examples=[False])
    person: PersonShape
    consent_reference: str | None = Field(examples=["contrato-4711/consentimiento-2"])
    folio: str | None = Field(
        description="The bureau's number for this consultation.", examples=["386636538"]
    )
    found: bool | None = Field(
        description="Whether the bureau has a file. Null until it answers.", examples=[True]
    )
    score: int | None = Field(description="The first value in `scores`.", examples=[674])
    scores: list[ScoreShape]
    accounts: AccountsShape | None = Field(description="Summary of the accounts.")
    inquiries: InquiriesShape | None
    alerts: list[AlertShape]
    warnings: list[RemarkShape] = Field(description="Possible errors in the request.")
    created_at: Timestamp
    completed_at: Timestamp | None

    @classmethod
    def from_row(cls, row: Any, question: dict[str, Any], result: dict[str, Any] | None) -> Self:
        """Build it from a row and its decrypted values."""
        result = result or {}
        return cls(
            id=row.id,
            status=CheckStatus(row.status),
            code=row.code,
            message=MESSAGES.get(row.code),
            provider=row.provider,
            sandbox=row.is_sandbox,
            person=PersonShape(**question["person"]),
            consent_reference=question["consentReference"],
            folio=result.get("folio"),
            found=result.get("found"),
            score=next((each["value"] for each in result.get("scores", ()) if each["value"]), None),
            scores=result.get("scores", []),
            accounts=result.get("accounts"),
            inquiries=result.get("inquiries"),
            alerts=result.get("alerts", []),
            warnings=question["warnings"],
            created_at=row.created_at,
            completed_at=row.finished_at,
        )


MESSAGES = {
    "NO_FILE": "The bureau has no file on this person.",
    "BUREAU_UNAVAILABLE": "The bureau could not be reached. It was not consulted.",
    "BUREAU_REFUSED": "The bureau does not accept this data. It was not consulted.",
    "BUREAU_CREDENTIALS": "The bureau does not accept this installation's credentials.",
    "BUREAU_BUSY": "The bureau accepts no more requests at the moment. It was not consulted.",
    "BUREAU_NO_ANSWER": "The bureau did not answer. It may have been consulted.",
    "BUREAU_ANSWER_INVALID": "The bureau's answer could not be read. It was consulted.",
    "BUREAU_ANSWER_NOT_AUTHENTIC": "The answer lacks the bureau's signature and was discarded.",
}
