"""What is wrong with a text, and where."""


class NotationError(ValueError):
    """A text that cannot be read.

    >>> str(NotationError("no such point", line=3, column=7))
    'line 3, column 7: no such point'
    """

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None):
        places = (("line", line), ("column", column))
        where = ", ".join(f"{name} {number}" for name, number in places if number is not None)
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.line = line
        self.column = column
        """Line and column count from 1; None where the text has but one."""
