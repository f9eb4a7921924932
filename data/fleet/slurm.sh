#!/bin/sh
# Extracts tables from a folder of traces with a Slurm job array.
#
# Usage: sbatch --array=0-15 slurm.sh TRACES DIR [OPTION…]
#
# With an array of 16 tasks, each task reads every sixteenth trace.  The array must be a range (0-15,
# 0-30:2): with other numbers (3,7) each task ends with status 2.  All nodes need netstitch-cli, and TRACES
# and DIR at the same paths.  OPTIONs are passed to "netstitch-cli extract", which runs in TRACES, so paths
# in them must be absolute.  Started again, the array resumes interrupted tasks.
# SPDX-License-Identifier: GPL-3.0-or-later
#SBATCH --job-name=netstitch
#SBATCH --ntasks=1
set -eu

traces=${1:?name the folder of the traces}
dir=$(realpath -m "${2:?name the folder of the tables}")
shift 2
offset=$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN))
step=${SLURM_ARRAY_TASK_STEP:-1}

# Slurm does not pass on the other numbers of a list, so the share of a task in it is unknown.
if [ $((offset % step)) -ne 0 ] ||
  [ $(((SLURM_ARRAY_TASK_COUNT - 1) * step)) -ne $((SLURM_ARRAY_TASK_MAX - SLURM_ARRAY_TASK_MIN)) ]; then
  echo "slurm.sh: the array is not a range, so traces would be left out; use --array=0-$((SLURM_ARRAY_TASK_COUNT - 1))" >&2
  exit 2
fi
cd "$traces"

# Exit status 3: some traces could not be read; the table of failures lists them.
# The files that "extract --recursive TRACES" reads, by names below TRACES.
find . -xtype f -regextype posix-extended -iregex \
  '.*\.((etl(\.[0-9]+)?|pcap|pcapng)(\.gz)?|zip|cab|7z|wpapk|tar\.gz|tgz|etlgz)' -printf '%P\0' | sort -z |
  sed -n -z "$((offset / step + 1))~${SLURM_ARRAY_TASK_COUNT}p" |
  netstitch-cli extract --quiet --resume --to "$dir" "$@" --from-file - -0 || [ $? -eq 3 ]
