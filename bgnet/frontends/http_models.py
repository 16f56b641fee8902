"""Requests and answers of the JSON interface, version 1: what its OpenAPI page shows."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

#: The deepest look-ahead that a request may ask for, unless the server's own is deeper.
MOST_PLIES = 2
#: Games of the longest rollout.
MOST_GAMES = 1296
_EXAMPLE = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


class _Question(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Answer(BaseModel):
    schema_version: int = Field(default=1, description="of this interface")


class Ask(_Question):
    """A position."""

    position: str = Field(
        max_length=200, examples=[_EXAMPLE],
        description="an XGID, or a gnubg position id with or without :match id",
    )  # fmt: skip
    ply: int | None = Field(default=None, ge=0, description="look-ahead; by default the server's")


class AskPlays(Ask):
    """A position and its roll."""

    roll: Annotated[str, Field(max_length=10, examples=["31"])] | None = Field(
        default=None, description="by default the position's own"
    )
    limit: int | None = Field(default=None, ge=1, description="at most so many plays")


class AskResignation(Ask):
    """A position in which the side on roll gives up."""

    points: int = Field(ge=1, le=3, description="1 a single game, 2 a gammon, 3 a backgammon")


class AskRollout(_Question):
    """A position to be played out, without look-ahead."""

    position: str = Field(max_length=200, examples=[_EXAMPLE])
    games: int = Field(default=MOST_GAMES, ge=2, le=MOST_GAMES)
    truncate: int | None = Field(
        default=None, ge=1, description="turns after which the network's opinion counts"
    )
    seed: int = Field(default=0, ge=0, le=2**63 - 1, description="decides all dice")


class Error(BaseModel):
    """What is wrong."""

    message: str


class Chances(BaseModel):
    """Cumulative: a gammon is a win too, a backgammon a gammon too."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float


class Engine(_Answer):
    """Who answers."""

    version: str
    name: str
    variant: str
    ply: int
    scoring: str
    seconds: float | None = Field(description="limit for a decision")


class Evaluation(_Answer):
    """What a position is worth to the side on roll before its throw, without the cube."""

    position: str
    equity: float
    chances: Chances


class Step(BaseModel):
    """A man moved by one die."""

    source: str = Field(description="a point, or bar", examples=["8"])
    target: str = Field(description="a point, or off", examples=["5"])
    hit: bool


class RankedPlay(BaseModel):
    """A play, seen by the side that makes it."""

    play: str = Field(examples=["8/5 6/5"])
    steps: list[Step]
    position: str = Field(description="what it leads to, seen by the side that rolls next")
    equity: float = Field(
        description="what plays are ranked by: at a match score, with a cube that has been "
        "turned and under the Jacoby rule cubeful, normalised to the cube; else cubeless"
    )
    cubeless: float = Field(description="cubeless equity in points for a cube at 1")
    chances: Chances
    plies: int = Field(description="how far it was looked into")


class Plays(_Answer):
    """All plays, the best first."""

    position: str
    plays: list[RankedPlay]


class MatchChances(BaseModel):
    """Chances of winning the match."""

    no_double: float
    double_take: float | None
    double_pass: float | None


class Cube(_Answer):
    """All about a double, in equities normalised to the cube as it stands."""

    position: str
    action: str = Field(examples=["double, take"])
    may_double: bool
    no_double: float
    double_take: float | None
    double_pass: float | None
    match_chances: MatchChances | None = Field(description="null for money")


class Decision(_Answer):
    """What the player does."""

    position: str
    action: str = Field(
        description="play, roll, double, take, drop, beaver, resign, resign gammon, "
        "resign backgammon"
    )
    play: str | None = None
    steps: list[Step] | None = None
    after: str | None = Field(default=None, description="what the play leads to")


class Resignation(_Answer):
    """Whether the opponent of the side on roll accepts."""

    position: str
    accept: bool


class Rollout(_Answer):
    """What a rollout says, without the cube."""

    position: str
    equity: float
    standard_error: float
    games: int
    chances: Chances
