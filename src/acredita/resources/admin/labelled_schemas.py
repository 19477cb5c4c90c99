from typing import Annotated, Literal

from pydantic import Field

from acredita.api.schemas import Shape

Share = Annotated[float, Field(ge=0, le=1, examples=[0.97])]
Count = Annotated[int, Field(ge=0, examples=[120])]
WindowName = Annotated[Literal["24h", "7d", "30d"], Field(description="Labels made since then.")]


class ConfusionCell(Shape):
    read_as: str = Field(description="What documents were read as.", examples=["INE_FRONT"])
    labelled: str = Field(
        description="What reviewers say that they are: `documentTypeOverride`, else the same.",
        examples=["DRIVER_LICENCE"],
    )
    documents: Count


class TypeAccuracy(Shape):
    doc_type: str = Field(examples=["INE_FRONT"])
    documents: Count = Field(description="That are of this type, as reviewers say.")
    read_as_this: Count
    correct: Count = Field(description="That are, and were read as, of this type.")
    accuracy: Share | None = Field(description="Of those of this type: `correct` / `documents`.")
    precision: Share | None = Field(description="Of those read so: `correct` / `readAsThis`.")


class ClassifierMetrics(Shape):
    window: WindowName
    documents: Count = Field(description="With a label.")
    accuracy: Share | None = Field(description="Null where nothing was labelled.")
    confusion_matrix: list[ConfusionCell] = Field(description="Cells without documents left out.")
    by_document_type: list[TypeAccuracy]


class FieldExtraction(Shape):
    field: str = Field(examples=["curp"])
    labels: Count = Field(description="That say something of this field.")
    present: Count = Field(description="Documents that have it, as reviewers say.")
    read: Count
    coverage: Share | None = Field(description="Share of those present that were read.")
    accuracy: Share | None = Field(description="Share of those read and judged that are right.")
    mean_confidence: Share | None
    accepted: Count
    wrongly_accepted: Count = Field(description="Accepted, and wrong.", examples=[0])
    needlessly_reviewed: Count = Field(description="Sent to a review, and right.", examples=[7])
    read_where_absent: Count = Field(
        description="Read where the document has no such field.", examples=[0]
    )
    metamap_accuracy: Share | None = Field(
        description="Share of MetaMap's values that are right, where labels say it."
    )


class ExtractionMetrics(Shape):
    window: WindowName
    documents: Count = Field(description="With a label.")
    fields: list[FieldExtraction]


class BinShape(Shape):
    from_confidence: Share
    to_confidence: Share = Field(description="Not included, save by the last bin.")
    readings: Count
    mean_confidence: Share | None
    accuracy: Share | None = Field(description="Share of the readings that are right.")


class ThresholdShape(Shape):
    """What `acredita calibrate` would make of the same labels."""

    confirmation: str = Field(
        description="How far other zones confirm a value: NONE, LETTERS, RULE or SAME.",
        examples=["RULE"],
    )
    least_confidence: Share | None = Field(
        description="From which a reading may be accepted; null: from none."
    )
    rules_least_confidence: Share = Field(description="The rules' own threshold.", examples=[0.5])
    labels: Count = Field(description="Whose readings confidence alone decided.")
    precision: Share | None = Field(description="Of the readings that it would accept.")


class FieldCalibration(Shape):
    field: str = Field(examples=["curp"])
    readings: Count
    expected_calibration_error: Share | None
    bins: list[BinShape]
    suggested_thresholds: list[ThresholdShape] = Field(
        description="Kinds of confirmation with fewer labels than are needed left out."
    )


class FieldCalibrationMetrics(Shape):
    window: WindowName
    readings: Count = Field(description="That reviewers judged.")
    expected_calibration_error: Share | None = Field(
        description="Mean distance of confidence and accuracy; null where nothing was judged."
    )
    bins: list[BinShape] = Field(description="The reliability curve of all fields together.")
    target_precision: Share = Field(description="That thresholds are to reach.", examples=[0.99])
    labels_needed: Count = Field(
        description="On one field, before a threshold is suggested.", examples=[98]
    )
    fields: list[FieldCalibration]
