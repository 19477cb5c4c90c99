"""Roles, highest first (DECISIONS, authentication and roles)."""

from enum import StrEnum


class Role(StrEnum):
    OWNER = "OWNER"
    ADMIN = "ADMIN"
    REVIEWER = "REVIEWER"
    MEMBER = "MEMBER"

    def covers(self, needed: "Role") -> bool:
        """Whether this role has all rights of `needed`."""
        return _RANK[self] >= _RANK[needed]


_RANK = {role: rank for rank, role in enumerate(reversed(Role))}
