"""A model object that the caller passes in (LB-1): what it raises fails one call, which is retried."""

from gleaner.contracts.errors import GleanerError, ModelUnavailable
from gleaner.contracts.ports import Model, ModelAnswer, ModelRequest


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
        except (Exception, SystemExit) as error:  # a stranger's code: what it raises is not known
            raise ModelUnavailable(f"the model raised {type(error).__name__}: {error}") from error
        kind = type(self._model).__name__
        if not isinstance(answer, ModelAnswer):
            raise ModelUnavailable(f"{kind}.answer returned {type(answer).__name__} instead of a ModelAnswer")
        if not isinstance(answer.text, str):
            raise ModelUnavailable(f"{kind}.answer returned a text of type {type(answer.text).__name__} instead of str")
        return answer
