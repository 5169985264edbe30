"""The one error that reading raises."""


class Damaged(Exception):
    """The bytes are not what the format page allows. The message says what was expected where."""


def require(condition: bool, message: str) -> None:
    """Raises `Damaged` unless the condition holds."""
    if not condition:
        raise Damaged(message)
