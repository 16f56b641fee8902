"""Bear-off tables against slow twins and against gnubg's databases."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import reference

from bgnet.engine import bearoff, bearoff_cache
from bgnet.engine import bearoff_tables as tables
from bgnet.engine.bearoff import Bearoff, cube_covers, cube_equities, effective_pips
from bgnet.game import standard
from bgnet.game.board import flip, place
from bgnet.game.dice import ROLLS
from bgnet.game.scoring import LOSE, LOSE_BACKGAMMON, LOSE_GAMMON, WIN, WIN_GAMMON

CHANCE = {(a, b): Fraction(1 if a == b else 2, 36) for a, b in reference.ROLLS}


@pytest.fixture(scope="module", autouse=True)
def fresh_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tables of this code, not those that an earlier one left behind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BGNET_CACHE", str(tmp_path_factory.mktemp("cache")))
        for table in (bearoff._one_sided, bearoff._two_sided):
            table.cache_clear()
        yield
    for table in (bearoff._one_sided, bearoff._two_sided):
        table.cache_clear()


def race(mine: np.ndarray, his: np.ndarray) -> np.ndarray:
    """Boards from two (n, 6) arrays of home positions."""
    boards = np.zeros((len(mine), 26), np.int8)
    boards[:, 1:7] = mine
    boards[:, 24:18:-1] = -his
    return boards


# --- numbering ---------------------------------------------------------------------------------


def test_numbers_are_a_bijection_with_fewer_men_first() -> None:
    positions = tables.home_positions()
    assert len(positions) == tables.POSITIONS == 54264
    assert (tables.index(positions) == np.arange(54264)).all()
    men = positions.sum(1)
    assert (np.diff(men) >= 0).all() and men.max() == 15
    assert (np.bincount(men)[:3] == [1, 6, 21]).all()
    assert (tables.home_positions(6) == positions[:924]).all()
    assert len(tables.index(positions[:0])) == 0


# --- one-sided against exact enumeration -------------------------------------------------------


def plays(position: tuple[int, ...], roll: tuple[int, int]) -> set[tuple[int, ...]]:
    """Home positions after a roll, by the slow twin of the rules, the opponent out of the way."""
    board = (0, *position, *(0,) * 17, -1, 0)
    return {
        tuple(-count for count in after[24:18:-1])
        for after in reference.legal_results(board, roll)
    }


@cache
def distribution(position: tuple[int, ...], first_only: bool = False) -> dict[int, Fraction]:
    """Exact chances of the number of rolls till the last (or the first) man is off."""
    chance: dict[int, Fraction] = {}
    for roll, weight in CHANCE.items():
        options = []
        for after in plays(position, roll):
            done = not any(after) or (first_only and sum(after) < sum(position))
            rolls = {0: Fraction(1)} if done else distribution(after, first_only)
            mean = sum(n * p for n, p in rolls.items())
            number = 0 if done else int(tables.index(np.array([after]))[0])
            options.append((mean, number, rolls))
        for n, p in min(options, key=lambda option: option[:2])[2].items():
            chance[n + 1] = chance.get(n + 1, 0) + weight * p
    return chance


@pytest.mark.parametrize("position", [
    (1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1), (0, 0, 0, 0, 1, 1), (1, 1, 1, 0, 0, 0),
    (0, 1, 0, 1, 0, 1), (0, 0, 0, 0, 0, 3), (2, 0, 1, 1, 0, 0), (0, 0, 1, 0, 2, 0),
])
def test_one_sided_is_exact_enumeration(position: tuple[int, ...]) -> None:
    table = bearoff._one_sided()
    number = tables.index(np.array([position]))[0]
    exact = distribution(position)
    expected = [float(exact.get(n, 0)) for n in range(tables.ROLLS_KEPT)]
    assert table.finish[number] == pytest.approx(expected, abs=1e-7)
    assert table.mean[number] == pytest.approx(float(sum(n * p for n, p in exact.items())))
    later = [sum(expected[n:]) for n in range(tables.ROLLS_KEPT)]
    assert table.unfinished[number] == pytest.approx(later, abs=2e-7)
    first = distribution(position, first_only=True)
    kept = [float(sum(p for n, p in first.items() if n >= k)) for k in range(tables.ROLLS_KEPT)]
    assert table.unsaved[number] == pytest.approx(kept, abs=2e-7)


def test_every_mean_is_one_roll_and_the_best_plays(random_positions: np.ndarray) -> None:
    """The recursion holds at random positions of any size, plays by the fast generator."""
    table = bearoff._one_sided()
    positions = random_positions[:100]
    boards = race(positions, np.eye(6, dtype=np.int8)[:1].repeat(len(positions), 0))
    total = np.zeros(len(boards))
    for roll in ROLLS:
        after = standard.legal_plays(boards, np.tile(roll, (len(boards), 1)))
        mean = table.mean[tables.index(-after.boards[:, 24:18:-1])]
        best = np.minimum.reduceat(mean, after.firsts(len(boards)))
        total += best * (1 if roll[0] == roll[1] else 2) / 36
    assert 1 + total == pytest.approx(table.mean[tables.index(positions)], abs=1e-5)


@pytest.fixture(scope="module")
def random_positions() -> np.ndarray:
    """Random home positions, at least a man each."""
    numbers = np.random.default_rng(5).integers(1, tables.POSITIONS, 2000)
    return tables.home_positions()[numbers]


def test_saving_the_gammon_never_takes_longer_than_the_whole_bear_off() -> None:
    table = bearoff._one_sided()
    assert (table.unsaved[1:] <= table.unfinished[1:] + 1e-7).all()
    assert table.finish.sum(1) == pytest.approx(np.ones(tables.POSITIONS), abs=1e-6)


# --- two-sided against exact enumeration -------------------------------------------------------

OVER = (0,) * 6


@cache
def exact(mine: tuple[int, ...], his: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Equities before the roll: cubeless, centred, owned, opponent's cube, centred and owned
    without doubling now."""
    if mine == OVER or his == OVER:
        return (Fraction(1 if mine == OVER else -1),) * 6
    hold = [Fraction(0)] * 4
    for roll, weight in CHANCE.items():
        seen = [exact(his, after) for after in plays(mine, roll)]
        for cube, as_he_sees_it in enumerate((0, 1, 3, 2)):
            hold[cube] += weight * max(-s[as_he_sees_it] for s in seen)
    cubeless, centred, owned, opponents = hold
    doubled = min(2 * opponents, Fraction(1))
    return cubeless, max(centred, doubled), max(owned, doubled), opponents, centred, owned


