"""Everything that a run reports of itself, each number explained once."""

import json
from pathlib import Path

import numpy as np
from torch.utils.tensorboard import SummaryWriter

from bgnet.nets.checkpoint import write_whole

#: What every scalar means, in TensorBoard and in ``metrics.jsonl``.
EXPLAINED = {
    "loss": "cross-entropy between predicted outcomes and targets, nats, mean over the steps",
    "td_error": "root mean square of target minus prediction of the equity, points",
    "game_length": "turns of both sides until a game ended or a table knew the rest",
    "gammon_rate": "share of finished games that were gammons or backgammons",
    "backgammon_rate": "share of finished games that were backgammons",
    "calibration": "mean distance between the predicted P(win) and how often it came true, over "
    "ten bins of P(win), weighted by how often each occurred; 0 is perfect",
    "learning_rate": "step size of the optimiser",
    "scout_window": "how far below its best play, in points, the scout still finds another "
    "promising; what it takes to miss one best play in a hundred",
    "lambda": "how far targets look past the next position",
    "games": "games finished since the run began, all processes",
    "games_per_second": "games finished a second, learning included, all processes",
    "steps_per_second": "steps of the optimiser a second",
    "duel/NAME": "points a game of the averaged network against NAME",
    "duel_error/NAME": "standard error of that",
    "duel_wins/NAME": "share of games won against NAME",
}


class Calibration:
    """How often what was predicted came true, over finished games."""

    BINS = 10
    #: Predictions gathered before an error is told: of a few it would be mostly chance.
    ENOUGH = 100_000

    def __init__(self, games: int) -> None:
        self._side = np.ones(games, np.int8)  # +1: the side to roll is the one followed
        self._count = np.zeros((games, self.BINS), np.int32)
        self._predicted = np.zeros((games, self.BINS), np.float32)
        self._total = np.zeros((3, self.BINS))  # positions, sum of predictions, sum of results

    def watch(self, win: np.ndarray, again: np.ndarray | None, ended: np.ndarray) -> None:
        """Note one turn of every game.

        Args:
            win: ``(n,)`` predicted chance of a win after the turn, of the side that decides there;
                where the game ended the result, or the exact chance that a table gave.
            again: ``(n,)`` bool, same side decides again; None for never.
            ended: ``(n,)`` bool.
        """
        self._side *= -1 if again is None else np.where(again, 1, -1).astype(np.int8)
        followed = np.where(self._side > 0, win, 1 - win)
        on = np.flatnonzero(~ended)
        which = np.minimum((followed[on] * self.BINS).astype(int), self.BINS - 1)
        self._count[on, which] += 1
        self._predicted[on, which] += followed[on]
        over = np.flatnonzero(ended)
        count = self._count[over]
        self._total += [count.sum(0), self._predicted[over].sum(0),
                        (count * followed[over, None]).sum(0)]  # fmt: skip
        self._count[over] = 0
        self._predicted[over] = 0
        self._side[over] = 1

    def error(self) -> float | None:
        """Mean distance of prediction and result since it was last told; None till then."""
        count, predicted, came_true = self._total
        if count.sum() < self.ENOUGH:
            return None
        self._total = np.zeros_like(self._total)
        return float(np.abs(predicted - came_true).sum() / count.sum())


class Journal:
    """Writes a run's numbers to TensorBoard and to ``metrics.jsonl``."""

    def __init__(self, folder: Path, settings: str, games: int = 0) -> None:
        """Open the journal of a run folder; what a killed run wrote after its last state goes.

        Args:
            folder: the run.
            settings: the config as text, shown beside the curves.
            games: how far the run is.
        """
        lines = folder / "metrics.jsonl"
        if lines.exists():
            kept = [line for line in lines.read_text(encoding="utf-8").splitlines(keepends=True)
                    if line.endswith("\n") and json.loads(line)["games"] <= games]  # fmt: skip
            write_whole(lines, "".join(kept).encode())
        self._board = SummaryWriter(str(folder), purge_step=games or None)
        self._board.add_text("config", f"```\n{settings}```")
        self._board.add_text("what the curves are", "\n".join(
            f"- **{name}**: {text}" for name, text in EXPLAINED.items()))  # fmt: skip
        self._lines = open(lines, "a", encoding="utf-8")  # noqa: SIM115

    def note(self, games: int, minutes: float, numbers: dict[str, float]) -> None:
        """Record numbers at this point of the run."""
        for name, value in numbers.items():
            self._board.add_scalar(name, value, games)
        self._lines.write(json.dumps({"games": games, "minutes": minutes, **numbers}) + "\n")
        self._lines.flush()

    def close(self) -> None:
        """Finish writing."""
        self._board.close()
        self._lines.close()
