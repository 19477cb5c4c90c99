from typing import Annotated, Any

from fastapi import Depends, Header, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from acredita.api import range_header
from acredita.api.dependencies import Db, Reader, ServicesDep
from acredita.api.errors import RangeNotSatisfiable, responses
from acredita.api.permissions import Reviewer, public_or_known
from acredita.api.routing import SECURITY, make_router
from acredita.api.schemas import IdInPath
from acredita.domain.documents import PageKind
from acredita.domain.errors import (
    DocumentLeased,
    NotFound,
)
from acredita.domain.roles import Role
from acredita.resources.images import links
from acredita.resources.images import service as images
from acredita.resources.images.endpoints import LinkKey, MediaId, permitted
from acredita.resources.images.responses import JPEG, part_of
from acredita.resources.organizations.masking import is_masked_for
from acredita.resources.training import labels, progress, queries, service
from acredita.resources.training.items import MetamapStatus
from acredita.resources.training.queue_order import Filters, Strategy
from acredita.resources.training.schemas import (
    BatchList,
    LabelAnswer,
    LabelShape,
    LabelWrite,
    NextAnswer,
    QueueAnswer,
    SkipAnswer,
    TrainingBatchAnswer,
    TrainingDocumentAnswer,
    TrainingStats,
)

router = make_router("/v1/training", tag="Training")
MOST_QUEUED = 200

DocId = Annotated[IdInPath, Path(alias="docId")]
BatchId = Annotated[IdInPath, Path(alias="batchId")]
Chosen = Annotated[Strategy, Query(description="The order of the documents.")]
After = Annotated[
    str | None,
    Query(
        description=(
            "A document's id. The documents after it come next, in the order of the strategy."
        )
    ),
]


async def _filters(
    doc_type: Annotated[
        str | None,
        Query(alias="docType", description=f"The recognized type: {', '.join(PageKind)}."),
    ] = None,
    metamap_status: Annotated[
        str | None,
        Query(
            alias="metamapStatus",
            description=f"The status, in MetaMap's terms: {', '.join(MetamapStatus)}.",
        ),
    ] = None,
    batch_id: Annotated[
        str | None, Query(alias="batchId", description="Only documents of this batch.")
    ] = None,
    hit_rate: Annotated[
        str | None,
        Query(
            alias="hitRate",
            description=(
                "Share of a document's fields that were accepted: low (below 0.5), high (0.9 or "
                "more), medium (between), or two shares, such as 0.25-0.5."
            ),
        ),
    ] = None,
) -> Filters:
    return Filters.parse(doc_type, metamap_status, batch_id, hit_rate)


Filtered = Annotated[Filters, Depends(_filters)]


@router.get(
    "/queue", summary="List the documents that wait for a label", responses=responses(NotFound)
)
async def get_training_queue(
    caller: Reviewer,
    services: ServicesDep,
    filters: Filtered,
    strategy: Chosen = Strategy.UNCERTAIN,
    limit: Annotated[int, Query(ge=1, le=MOST_QUEUED, description="Maximum number of items.")] = 50,
    after: After = None,
) -> QueueAnswer:
    """The list includes documents that are leased to a reviewer."""
    return await service.queue(
        services.clock, services.reads, caller, strategy, filters, after=after, limit=limit
    )


@router.get("/next", summary="Lease the next document", responses=responses(NotFound))
async def get_next_training_document(
    caller: Reviewer,
    services: ServicesDep,
    session: Db,
    filters: Filtered,
    strategy: Chosen = Strategy.UNCERTAIN,
    after: After = None,
) -> NextAnswer:
    """Leases the document to the caller for `ACREDITA_TRAINING_LEASE_MINUTES`. During this time no
    other reviewer gets it. A repeated request returns the same document and renews the lease, until
    the document is labelled or skipped. With `after`, the request returns the document to the queue
    and leases a later one. A reviewer has one lease at a time.
    """
    document = await service.next_document(
        session, services.settings, services.clock, caller, strategy, filters, after=after
    )
    return NextAnswer(document=document)


@router.get("/docs/{docId}", summary="Get a document with all extracted values, by source")
async def get_training_document(
    doc_id: DocId, caller: Reviewer, services: ServicesDep, session: Db
) -> TrainingDocumentAnswer:
    """For each field: what each source read, how sure it is, and where it is on the page. For users
    of an organization with `revealsOnDemand`, values, notes and links are masked.
    """
    is_masked = await is_masked_for(services.reads, caller)
    document = await service.show(session, services, caller, doc_id)
    return TrainingDocumentAnswer(document=service.mask(document) if is_masked else document)


