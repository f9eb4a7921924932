#!/bin/sh
# Extracts tables from a folder of traces with several processes or computers, by GNU parallel.
#
# Usage: parallel.sh TRACES DIR [OPTION…]
#
# The variable SSHLOGIN names the computers in the form of GNU parallel's --sshlogin (8/alpha,4/beta;
# the default ":" is this computer), JOBS sets the number of processes on each.  All computers need
# netstitch-cli, and TRACES and DIR at the same paths.  OPTIONs are passed to "netstitch-cli extract",
# which runs in TRACES, so paths in them must be absolute.  Started again, the script resumes an
# interrupted run.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

traces=$(realpath "${1:?name the folder of the traces}")
dir=$(realpath -m "${2:?name the folder of the tables}")
shift 2
cd "$traces"

# Exit status 3: some traces could not be read; the table of failures lists them.
# shellcheck disable=SC2016
# The files that "extract --recursive TRACES" reads, by names below TRACES.
find . -xtype f -regextype posix-extended -iregex \
  '.*\.((etl(\.[0-9]+)?|pcap|pcapng)(\.gz)?|zip|cab|7z|wpapk|tar\.gz|tgz|etlgz)' -printf '%P\0' | sort -z |
  parallel --pipe --recend '\0' --max-replace-args 20 --jobs "${JOBS:-2}" --sshlogin "${SSHLOGIN:-:}" --halt soon,fail=1 --quote \
    sh -c 'cd "$0" && { netstitch-cli extract "$@" || [ $? -eq 3 ]; }' "$traces" --quiet --resume --to "$dir" "$@" \
    --from-file - -0