def test_two_sided_is_exact_enumeration() -> None:
    table = bearoff._two_sided()
    few = tables.home_positions(2)
    for i, mine in enumerate(few[::2]):
        for j, his in enumerate(few[::3]):
            expected = [float(e) for e in exact(tuple(mine.tolist()), tuple(his.tolist()))]
            assert table[:, 2 * i, 3 * j] == pytest.approx(expected, abs=1e-6)


def test_two_sided_is_consistent_over_the_whole_table() -> None:
    """One roll of look-ahead with the fast generator gives the table's own values."""
    rng = np.random.default_rng(3)
    positions = tables.home_positions(6)
    boards = race(positions[rng.integers(1, 924, 300)], positions[rng.integers(1, 924, 300)])
    now = cube_equities(boards)
    total = np.zeros((4, len(boards)))
    for roll in ROLLS:
        after = standard.legal_plays(boards, np.tile(roll, (len(boards), 1)))
        seen = cube_equities(after.boards)
        win = Bearoff().outcomes(after.boards)[:, LOSE]
        mine = np.stack([win, -seen.centred, -seen.opponents, -seen.owned])
        best = np.maximum.reduceat(mine, after.firsts(len(boards)), axis=1)
        total += best * (1 if roll[0] == roll[1] else 2) / 36
    win, centred, owned, opponents = total
    assert win == pytest.approx(Bearoff().outcomes(boards)[:, WIN], abs=1e-6)
    assert centred == pytest.approx(now.centred_held, abs=1e-6)
    assert owned == pytest.approx(now.owned_held, abs=1e-6)
    assert opponents == pytest.approx(now.opponents, abs=1e-6)
    doubled = np.minimum(2 * now.opponents, 1)
    assert now.centred == pytest.approx(np.maximum(now.centred_held, doubled), abs=1e-6)
    assert now.owned == pytest.approx(np.maximum(now.owned_held, doubled), abs=1e-6)


