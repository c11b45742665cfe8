#!/bin/sh
# Workers as a job array: sbatch --array=1-10 slurm-workers.sh
#SBATCH --job-name=earwitness-worker
#SBATCH --output=worker-%a.log
#SBATCH --cpus-per-task=1
# Two minutes before its time ends a worker takes no more, and gives nothing back unmade.
#SBATCH --time=12:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
# Not by npx, which does not pass the signal on.
exec node_modules/.bin/earwitness worker
