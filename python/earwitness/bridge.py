"""What Earwitness starts with the path of a script behind it, in whatever Python the config names. Whichever earwitness is installed there, the
script's own ``import earwitness`` is to mean this one."""
import os
import sys

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
from earwitness.serving import start  # noqa: E402

start(sys.argv[1:])
