"""The match equity table: published figures, identities, and gnubg's files."""

from pathlib import Path

import numpy as np
import pytest

from bgnet.engine.met import MetError, match_equities, read_met

GNUBG_TABLES = Path("/usr/share/gnubg/met")

#: Kazaross-XG2 (N. Kazaross, 2011): chance of the first side, by points away.
PUBLISHED = {
    (1, 1): 0.5, (1, 2): 0.67736, (1, 3): 0.75076, (2, 3): 0.59947, (3, 5): 0.64795,
    (4, 7): 0.69924,
}  # fmt: skip
#: The same after the Crawford game, of the trailer.
PUBLISHED_AFTER = {2: 0.48803, 3: 0.32264, 4: 0.31002, 5: 0.19012}


@pytest.mark.parametrize(("away", "chance"), PUBLISHED.items())
def test_published_figures_before_and_in_the_crawford_game(
    away: tuple[int, int], chance: float
) -> None:
    assert match_equities().chance(*away) == pytest.approx(chance, abs=0.006)


@pytest.mark.parametrize(("away", "chance"), PUBLISHED_AFTER.items())
def test_published_figures_after_the_crawford_game(away: int, chance: float) -> None:
    table = match_equities()
    assert table.chance(away, 1, post_crawford=True) == pytest.approx(chance, abs=0.002)
    assert table.chance(1, away, post_crawford=True) == pytest.approx(1 - chance, abs=0.002)


def test_both_sides_together_win_every_match() -> None:
    before = match_equities().before[1:, 1:]
    assert np.allclose(before + before.T, 1, rtol=0, atol=1e-12)
    assert np.allclose(np.diag(before), 0.5, rtol=0, atol=1e-12)


def test_every_point_helps() -> None:
    table = match_equities()
    assert (np.diff(table.before[:, 1:], axis=0) < 0).all()
    assert (np.diff(table.before[1:], axis=1) > 0).all()
    assert (np.diff(table.after) < 0).all()


def test_after_the_crawford_game() -> None:
    """The leader's right to pass costs a little two away; three away are two games or a gammon."""
    table = match_equities()
    assert 0.48 < table.after[2] < 0.5
    assert table.after[3] == pytest.approx(table.chance(2, 1), abs=1e-3)


def test_a_won_match_is_won_whatever_the_score() -> None:
    table = match_equities()
    for post_crawford in (False, True):
        assert table.chance(np.array([0, -3]), 1, post_crawford).tolist() == [1, 1]
        assert table.chance(1, np.array([0, -3]), post_crawford).tolist() == [0, 0]


def test_without_gammons_and_luck_the_end_of_a_match_is_coin_tosses() -> None:
    """Two, three or four away are two games to be won: the Crawford game, and a doubled one."""
    table = match_equities(gammons=0.0, backgammons=0.0, spread=1e-6)
    assert table.chance(2, 1) == pytest.approx(0.25, abs=1e-4)
    assert table.chance(3, 1) == pytest.approx(0.25, abs=1e-4)
    assert table.after[4] == pytest.approx(0.25, abs=1e-4)


def test_a_dead_cube_at_two_away_each() -> None:
    """Efficiency 0: the mean of the scores that a single game and a gammon lead to."""
    gammons = 0.2
    table = match_equities(efficiency=0.0, gammons=gammons, backgammons=0.0)
    expected = 0.5 * (0.8 * table.chance(1, 4) + 0.2) + 0.5 * (
        0.8 * table.chance(2, 3) + 0.2 * table.chance(2, 2)
    )
    assert table.chance(2, 4) == pytest.approx(float(expected))


def test_longer_tables_agree_with_shorter_ones() -> None:
    short, long = match_equities(5), match_equities(40)
    assert np.allclose(short.before, long.before[:6, :6])
    assert np.allclose(short.after, long.after[:6])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"length": 0}, "1 to 64 points, not to 0"),
        ({"length": 65}, "1 to 64 points, not to 65"),
        ({"gammons": 0.1, "backgammons": 0.2}, "part of the gammons"),
        ({"efficiency": 1.5}, "between 0 and 1"),
    ],
)
def test_impossible_parameters(arguments: dict[str, float], message: str) -> None:
    with pytest.raises(MetError, match=message):
        match_equities(**arguments)  # type: ignore[arg-type]


