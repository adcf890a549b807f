"""A model, a web site and faults for tests: Gleaner's own and its users'."""

from gleaner.testing.models import FunctionModel
from gleaner.testing.scripted import Faults, ScriptedModel, TrueRecord, truth_of
from gleaner.testing.server import ScriptedModelServer
from gleaner.testing.site import Site

__all__ = ["Faults", "FunctionModel", "ScriptedModel", "ScriptedModelServer", "Site", "TrueRecord", "truth_of"]
