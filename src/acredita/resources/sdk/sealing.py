from uuid import UUID


def consent_context(consent_id: UUID) -> str:
    return f"consent:{consent_id}"
