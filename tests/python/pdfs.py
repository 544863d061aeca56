"""PDFs for tests and benchmarks: texts at places of a page, in Helvetica or another font that every reader has."""

from __future__ import annotations

from collections.abc import Sequence

# Where the first line of a page stands, and how far lines are apart, in points.
TOP, LEFT, LEADING, SIZE = 760, 60, 13, 10

# Of another size than SIZE where a fourth value says so.
Placed = tuple[float, float, str] | tuple[float, float, str, float]


def pdf(*pages: Sequence[Placed], font: str = "Helvetica") -> bytes:
    """A PDF of pages, each of (x, y, text) in the order in which they are drawn."""
    face = b"<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>" % font.encode()
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", face]
    kids = []
    for page in pages:
        drawn = "\n".join(
            f"BT /F1 {size[0] if size else SIZE} Tf 1 0 0 1 {x} {y} Tm ({escaped(text)}) Tj ET"
            for x, y, text, *size in page
        )
        content = drawn.encode("cp1252")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    made, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    trailer = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, len(made))
    return made + b"xref\n0 %d\n0000000000 65535 f \n" % count + table + trailer


def escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def lines(*texts: str, top: float = TOP) -> list[Placed]:
    """Texts below each other; an empty one leaves a line free."""
    return [(LEFT, top - LEADING * place, text) for place, text in enumerate(texts) if text]


def row(y: float, label: str, *figures: str) -> list[Placed]:
    """A row of a table, its figures in columns."""
    return [(LEFT, y, label), *((300 + 80 * place, y, figure) for place, figure in enumerate(figures))]
