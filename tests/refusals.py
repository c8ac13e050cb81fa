"""Expect a refusal by its code: the words may improve, the code stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from coterie.core.error_codes import CODES
from coterie.core.errors import CoterieError


@contextmanager
def refuses(
    code: str, kind: type[CoterieError] = CoterieError, *, match: str | None = None
) -> Iterator[pytest.ExceptionInfo[CoterieError]]:
    """Expect an error with this code.

    Parameters
    ----------
    kind : the class it must have
    match : a pattern for what the message must name, such as a file or a value; not for its words
    """
    assert code in CODES, f"'{code}' is not listed in core/error_codes.py"
    with pytest.raises(kind, match=match) as caught:
        yield caught
    assert caught.value.code == code, f"{caught.value.code}: {caught.value}"
