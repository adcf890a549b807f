"""Lay the unpacked Chromium out as the Lambda layer: python pack.py UNPACKED ARTIFACTS.

/opt/lib holds its libraries, /opt/chromium the fonts, and chromium.zst and swiftshader.tar.zst, which the function
unpacks to /tmp.
"""

import shutil
import sys
import tarfile
from pathlib import Path

import zstandard

LEVEL = 12


def main(unpacked: Path, artifacts: Path) -> None:
    """Write the layer's files."""
    layer = artifacts / "chromium"
    shutil.copytree(unpacked / "lib", artifacts / "lib")
    shutil.copytree(unpacked / "fonts", layer / "fonts")
    shutil.copy(Path(__file__).with_name("fonts.conf"), layer / "fonts.conf")
    compressor = zstandard.ZstdCompressor(level=LEVEL, threads=-1, write_checksum=True)
    source = unpacked / "chromium"
    with source.open("rb") as plain, (layer / "chromium.zst").open("wb") as packed:
        compressor.copy_stream(plain, packed, size=source.stat().st_size)
    with (
        (layer / "swiftshader.tar.zst").open("wb") as packed,
        compressor.stream_writer(packed) as stream,
        tarfile.open(fileobj=stream, mode="w|") as archive,
    ):
        for path in sorted([*unpacked.glob("*.so"), *unpacked.glob("*.so.*"), *unpacked.glob("*.json")]):
            archive.add(path, path.name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
