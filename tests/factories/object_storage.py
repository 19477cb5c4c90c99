"""A server of the S3 protocol on loopback, with buckets of one's own, on request with TLS."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from uuid import uuid4

import boto3
from werkzeug.serving import make_server

from tests.factories.receiver import Authority

ACCESS = {"access_key_id": "test-access", "secret_access_key": "test-secret"}


class ObjectStorage:
    def __init__(self, endpoint: str, authority: Authority | None = None) -> None:
        self.endpoint = endpoint
        self.client = boto3.client(
            "s3",
            endpoint_url=endpoint,
            region_name="us-east-1",
            aws_access_key_id=ACCESS["access_key_id"],
            aws_secret_access_key=ACCESS["secret_access_key"],
            verify=None if authority is None else str(authority.ca_file),
        )

    def new_bucket(self) -> str:
        name = f"files-{uuid4().hex}"
        self.client.create_bucket(Bucket=name)
        return name

    def url(self, bucket: str, prefix: str = "") -> str:
        return f"s3://{bucket}/{prefix}?endpoint={self.endpoint}&region=us-east-1"

    def everything_in(self, bucket: str) -> dict[str, bytes]:
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=bucket)
        keys = [item["Key"] for page in pages for item in page.get("Contents", [])]
        return {key: self.client.get_object(Bucket=bucket, Key=key)["Body"].read() for key in keys}


@contextmanager
def object_storage(authority: Authority | None = None) -> Iterator[ObjectStorage]:
    """Run the server in a thread; with an authority, over TLS under the name `localhost`."""
    # Importing it takes a third of a second; each process of a run imports this file.
    from moto.moto_server.werkzeug_app import (
        DomainDispatcherApplication,
        MotoRequestHandler,
        create_backend_app,
    )

    tls = None
    if authority is not None:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.ca.issue_cert("localhost").configure_cert(tls)
    server = make_server(
        "127.0.0.1",
        0,
        DomainDispatcherApplication(create_backend_app),
        threaded=True,
        request_handler=MotoRequestHandler,
        ssl_context=tls,
    )
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        scheme, host = ("http", "127.0.0.1") if tls is None else ("https", "localhost")
        yield ObjectStorage(f"{scheme}://{host}:{server.server_port}", authority)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
