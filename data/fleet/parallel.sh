#!/bin/sh
# The tables of a folder of traces, made by several processes or computers with GNU parallel.
#
# Usage: parallel.sh TRACES DIR [OPTION…]
#
# Computers are named by SSHLOGIN, as GNU parallel's --sshlogin has them (8/alpha,4/beta; ":" is
# this one, and the default), processes of each by JOBS.  They need netstitch-cli, and TRACES and
# DIR under the same path.  OPTIONs go to "netstitch-cli extract".  A run that was stopped goes on
# when it is started again.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

traces=${1:?name the folder of the traces}
dir=${2:?name the folder of the tables}
shift 2

# Status 3: some traces could not be read; the table of failures says which.
# shellcheck disable=SC2016
find "$traces" -type f \( -name '*.etl' -o -name '*.zip' -o -name '*.cab' -o -name '*.7z' \) -print0 | sort -z |
  parallel --null --max-args 20 --jobs "${JOBS:-2}" --sshlogin "${SSHLOGIN:-:}" --halt soon,fail=1 --quote \
    sh -c 'netstitch-cli extract "$@" || [ $? -eq 3 ]' extract --quiet --resume --to "$dir" "$@" --
