"""What a finished game is worth: six exclusive outcomes and what each scores.

Outcomes are always those of **the side that rolls next**, in this order:
win, win gammon, win backgammon, lose, lose gammon, lose backgammon.
"""

import numpy as np

OUTCOMES = ("win", "win gammon", "win backgammon", "lose", "lose gammon", "lose backgammon")
WIN, WIN_GAMMON, WIN_BACKGAMMON, LOSE, LOSE_GAMMON, LOSE_BACKGAMMON = range(6)
#: What ``Variant.result`` says of a game that goes on.
ONGOING = -1

#: Points per outcome. English: gammons and backgammons count. American: every game is a hit.
SCORINGS = {
    "english": np.array([1, 2, 3, -1, -2, -3], np.float32),
    "american": np.array([1, 1, 1, -1, -1, -1], np.float32),
}
