"""Bombs: what zlib inflates from kilobytes to gigabytes."""

import zlib


def compressed_zeros(*, megabytes: int) -> bytes:
    """As zlib compresses them, from a megabyte that is compressed once."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    block = packer.compress(bytes(1_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = megabytes * 1_000_000 % 65_521 << 16 | 1
    return b"\x78\xda" + block * megabytes + packer.flush() + checksum.to_bytes(4)
