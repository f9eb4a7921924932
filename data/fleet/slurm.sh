#!/bin/sh
# Extracts tables from a folder of traces with a Slurm job array.
#
# Usage: sbatch --array=0-15 slurm.sh TRACES DIR [OPTION…]
#
# With an array of 16 tasks, each task reads every sixteenth trace.  All nodes need netstitch-cli, and
# TRACES and DIR at the same paths.  OPTIONs are passed to "netstitch-cli extract".  Started again, the
# array resumes interrupted tasks.
# SPDX-License-Identifier: GPL-3.0-or-later
#SBATCH --job-name=netstitch
#SBATCH --ntasks=1
set -eu

traces=${1:?name the folder of the traces}
dir=${2:?name the folder of the tables}
shift 2
first=$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN + 1))

# Exit status 3: some traces could not be read; the table of failures lists them.
find "$traces" -type f \( -name '*.etl' -o -name '*.zip' -o -name '*.cab' -o -name '*.7z' \) -print0 | sort -z |
  sed -n -z "$first~${SLURM_ARRAY_TASK_COUNT}p" |
  netstitch-cli extract --quiet --resume --to "$dir" "$@" --from-file - -0 || [ $? -eq 3 ]