def test_one_sided_chances_are_close_to_exact_ones() -> None:
    error = bearoff.one_sided_error()
    assert error["positions"] == 923 * 923
    assert 0 < error["mean"] < 0.001
    assert 0.01 < error["max"] < 0.015


# --- outcomes ----------------------------------------------------------------------------------


def test_the_position_that_nineteen_in_36_rolls_win() -> None:
    board = place({5: 1, 2: 1}, {1: 1})
    assert Bearoff().outcomes(board[None])[0] == pytest.approx([19 / 36, 0, 0, 17 / 36, 0, 0])
    cube = cube_equities(board[None])
    assert (cube.centred[0], cube.owned[0]) == pytest.approx((4 / 36, 4 / 36))  # double, take
    assert (cube.centred_held[0], cube.opponents[0]) == pytest.approx((2 / 36, 2 / 36))


#: From fifteen men on the six point, a man goes off with any six, 5-1, 4-2, 3-3 and 2-2.
SAVED = 17 / 36


def test_gammons_are_exact_where_one_roll_decides() -> None:
    """His fifteen men stand; I am off with this roll, or he rolls once before my next."""
    boards = np.stack([place({1: 2}, {6: 15}), place({1: 3}, {6: 15})])
    at_once, later = Bearoff().outcomes(boards)
    assert at_once == pytest.approx([0, 1, 0, 0, 0, 0])
    single = 30 / 36 * SAVED  # I throw no doublet, he saves himself
    assert later == pytest.approx([single, 1 - single, 0, 0, 0, 0])


def test_the_loser_to_roll_has_one_roll_more() -> None:
    board = place({6: 15}, {1: 2})
    lose, lose_gammon = Bearoff().outcomes(board[None])[0, [LOSE, LOSE_GAMMON]]
    assert (lose, lose_gammon) == pytest.approx((SAVED, 1 - SAVED))


def test_gammon_depends_on_the_men_of_the_game() -> None:
    board = place({1: 1}, {6: 3})[None]
    assert Bearoff(15).outcomes(board)[0, WIN] == 1
    assert Bearoff(3).outcomes(board)[0, WIN_GAMMON] == 1
    both = place({6: 3}, {6: 3})[None]
    chances = Bearoff(3).outcomes(both)[0]
    assert chances[WIN_GAMMON] > 0 and chances[LOSE_GAMMON] > 0
    assert Bearoff(15).outcomes(both)[0, [WIN_GAMMON, LOSE_GAMMON]].tolist() == [0, 0]


def test_outcomes_are_chances_and_impossible_ones_are_nought(random_positions: np.ndarray) -> None:
    boards = race(random_positions[:1000], random_positions[1000:])
    for men in (15, 14):
        at_most = (np.abs(boards[:, 1:7].sum(1)) <= men) & (-boards[:, 19:25].sum(1) <= men)
        chances = Bearoff(men).outcomes(boards[at_most])
        assert (chances >= 0).all()
        assert chances.sum(1) == pytest.approx(np.ones(at_most.sum()), abs=1e-6)
        assert (chances[~standard.possible(boards[at_most], men)] == 0).all()


def test_a_batch_is_its_boards_one_by_one(random_positions: np.ndarray) -> None:
    boards = np.concatenate([race(random_positions[:20], random_positions[-20:]), FINISHED])
    one_by_one = np.concatenate([Bearoff().outcomes(board[None]) for board in boards])
    assert (Bearoff().outcomes(boards) == one_by_one).all()
    assert (Bearoff().outcomes(np.tile(boards, (1000, 1)))[-len(boards):] == one_by_one).all()
    assert Bearoff().outcomes(boards[:0]).shape == (0, 6)
    assert Bearoff().covers(boards[:0]).shape == (0,)
    assert cube_equities(boards[:0]).centred.shape == (0,)


FINISHED = np.stack([
    place({}, {3: 2}), place({}, {6: 15}), place({}, {24: 2, 13: 13}), place({4: 2}, {}),
    place({13: 15}, {}), place({25: 1, 6: 14}, {}),
])


def test_finished_games_are_exact() -> None:
    assert Bearoff().covers(FINISHED).all()
    expected = np.eye(6)[standard.result(FINISHED, 15)]
    assert (Bearoff().outcomes(FINISHED) == expected).all()
    assert Bearoff().outcomes(FINISHED)[-1, LOSE_BACKGAMMON] == 1


