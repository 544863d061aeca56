"""The smallest task, for tests."""

from pydantic import BaseModel

from finrag.llm.tasks import Task


class Echo(BaseModel):
    """The text in capitals."""

    text: str
    length: int


def baseline(inputs: dict) -> Echo:
    return Echo(text=inputs["text"].upper(), length=len(inputs["text"]))


TASK = Task("echo", version=1, output=Echo, baseline=baseline)
