#!/bin/sh
# The tables of a folder of traces, made by a job array of Slurm.
#
# Usage: sbatch --array=0-15 slurm.sh TRACES DIR [OPTION…]
#
# Each task takes every sixteenth trace (or whatever the array says).  Nodes need netstitch-cli, and
# TRACES and DIR under the same path.  OPTIONs go to "netstitch-cli extract".  Tasks that were
# stopped go on when they are started again.
# SPDX-License-Identifier: GPL-3.0-or-later
#SBATCH --job-name=netstitch
#SBATCH --ntasks=1
set -eu

traces=${1:?name the folder of the traces}
dir=${2:?name the folder of the tables}
shift 2
first=$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN + 1))

# Status 3: some traces could not be read; the table of failures says which.
find "$traces" -type f \( -name '*.etl' -o -name '*.zip' -o -name '*.cab' -o -name '*.7z' \) -print0 | sort -z |
  sed -n -z "$first~${SLURM_ARRAY_TASK_COUNT}p" |
  netstitch-cli extract --quiet --resume --to "$dir" "$@" --from-file - -0 || [ $? -eq 3 ]
