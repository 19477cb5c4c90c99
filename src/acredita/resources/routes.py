"""The routers of all resources, in the order in which the description lists them."""

from acredita.resources.admin.endpoints import router as admin
from acredita.resources.admin.reading_accuracy_endpoints import router as reading_metrics
from acredita.resources.aml.endpoints import router as aml
from acredita.resources.aml.monitors.schemas import WEBHOOKS as AML_WEBHOOKS
from acredita.resources.aml.reviews.endpoints import router as aml_matches
from acredita.resources.api_keys.endpoints import router as api_keys
from acredita.resources.audit.endpoints import router as audit
from acredita.resources.auth.endpoints import router as auth
from acredita.resources.auth.page import router as password_page
from acredita.resources.capture_links.endpoints import router as capture_links
from acredita.resources.console.page import router as console
from acredita.resources.credit.endpoints import router as credit
from acredita.resources.documents.endpoints import router as documents
from acredita.resources.esignature.endpoints import router as esignature
from acredita.resources.forms.endpoints import router as forms
from acredita.resources.ground_truth.licence_endpoints import router as licence_truths
from acredita.resources.ground_truth.selfie_endpoints import router as selfie_truths
from acredita.resources.ground_truth.state_endpoints import router as state_truths
from acredita.resources.guide.page import router as guide
from acredita.resources.health.endpoints import router as health
from acredita.resources.identity_providers.endpoints import router as identity_providers
from acredita.resources.identity_providers.endpoints import sign_in_router as provider_sign_in
from acredita.resources.images.endpoints import router as images
from acredita.resources.inngest.endpoints import router as inngest
from acredita.resources.location.endpoints import router as location
from acredita.resources.metamap.alias_endpoints import router as metamap_aliases
from acredita.resources.metamap.button_endpoints import router as metamap_button
from acredita.resources.metamap.endpoints import router as metamap
from acredita.resources.metamap.government_endpoints import router as metamap_government
from acredita.resources.metamap.identity_endpoints import router as metamap_identities
from acredita.resources.metamap.retired_endpoints import router as metamap_retired
from acredita.resources.metamap.safety_endpoints import router as metamap_safety
from acredita.resources.metamap.token_endpoints import router as metamap_tokens
from acredita.resources.openapi.endpoints import router as description
from acredita.resources.organizations.endpoints import router as organizations
from acredita.resources.otp.endpoints import router as otp
from acredita.resources.overview.endpoints import router as overview
from acredita.resources.policies.endpoints import router as policies
from acredita.resources.policy_trials.endpoints import router as policy_trials
from acredita.resources.retention.endpoints import router as retention
from acredita.resources.reviews.endpoints import router as reviews
from acredita.resources.sandbox.endpoints import router as sandbox
from acredita.resources.sdk.act_endpoints import router as sdk_acts
from acredita.resources.sdk.challenge_endpoints import router as challenges
from acredita.resources.sdk.endpoints import router as sdk
from acredita.resources.sdk.hand_over_endpoints import page_router as hand_over_page
from acredita.resources.sdk.hand_over_endpoints import router as hand_overs
from acredita.resources.sdk.pages import router as capture_pages
from acredita.resources.second_factors.endpoints import router as second_factors
from acredita.resources.second_factors.passkeys.endpoints import router as passkeys
from acredita.resources.sessions.endpoints import router as sessions
from acredita.resources.training.endpoints import router as training
from acredita.resources.training.page import router as label_page
from acredita.resources.users.confirmation import page_router as address_page
from acredita.resources.users.confirmation import router as confirmation
from acredita.resources.users.endpoints import router as users
from acredita.resources.verifications.case.endpoints import router as cases
from acredita.resources.verifications.endpoints import router as verifications
from acredita.resources.webhooks.endpoints import router as webhooks
from acredita.resources.webhooks.event_schemas import WEBHOOKS as VERIFICATION_WEBHOOKS
from acredita.resources.workflows.endpoints import router as workflows

ROUTERS = (
    health,
    description,
    sandbox,
    guide,
    auth,
    sessions,
    second_factors,
    passkeys,
    provider_sign_in,
    confirmation,
    organizations,
    identity_providers,
    api_keys,
    users,
    workflows,
    policies,
    policy_trials,
    verifications,
    cases,
    retention,
    capture_links,
    reviews,
    overview,
    documents,
    images,
    sdk,
    challenges,
    sdk_acts,
    hand_overs,
    otp,
    esignature,
    forms,
    credit,
    location,
    aml,
    aml_matches,
    webhooks,
    metamap_tokens,
    metamap,
    metamap_government,
    metamap_safety,
    metamap_identities,
    metamap_aliases,
    metamap_button,
    metamap_retired,
    audit,
    licence_truths,
    selfie_truths,
    state_truths,
    admin,
    reading_metrics,
    training,
    capture_pages,
    inngest,
    password_page,
    label_page,
    console,
    address_page,
    hand_over_page,
)

# What the service sends; for the API description alone.
WEBHOOKS = (*VERIFICATION_WEBHOOKS.routes, *AML_WEBHOOKS.routes)
