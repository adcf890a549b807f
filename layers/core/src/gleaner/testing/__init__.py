"""A model, a web site and faults for tests: Gleaner's own and its users'."""

from gleaner.testing.models import FunctionModel as FunctionModel
