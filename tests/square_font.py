"""A font whose every character is a black square: the least that a browser takes for one."""

import io
import struct
import zipfile

EM = 1000
BOX = (0, 0, EM, EM)


def square_font(characters: str, family: str = "Squares") -> bytes:
    """Give a TrueType font that draws these characters."""
    tables = {
        b"OS/2": _os2(characters), b"cmap": _cmap(characters), b"glyf": _square(),
        b"head": struct.pack(">4IHHqq4hHHhhh", 1 << 16, 1 << 16, 0, 0x5F0F3CF5, 3, EM, 0, 0, *BOX, 0, 8, 2, 1, 0),
        b"hhea": struct.pack(">IhhhHhhhhhhhhhhhH", 0x10000, EM, 0, 0, EM, 0, 0, EM, 1, 0, 0, 0, 0, 0, 0, 0, 2),
        b"hmtx": struct.pack(">HhHh", EM, 0, EM, 0), b"loca": struct.pack(">III", 0, 0, len(_square())),
        b"maxp": struct.pack(">IHHHHHHHHHHHHHH", 0x10000, 2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        b"name": _names(family), b"post": struct.pack(">IIhhIIIII", 0x30000, 0, 0, 0, 0, 0, 0, 0, 0),
    }  # fmt: skip
    head = struct.pack(">IHHHH", 0x10000, len(tables), 128, 3, len(tables) * 16 - 128)
    at, directory, body = len(head) + 16 * len(tables), b"", b""
    for tag, table in tables.items():
        directory += struct.pack(">4sIII", tag, 0, at + len(body), len(table))
        body += table + b"\0" * (-len(table) % 4)
    return head + directory + body


def zipped(**files: bytes) -> bytes:
    """Give a ZIP archive of the files, by name without its ending, which is .ttf."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, body in files.items():
            archive.writestr(f"fonts/{name}.ttf", body)
    return target.getvalue()


def _square() -> bytes:
    outline = struct.pack(">hhhhhHH", 1, 0, 0, EM, EM, 3, 0)
    return outline + bytes([1, 1, 1, 1]) + struct.pack(">8h", 0, 0, EM, 0, 0, EM, 0, -EM) + b"\0\0"


def _cmap(characters: str) -> bytes:
    groups = b"".join(struct.pack(">III", ord(one), ord(one), 1) for one in sorted(set(characters)))
    table = struct.pack(">HHIII", 12, 0, 16 + len(groups), 0, len(groups) // 12) + groups
    return struct.pack(">HHHHI", 0, 1, 3, 10, 12) + table


def _names(family: str) -> bytes:
    texts = {1: family, 2: "Regular", 3: family, 4: f"{family} Regular", 6: family.replace(" ", "")}
    records, strings = b"", b""
    for number, text in texts.items():
        records += struct.pack(">HHHHHH", 3, 1, 0x409, number, len(text) * 2, len(strings))
        strings += text.encode("utf-16-be")
    return struct.pack(">HHH", 0, len(texts), 6 + len(records)) + records + strings


def _os2(characters: str) -> bytes:
    first, last = (min(ord(one(characters)), 0xFFFF) for one in (min, max))
    widths = struct.pack(">HhHHH", 4, EM, 400, 5, 0) + struct.pack(">10h", *[0] * 10)
    ranges = struct.pack(">h10s4I4s", 0, bytes(10), 0, 0, 0, 0, b"TEST")
    marks = struct.pack(">HHHhhhHH", 0x40, first, last, EM, 0, 0, EM, 0)
    return widths + ranges + marks + struct.pack(">IIhhHHH", 1, 0, EM, EM, 0, 32, 0)
