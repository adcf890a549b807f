"""What these tests share: retries that do not wait, and Gleaners that are closed at the end."""

from tests.support.asking import make, no_waiting, pages

__all__ = ["make", "no_waiting", "pages"]
