"""``python -m earwitness``: the command."""
from .command import main

main()
