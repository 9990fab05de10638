#!/bin/bash
# Overpaint on Slurm: one Ray cluster for the job, one command on it.
#   sbatch slurm.sh run textedit --data /shared/TextEditBench --editor mine=… -o /shared/runs/mine
#SBATCH --job-name=overpaint
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --exclusive
#SBATCH --time=12:00:00
#SBATCH --no-kill
#SBATCH --requeue
#SBATCH --open-mode=append
# --exclusive: Ray is stopped by `ray stop` at the end, which ends whatever Ray of yours is there.
# --no-kill: a node that is lost costs time, and not the job.
# --requeue: where the first node is lost, the job is started again and goes on from its run.
# For GPUs: #SBATCH --gpus-per-node=4, and --num-gpus "$SLURM_GPUS_ON_NODE" below.
set -euo pipefail

source "${OVERPAINT_VENV:-/shared/overpaint/.venv}/bin/activate"  # the same on every node
export OVERPAINT_CACHE="${OVERPAINT_CACHE:-/shared/overpaint/cache}"  # weights and built-in sets
if [ "${SLURM_RESTART_COUNT:-0}" -gt 0 ]; then  # on other nodes: what the first had claimed is free
    export OVERPAINT_CLAIM=take
fi
export RAY_USAGE_STATS_ENABLED=0
export RAY_SYMMETRIC_RUN_CLUSTER_WAIT_TIMEOUT=300  # seconds until all nodes must be there

first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun --nodes="$SLURM_JOB_NUM_NODES" --ntasks-per-node=1 --cpus-per-task="$SLURM_CPUS_PER_TASK" \
    --no-kill --kill-on-bad-exit=0 \
    ray symmetric-run --address "$first:6379" --min-nodes "$SLURM_JOB_NUM_NODES" \
    --num-cpus "$SLURM_CPUS_PER_TASK" -- overpaint "$@" --on ray
