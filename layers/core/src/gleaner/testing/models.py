"""In-process models for tests."""

from gleaner.extraction.function_model import FunctionModel

__all__ = ["FunctionModel"]
