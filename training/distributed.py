"""Several processes that learn one network: each plays and learns from its own games, and after
every round their weights are averaged.

Averaging gradients at every step instead was measured to leave two cores idle a third of the time,
waiting for each other; once a round costs nothing.

Started by ``torchrun``, or by us when a config asks for several processes.
"""

import contextlib
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import torch
from torch import distributed, multiprocessing

# Longer than any duel for which the others wait; a process that dies is noticed at once anyway.
_PATIENCE = timedelta(days=1)


class ProcessError(RuntimeError):
    """One of the processes failed; says why."""


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

    def average(self, tensors: list[torch.Tensor]) -> None:
        """Replace each tensor, in place, by the mean over all processes."""
        if self.size == 1:
            return
        flat = torch.cat([t.reshape(-1) for t in tensors])
        distributed.all_reduce(flat)
        flat /= self.size
        parts = flat.split([t.numel() for t in tensors])
        for tensor, mean in zip(tensors, parts, strict=True):
            tensor.copy_(mean.view_as(tensor))

    def total(self, number: float) -> float:
        """The sum over all processes."""
        if self.size == 1:
            return number
        tensor = torch.tensor([number], dtype=torch.float64)
        distributed.all_reduce(tensor)
        return tensor.item()

    def from_leader(self, number: float) -> float:
        """The leader's number, everywhere."""
        if self.size == 1:
            return number
        tensor = torch.tensor([number], dtype=torch.float64)
        distributed.broadcast(tensor, 0)
        return tensor.item()

    def wait(self) -> None:
        """Wait until every process has come here."""
        if self.size > 1:
            distributed.barrier()


Job = Callable[[Group], None]


def under_torchrun() -> bool:
    """Whether ``torchrun`` has started this process."""
    return "TORCHELASTIC_RUN_ID" in os.environ


def launch(job: Job, processes: int) -> None:
    """Do a job in so many processes at once; this one leads.

    Under ``torchrun`` the processes exist already and their number is torchrun's.

    Args:
        job: called in every process with its ``Group``; must be picklable, since it is sent to
            the processes that are started.
        processes: how many.

    Raises:
        ProcessError: another process failed.
    """
    if under_torchrun():
        distributed.init_process_group("gloo", timeout=_PATIENCE)
        _do(job)
    elif processes == 1:
        job(Group())
    else:
        with tempfile.TemporaryDirectory() as folder:
            _lead(job, processes, Path(folder) / "rendezvous")


def _do(job: Job) -> None:
    """Do a job in a group that has been formed."""
    try:
        job(Group(distributed.get_rank(), distributed.get_world_size()))
    finally:
        distributed.destroy_process_group()


def _join(rank: int, size: int, meeting: Path) -> None:
    """Form the group of processes on this machine."""
    distributed.init_process_group(
        "gloo", init_method=f"file://{meeting}", rank=rank, world_size=size, timeout=_PATIENCE
    )


def _follow(rank: int, size: int, meeting: Path, job: Job, reasons: Connection) -> None:
    """One process of several on this machine, other than the leader; tells why it failed."""
    try:
        _join(rank, size, meeting)
        _do(job)
    except BaseException as error:
        with contextlib.suppress(BrokenPipeError):  # the leader may have failed first
            reasons.send(f"process {rank}: {type(error).__name__}: {error}")


def _lead(job: Job, size: int, meeting: Path) -> None:
    """Start the other processes and take part."""
    context = multiprocessing.get_context("spawn")
    reasons, tell = context.Pipe(duplex=False)
    others = [
        context.Process(target=_follow, args=(rank, size, meeting, job, tell), daemon=True)
        for rank in range(1, size)
    ]
    for other in others:
        other.start()
    tell.close()
    try:
        _join(0, size, meeting)
        _do(job)
    except RuntimeError as error:
        # A process that dies breaks the connection, which is all that the leader sees of it.
        told = None
        with contextlib.suppress(EOFError):  # killed from outside, it could not tell
            told = reasons.recv() if reasons.poll(10) else None
        raise ProcessError(told or str(error)) from error
    for other in others:
        other.join()