@pytest.mark.parametrize(("mine", "his", "covered"), [
    ({6: 15}, {6: 15}, True),
    ({6: 14, 7: 1}, {6: 15}, False),
    ({6: 15}, {7: 1}, False),
    ({6: 14, 25: 1}, {6: 15}, False),
    ({6: 15}, {25: 1}, False),
    ({24: 1}, {6: 1}, False),
    ({6: 1}, {24: 1}, False),
    ({1: 1}, {1: 1}, True),
])
def test_covers_means_all_men_home(
    mine: dict[int, int], his: dict[int, int], covered: bool
) -> None:
    board = place(mine, his)[None]
    assert Bearoff().covers(board)[0] == Bearoff().covers(flip(board))[0] == covered
    few = covered and sum(mine.values()) <= 6
    assert cube_covers(board)[0] == few


def test_effective_pips() -> None:
    """Trice: an ace-point stack of n rolls has about 7 n + 1 effective pips."""
    boards = np.stack([place({1: 2 * n}, {6: 15}) for n in (3, 4, 5, 6, 7)])
    stacks, heavy = effective_pips(boards).T
    assert stacks == pytest.approx([7 * n + 1 for n in (3, 4, 5, 6, 7)], abs=0.35)
    assert (heavy > 90 + 7).all()
    assert effective_pips(place({1: 1}, {1: 1})[None]) == pytest.approx(49 / 6)


