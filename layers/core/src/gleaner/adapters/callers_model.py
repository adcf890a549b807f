"""A model that the caller brought (LB-1): whatever it raises is a fault of one call, to be tried again."""

from gleaner.errors import GleanerError, ModelUnavailable
from gleaner.ports import Model, ModelAnswer, ModelRequest


class CallersModel:
    """Asks the caller's own model. Its unknown errors become ModelUnavailable, which the state machine retries.

    So one stumble of somebody's HTTP library costs one call, and not the chunk.
    """

    def __init__(self, model: Model, name: str) -> None:
        self._model = model
        self.name = name

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Give the model's answer. Errors of Gleaner's own go through as they are."""
        try:
            answer = self._model.answer(request)
        except GleanerError:
            raise
        except Exception as error:  # a stranger's code: what it raises is not known
            raise ModelUnavailable(f"the model raised {type(error).__name__}: {error}") from error
        if not isinstance(answer, ModelAnswer):
            kind = type(self._model).__name__
            raise ModelUnavailable(f"{kind}.answer gave {type(answer).__name__}, and is to give a ModelAnswer")
        return answer
