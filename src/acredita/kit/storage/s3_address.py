"""The address of a bucket: s3://bucket/prefix?endpoint=…&region=…"""

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
    # Empty for Amazon S3.
    endpoint: str = ""
    # Server-side encryption, in addition to our own. Empty for the server's default.
    encryption: str = ""
    kms_key: str = ""

    @classmethod
    def from_url(cls, url: str) -> Self:
        """Parse the URL. Raise ValueError with a message for the operator."""
        parts = urlsplit(url)
        options = dict(parse_qsl(parts.query, keep_blank_values=True))
        prefix = parts.path.strip("/")
        if parts.scheme != "s3" or not BUCKET.fullmatch(parts.netloc) or parts.fragment:
            raise ValueError("must have the form s3://bucket/prefix?endpoint=…&region=…")
        if not PREFIX.fullmatch(prefix):
            raise ValueError("the prefix may have letters, digits, dots, - and _ between slashes")
        if unknown := options.keys() - OPTIONS:
            raise ValueError(f"unknown options: {', '.join(sorted(unknown))}")
        region = options.get("region") or _region_of_environment()
        endpoint = options.get("endpoint", "").rstrip("/")
        if not REGION.fullmatch(region):
            raise ValueError("the region is not valid")
        if endpoint and not ENDPOINT.fullmatch(endpoint):
            raise ValueError("the endpoint must have the form https://host or http://host:port")
        encryption, kms_key = options.get("encryption", ""), options.get("kms_key", "")
        if encryption not in ENCRYPTIONS or (kms_key and encryption != "aws:kms"):
            raise ValueError("encryption must be AES256 or aws:kms; only aws:kms allows kms_key")
        return cls(parts.netloc, prefix, region, endpoint, encryption, kms_key)

    @property
    def base(self) -> str:
        """The bucket's URL: Amazon S3 has its name in the host, other services in the path."""
        if self.endpoint:
            return f"{self.endpoint}/{self.bucket}"
        host = f"s3.{self.region}.amazonaws.com"
        # A dot in the name would not match the certificate.
        if "." in self.bucket:
            return f"https://{host}/{self.bucket}"
        return f"https://{self.bucket}.{host}"


def _region_of_environment() -> str:
    return os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"
