"""The types of steps that rules of the domain name, and the table of all types."""

from acredita.domain.steps.credit import CREDIT
from acredita.domain.steps.documents import DOCUMENT_OCR
from acredita.domain.steps.esignature import ESIGNATURE
from acredita.domain.steps.faces import FACE_MATCH
from acredita.domain.steps.forms import FORM
from acredita.domain.steps.kind import WHEN, Act, StepKind, Words, condition
from acredita.domain.steps.liveness import LIVENESS
from acredita.domain.steps.location import LOCATION
from acredita.domain.steps.one_time_passwords import OTP
from acredita.domain.steps.proof_of_address import PROOF_OF_ADDRESS
from acredita.domain.steps.registries import GOVERNMENT_VERIFY
from acredita.domain.steps.table import KINDS, kind_of, options_table, register, types
from acredita.domain.steps.watchlists import AML_SCREEN
