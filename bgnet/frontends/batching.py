"""Questions that come together are answered together: one forward pass for many requests."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")

#: Questions answered at once: more make the first wait for the last.
LARGEST = 32
#: Questions that may wait; who comes later is sent away.
MOST_WAITING = 1024


class OverloadedError(Exception):
    """Too many questions are waiting."""


class Batcher(Generic[Question, Answer]):
    """A queue in front of a function that answers many questions at once.

    Nobody waits for company: while some questions are being answered, in a thread, those that
    come meanwhile make up the next batch. To be asked from one event loop.

    >>> async def two() -> list[int]:
    ...     batcher = Batcher(lambda batch: [len(batch)] * len(batch))
    ...     return await asyncio.gather(batcher.ask("a"), batcher.ask("b"))
    >>> asyncio.run(two())
    [2, 2]
    """

    def __init__(self, answer: Callable[[list[Question]], list[Answer]]) -> None:
        """
        Args:
            answer: the answers to some questions, in their order. It is called in a thread of
                its own, one batch at a time.
        """
        self._answer = answer
        self._waiting: list[tuple[Question, asyncio.Future[Answer]]] = []
        self._working: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "batch")

    async def ask(self, question: Question) -> Answer:
        """The answer to one question.

        Raises:
            OverloadedError: too many are waiting.
            Exception: whatever the question alone makes the function raise.
        """
        if len(self._waiting) >= MOST_WAITING:
            raise OverloadedError("too many requests are waiting; try again later")
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((question, future))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        return await future

    async def _work(self) -> None:
        """Answer until nobody waits."""
        while self._waiting:
            batch, self._waiting = self._waiting[:LARGEST], self._waiting[LARGEST:]
            await self._serve(batch)

    async def _serve(self, batch: list[tuple[Question, "asyncio.Future[Answer]"]]) -> None:
        """Answer one batch; a question that cannot be answered does not spoil the others."""
        loop = asyncio.get_running_loop()
        questions = [question for question, _ in batch]
        try:
            answers = await loop.run_in_executor(self._thread, self._answer, questions)
        except Exception as error:
            if len(batch) == 1:
                if not batch[0][1].done():
                    batch[0][1].set_exception(error)
                return
            for one in batch:
                await self._serve([one])
            return
        for (_, future), answer in zip(batch, answers, strict=True):
            if not future.done():  # who asked may have gone away
                future.set_result(answer)
