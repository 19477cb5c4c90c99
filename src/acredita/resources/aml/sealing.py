"""Encryption contexts of monitored people, reviewers' notes on matches, and index file keys."""

from uuid import UUID


def subject_context(monitor_id: UUID) -> str:
    return f"aml_monitor:{monitor_id}"


def notes_context(match_id: UUID) -> str:
    return f"aml_match:{match_id}"


def index_context(version: int) -> str:
    return f"aml_index:{version}"
