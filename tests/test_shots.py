"""Foster's chances, and shots by trying every throw one at a time."""

import random

import numpy as np
import pytest
import reference

from bgnet.game.board import place
from bgnet.game.russian import place as place_russian
from bgnet.game.shots import odds, open_shots, shots
from bgnet.game.variants import RUSSIAN

#: Foster, *Backgammon, or Tric-Trac*: "the odds against being hit by a given number, either on
#: one or on both dice".
FOSTER = {1: "25 to 11", 2: "24 to 12", 3: "22 to 14", 4: "21 to 15", 5: "21 to 15", 6: "19 to 17",
          7: "30 to 6", 8: "30 to 6", 9: "31 to 5", 10: "33 to 3", 11: "34 to 2",
          12: "35 to 1"}  # fmt: skip


@pytest.mark.parametrize("distance", range(1, 12))
def test_fosters_table(distance: int) -> None:
    assert odds(open_shots()[distance]) == f"{FOSTER[distance]} against"


def test_foster_is_wrong_about_twelve() -> None:
    # His 35 to 1 counts 6-6 alone. A man that plays a doublet moves up to four times, so that
    # 4-4 (three fours) and 3-3 (four threes) arrive as well.
    assert odds(open_shots()[12]) == "33 to 3 against"
    hitting = [
        (a, b) for a in range(1, 7) for b in range(1, 7)
        if 12 in ([a, b, a + b] if a != b else [a, 2 * a, 3 * a, 4 * a])
    ]  # fmt: skip
    assert hitting == [(3, 3), (4, 4), (6, 6)]


def test_far_away_only_doublets_hit() -> None:
    far = {d: n for d, n in open_shots().items() if d > 12}
    assert {d: n for d, n in far.items() if n} == {15: 1, 16: 1, 18: 1, 20: 1, 24: 1}


def test_blocked_points_protect() -> None:
    assert shots(place({7: 1}, {24: 1})[None])[0] == 17
    assert shots(place({7: 1}, {24: 1, 20: 2})[None])[0] == 17 - 1  # 2-2 has no way
    assert shots(place({7: 1}, {24: 1, 20: 2, 22: 2})[None])[0] == 17 - 1 - 2  # nor has 4-2
    assert shots(place({25: 2, 7: 1}, {24: 1})[None])[0] == 2  # two enter first: 6-6 and 3-3


def test_like_trying_every_throw() -> None:
    boards = reference.random_boards(random.Random(8), 40)
    for board, found in zip(boards, shots(np.array(boards, np.int8)).tolist(), strict=True):
        count = 0
        for a in range(1, 7):
            for b in range(1, 7):
                results = reference.legal_results(board, (a, b))
                # Seen by the opponent his bar is slot 25; a man hit is one more on it.
                count += any(after[25] > -board[0] for after in results)
        assert found == count


def test_where_both_sides_move_the_same_way() -> None:
    row = place_russian({10: 1, 1: 14}, {4: 1, 2: 14})
    assert shots(row[None], RUSSIAN)[0] == 17
    ahead = place_russian({4: 1, 2: 14}, {10: 1, 1: 14})
    assert shots(ahead[None], RUSSIAN)[0] == 0


def test_no_positions() -> None:
    assert shots(np.zeros((0, 26), np.int8)).shape == (0,)