def test_the_cached_tables_are_those_built(random_positions: np.ndarray) -> None:
    """Written, forgotten and read back: the same numbers."""
    boards = race(random_positions[:1000] // 3, random_positions[1000:] // 3)
    boards = boards[(boards > 0).any(1) & (boards < 0).any(1)]
    built = Bearoff().outcomes(boards), effective_pips(boards)
    for table in (bearoff._one_sided, bearoff._two_sided):
        table.cache_clear()
    assert (Bearoff().outcomes(boards) == built[0]).all()
    assert (effective_pips(boards) == built[1]).all()
    files = sorted(path.name for path in bearoff_cache.cache_folder().iterdir())
    assert files == ["bear-off-one-sided.safetensors", "bear-off-two-sided.safetensors"]


# --- gnubg's databases -------------------------------------------------------------------------


def gnubg_file(name: str) -> bytes:
    """A database that gnubg or gnubg-nn brought along."""
    folders = [Path("/usr/share/gnubg"), Path("/var/lib/gnubg"), Path("/usr/lib/gnubg")]
    if spec := find_spec("gnubg_nn"):
        folders.append(Path(str(spec.origin)).parent / "data")
    for folder in folders:
        if (folder / name).exists():
            return (folder / name).read_bytes()
    pytest.skip(f"needs gnubg's {name}")


@pytest.mark.peers
def test_one_sided_agrees_with_gnubg() -> None:
    """gnubg keeps 16 bits and chooses plays by what it kept, so that where two plays are within
    some 1e-4 of a roll it may choose the worse: hence the few differences above 1e-4."""
    data = gnubg_file("gnubg_os0.bd")
    assert data.startswith(b"gnubg-OS-06-15-1-1-0")
    entry = np.dtype([("at", "<u4"), ("n", "u1"), ("from", "u1"), ("first_n", "u1"),
                      ("first_from", "u1")])
    entries = np.frombuffer(data, entry, tables.POSITIONS, offset=40)
    values = np.frombuffer(data, "<u2", offset=40 + entries.nbytes) / 65535
    finish, first = np.zeros((2, tables.POSITIONS, 32))
    for i, (at, n, begin, first_n, first_begin) in enumerate(entries.tolist()):
        finish[i, begin : begin + n] = values[at : at + n]
        first[i, first_begin : first_begin + first_n] = values[at + n : at + n + first_n]
    table = bearoff._one_sided()

    mean = finish @ np.arange(32)
    assert np.abs(mean - table.mean).max() < 2e-4
    fifteen = tables.positions_of(14)
    unsaved = np.cumsum(first[fifteen:, ::-1], 1)[:, ::-1]
    assert np.abs(unsaved[:, 1:24] - table.unsaved[fifteen:, 1:]).max() < 1e-4

    mine, his = np.random.default_rng(1).integers(1, tables.POSITIONS, (2, 500_000))
    unfinished = np.cumsum(finish[:, ::-1], 1)[:, ::-1]
    ours = np.einsum("ij,ij->i", table.finish[mine], table.unfinished[his])
    gnubgs = np.einsum("ij,ij->i", finish[mine], unfinished[his])
    error = np.abs(ours - gnubgs)
    assert error.mean() < 1e-5
    assert (error > 1e-4).mean() < 5e-4
    assert error.max() < 1.5e-3


@pytest.mark.peers
def test_two_sided_agrees_with_gnubg() -> None:
    """gnubg keeps 16 bits of every equity; roundings add up to some 1e-4 in 36 levels of pips.
    It keeps the equities without a double now."""
    data = gnubg_file("gnubg_ts0.bd")
    assert data.startswith(b"gnubg-TS-06-06-1")
    theirs = np.frombuffer(data, "<u2", offset=40).reshape(924, 924, 4) / 32767.5 - 1
    planes = [tables.CUBELESS, tables.OWNED_HELD, tables.CENTRED_HELD, tables.OPPONENTS]
    ours = bearoff._two_sided()[planes].transpose(1, 2, 0)
    assert np.abs(ours - theirs)[1:, 1:].max() < 1.5e-4
    assert np.abs(ours - theirs)[1:, 1:].mean() < 5e-5


# --- men caught in the winner's home -----------------------------------------------------------


@cache
def caught(board: tuple[int, ...], loser_rolls: bool) -> float:
    """Chance that the loser, who sees the board, still has men in the winner's home when the
    winner is done: the loser plays against that and the winner for the fewest rolls."""
    row = np.array(board, np.int8)
    if not (row < 0).any():
        return float((row[19:25] > 0).any())
    if not (row[19:25] > 0).any():
        return 0.0
    total = 0.0
    for (a, b), chance in CHANCE.items():
        seen = row if loser_rolls else flip(row)
        after = standard.legal_plays(seen[None], np.array([[a, b]], np.int8)).boards
        if loser_rolls:
            values = [caught(tuple(flip(r).tolist()), False) for r in after]
        else:
            # The rows are the loser's to roll. The winner's home position is all that counts.
            left = bearoff._one_sided().mean[tables.index(-after[:, 24:18:-1])]
            values = [caught(tuple(after[int(np.argmin(left))].tolist()), True)]
        total += float(chance) * min(values)
    return total


@pytest.mark.parametrize(("mine", "his"), [
    ({23: 1, 6: 2}, {1: 2}), ({23: 1, 19: 1}, {1: 3}), ({23: 2, 7: 1}, {1: 1}),
    ({22: 1, 20: 1, 8: 1}, {1: 2}), ({21: 1, 20: 1}, {2: 1, 1: 2}),
])  # fmt: skip
def test_backgammons_in_a_race(mine: dict[int, int], his: dict[int, int]) -> None:
    board, men = place(mine, his), sum(mine.values())
    for loser_rolls in (True, False):
        lost = np.array([0.05, 0.7, 0.25], np.float32)
        chances = np.zeros((1, 6), np.float32)
        loses = slice(3, 6) if loser_rolls else slice(0, 3)
        chances[0, loses] = lost
        Bearoff(men).refine((board if loser_rolls else flip(board))[None], chances)
        single, gammon, backgammon = chances[0, loses]
        exact = caught(tuple(board.tolist()), loser_rolls)
        assert backgammon == pytest.approx(exact, abs=0.004)
        assert chances.sum() == pytest.approx(1, abs=1e-6)
        assert single * 0.7 == pytest.approx(gammon * 0.05, abs=1e-6)


def test_no_backgammon_is_put_right_where_none_can_be_or_men_are_in_contact() -> None:
    boards = np.stack([
        place({23: 1, 6: 13}, {1: 2}),              # a man is off
        place({17: 1, 6: 14}, {1: 1, 2: 1, 7: 1}),  # contact no more, but not all home
        place({23: 1, 6: 14}, {1: 2, 4: 1}),        # my man is behind his
        place({23: 7, 6: 8}, {1: 2}),               # too many for the table
        place({18: 1, 6: 14}, {1: 2}),              # out already
    ])  # fmt: skip
    chances = np.full((len(boards), 6), 1 / 6, np.float32)
    Bearoff().refine(boards, chances)
    assert (chances == np.float32(1 / 6)).all()
