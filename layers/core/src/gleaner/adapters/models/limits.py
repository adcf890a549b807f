"""What a server was seen to take: the context that prompt and answer share, and the longest answer it gives (EX-12)."""

from dataclasses import dataclass

from gleaner.contracts.ports import ModelRequest

CHARS_A_TOKEN = 3.0
"""Few enough that a prompt is not taken for shorter than it is: Markdown with addresses has 3 to 4, prose 4 to 5."""
MOST_CHARS_A_TOKEN = 8.0
"""No text has more, but for runs of blanks: a server that counts less has not read all of it."""
LEAST_CUT = 2_000
"""Tokens below which no server cuts a prompt in silence: Ollama's smallest default context has 2,048."""
STEP = 4_096
"""Contexts are asked for in steps, since Ollama loads its model anew for each other one."""


@dataclass(slots=True)
class LearnedLimits:
    """Tokens. None where nothing is known; a request's own limit counts then."""

    context: int | None = None
    most_output: int | None = None

    def output_for(self, request: ModelRequest) -> int:
        """Give the longest answer to ask for, so that it has room beside the prompt."""
        limit = min(request.max_output_tokens, self.most_output or request.max_output_tokens)
        if self.context is None:
            return limit
        return max(min(limit, self.context - prompt_tokens(request)), min(limit, 256))

    def context_for(self, request: ModelRequest) -> int:
        """Give the context to ask for where the client chooses it: prompt and answer, rounded up to a step."""
        wanted = prompt_tokens(request) + self.output_for(request)
        stepped = STEP
        while stepped < wanted:
            stepped *= 2
        return min(stepped, self.context or stepped)


def prompt_tokens(request: ModelRequest) -> int:
    """Estimate the tokens of a prompt, rather too many than too few."""
    return int((len(request.system) + len(request.prompt)) / CHARS_A_TOKEN) + 64


def was_cut_in_silence(request: ModelRequest, counted: int) -> bool:
    """Tell whether a server has read less than it was sent: it counts too few tokens, or exactly a context's size.

    >>> was_cut_in_silence(ModelRequest("", "word " * 6_000), 4_096)
    True
    """
    length = len(request.system) + len(request.prompt)
    if counted < LEAST_CUT or length < CHARS_A_TOKEN * counted:
        return False
    return length > MOST_CHARS_A_TOKEN * counted or counted % 1_024 in (0, 1_023)
