"""Workers as Ray tasks: ray job submit --working-dir . -- python ray_workers.py 10"""

import subprocess
import sys

import ray


@ray.remote(num_cpus=1)  # num_gpus=1 where the recognizer wants one
def work() -> int:
    return subprocess.run(["node_modules/.bin/earwitness", "worker"]).returncode


ray.init()
ray.get([work.remote() for _ in range(int(sys.argv[1]))])
