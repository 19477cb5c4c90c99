"""A real server of the S3 protocol on loopback, with buckets of one's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import boto3
from moto.server import ThreadedMotoServer

ACCESS = {"access_key_id": "test-access", "secret_access_key": "test-secret"}


class ObjectStorage:
    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.client = boto3.client(
            "s3",
            endpoint_url=endpoint,
            region_name="us-east-1",
            aws_access_key_id=ACCESS["access_key_id"],
            aws_secret_access_key=ACCESS["secret_access_key"],
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
def object_storage() -> Iterator[ObjectStorage]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield ObjectStorage(f"http://{host}:{port}")
    finally:
        server.stop()
