"""Resigning what is lost, and accepting what is at least worth playing on."""

import numpy as np
import pytest

from bgnet.engine.resign import accept_resignation, losses, should_resign
from bgnet.game.match import MatchState, Owner

LOST = {points: np.eye(6)[2 + points] for points in (1, 2, 3)}


@pytest.mark.parametrize("points", [1, 2, 3])
def test_a_certain_loss_is_resigned_at_its_worth(points: int) -> None:
    state = MatchState(cube=2, owner=Owner.HIS)
    assert should_resign(LOST[points], state) == points
    offers = [accept_resignation(LOST[points], state, offer) for offer in (1, 2, 3)]
    assert offers == [offer >= points for offer in (1, 2, 3)]


def test_nobody_resigns_while_there_is_a_chance() -> None:
    assert should_resign(np.array([0.01, 0, 0, 0.99, 0, 0]), MatchState()) == 0
    assert should_resign(np.array([0, 0, 0, 0.9, 0.1, 0]), MatchState(cube=2)) == 0
    assert should_resign(np.eye(6)[0], MatchState()) == 0


def test_a_gammon_that_does_not_matter_is_a_single_game() -> None:
    assert should_resign(LOST[2], MatchState(jacoby=True)) == 1
    assert should_resign(LOST[2], MatchState(length=5, score=2, opponent_score=4)) == 1
    assert should_resign(LOST[3], MatchState(length=5, score=2, opponent_score=3)) == 2
    assert should_resign(LOST[3], MatchState(), scoring="american") == 1
    assert accept_resignation(LOST[2], MatchState(jacoby=True), 1)


def test_too_little_is_refused_and_playing_for_a_gammon_goes_on() -> None:
    """The opponent may win a gammon: a single game is accepted only if that is unlikely."""
    for gammon, accepted in ((0.0, True), (0.3, False)):
        outcomes = np.array([0, 0, 0, 1 - gammon, gammon, 0])
        assert accept_resignation(outcomes, MatchState(cube=2, owner=Owner.HIS), 1) is accepted


def test_a_risky_win_is_better_resigned_to() -> None:
    """Who would still lose sometimes accepts a single game even if a gammon is possible."""
    outcomes = np.array([0.2, 0, 0, 0.6, 0.2, 0])
    assert accept_resignation(outcomes, MatchState(cube=2, owner=Owner.MINE), 1)


def test_losses_never_get_smaller() -> None:
    assert losses(MatchState(cube=4)).tolist() == [-4, -8, -12]
    match = losses(MatchState(length=7, score=3, opponent_score=3))
    assert (np.diff(match) < 0).all()


def test_there_is_no_other_resignation() -> None:
    with pytest.raises(ValueError, match=r"1 \(a single game\), 2 \(a gammon\) or 3"):
        accept_resignation(LOST[1], MatchState(), 0)
