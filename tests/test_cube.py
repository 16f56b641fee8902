"""Cubeful worth: closed formulas, identities, a slow twin of the match cube, and gnubg."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgnet.arena.gnubg_analyst import GnubgAnalyst, find_gnubg
from bgnet.engine.cube import cubeful, doubling_points, worth
from bgnet.engine.cube_decision import decide
from bgnet.engine.met import MatchEquityTable, MetError, match_equities, read_met
from bgnet.game.match import MatchState, Owner
from bgnet.game.scoring import OUTCOMES, SCORINGS
from bgnet.game.variants import HYPERGAMMON, STANDARD, Variant
from bgnet.nets.outcomes import equity, flip
from bgnet.notation.xgid import parse_xgid

MINE, HIS, CENTRE = Owner.MINE, Owner.HIS, Owner.CENTRE

SCORES = [
    MatchState(),
    MatchState(jacoby=True),
    MatchState(cube=4, owner=HIS),
    MatchState(cube=2, owner=MINE, max_cube=4),
    MatchState(length=7, score=2, opponent_score=4),
    MatchState(length=7, score=2, opponent_score=4, cube=2, owner=MINE),
    MatchState(length=7, score=2, opponent_score=4, cube=2, owner=HIS),
    MatchState(length=5, score=3, opponent_score=3),
    MatchState(length=5, score=2, opponent_score=4),
    MatchState(length=5, score=2, opponent_score=4, crawford=True),
    MatchState(length=11, score=8, opponent_score=1, cube=2, owner=HIS),
]


def random_outcomes(n: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.ones(6), n)


# --- identities ---------------------------------------------------------------------------------


@pytest.mark.parametrize("state", SCORES)
def test_what_one_side_wins_the_other_loses(state: MatchState) -> None:
    outcomes = random_outcomes(50)
    assert np.allclose(cubeful(outcomes, state), -cubeful(flip(outcomes), state.flip()))


@pytest.mark.parametrize("state", SCORES)
def test_the_right_to_double_never_hurts(state: MatchState) -> None:
    outcomes = random_outcomes(50)
    if state.owner is CENTRE:
        return
    owned = cubeful(outcomes, replace(state, owner=MINE))
    assert (owned >= cubeful(outcomes, replace(state, owner=HIS)) - 1e-12).all()


@pytest.mark.parametrize("state", SCORES)
def test_a_dead_cube_is_worth_the_mean_of_the_stakes(state: MatchState) -> None:
    outcomes = random_outcomes(50)
    stakes = worth(state, state.payoffs().astype(int))
    free = replace(state, max_cube=state.cube)  # nobody can turn it
    assert np.allclose(cubeful(outcomes, free), outcomes @ stakes)


@pytest.mark.parametrize("state", SCORES)
def test_finished_games_are_worth_their_stakes(state: MatchState) -> None:
    stakes = worth(state, state.payoffs().astype(int))
    assert np.allclose(cubeful(np.eye(6), state), stakes)


def test_no_position_at_all() -> None:
    for state in SCORES:
        assert cubeful(np.empty((0, 6), np.float32), state).shape == (0,)


@given(st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_the_interpolation_lies_between_dead_and_live(seed: int, efficiency: float) -> None:
    outcomes = random_outcomes(3, seed)
    for state in SCORES:
        dead, live = cubeful(outcomes, state, 0.0), cubeful(outcomes, state, 1.0)
        between = cubeful(outcomes, state, efficiency)
        assert (between >= np.minimum(dead, live) - 1e-9).all()
        assert (between <= np.maximum(dead, live) + 1e-9).all()


# --- money --------------------------------------------------------------------------------------


@pytest.mark.parametrize("x", [0.0, 0.5, 0.68, 1.0])
def test_janowskis_general_formulas_for_money(x: float) -> None:
    """Equities of his general model inside the window, W = 1.2 and L = 1.4 points."""
    chance = 0.55
    outcomes = np.array([[0.8 * chance, 0.2 * chance, 0, 0.6 * (1 - chance), 0.4 * (1 - chance),
                          0]])  # fmt: skip
    win, lose = 1.2, 1.4
    owned = chance * (win + lose + 0.5 * x) - lose
    his = chance * (win + lose + 0.5 * x) - lose - 0.5 * x
    centred = 4 / (4 - x) * (chance * (win + lose + 0.5 * x) - lose - 0.25 * x)
    found = [float(cubeful(outcomes, MatchState(cube=2, owner=o), x)[0]) for o in (MINE, HIS)]
    assert found == pytest.approx([2 * owned, 2 * his])
    # His centred cube is not quite an interpolation; ours agrees with it at both extremes.
    if x in (0.0, 1.0):
        assert cubeful(outcomes, MatchState(), x)[0] == pytest.approx(centred)


def test_jacoby_counts_gammons_once_the_cube_is_turned() -> None:
    gammonish = np.array([[0.2, 0.5, 0.0, 0.3, 0.0, 0.0]])
    dead = dict(efficiency=0.0)
    assert cubeful(gammonish, MatchState(jacoby=True), **dead)[0] == pytest.approx(0.4)
    assert cubeful(gammonish, MatchState(), **dead)[0] == pytest.approx(0.9)
    turned = MatchState(jacoby=True, cube=2, owner=HIS)
    assert cubeful(gammonish, turned, **dead)[0] == pytest.approx(1.8)
    assert cubeful(gammonish, turned)[0] == cubeful(gammonish, replace(turned, jacoby=False))[0]


def test_american_games_count_one() -> None:
    gammonish = np.array([[0.2, 0.5, 0.0, 0.3, 0.0, 0.0]])
    hits = np.array([[0.7, 0.0, 0.0, 0.3, 0.0, 0.0]])
    for state in SCORES:
        american = cubeful(gammonish, state, scoring="american")
        assert american == pytest.approx(cubeful(hits, state))


def test_cubeless_equity_is_that_of_a_cube_that_cannot_be_turned() -> None:
    outcomes = random_outcomes(20)
    assert np.allclose(cubeful(outcomes, MatchState(max_cube=1)), equity(outcomes))


# --- matches: a slow twin -----------------------------------------------------------------------


def slow_live(chance: float, gammons: tuple[float, float], state: MatchState) -> float:
    """The live cube of a match for one position, as plain recursion over offers.

    Walks from the state as it is to cubes that nobody can turn; take and cash points are found
    by bisection. Only singles and gammons; no free turn.
    """

    def stakes(sign: int, share: float) -> float:
        points = (sign * state.cube, 2 * sign * state.cube)
        single, double = (float(worth(state, p)) for p in points)
        return (1 - share) * single + share * double

    win, lose = stakes(1, gammons[0]), stakes(-1, gammons[1])
    lines = [(0.0, lose)]
    if state.opponent_may_double:
        passed = float(worth(state, -state.cube))
        mine = replace(state, cube=2 * state.cube, owner=MINE)
        lines.append((bisect(lambda p: slow_live(p, gammons, mine) - passed), passed))
    if state.may_double:
        cashed = float(worth(state, state.cube))
        his = replace(state, cube=2 * state.cube, owner=HIS)
        lines.append((bisect(lambda p: slow_live(p, gammons, his) - cashed), cashed))
    lines.append((1.0, win))
    return float(np.interp(chance, *zip(*lines, strict=True)))


def bisect(rising) -> float:  # type: ignore[no-untyped-def]
    low, high = 0.0, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return low


@pytest.mark.parametrize(
    "state",
    [
        MatchState(length=5, score=1, opponent_score=2),
        MatchState(length=5, score=0, opponent_score=2, cube=2, owner=HIS),
        MatchState(length=4, score=0, opponent_score=1, cube=2, owner=MINE),
        MatchState(length=5, score=3, opponent_score=2),
        MatchState(length=3, score=1, opponent_score=1),
    ],
)
def test_live_cube_of_a_match_against_plain_recursion(state: MatchState) -> None:
    gammons = (0.25, 0.15)
    for chance in (0.1, 0.45, 0.7, 0.95):
        outcomes = np.array([[chance * 0.75, chance * 0.25, 0,
                              (1 - chance) * 0.85, (1 - chance) * 0.15, 0]])  # fmt: skip
        expected = slow_live(chance, gammons, state)
        assert cubeful(outcomes, state, 1.0)[0] == pytest.approx(expected, abs=1e-6)


def test_a_trailer_with_nothing_to_lose_is_worth_as_much_as_after_his_double() -> None:
    """Post-Crawford three away, he doubles at once: waiting a moment makes no difference."""
    state = MatchState(length=5, score=2, opponent_score=4)
    outcomes = np.array([[0.35, 0.1, 0, 0.4, 0.15, 0]])
    doubled = cubeful(outcomes, state.double().take())
    assert cubeful(outcomes, state) == pytest.approx(doubled)


def test_a_score_outside_the_table_is_refused() -> None:
    short = MatchEquityTable("short", match_equities(3).before, match_equities(3).after)
    with pytest.raises(MetError, match="short goes to 3 points away, not to 5"):
        cubeful(random_outcomes(1), MatchState(length=5), met=short)
    with pytest.raises(MetError, match="1 to 64 points, not to 65"):
        cubeful(random_outcomes(1), MatchState(length=65))
    assert np.isfinite(cubeful(random_outcomes(1), MatchState(length=64))).all()


# --- doubling points ----------------------------------------------------------------------------

NO_GAMMONS = np.array([0.5, 0, 0, 0.5, 0, 0])


def test_doubling_points_at_scores() -> None:
    """Two away each, a double is the last one: take with what passing leaves, 32 %."""
    points = doubling_points(NO_GAMMONS, MatchState(length=5, score=3, opponent_score=3))
    take = float(match_equities().chance(2, 1))
    assert points == pytest.approx((take, take, 1 - take, 1 - take))


def test_a_side_whose_double_is_dead_has_no_points() -> None:
    """The leader after the Crawford game cannot double, so nobody has to take from him."""
    points = doubling_points(NO_GAMMONS, MatchState(length=5, score=4, opponent_score=2))
    assert np.isfinite(points[:2]).all() and np.isnan(points[2:]).all()
    assert np.isnan(doubling_points(NO_GAMMONS, MatchState(length=1))).all()


# --- what finished games score ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "points", "variant"),
    [
        ("--------------------d---j-", 1, STANDARD),  # one off: single
        ("---a----------------d---j-", 3, STANDARD),  # none off, one in the winner's home
        ("a-----------------------m-", 1, STANDARD),  # on the bar, but one off
        ("------b---b----------abbf-", 3, STANDARD),  # two on the winner's 6 point
        ("------------a-----------b-", 2, HYPERGAMMON),  # three men, none off
    ],
)
def test_points_of_a_finished_game(text: str, points: int, variant: Variant) -> None:
    """Boards as the winner sees them, who has no man left."""
    board = np.array([0 if c == "-" else 96 - ord(c) for c in text], np.int8)
    outcome = int(variant.result(board[None])[0])
    assert MatchState().points(outcome) == points, OUTCOMES[outcome]


@pytest.mark.parametrize(
    ("rules", "points"), [("1:-1:1:61:0:0:1:0:10", 4), ("0:0:1:61:0:0:0:5:10", 2)]
)
def test_a_gammon_with_the_jacoby_rule_and_in_a_match(rules: str, points: int) -> None:
    """One man left to bear off against fifteen: doubled for money with Jacoby; in a match."""
    position = parse_xgid("XGID=-A-----------------eee----:" + rules)
    plays = STANDARD.legal_plays(position.board[None], np.array([position.roll]))
    outcome = (int(STANDARD.result(plays.boards)[0]) + 3) % 6  # seen by the winner
    assert position.match.points(outcome) == points
    assert SCORINGS["english"][outcome] == 2


# --- gnubg --------------------------------------------------------------------------------------


@pytest.mark.peers
@pytest.mark.skipif(find_gnubg() is None, reason="gnubg is not installed")
def test_equities_are_gnubgs_where_it_uses_the_same_model() -> None:
    """From gnubg's chances and table, contact positions: the same cubeful equities.

    Left out are scores where the only side that may double has nothing to lose, and two away
    each: gnubg takes the cube for dead there before it is turned.
    """
    met = read_met(Path("/usr/share/gnubg/met/Kazaross-XG2.xml"))
    xgids = ("-b----E-C---eE---c-e----B-", "-BcBECB--a--------abbbbb--")
    boards = [parse_xgid(xgid).board for xgid in xgids]
    states = [
        *SCORES[:3],
        *(s for s in SCORES[4:7]),
        MatchState(length=11, score=3, opponent_score=9),
        MatchState(length=9, score=2, opponent_score=1, cube=2, owner=MINE),
        MatchState(length=5, score=2, opponent_score=4, crawford=True),
    ]
    pairs = [(board, state) for board in boards for state in states]
    with GnubgAnalyst() as analyst:
        theirs = analyst.ask(np.stack([b for b, _ in pairs]), [s for _, s in pairs], ply=0)
    for (_, state), outcomes, equities in zip(pairs, *theirs, strict=True):
        held = float(cubeful(outcomes[None], state, met=met)[0])
        taken = None
        if state.may_double:
            taken = float(cubeful(outcomes[None], state.double().take(), met=met)[0])
        decision = decide(held, taken, state, met)
        assert decision.no_double == pytest.approx(equities[0], abs=2e-4)
        if taken is not None:
            assert decision.double_take == pytest.approx(equities[1], abs=2e-4)
