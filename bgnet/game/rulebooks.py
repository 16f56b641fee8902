"""The rules as players read them; where our sources are silent, our choices are marked as such."""

STANDARD = """\
Two sides have fifteen men each, three in Hypergammon. X moves from point 24
down to point 1, O the other way round; what is point 1 to one is 24 to the
other. Points 1 to 6 are a side's home table.

The start. Each side throws one die, ties throw again, and the higher begins
with the two numbers thrown.

Moving. A man moves as many points as a die shows, and the other die is played
with the same man or with another. A doublet is played four times. A man may
land on a point that is empty, that is his own, or that holds one adverse man, a
blot: it is hit and goes to the bar. Two adverse men or more hold a point. Men
on the bar enter in the adverse home table, a number n on point 25 - n, before
any other man moves.

As many numbers as possible are played. If either number can be played but not
both, the larger is.

Bearing off. Once all men of a side are home they are borne off: a number takes
a man from its own point. If there is none there, a man on a higher point must
be moved, and if none is higher, a man comes off from the highest point. Nobody
has to bear off a man who can be moved instead.

The score. Who bears off his last man first wins a single game, 1 point; a
gammon, 2 points, if the loser has borne off none; a backgammon, 3, if besides
he has a man on the bar or in the winner's home table. In the American game
(--scoring american) every game counts 1."""

RUSSIAN = """\
(After Foster.) Fifteen men a side, and none on the board at the start. Both
sides enter them on the same table, points 24 to 19, and move the same way round
to the same home table, points 6 to 1: a number n enters a man on point 25 - n,
for either side. Otherwise men move, hit blots, are shut out by two adverse men
on a point, and are borne off as in backgammon. The higher throw of one die each
begins, and throws again for his first move.

* The first throw of each side enters men: a number that can enter one must do
  so, and only a number that cannot may move a man just entered. Shut out or
  not, the throw was the first one.
* With later throws a side may enter men, move men already entered, or do both.
  A number that enters no man is played with a man on the board if it can be.
* A man that was hit must be entered before any other man is entered or moved.
* A doublet, except on a side's first throw, is played four times, then its
  complement to seven four times (double four: four fours and four threes), and
  then the same side throws again. Upper faces come first, as many as possible;
  if not all four can be played, the complements and the further throw are lost.
  If not all four complements can be played, the further throw is lost.

Foster leaves some things unsaid. Our choices: a doublet on the first throw
enters four men; later on entering is never compulsory so long as the number can
be played otherwise; as many numbers as possible are played, and the larger if
only one can be; men are borne off once all fifteen are home, none waiting; a
gammon is lost by a side that has borne off none, a backgammon if besides it has
a man on the bar, not yet entered, or in the entering table. Whoever bears off
his last man has won, whatever is left of a doublet."""
