"""Where a bucket is, written as s3://bucket/prefix?endpoint=…&region=…"""

import os
import re
from dataclasses import dataclass
from typing import Self
from urllib.parse import parse_qsl, urlsplit

BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
PREFIX = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)?")
REGION = re.compile(r"[a-z0-9-]{1,64}")
ENDPOINT = re.compile(
    r"https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?|https?://\[[0-9a-f:]+\](?::[0-9]+)?"
)
OPTIONS = {"endpoint", "region", "encryption", "kms_key"}
ENCRYPTIONS = {"", "AES256", "aws:kms"}


@dataclass(frozen=True, slots=True)
class S3Address:
    bucket: str
    prefix: str
    region: str
    # Empty: Amazon's own, addressed by the bucket's name in the host.
    endpoint: str = ""
    # What the server encrypts with, besides our own encryption; empty: its default.
    encryption: str = ""
    kms_key: str = ""

    @classmethod
    def from_url(cls, url: str) -> Self:
        """Raise ValueError, with a sentence for the operator."""
        parts = urlsplit(url)
        options = dict(parse_qsl(parts.query, keep_blank_values=True))
        prefix = parts.path.strip("/")
        if parts.scheme != "s3" or not BUCKET.fullmatch(parts.netloc) or parts.fragment:
            raise ValueError("is written s3://bucket/prefix?endpoint=…&region=…")
        if not PREFIX.fullmatch(prefix):
            raise ValueError("the prefix has letters, digits, dots, - and _ between slashes")
        if unknown := options.keys() - OPTIONS:
            raise ValueError(f"unknown options: {', '.join(sorted(unknown))}")
        region = options.get("region") or _region_of_environment()
        endpoint = options.get("endpoint", "").rstrip("/")
        if not REGION.fullmatch(region):
            raise ValueError("that is no region")
        if endpoint and not ENDPOINT.fullmatch(endpoint):
            raise ValueError("the endpoint is written https://host or http://host:port")
        encryption, kms_key = options.get("encryption", ""), options.get("kms_key", "")
        if encryption not in ENCRYPTIONS or (kms_key and encryption != "aws:kms"):
            raise ValueError("encryption is AES256 or aws:kms (the latter with kms_key, if any)")
        return cls(parts.netloc, prefix, region, endpoint, encryption, kms_key)

    @property
    def base(self) -> str:
        """The bucket's own URL. Other services than Amazon's know it by its path."""
        if self.endpoint:
            return f"{self.endpoint}/{self.bucket}"
        host = f"s3.{self.region}.amazonaws.com"
        # A dot in the name would not match the certificate.
        if "." in self.bucket:
            return f"https://{host}/{self.bucket}"
        return f"https://{self.bucket}.{host}"


def _region_of_environment() -> str:
    return os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"
