"""Files for uploads: honest ones, disguised ones, bombs."""

import io
import random
import struct
import zipfile
import zlib

from PIL import Image

from tests.factories.zeros import compressed_zeros


def picture(kind: str = "JPEG", size: tuple[int, int] = (640, 400), **options) -> bytes:
    """A picture that does not compress to nothing; the same each time."""
    noise = Image.frombytes("RGB", (64, 40), random.Random(7).randbytes(64 * 40 * 3))
    file = io.BytesIO()
    noise.resize(size).save(file, kind, **options)
    return file.getvalue()


def padded_jpeg(size: int) -> bytes:
    """A JPEG of exactly that many bytes: comments fill it up."""
    jpeg = picture()
    missing = size - len(jpeg)
    comments = b""
    while missing:
        length = min(missing, 65_537)
        if 0 < missing - length < 4:
            length -= 4
        comments += b"\xff\xfe" + struct.pack(">H", length - 2) + bytes(length - 4)
        missing -= length
    return jpeg[:2] + comments + jpeg[2:]


def png(
    width: int, height: int, *, bit_depth: int = 1, colour: int = 0, whole: bool = True
) -> bytes:
    """A PNG of those dimensions, black throughout: a few kilobytes, however large."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content
            + struct.pack(">I", zlib.crc32(kind + content))
        )  # fmt: skip

    channels = {0: 1, 2: 3, 3: 1, 6: 4}[colour]
    row = bytes(1 + (width * bit_depth * channels + 7) // 8)
    squeezer = zlib.compressobj(1)
    rows = height if whole else height // 2
    pixels = b"".join(squeezer.compress(row) for _ in range(rows)) + squeezer.flush()
    palette = chunk(b"PLTE", bytes(768)) + chunk(b"tRNS", bytes(256)) if colour == 3 else b""
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bit_depth, colour, 0, 0, 0))
        + palette + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )  # fmt: skip


def pdf(objects: list[bytes]) -> bytes:
    """A PDF of those objects, numbered from 1; the first is the catalogue."""
    out, offsets = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    return (
        out + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d/Root 1 0 R>>\n"
        b"startxref\n%d\n%%%%EOF" % (size, table, size, len(out))
    )  # fmt: skip


def pdf_of_pages(count: int, size: bytes = b"612 792") -> bytes:
    kids = b" ".join(b"%d 0 R" % (3 + n) for n in range(count))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %s]>>" % size
    return pdf(
        [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count)]
        + [page] * count
    )


def deflate_bomb_pdf() -> bytes:
    """A page whose picture inflates from some hundred kilobytes to gigabytes."""
    stream = compressed_zeros(megabytes=420)
    image = (
        b"<</Type/XObject/Subtype/Image/Width 20000/Height 20000/ColorSpace/DeviceRGB"
        b"/BitsPerComponent 8/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream"
    )
    content = b"q 600 0 0 700 0 0 cm /I Do Q"
    return pdf(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            (
                b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
                b"/Resources<</XObject<</I 5 0 R>>>>>>"
            ),
            b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content),
            image % (len(stream), stream),
        ]
    )


def nested_forms_pdf(depth: int = 12, width: int = 12) -> bytes:
    """Forms that draw forms that draw forms: width ** depth drawings in a few kilobytes."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        (
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
            b"/Resources<</XObject<</F 5 0 R>>>>>>"
        ),
        b"<</Length 5>>\nstream\n/F Do\nendstream",
    ]
    for level in range(depth):
        if level == depth - 1:
            content, resources = b"0 0 600 700 re f " * 50, b""
        else:
            content = b"/F Do " * width
            resources = b"/Resources<</XObject<</F %d 0 R>>>>" % (6 + level)
        objects.append(
            b"<</Type/XObject/Subtype/Form/BBox[0 0 612 792]%s/Length %d>>\nstream\n%s\nendstream"
            % (resources, len(content), content)
        )
    return pdf(objects)


def animated_webp(frames: int) -> bytes:
    file = io.BytesIO()
    first, *others = (Image.new("RGB", (16, 16), (n % 256, n // 256, 0)) for n in range(frames))
    first.save(file, "WEBP", save_all=True, append_images=others, lossless=True)
    return file.getvalue()


def zip_archive() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("run.js", "alert(1)")
    return file.getvalue()


def gps_jpeg(orientation: int = 1) -> bytes:
    """A photograph that tells where it was taken, and by what."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010F] = "SecretCameraMaker"
    exif.get_ifd(0x8825).update({1: "N", 2: (19.0, 25.0, 57.0), 3: "W", 4: (99.0, 7.0, 59.0)})
    return picture(exif=exif)
