"""A game of one's own, played, trained and duelled without touching other code (``truce``)."""

from pathlib import Path

import numpy as np
import pytest
from truce import TRUCE

from bgnet.arena.duel import duel
from bgnet.cli import main
from bgnet.engine.baselines import player
from bgnet.engine.engine import Engine
from bgnet.engine.player import PlayerError
from bgnet.game.board import place
from bgnet.game.match import MatchState
from bgnet.game.referee import IllegalPlayError
from bgnet.game.variants import VARIANTS
from bgnet.notation.record import Action, Kind, Scoresheet
from bgnet.position import Position
from training.__main__ import main as train

SETTINGS = """\
variant = "truce"
hidden = [8]
bearoff = false
games = 500
lockstep = 32
segment = 8
lr = 0.01
average = 0.99
duel_games = 20
opponents = ["random", "pipcount"]
"""


@pytest.fixture(scope="module", autouse=True)
def registered() -> object:
    patch = pytest.MonkeyPatch()
    patch.setitem(VARIANTS, "truce", TRUCE)
    yield
    patch.undo()


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A network that has learned the game for a second or two."""
    folder = tmp_path_factory.mktemp("truce")
    (folder / "truce.toml").write_text(SETTINGS)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert train(["truce.toml"]) == 0
    return str(next(folder.glob("runs/*/net.safetensors")))


def test_positions_and_plays_have_texts() -> None:
    position = Position(variant=TRUCE)
    plays = position.legal_plays("42")
    assert len({play.text for play in plays}) == len(plays) > 3
    assert all(position.play(play.text, "42") == play.position for play in plays)
    assert Position.parse(position.xgid, TRUCE) == position
    assert "X: 69 pips" in str(position) and position.svg.count("<circle") == 6


def test_its_own_law_is_named() -> None:
    men = place({12: 1, 8: 1, 6: 1}, {13: 1, 21: 1, 2: 1})  # one of his is on my 4
    with pytest.raises(IllegalPlayError, match="point 4 is held"):
        Position(men, variant=TRUCE).play("8/4", "41")


def test_after_a_doublet_the_same_side_throws() -> None:
    position = Position(variant=TRUCE)
    after = position.legal_plays("22")[0].position
    assert after.match.seat == position.match.seat and after.board[after.board > 0].sum() == 3
    assert position.legal_plays("42")[0].position.match.seat != position.match.seat
    sheet = Scoresheet(MatchState(seat=0), TRUCE)
    sheet.act(Action(0, Kind.PLAY, (2, 2), position.legal_plays("22")[0].text))
    assert sheet.on_roll == 0


def test_a_trained_network_beats_random(net: str) -> None:
    engine = Engine.load(net, "truce")
    result = duel(engine, player("random", TRUCE), 1000, seed=1)
    assert result.ppg > 0 and result.variant == "truce"


def test_it_looks_ahead(net: str) -> None:
    position = Position(variant=TRUCE)
    shallow, deep = (Engine.load(net, "truce", ply).rank(position, "22") for ply in (0, 1))
    assert {play.text for play in shallow} == {play.text for play in deep}
    assert np.isfinite([play.equity for play in deep]).all()


def test_players_that_do_not_know_it_say_so() -> None:
    with pytest.raises(PlayerError, match="pubeval does not play truce; players that do are"):
        player("pubeval", TRUCE)


def test_commands(net: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["duel", net, "pipcount", "--variant", "truce", "--games", "20"]) == 0
    assert main(["eval", "--variant", "truce", "--net", net, "--dice", "31"]) == 0
    assert main(["rules", "truce"]) == 0
    out = capsys.readouterr().out
    assert "against pipcount" in out and "to roll" in out and "one man holds a point" in out
