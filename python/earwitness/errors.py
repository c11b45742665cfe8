"""What Earwitness refuses."""
from __future__ import annotations

from typing import Optional

__all__ = ["EarwitnessError"]


class EarwitnessError(RuntimeError):
    """What Earwitness refuses, in its own sentence; ``code`` is the kind of error (``bad-input``, ``bad-config``, …), None for a fault of Earwitness."""

    def __init__(self, message: str, code: Optional[str] = None) -> None:
        super().__init__(message)
        self.code = code
