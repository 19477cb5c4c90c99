"""The routers of all resources, in the order in which the description lists them."""

from acredita.resources.api_keys.endpoints import router as api_keys
from acredita.resources.audit.endpoints import router as audit
from acredita.resources.auth.endpoints import router as auth
from acredita.resources.auth.page import router as password_page
from acredita.resources.description.endpoints import router as description
from acredita.resources.documents.endpoints import router as documents
from acredita.resources.health.endpoints import router as health
from acredita.resources.organizations.endpoints import router as organizations
from acredita.resources.verifications.endpoints import router as verifications
from acredita.resources.webhooks.endpoints import router as webhooks
from acredita.resources.workflows.endpoints import router as workflows

ROUTERS = (
    health,
    description,
    auth,
    organizations,
    api_keys,
    workflows,
    verifications,
    documents,
    webhooks,
    audit,
    password_page,
)
