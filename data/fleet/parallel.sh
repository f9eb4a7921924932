#!/bin/sh
# Extracts tables from a folder of traces with several processes or computers, by GNU parallel.
#
# Usage: parallel.sh TRACES DIR [OPTION…]
#
# The variable SSHLOGIN names the computers in the form of GNU parallel's --sshlogin (8/alpha,4/beta;
# the default ":" is this computer), JOBS sets the number of processes on each.  All computers need
# netstitch-cli, and TRACES and DIR at the same paths.  OPTIONs are passed to "netstitch-cli extract".
# Started again, the script resumes an interrupted run.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

traces=${1:?name the folder of the traces}
dir=${2:?name the folder of the tables}
shift 2

# Exit status 3: some traces could not be read; the table of failures lists them.
# shellcheck disable=SC2016
find "$traces" -type f \( -name '*.etl' -o -name '*.zip' -o -name '*.cab' -o -name '*.7z' \) -print0 | sort -z |
  parallel --null --max-args 20 --jobs "${JOBS:-2}" --sshlogin "${SSHLOGIN:-:}" --halt soon,fail=1 --quote \
    sh -c 'netstitch-cli extract "$@" || [ $? -eq 3 ]' extract --quiet --resume --to "$dir" "$@" --
