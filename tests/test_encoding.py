"""Encoders against slow twins that count one man at a time."""

import random

import numpy as np
import pytest
import reference
import russian_reference as russian_twin

from bgnet.game.board import START
from bgnet.game.russian import flip, pip_counts, place
from bgnet.game.variants import VARIANTS
from bgnet.nets.encoding import ENCODERS, EncoderError, encoder
from bgnet.nets.network import Architecture, Weights


def unit(men: int) -> list[float]:
    return [men == 1, men >= 2, men >= 3, max(men - 3, 0) / 3]


def points_twin(board: list[int]) -> list[float]:
    """``points`` of one board, by counting."""
    values: list[float] = []
    for point in range(1, 25):
        values += unit(max(board[point], 0)) + unit(max(-board[point], 0))
    return values + unit(board[25]) + unit(-board[0])


def test_points_counts_men() -> None:
    boards = reference.random_boards(random.Random(3), 50)
    found = encoder("points").encode(np.array(boards, np.int8))
    for board, values in zip(boards, found, strict=True):
        mine, his = [max(c, 0) for c in board], [max(-c, 0) for c in board]
        rest = [1 - sum(mine) / 15, 1 - sum(his) / 15,
                sum(p * c for p, c in enumerate(mine)) / 100,
                sum((25 - p) * c for p, c in enumerate(his)) / 100]  # fmt: skip
        np.testing.assert_allclose(values, points_twin(list(board)) + rest, atol=1e-5)


def test_tesauro198_counts_men() -> None:
    boards = reference.random_boards(random.Random(4), 50)
    found = encoder("tesauro198").encode(np.array(boards, np.int8))
    for board, values in zip(boards, found, strict=True):
        expected: list[float] = []
        for point in range(1, 25):
            for men in (board[point], -board[point]):
                expected += [men >= 1, men >= 2, men >= 3, max(men - 3, 0) / 2]
        off = [1 - sum(max(s * c, 0) for c in board) / 15 for s in (1, -1)]
        expected += [board[25] / 2, -board[0] / 2, *off, 1, 0]
        np.testing.assert_allclose(values, expected, atol=1e-5)


def test_no_positions() -> None:
    assert encoder("points").encode(START[None][:0]).shape == (0, 204)
    assert encoder("tesauro198").encode(START[None]).shape == (1, 198)


def test_unknown_encoder() -> None:
    with pytest.raises(EncoderError, match="no encoder is called 'x'; there are tesauro198"):
        encoder("x")


def test_russian_tells_all_that_the_row_remembers() -> None:
    rows = np.array(russian_twin.random_rows(random.Random(5), 60), np.int8)
    found = encoder("russian", "russian").encode(rows)
    pips = pip_counts(rows)
    for row, values, own_and_his in zip(rows, found, pips, strict=True):
        rest = []
        for side, far in zip((row, flip(row)), own_and_his, strict=True):
            men = [int(c) for c in side[1:27] if c > 0]
            rest += [1 - sum(men) / 15, far / 100, side[26] / 15, side[26] > 0, side[28]]
        rest += [row[30] == die for die in range(1, 7)]
        np.testing.assert_allclose(values, points_twin(row[:26].tolist()) + rest, atol=1e-5)
    assert len(np.unique(found, axis=0)) == len(np.unique(rows, axis=0))


def test_the_complement_pending_is_seen() -> None:
    rows = np.stack([place({20: 4, 26: 11}, {26: 15}, pending=p) for p in range(7)])
    assert len(np.unique(encoder("russian", "russian").encode(rows), axis=0)) == 7


@pytest.mark.parametrize("name", ENCODERS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_an_encoder_refuses_columns_that_it_does_not_know(name: str, variant: str) -> None:
    if (name == "russian") == (variant == "russian"):
        assert encoder(name, variant).columns == VARIANTS[variant].columns
    else:
        with pytest.raises(EncoderError, match=f"the encoder {name} reads rows of"):
            Architecture(name, (8,), variant=variant)


def test_a_network_of_russian_answers() -> None:
    architecture = Architecture("russian", (8,), variant="russian")
    rng = np.random.default_rng(1)
    layers = tuple((rng.normal(size=(out, n)).astype(np.float32), np.zeros(out, np.float32))
                   for n, out in architecture.sizes)  # fmt: skip
    rows = np.array(russian_twin.random_rows(random.Random(6), 20), np.int8)
    (weight, _), (last, _) = layers
    expected = np.maximum(architecture.encoding.encode(rows) @ weight.T, 0) @ last.T
    np.testing.assert_allclose(
        Weights(architecture, layers).logits(rows), expected, rtol=1e-4, atol=1e-4
    )
