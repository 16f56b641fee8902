"""What has been found out about a position, for people."""

from collections.abc import Sequence

from ..engine.cube_decision import CubeDecision
from ..game.match import MatchState, Offer
from .display import chances, page_width, table
from .study import Study

_HEAD = ("win", "gammon", "backgammon", "lose gammon", "backgammon")


def page(study: Study, shown: int | None = None, yours: int | None = None) -> str:
    """The board, the chances before the roll, the cube, and the plays; see ``study_json``."""
    position, evaluation = study.position, study.analysis.evaluation
    side = "XO"[1 - position.match.seat]
    row = [f"{side} to roll", f"{evaluation.equity:+.4f}", *_percent(evaluation.outcomes)]
    rows = [["", "equity", *_HEAD], row]
    parts = [str(position)]
    if position.texts:
        named = (text if "=" in text else f"{name.replace('_', ' ')} {text}"
                 for name, text in position.texts.items())  # fmt: skip
        parts.append(", ".join(named))
    if position.result:
        parts.append(f"The game is over: for {side}, {position.result}.")
    if study.rolled and not study.plays:
        rolled = study.rolled[0]
        rows.append(["rolled out", f"{rolled.equity:+.4f}", *_percent(rolled.outcomes)])
        errors = [f"{error:.1%}" for error in rolled.chance_errors]
        rows.append(["standard error", f"{rolled.equity_error:.4f}", *errors])
    parts.append(table(rows, width=page_width()))
    if study.rolled and not study.plays:
        parts.append(_games(study))
    if study.analysis.cube:
        parts.append(_cube(study.analysis.cube, position.match))
    if study.analysis.answer:
        parts.append(f"The right answer to the {position.match.offer}: {study.analysis.answer}.")
    if study.plays:
        parts.append(_plays(study, shown))
    if yours is not None:
        loss = 1000 * study.lost(yours)
        verdict = "as good as any" if yours == 0 or loss <= 0 else f"{loss:.1f} millipoints lost"
        place = f"number {yours + 1} of {len(study.plays)}"
        parts.append(f"Your play, {study.plays[yours].text}, is {place}: {verdict}.")
    return "\n\n".join(parts)


def _cube(decision: CubeDecision, match: MatchState) -> str:
    """What to do about the cube, and what the alternatives are worth."""
    if not decision.may_double:
        reason = match.why_not_double()
        return f"Cubeful equity {decision.no_double:+.4f}. No double: {reason}."
    double = "redouble" if "redouble" in decision.action else "double"
    names = (f"no {double}", f"{double}, take", f"{double}, pass")
    equities = (decision.no_double, decision.double_take, decision.double_pass)
    rows = [["", "equity", "match won"]]
    for i, (name, equity) in enumerate(zip(names, equities, strict=True)):
        chance = f"{decision.chances[i]:.1%}" if decision.chances else ""
        rows.append([name, f"{equity:+.4f}", chance])
    if not decision.chances:
        rows = [row[:2] for row in rows]
    said = "" if match.offer is Offer.NONE else " (a double is on the table)"
    return f"Cube: {decision.action}{said}.\n{table(rows)}"


def _plays(study: Study, shown: int | None) -> str:
    """The table of plays, those rolled out first."""
    cubeless = ["cubeless"] if study.cubeful else []
    rolled_head = ["rolled out", "±", "lost", "±"] if study.rolled else []
    rows = [["", "play", *rolled_head, "equity", *([] if study.rolled else ["lost"]), *cubeless,
             *_HEAD]]  # fmt: skip
    for number, play in enumerate(study.plays[:shown]):
        row = [f"{number + 1}.", play.text]
        lost = f"{study.lost(number):.4f}" if number else ""
        if study.rolled:
            row += _rolled(study, number)
        row.append(f"{play.equity:+.4f}")
        if not study.rolled:
            row.append(lost)
        if study.cubeful:
            row.append(f"{play.cubeless:+.4f}")
        rows.append([*row, *_percent(play.outcomes)])
    text = table(rows, left=2, width=page_width())
    notes = [_games(study)] if study.rolled else []
    if len(rows) - 1 < len(study.plays):
        notes.append(f"{len(rows) - 1} of {len(study.plays)} legal plays.")
    if study.cubeful:
        notes.append("Equity counts score and cube; 1 is a single game at the cube as it stands.")
    return "\n".join([text, *notes])


def _games(study: Study) -> str:
    """How much was played."""
    rolled = study.rolled[0]
    if rolled.variance_ratio is None:
        return f"{rolled.games:,} games; nothing was left to chance."
    return (f"{rolled.games:,} games; with the luck of the dice left in it would have taken "
            f"{rolled.variance_ratio:.0f} times as many.")  # fmt: skip


def _rolled(study: Study, number: int) -> list[str]:
    """The cells of a play about its rollout."""
    if number >= len(study.rolled):
        return [""] * 4
    rolled = study.rolled[number]
    cells = [f"{rolled.equity:+.4f}", f"{rolled.equity_error:.4f}"]
    return cells + ([f"{rolled.lost:.4f}", f"{rolled.lost_error:.4f}"] if number else ["", ""])


def _percent(outcomes: Sequence[float]) -> list[str]:
    """Chances as people read them."""
    return [f"{chance:.1%}" for chance in chances(outcomes).values()]
