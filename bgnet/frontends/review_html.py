"""A review as a page: one HTML file that needs nothing else and runs no scripts.

Everything that comes from the match file is escaped, and the page's own policy forbids whatever
might slip through to load or to run anything.
"""

from collections.abc import Iterator, Sequence
from html import escape

from ..engine.review import GameReview, Review
from ..engine.review_decision import Decision, Topic
from .review_plot import plot
from .review_words import LEGEND, dice, kind, length, names, position, standing, summary

_STYLE = """
:root{color-scheme:light}
body{font:16px/1.45 system-ui,sans-serif;color:#222;background:#fdfbf7;max-width:64rem;
margin:0 auto;padding:1rem}
h1{font-size:1.6rem;margin:.5rem 0}h2{margin-top:2.5rem;border-bottom:1px solid #ccc}
table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}
th,td{padding:.15rem .7rem;text-align:left;border-bottom:1px solid #e6e0d4}
th{font-weight:600}td.n,th.n{text-align:right;white-space:nowrap}
tr.made td{font-weight:600}
tr.doubtful td,.doubtful h3{color:#8a6d00}tr.error td,.error h3{color:#b4530a}
tr.blunder td,.blunder h3{color:#b3261e}a{color:inherit}
article{display:flex;flex-wrap:wrap;gap:0 1.5rem;margin:1.5rem 0;padding-top:.5rem;
border-top:1px solid #e6e0d4}article h3{flex-basis:100%;margin:.3rem 0;font-size:1.05rem}
article>svg{width:28rem;max-width:100%;height:auto}code{font-size:.8rem;overflow-wrap:anywhere}
.plot{width:100%;height:auto}.wide{overflow-x:auto}.legend{font-size:.9rem;color:#555}
@media print{article{break-inside:avoid}}
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_WORST = 20


def page(review: Review, engine: str) -> str:
    """The page.

    Args:
        review: of the match.
        engine: the name of what reviewed it.
    """
    players = names(review.record)
    title = escape(f"{players[0]} against {players[1]}, {length(review.record)}")
    places = {id(decision): f"d{n}" for n, decision in enumerate(review.decisions)}
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
        f"<p>{escape(standing(review.record))}. {escape(players[0])} is O, "
        f"{escape(players[1])} is X on the boards, whose points are numbered for X; plays are "
        "written as who makes them "
        f"counts. Reviewed by {escape(engine)}.</p>",
        _table(["", *players], summary(review), left=1),
        plot(review, places),
        *_worst(review, players, places),
    ]
    for number, game in enumerate(review.games, start=1):
        parts += _game(number, game, players, places)
    parts += ["<h2>How to read it</h2>", *(f'<p class="legend">{escape(s)}</p>' for s in LEGEND)]
    return "\n".join([*parts, "</body></html>", ""])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int,
           classes: Sequence[str] = (), links: Sequence[str] = ()) -> str:
    """A table.

    Args:
        head, rows: plain text, which is escaped here.
        left: so many columns are aligned to the left, the others to the right.
        classes: of the rows, as style sheets know them.
        links: where the first cell of a row leads, or nothing.
    """

    def line(cells: Sequence[str], tag: str, link: str = "") -> str:
        texts = [escape(cell) for cell in cells]
        if link:
            texts[0] = f'<a href="#{link}">{texts[0]}</a>'
        return "".join(
            f"<{tag}>{text}</{tag}>" if at < left else f'<{tag} class="n">{text}</{tag}>'
            for at, text in enumerate(texts)
        )

    body = "".join(
        f'<tr class="{classes[n] if classes else ""}">'
        f"{line(row, 'td', links[n] if links else '')}</tr>\n"
        for n, row in enumerate(rows)
    )
    return (f'<div class="wide"><table><thead><tr>{line(head, "th")}</tr></thead>\n'
            f"<tbody>{body}</tbody></table></div>")  # fmt: skip


def _worst(review: Review, players: tuple[str, str], places: dict[int, str]) -> Iterator[str]:
    """The table of the worst errors, which leads to where they are drawn."""
    errors = review.errors[:_WORST]
    yield "<h2>The worst errors</h2>"
    if not errors:
        yield "<p>None.</p>"
        return
    rows = [
        [f"game {d.game}, turn {d.turn}", players[d.player], dice(d), d.choice.text,
         d.options[0].text, kind(d), f"{d.lost:.3f}"]
        for d in errors
    ]  # fmt: skip
    head = ["where", "player", "dice", "played", "best", "class", "lost"]
    yield _table(head, rows, 6, [d.error_class for d in errors], [places[id(d)] for d in errors])
    if len(review.errors) > _WORST:
        yield f"<p>{len(review.errors)} in all; the others are drawn below, game by game.</p>"


def _game(number: int, game: GameReview, players: tuple[str, str], places: dict[int, str]
          ) -> Iterator[str]:
    """A game: the table of what was done, then its errors drawn."""
    record = game.record
    crawford = ", Crawford game" if record.crawford else ""
    yield f"<h2>Game {number}, at {record.scores[0]} : {record.scores[1]}{crawford}</h2>"
    shown = [d for d in game.decisions if d.error_class or not _quiet(d)]
    rows = [
        [str(d.turn), players[d.player], dice(d), d.choice.text, kind(d),
         f"{d.lost:.3f}" if d.counted or d.error_class else "",
         f"{d.roll_luck.equity:+.3f}" if d.roll_luck else ""]
        for d in shown
    ]  # fmt: skip
    links = [places[id(d)] if d.error_class else "" for d in shown]
    head = ["turn", "player", "dice", "played", "class", "lost", "luck"]
    yield _table(head, rows, 5, [d.error_class for d in shown], links)
    if record.winner is None:
        yield "<p>The record ends here.</p>"
    else:
        points = f"{record.points} point{'s' * (record.points != 1)}"
        yield f"<p>{escape(players[record.winner])} wins {points}.</p>"
    for decision in game.decisions:
        if decision.error_class:
            yield _drawn(decision, players, places[id(decision)])


def _quiet(decision: Decision) -> bool:
    """Whether nothing happened: the cube was left alone, and rightly so."""
    return decision.topic is Topic.DOUBLE and decision.choice.text.startswith("no")


def _drawn(decision: Decision, players: tuple[str, str], place: str) -> str:
    """A decision with its board and alternatives."""
    best, match = decision.options[0], decision.choice.chance is not None
    rows = [
        [option.text, f"{option.equity:+.3f}",
         f"{best.equity - option.equity:.3f}" if at else "",
         *([f"{option.chance:.1%}"] if option.chance is not None else [])]
        for at, option in enumerate(decision.options)
    ]  # fmt: skip
    classes = ["made" if at == decision.made else "" for at in range(len(rows))]
    head = ["", "equity", "lost", *(["match won"] if match else [])]
    roll = f" {dice(decision)}" if dice(decision) else ""
    title = (f"Game {decision.game}, turn {decision.turn}: {players[decision.player]}{roll}, "
             f"{decision.choice.text}: {kind(decision)}, {decision.lost:.3f} lost")  # fmt: skip
    return (
        f'<article id="{place}" class="{decision.error_class}"><h3>{escape(title)}</h3>\n'
        f"{decision.position.svg}\n<div>{_table(head, rows, 1, classes)}"
        f"<code>{escape(position(decision))}</code></div></article>"
    )
