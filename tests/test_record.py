"""A game written down: turns, cube, ends, and playing it through again."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgnet.game.board import START
from bgnet.game.match import MatchError, MatchState, Offer, Owner
from bgnet.game.referee import IllegalPlayError
from bgnet.game.setup import PositionError
from bgnet.game.variants import HYPERGAMMON, NACKGAMMON, STANDARD
from bgnet.notation.errors import NotationError
from bgnet.notation.record import Action, GameRecord, Kind, MatchRecord, Scoresheet
from bgnet.position import Position

PLAY, FORFEIT, DOUBLE, TAKE, DROP, BEAVER, RESIGN, SETUP = Kind


def sheet(*actions: Action, **match) -> Scoresheet:
    written = Scoresheet(MatchState(seat=0, **match))
    for action in actions:
        written.act(action)
    return written


def play(player: int, roll: str, text: str) -> Action:
    return Action(player, PLAY, (int(roll[0]), int(roll[1])), text)


def random_record(rng: random.Random, set_ups: bool = False) -> MatchRecord:
    """A short match of random plays and cubes, its last game perhaps not finished."""
    length = rng.choice([0, 1, 3, 7])
    variant = rng.choice([STANDARD, STANDARD, NACKGAMMON, HYPERGAMMON])
    record = MatchRecord(
        players=(rng.choice(["anna", "bo b", "c: 3]", "d\\e"]), "x"),
        length=length,
        games=(),
        variant=variant,
        jacoby=not length and rng.random() < 0.5,
        beavers=not length,
    )
    games: list[GameRecord] = []
    state: MatchState | None = record.scoresheet((0, 0), False).match
    while state and len(games) < 2:
        written = Scoresheet(state, variant)
        random_game(rng, written, set_ups)
        games.append(written.record())
        if written.winner is None:
            break
        state = state.next_game(written.points if written.winner == 0 else -written.points)
    # Beavers are known to a reader only if there were any.
    beavered = any(action.kind is BEAVER for game in games for action in game.actions)
    return MatchRecord(
        record.players, length, tuple(games), variant, record.jacoby, beavered and record.beavers
    )


def random_game(rng: random.Random, written: Scoresheet, set_ups: bool) -> None:
    """Up to 10 actions of either side."""
    player = rng.randrange(2)
    lost = False
    for number in reversed(range(rng.randrange(10))):
        if written.winner is not None:
            return
        player = written.to_act if written.started else player
        if written.match.offer is not Offer.NONE:
            kinds = [TAKE, DROP] + [BEAVER] * (
                written.match.beavers and written.match.offer == "double"
            )
            written.act(Action(player, rng.choice(kinds)))
        elif written.started and not lost and rng.random() < 0.05:
            written.act(Action(player, RESIGN, points=rng.randint(1, 3) * written.match.cube))
        elif written.started and written.match.may_double and rng.random() < 0.2:
            written.act(Action(player, DOUBLE))
        elif set_ups and rng.random() < 0.1:
            board = tuple(written.board.tolist())
            written.act(Action(player, SETUP, board=board, cube=4, owner=rng.choice(list(Owner))))
        else:
            roll = rng.randint(1, 6), rng.randint(1, 6)
            board = written.board
            if not written.started and player != written.on_roll:
                board = written.variant.flip(board)
            text = rng.choice(Position(board, variant=written.variant).legal_plays(roll)).text
            # The first throw, or one before the end of the record, does not read as a turn lost.
            lost = written.started and number > 0 and text != "Cannot Move" and rng.random() < 0.1
            dice = max(roll), min(roll)
            written.act(Action(player, FORFEIT, dice) if lost else Action(player, PLAY, dice, text))


def for_gnubg(rng: random.Random) -> MatchRecord:
    """A random record without what gnubg's readers stumble over: escapes and colons in names,
    matches without an action, turns lost, and records that stop between a double and a throw."""
    while True:
        record = random_record(rng)
        actions = [action.kind for game in record.games for action in game.actions]
        if (
            record.players[0] in ("anna", "bo b")
            and record.games[0].actions
            and not {FORFEIT, BEAVER} & set(actions)
            and actions[-1] not in (DOUBLE, TAKE)
        ):
            return record


def test_turns():
    written = sheet(play(1, "13", "6/5 8/5"), length=5)
    assert (written.on_roll, written.to_act) == (0, 0)
    assert written.moments[0].action.text == "8/5 6/5"
    assert written.moments[0].action.roll == (3, 1)
    assert (written.moments[0].board == START).all()
    with pytest.raises(NotationError, match="out of turn"):
        written.act(play(1, "31", "8/5 6/5"))
    with pytest.raises(IllegalPlayError):
        written.act(play(0, "31", "8/5"))
    assert len(written.moments) == 1


def test_cube():
    opening = play(0, "31", "8/5 6/5")
    written = sheet(opening, Action(1, DOUBLE), length=7, score=2)
    assert (written.on_roll, written.to_act) == (1, 0)
    with pytest.raises(NotationError, match="out of turn"):
        written.act(play(1, "31", "8/5 6/5"))
    written.act(Action(0, TAKE))
    assert written.to_act == 1 and written.match.owner is Owner.HIS
    written.act(play(1, "31", "8/5 6/5"))
    written.act(Action(0, DOUBLE))
    written.act(Action(1, DROP))
    assert written.record() == GameRecord(
        (2, 0), False, tuple(moment.action for moment in written.moments), winner=0, points=2
    )
    with pytest.raises(NotationError, match="over"):
        written.act(opening)
    with pytest.raises(MatchError, match="Crawford"):
        sheet(opening, Action(1, DOUBLE), length=3, score=2, crawford=True)


def test_beaver():
    actions = [play(0, "31", "8/5 6/5"), Action(1, DOUBLE), Action(0, BEAVER)]
    written = sheet(*actions, beavers=True)
    assert (written.to_act, written.match.offer) == (1, Offer.BEAVER)
    written.act(Action(1, TAKE))
    assert (written.match.cube, written.match.owner, written.on_roll) == (4, Owner.HIS, 1)
    dropped = sheet(*actions, Action(1, DROP), beavers=True)
    assert (dropped.winner, dropped.points) == (0, 2)


def test_ends():
    last = tuple([0, 1] + [0] * 22 + [-15, 0])
    up = Action(1, SETUP, board=last, cube=2, owner=Owner.MINE)
    assert (won := sheet(up, play(1, "31", "1/off"))).winner == 1 and won.points == 4
    assert won.moments[-1].steps[0].source == 1
    given_up = sheet(play(0, "31", "8/5 6/5"), Action(0, RESIGN, points=3))
    assert (given_up.winner, given_up.points) == (1, 3)
    with pytest.raises(PositionError):
        sheet(Action(0, SETUP, board=(0,) * 26))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_a_record_can_be_played_through_again(seed):
    record = random_record(random.Random(seed), set_ups=True)
    for game in record.games:
        moments = list(record.moments(game))
        assert tuple(moment.action for moment in moments) == game.actions
        for before, after in pairwise(moments):
            turned = before.match.seat != after.match.seat
            if before.action.kind in (DOUBLE, TAKE, BEAVER):
                assert not turned and (before.board == after.board).all()
            elif before.action.kind is PLAY and after.action.kind is not SETUP:
                assert turned
