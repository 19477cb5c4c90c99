from pydantic import Field

from acredita.api.schemas import Body, Shape, Timestamp


class NewTotp(Shape):
    secret: str = Field(
        description="The secret in base32, for an app that reads no QR code.",
        examples=["JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"],
    )
    otpauth_uri: str = Field(
        description="What the QR code contains.",
        examples=[
            (
                "otpauth://totp/Acredita:ana%40banco.example"
                "?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Acredita"
            )
        ],
    )


class TotpConfirmation(Body):
    code: str = Field(max_length=16, description="The app's code.", examples=["492039"])


class RecoveryCodes(Shape):
    recovery_codes: list[str] = Field(
        description="Ten codes, each of which works once. No other response shows them.",
        examples=[["7k3mq-x9t2v"]],
    )


class SecondFactors(Shape):
    totp_confirmed_at: Timestamp | None = Field(
        description="When the authenticator app was confirmed; null without one."
    )
    recovery_codes_left: int = Field(ge=0, le=10, description="Recovery codes that still work.")
    is_required: bool = Field(description="Whether the organization requires a second factor.")
