"""What is sealed here: who is monitored, why a reviewer dismissed a match, the keys of indexes."""

from uuid import UUID


def subject_context(monitor_id: UUID) -> str:
    return f"aml_monitor:{monitor_id}"


def notes_context(match_id: UUID) -> str:
    return f"aml_match:{match_id}"


def index_context(version: int) -> str:
    return f"aml_index:{version}"
