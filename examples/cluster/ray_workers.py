"""Workers as Ray tasks, in this folder, which each node has: ray job submit -- python "$PWD/ray_workers.py" 10"""

import os
import subprocess
import sys

import ray

FOLDER = os.path.dirname(os.path.abspath(__file__))


@ray.remote(num_cpus=1)  # num_gpus=1 where the recognizer wants one
def work() -> int:
    return subprocess.run(["node_modules/.bin/earwitness", "worker"], cwd=FOLDER).returncode


ray.init()
ray.get([work.remote() for _ in range(int(sys.argv[1]))])