@router.post("/docs/{docId}/reveal", summary="Reveal the values and pictures of a document")
async def reveal_training_document(
    doc_id: DocId, caller: Reviewer, services: ServicesDep, session: Db
) -> TrainingDocumentAnswer:
    """For organizations with `revealsOnDemand`: the response has what `GET` masks for users. The
    audit log and the verification's history record who revealed it. The next request is masked
    again.
    """
    return TrainingDocumentAnswer(document=await service.reveal(session, services, caller, doc_id))


@router.post(
    "/docs/{docId}/labels",
    status_code=201,
    summary="Label a document",
    responses=responses(DocumentLeased),
)
async def label_training_document(
    doc_id: DocId, data: LabelWrite, caller: Reviewer, services: ServicesDep, session: Db
) -> LabelAnswer:
    """Every label is stored as a version, and the last one counts. A document that is leased to
    another reviewer accepts no label.
    """
    label = await labels.add(session, services.clock, services.keys, caller, doc_id, data)
    return LabelAnswer(
        label=LabelShape(
            id=label.id,
            document_id=doc_id,
            version=label.version,
            reviewer_id=caller.id,
            reviewer_kind=caller.kind,
            created_at=label.created_at,
        )
    )


@router.post("/docs/{docId}/skip", summary="Skip a document without a label")
async def skip_training_document(
    doc_id: DocId, caller: Reviewer, services: ServicesDep, session: Db
) -> SkipAnswer:
    """The document is not offered to the caller again, but to other reviewers."""
    return await service.skip(session, services.clock, caller, doc_id)


@router.get("/batches", summary="List the batches, newest first")
async def list_training_batches(
    caller: Reviewer, services: ServicesDep, reader: Reader
) -> BatchList:
    """Each batch has its number of documents, and how many of them are labelled."""
    return BatchList(batches=await progress.batches(reader, caller, services.clock.now()))


@router.get("/batches/{batchId}", summary="Get a batch and its labelling progress")
async def get_training_batch(
    batch_id: BatchId, caller: Reviewer, services: ServicesDep, reader: Reader
) -> TrainingBatchAnswer:
    """The number of documents, also by type, and how many of them are labelled."""
    now = services.clock.now()
    return TrainingBatchAnswer(batch=await progress.batch(reader, caller, batch_id, now))


@router.get("/stats", summary="Get the statistics of each reviewer for the last 30 days")
async def get_training_stats(
    caller: Reviewer, services: ServicesDep, reader: Reader
) -> TrainingStats:
    """Documents per reviewer, the time that they took, and how often others judged the same way."""
    return await progress.stats(reader, caller, services.clock.now())


PICTURE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The image.", "content": JPEG},
    206: {"description": "The requested bytes.", "content": JPEG},
}


@router.get(
    "/media/{mediaId}",
    summary="Get an image of a document in the queue",
    response_class=Response,
    responses=PICTURE | responses(RangeNotSatisfiable),
    openapi_extra={"security": SECURITY},
)
@public_or_known
async def get_training_media(
    media_id: MediaId,
    services: ServicesDep,
    request: Request,
    key: LinkKey = None,
    range_wanted: Annotated[
        str | None,
        Header(alias="Range", examples=["bytes=0-65535"], description=("One range of bytes.")),
    ] = None,
    if_range: Annotated[
        str | None,
        Header(alias="If-Range", description=("The ETag of the version whose range is requested.")),
    ] = None,
) -> Response:
    """Requires a token or API key of a reviewer, or the `key` of the signed link that the document
    shows. Supports one range of bytes.
    """
    media = await permitted(
        services, request, queries.media, links.opens_media, media_id, key, role=Role.REVIEWER
    )
    # A file is authenticated as a whole, so no byte is served before all are checked.
    content = await images.content(services, media)
    etag = f'"{media.id.hex}"'
    asked = range_header.wanted(range_wanted, len(content)) if if_range in {None, etag} else None
    disposition = f'inline; filename="{media.kind}.jpg"'
    return part_of(content, asked, "image/jpeg", etag=etag, disposition=disposition)
