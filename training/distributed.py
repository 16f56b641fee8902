"""Several processes that learn one network: each plays its own games, gradients are averaged.

Started by ``torchrun``, or by us when a config asks for several processes.
"""

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import distributed, multiprocessing


@dataclass(frozen=True)
class Group:
    """This process among those that learn together."""

    rank: int = 0
    """Which one this is; 0 keeps the books."""
    size: int = 1
    """How many there are."""

    @property
    def leads(self) -> bool:
        """Whether this process keeps the books."""
        return self.rank == 0

    def average_gradients(self, parameters: list[torch.nn.Parameter]) -> None:
        """Replace each gradient by the mean over all processes."""
        if self.size == 1:
            return
        gradients = [p.grad for p in parameters if p.grad is not None]
        flat = torch.cat([g.reshape(-1) for g in gradients])
        distributed.all_reduce(flat)
        flat /= self.size
        sizes = [g.numel() for g in gradients]
        for gradient, mean in zip(gradients, flat.split(sizes), strict=True):
            gradient.copy_(mean.view_as(gradient))

    def total(self, numbers: list[float]) -> list[float]:
        """Sums over all processes."""
        if self.size == 1:
            return numbers
        tensor = torch.tensor(numbers, dtype=torch.float64)
        distributed.all_reduce(tensor)
        return tensor.tolist()

    def from_leader(self, numbers: list[float]) -> list[float]:
        """The leader's numbers, everywhere."""
        if self.size == 1:
            return numbers
        tensor = torch.tensor(numbers, dtype=torch.float64)
        distributed.broadcast(tensor, 0)
        return tensor.tolist()

    def wait(self) -> None:
        """Wait until every process has come here."""
        if self.size > 1:
            distributed.barrier()


def _work(rank: int, size: int, port: int, job: Callable[[Group], None]) -> None:
    """One process of several on this machine."""
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port),
                      RANK=str(rank), WORLD_SIZE=str(size))  # fmt: skip
    distributed.init_process_group("gloo")
    try:
        job(Group(rank, size))
    finally:
        distributed.destroy_process_group()


def launch(job: Callable[[Group], None], processes: int) -> None:
    """Do a job in so many processes at once; this one leads.

    Under ``torchrun`` the processes exist already and their number is torchrun's.

    Args:
        job: called in every process with its ``Group``; must be picklable, since it is sent to
            the processes that are started.
        processes: how many.
    """
    if "TORCHELASTIC_RUN_ID" in os.environ:
        distributed.init_process_group("gloo")
        try:
            job(Group(distributed.get_rank(), distributed.get_world_size()))
        finally:
            distributed.destroy_process_group()
    elif processes == 1:
        job(Group())
    else:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        context = multiprocessing.get_context("spawn")
        helpers = [
            context.Process(target=_work, args=(rank, processes, port, job), daemon=True)
            for rank in range(1, processes)
        ]
        for helper in helpers:
            helper.start()
        _work(0, processes, port, job)
        for helper in helpers:
            helper.join()
