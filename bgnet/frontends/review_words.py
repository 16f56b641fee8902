"""What a review says, in words and rows that both the page and the terminal show."""

from ..engine.ratings import CLASSES, Rating, Tally
from ..engine.review import Review
from ..engine.review_decision import Decision, Topic
from ..engine.review_topics import CLOSE
from ..notation.record import MatchRecord

#: How to read the figures.
LEGEND = (
    "Equity is normalised to the cube: winning a single game at the cube as it stands is +1.",
    "Classes of errors by equity lost: "
    + ", ".join(f"{name} from {least:.2f}" for name, least in reversed(CLASSES.items()))
    + ".",
    "Counted are plays with more than one legal way, doubles, answers to doubles, and turns at "
    f"which doubling was right or would have cost less than {CLOSE:.2f}. Turns lost and "
    "resignations are valued but not counted.",
    "The error rate is the mean loss of a decision in millipoints (thousandths of a point). The "
    "performance rating is counted as eXtreme Gammon does, 500 times the mean equity lost a "
    "decision: half the error rate. 0 is perfect. Other programs choose the decisions that count "
    "a little differently.",
    "Luck is what the best play of a roll is worth, less the mean over all 21 rolls. The opening "
    "throw is compared with all that either side could have begun with.",
)


def names(record: MatchRecord) -> tuple[str, str]:
    """The players' names, fit for a line: no control characters, never empty."""
    first, second = (
        "".join(sign if sign.isprintable() else "?" for sign in name).strip() or f"player {number}"
        for number, name in enumerate(record.players, start=1)
    )
    return first, second


def length(record: MatchRecord) -> str:
    """What is played for."""
    return f"match to {record.length}" if record.length else "money"


def final_score(record: MatchRecord) -> tuple[int, int]:
    """Points of both after the last game of the record, none beyond what wins the match."""
    if not record.games:
        return 0, 0
    last = record.games[-1]
    first, second = (
        score + (last.points if last.winner == player else 0)
        for player, score in enumerate(last.scores)
    )
    most = record.length or max(first, second)
    return min(first, most), min(second, most)


def standing(record: MatchRecord) -> str:
    """How the match ended, or that it has not.

    >>> standing(MatchRecord(("Ann", "Bob"), 3, ()))
    '0 : 0, unfinished'
    """
    score = final_score(record)
    open_ = record.length > max(score) if record.length else False
    unfinished = open_ or any(game.winner is None for game in record.games[-1:])
    return f"{score[0]} : {score[1]}" + ", unfinished" * unfinished


def dice(decision: Decision) -> str:
    """Its roll, such as ``31``, or nothing."""
    return "".join(map(str, decision.position.roll or ()))


def position(decision: Decision) -> str:
    """Its position as text, an XGID if it has one."""
    texts = decision.position.texts
    return texts.get("xgid") or next(iter(texts.values()), "")


def number(value: float | None, digits: int = 1) -> str:
    """A figure, or a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}f}"


def kind(decision: Decision) -> str:
    """What is said of its error: the class, and the kind of a mistake with the cube."""
    other = "" if decision.topic is Topic.PLAY else str(decision.topic)
    detail = decision.fault or ("" if decision.of_cube else other)
    return f"{decision.error_class} ({detail})" if detail else decision.error_class


def summary(review: Review) -> list[tuple[str, str, str]]:
    """Rows of a table of both players: what, first player, second player."""
    columns = [dict(_figures(review.rating(player), bool(review.record.length)))
               for player in (0, 1)]  # fmt: skip
    return [(label, value, columns[1][label]) for label, value in columns[0].items()]


def _figures(rating: Rating, match: bool) -> list[tuple[str, str]]:
    """Labels and figures of one player."""
    mean = 1000 * rating.luck / rating.rolls if rating.rolls else None
    figures = [
        ("performance rating (PR)", number(rating.performance, 2)),
        ("error rate (millipoints a decision)", number(rating.error_rate)),
        ("unforced plays", _tally(rating.plays)),
        ("cube decisions", _tally(rating.cube)),
    ]
    figures += [(_plural(name), _tally(tally)) for name, tally in rating.classes.items()]
    figures += [
        (_plural(name), _tally(tally))
        for name, tally in rating.faults.items()
        if tally.count or "beaver" not in name
    ]
    figures += [
        ("luck (equity)", f"{rating.luck:+.3f}"),
        ("luck (millipoints a roll)", "-" if mean is None else f"{mean:+.1f}"),
    ]
    if match:
        figures.append(("luck (chance of winning the match)", f"{rating.luck_chance:+.1%}"))
    return figures


def _tally(tally: Tally) -> str:
    """How many, and the equity that they lost.

    >>> _tally(Tally(2, 0.15)), _tally(Tally())
    ('2 (0.150)', '0')
    """
    return f"{tally.count} ({tally.lost:.3f})" if tally.count else "0"


def _plural(name: str) -> str:
    """The name of several."""
    if name == "doubtful":
        return "doubtful decisions"
    return f"{name}es" if name.endswith("s") else f"{name}s"
