"""Models for tests, in process and without a network."""

from gleaner.extraction.function_model import FunctionModel

__all__ = ["FunctionModel"]
