"""A reading process that says what it was given, and does not start."""

import os
import sys

if __name__ == "__main__":
    sys.exit(" ".join(f"{name}={os.environ.get(name)}" for name in ("LD_LIBRARY_PATH", "AWS_SECRET_ACCESS_KEY")))
