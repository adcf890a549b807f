"""An answer's text read as JSON, and what is wrong with one that is broken as a whole (EX-13)."""

from gleaner.contracts.json_text import canonical
from gleaner.extraction.prompts import echoes_fence
from gleaner.results.answer_json import Answer, UnreadableAnswer, read_answer

ECHO = "the answer repeats the lines around the page's text: give what the task asks for, and nothing of the prompt"
NO_SOUND_JSON = (
    'a part of the answer could not be read: give valid JSON, with \\" for each quotation mark within a text'
)
"""What the model is told of an answer of which the repair leaves something out."""

LOSSY = "chunk {}: the model's answer was no valid JSON, and a part of it could not be read"
"""What the caller is told where the model keeps to it."""


def read_sound_answer(text: str) -> Answer:
    """Give the JSON value of an answer as ``read_answer`` does; UnreadableAnswer where it echoes the prompt, too."""
    read = read_answer(text)
    if echoes_fence(text) and echoes_fence(canonical(read.value)):
        raise UnreadableAnswer(ECHO)
    return read
