"""Runs and what they leave."""
from __future__ import annotations

import glob
import json
import os
import subprocess
from typing import Any, Dict, Optional, Sequence

from .errors import EarwitnessError
from .node import command as own_command

__all__ = ["read_trials", "run"]


def run(config: str = "earwitness.config.yaml", command: Optional[Sequence[str]] = None) -> Dict[str, Any]:
    """Runs a config with the command, and gives its report as ``report.json`` has it.

    Raises ``EarwitnessError`` with the command's own sentence where it ends with an exit code other than 0.
    """
    line = [*(command or own_command()), "run", "--config", config, "--json"]
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise EarwitnessError(lines[-1] if lines else "earwitness ended with exit code %d" % done.returncode)
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def read_trials(path: str) -> Any:
    """The trials of a report, one row each, as a pandas DataFrame: of its folder, or of the newest run's in the folder of all reports.

    A report has them with ``report: { trials: [parquet] }`` in the config, or after ``earwitness report --out FOLDER --trials parquet``.
    """
    import pandas

    below = sorted(glob.glob(os.path.join(path, "*", "trials.parquet")))
    inside = os.path.join(path, "trials.parquet")
    return pandas.read_parquet(inside if os.path.isfile(inside) else below[-1] if below else path)
