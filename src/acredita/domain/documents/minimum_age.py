"""The minimum age that a workflow asks of the person whom a document names."""

from dataclasses import replace
from datetime import date

from acredita.domain.ages import age_on
from acredita.domain.documents.birth_dates import iso_date
from acredita.domain.documents.judging import DocumentJudgement, with_codes
from acredita.domain.reasons import DocumentReason

BIRTH_DATE = "dateOfBirth"


def with_minimum_age(verdict: DocumentJudgement, least: float, today: date) -> DocumentJudgement:
    """Add `age` and `minimumAge` to the result, and UNDERAGE for a person younger than `least`.

    `age` is in whole years; None unless the date of birth is accepted. An uncertain date never
    fails the step: the caller requires the field, so that it goes to review.
    """
    born = next(
        (
            iso_date(each.value)
            for each in verdict.fields
            if each.field == BIRTH_DATE and each.accepted
        ),
        None,
    )
    age = None if born is None else age_on(born, today)
    judged = replace(verdict, result={**verdict.result, "age": age, "minimumAge": least})
    if age is None or age >= least:
        return judged
    return with_codes(judged, [DocumentReason.UNDERAGE])
