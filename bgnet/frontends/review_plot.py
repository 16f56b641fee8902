"""How a match went, drawn: the chance of winning it, or points ahead for money, play by play."""

from html import escape

from ..engine.review import Review
from ..engine.review_decision import Topic
from .review_words import names

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 960, 300, 56, 24, 40
_STYLE = (
    ".bgnet-plot text{font:13px sans-serif;fill:#444}.bgnet-plot .end{text-anchor:end}"
    ".bgnet-plot .course{fill:none;stroke:#35577d;stroke-width:2;stroke-linejoin:round}"
    ".bgnet-plot .grid{stroke:#ddd}.bgnet-plot .game{stroke:#999;stroke-dasharray:4 3}"
    ".bgnet-plot .doubtful{fill:#c9a400}.bgnet-plot .error{fill:#e07b1a}"
    ".bgnet-plot .blunder{fill:#d32f2f}"
)


def plot(review: Review, places: dict[int, str]) -> str:
    """The course of a match as an SVG element for a page; nothing without plays.

    Every error is a dot on it that leads to where the page draws it.

    Args:
        review: of the match.
        places: anchors of the page by ``id`` of the decision.
    """
    values = [value for game in review.games for value in game.course]
    if not values:
        return ""
    if review.record.length:
        low, high, ticks = 0.0, 1.0, [(share, f"{share:.0%}") for share in (0, 0.25, 0.5, 0.75, 1)]
        what = f"chance of {escape(names(review.record)[0])} to win the match"
    else:
        reach = max(1.0, *(abs(value) for value in values))
        low, high = -reach, reach
        ticks = [(value, f"{value:+.1f}") for value in (-reach, 0.0, reach)]
        what = f"points that {escape(names(review.record)[0])} is ahead"
    across = (_WIDTH - _LEFT - 10) / max(len(values) - 1, 1)

    def x(at: int) -> float:
        return _LEFT + at * across

    def y(value: float) -> float:
        return _TOP + (high - value) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)

    parts = [
        f'<svg class="plot bgnet-plot" role="img" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{what}</title><style>{_STYLE}</style>',
        f'<text x="{_LEFT}" y="14">{what}</text>',
    ]
    for value, label in ticks:
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - 10}" y1="{y(value):.1f}" '
                     f'y2="{y(value):.1f}"/><text class="end" x="{_LEFT - 8}" '
                     f'y="{y(value) + 4:.1f}">{label}</text>')  # fmt: skip
    points = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in enumerate(values))
    parts.append(f'<polyline class="course" points="{points}"/>')
    start = 0
    for number, game in enumerate(review.games, start=1):
        border, foot = f"{x(start):.1f}", _HEIGHT - _BOTTOM
        parts.append(f'<line class="game" x1="{border}" x2="{border}" y1="{_TOP}" y2="{foot + 6}"/>'
                     f'<text x="{border}" y="{foot + 20 + number % 2 * 14}">game {number}</text>')
        at = start
        for decision in game.decisions:
            if decision.error_class and game.course:
                here = min(at, start + len(game.course) - 1)
                title = f"game {decision.game}, turn {decision.turn}: {decision.lost:.3f} lost"
                parts.append(
                    f'<a href="#{places[id(decision)]}"><circle class="{decision.error_class}" '
                    f'cx="{x(here):.1f}" cy="{y(values[here]):.1f}" r="4.5">'
                    f"<title>{title}</title></circle></a>"
                )
            at += decision.topic in (Topic.PLAY, Topic.FORFEIT)
        start += len(game.course)
    return "\n".join([*parts, "</svg>"])
