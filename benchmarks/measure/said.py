"""A model that says one thing to whatever it is asked."""

from dataclasses import dataclass, field

from gleaner.contracts.ports import ModelAnswer, ModelRequest


@dataclass(slots=True)
class Said:
    """Says ``text`` to every prompt; ``prompts`` holds what was asked."""

    text: str
    name: str = "local:said"
    seconds: float = 0.0
    prompts: list[str] = field(default_factory=list[str])

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Answer in process."""
        self.prompts.append(request.prompt)
        return ModelAnswer(self.text, (len(request.system) + len(request.prompt)) // 4, len(self.text) // 4)