# --- tables of the user ------------------------------------------------------------------------

TABLE = """<?xml version="1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<met>
  <info><name>Three points</name><length>3</length></info>
  <pre-crawford-table type="explicit">
    <row><me>0.5</me><me>0.68</me><me>0.75</me></row>
    <row><me>0.32</me><me>0.5</me><me>0.6</me></row>
    <row><me>0.25</me><me>0.4</me><me>0.5</me></row>
  </pre-crawford-table>
  <post-crawford-table type="explicit" player="both">
    <row><me>0.5</me><me>0.48</me><me>0.32</me></row>
  </post-crawford-table>
</met>"""


def read_text(text: str, folder: Path) -> object:
    path = folder / "table.xml"
    path.write_text(text)
    return read_met(path)


def test_a_table_of_the_user(tmp_path: Path) -> None:
    table = read_text(TABLE, tmp_path)
    assert (table.name, table.length) == ("Three points", 3)
    assert table.chance(2, 3) == 0.6
    assert table.chance(3, 1, post_crawford=True) == 0.32
    with pytest.raises(MetError, match="Three points goes to 3 points away, not to 4"):
        table.covers(4)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<me>0.6</me>", "<me>0.7</me>", "do not add up to 1"),
        ("<me>0.6</me>", "<me>six</me>", "an equity is a number, not 'six'"),
        ("<me>0.6</me>", "<me>nan</me>", "between 0 and 1"),
        ("<me>0.6</me>", "<me>1.6</me>", "between 0 and 1"),
        ("<me>0.6</me>", "", "not a square"),
        ("<me>0.48</me><me>0.32</me>", "", "not one row"),
        ("<me>0.48</me>", "<me>0.1</me>", "needs more points has a better chance"),
        ('table type="explicit">', 'table type="zadeh">', "of the kind 'zadeh'"),
        ('player="both"', 'player="0"', "different strength"),
        ("</met>", "", "no XML file"),
        ("<info>", "<me>0.5</me><info>", "outside a row"),
        ('"met.dtd">', '"met.dtd" [<!ENTITY a "aa">]>', "declares an entity"),
        ('"met.dtd">', '"met.dtd" [<!ENTITY a SYSTEM "file:///etc/passwd">]>', "an entity"),
    ],
)
def test_broken_tables_say_what_is_wrong(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in TABLE
    with pytest.raises(MetError, match=message):
        read_text(TABLE.replace(old, new, 1), tmp_path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MetError, match="No such file"):
        read_met(tmp_path / "none.xml")


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    with pytest.raises(MetError, match="too large"):
        read_text(TABLE + " " * (1 << 20), tmp_path)


@pytest.mark.peers
@pytest.mark.skipif(not GNUBG_TABLES.exists(), reason="gnubg's tables are not installed")
def test_within_a_hundredth_of_gnubgs_table() -> None:
    theirs, ours = read_met(GNUBG_TABLES / "Kazaross-XG2.xml"), match_equities()
    apart = np.abs(theirs.before - ours.before)
    assert apart[2:12, 2:12].max() < 0.006
    assert apart.max() < 0.006
    assert np.abs(theirs.after - ours.after).max() < 0.002


@pytest.mark.peers
@pytest.mark.skipif(not GNUBG_TABLES.exists(), reason="gnubg's tables are not installed")
@pytest.mark.parametrize("name", ["g11", "jacobs", "mec26", "ortega", "snowie", "woolsey"])
def test_gnubgs_other_tables_can_be_read(name: str) -> None:
    table = read_met(GNUBG_TABLES / f"{name}.xml")
    assert table.length in (15, 25)
    assert np.abs(table.before - match_equities(table.length).before).max() < 0.04
