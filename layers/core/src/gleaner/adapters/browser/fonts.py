"""Fonts: what a page's text needs that is not installed, and where more of them come from (BR-2).

The browser's own font draws Latin, Greek and Cyrillic. It also finds the machine's fonts, and those in ``fonts`` of the
data folder. In the cloud, where nothing is installed, ``fonts/fonts.zip`` of the bucket is unpacked there when a
screenshot first needs it: fonts for all scripts are too large for a layer.
"""

import shutil
import tempfile
import unicodedata
import zipfile
from io import BytesIO
from pathlib import Path, PurePosixPath

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

from gleaner.adapters.browser.snapshot import evaluate_apart, page_script
from gleaner.contracts.errors import InvalidSettings
from gleaner.contracts.ports import BlobStore

FONTS_KEY = "fonts/fonts.zip"
FONT_ENDINGS = frozenset({".ttf", ".otf", ".ttc", ".otc"})
MOST_BYTES = 400_000_000
"""What the archive may unpack to; a function's /tmp has 1 GB, of which the browser takes some 250 MB."""

MOST_CHARACTERS = 300
"""After so many that no font draws, no more are looked for."""

SHOWN_CHARACTERS = 8


async def undrawn_characters(session: CDPSession, height: int) -> str:
    """Give the characters of the page's text, down to a height in pixels, that no font draws."""
    script = page_script("undrawn.js").replace("HEIGHT", str(height)).replace("MOST", str(MOST_CHARACTERS))
    try:
        return str(await evaluate_apart(session, script))
    except PlaywrightError:  # the page has moved on; the picture is taken
        return ""


def undrawn_warning(characters: str) -> str:
    """Say what the screenshot does not show.

    >>> undrawn_warning("中文क")
    "the screenshot lacks 3 different characters (CJK, Devanagari: '中文क'): no font here draws them"
    """
    count = f"{len(characters)}{' or more' if len(characters) >= MOST_CHARACTERS else ''}"
    kinds = ", ".join(dict.fromkeys(map(script_of, characters)))
    examples = characters[:SHOWN_CHARACTERS] + ("…" if len(characters) > SHOWN_CHARACTERS else "")
    plural = "" if len(characters) == 1 else "s"
    return f"the screenshot lacks {count} different character{plural} ({kinds}: '{examples}'): no font here draws them"


def script_of(character: str) -> str:
    """Name the script of a letter or digit by the first word of its name in Unicode; else say that it is a symbol.

    >>> [script_of(one) for one in "한ก😀"]
    ['Hangul', 'Thai', 'symbols']
    """
    name = unicodedata.name(character, "")
    if not name or unicodedata.category(character).startswith("S"):
        return "symbols"
    first = name.partition(" ")[0]
    return first if len(first) <= len("CJK") else first.capitalize()


class Fonts:
    """The folder of further fonts: ``fonts`` of the data folder."""

    def __init__(self, home: Path, blobs: BlobStore | None) -> None:
        self._folder, self._blobs = home / "fonts", blobs
        self._is_fetched = False

    def fetch(self) -> bool:
        """Unpack the archive that the store holds; tell whether browsers that start from now on find more fonts.

        InvalidSettings when it is no ZIP archive of fonts.
        """
        if self._is_fetched or self._blobs is None or not self._blobs.exists(FONTS_KEY):
            return False
        self._is_fetched = True
        unpack_fonts(self._blobs.read(FONTS_KEY), self._folder)
        return True


def unpack_fonts(archive: bytes, folder: Path) -> None:
    """Write the fonts of a ZIP archive side by side into a folder; what is none is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with zipfile.ZipFile(BytesIO(archive)) as packed:
            fonts = [one for one in packed.infolist() if PurePosixPath(one.filename).suffix.lower() in FONT_ENDINGS]
            if not fonts:
                raise InvalidSettings(f"{FONTS_KEY} holds no font: put .ttf, .otf or .ttc files into it")
            if sum(one.file_size for one in fonts) > MOST_BYTES:
                raise InvalidSettings(
                    f"{FONTS_KEY} unpacks to over {MOST_BYTES // 1_000_000} MB: put fewer fonts into it"
                )
            for number, one in enumerate(fonts):
                target = folder / f"{number}-{PurePosixPath(one.filename).name}"
                with tempfile.NamedTemporaryFile(dir=folder, suffix=".part", delete=False) as part:
                    with packed.open(one) as font:
                        shutil.copyfileobj(font, part)
                    part.close()
                    Path(part.name).rename(target)
    except zipfile.BadZipFile as error:
        raise InvalidSettings(f"{FONTS_KEY} is no ZIP archive: {error}") from None
