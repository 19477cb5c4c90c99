from typing import Annotated, Literal

from pydantic import Field

from acredita.api.schemas import Shape

Share = Annotated[float, Field(ge=0, le=1, examples=[0.97])]
Count = Annotated[int, Field(ge=0, examples=[120])]
WindowName = Annotated[
    Literal["24h", "7d", "30d"], Field(description="The period of the counted labels.")
]


class ConfusionCell(Shape):
    read_as: str = Field(description="Recognized type.", examples=["INE_FRONT"])
    labelled: str = Field(
        description="Type by the label: `documentTypeOverride`, or the recognized type without it.",
        examples=["DRIVER_LICENCE"],
    )
    documents: Count


class TypeAccuracy(Shape):
    doc_type: str = Field(examples=["INE_FRONT"])
    documents: Count = Field(description="Documents of this type, by their labels.")
    read_as_this: Count = Field(description="Documents recognized as this type.")
    correct: Count = Field(description="Documents of this type that were recognized as such.")
    accuracy: Share | None = Field(description="`correct` / `documents`.")
    precision: Share | None = Field(description="`correct` / `readAsThis`.")


class ClassifierMetrics(Shape):
    window: WindowName
    documents: Count = Field(description="Documents that have a label.")
    accuracy: Share | None = Field(description="Null if there are no labels.")
    confusion_matrix: list[ConfusionCell] = Field(description="Empty cells are omitted.")
    by_document_type: list[TypeAccuracy]


class FieldExtraction(Shape):
    field: str = Field(examples=["curp"])
    labels: Count = Field(description="Labels of this field.")
    present: Count = Field(description="Documents that have the field, by their labels.")
    read: Count = Field(description="Documents whose field was read.")
    coverage: Share | None = Field(description="Share of the present fields that were read.")
    accuracy: Share | None = Field(description="Share of the labelled readings that are correct.")
    mean_confidence: Share | None
    accepted: Count
    wrongly_accepted: Count = Field(description="Wrong readings that were accepted.", examples=[0])
    needlessly_reviewed: Count = Field(
        description="Correct readings that were sent to review.", examples=[7]
    )
    read_where_absent: Count = Field(
        description="Readings of a field that the document does not have.", examples=[0]
    )
    metamap_accuracy: Share | None = Field(
        description="Share of MetaMap's values that are correct, among those that have a label."
    )


class ExtractionMetrics(Shape):
    window: WindowName
    documents: Count = Field(description="Documents that have a label.")
    fields: list[FieldExtraction]


class BinShape(Shape):
    from_confidence: Share
    to_confidence: Share = Field(description="Exclusive, except in the last bin.")
    readings: Count
    mean_confidence: Share | None
    accuracy: Share | None = Field(description="Share of the readings that are correct.")


class ThresholdShape(Shape):
    """The threshold that `acredita calibrate` would fit to the same labels."""

    confirmation: str = Field(
        description="How other zones confirm the value: NONE, LETTERS, RULE or SAME.",
        examples=["RULE"],
    )
    least_confidence: Share | None = Field(
        description="Minimum confidence for acceptance. Null: no reading is accepted."
    )
    rules_least_confidence: Share = Field(
        description="The threshold of the built-in rules.", examples=[0.5]
    )
    labels: Count = Field(description="Labels of readings that only the confidence decided.")
    precision: Share | None = Field(description="Precision of the readings it would accept.")


class FieldCalibration(Shape):
    field: str = Field(examples=["curp"])
    readings: Count
    expected_calibration_error: Share | None
    bins: list[BinShape]
    suggested_thresholds: list[ThresholdShape] = Field(
        description="Kinds of confirmation with too few labels are left out."
    )


class FieldCalibrationMetrics(Shape):
    window: WindowName
    readings: Count = Field(description="Readings with a label.")
    expected_calibration_error: Share | None = Field(
        description="Mean distance of confidence and accuracy. Null without labels."
    )
    bins: list[BinShape] = Field(description="The reliability curve of all fields together.")
    target_precision: Share = Field(
        description="The precision that thresholds must reach.", examples=[0.99]
    )
    labels_needed: Count = Field(
        description="Minimum number of labels of a field for a suggested threshold.", examples=[98]
    )
    fields: list[FieldCalibration]
