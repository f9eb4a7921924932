# Completion of netstitch-cli for bash; the program itself lists the candidates.
# SPDX-License-Identifier: GPL-3.0-or-later
_netstitch_cli ()
{
  local IFS=$'\n' words
  words=("${COMP_WORDS[@]:1:COMP_CWORD}")
  mapfile -t COMPREPLY < <(netstitch-cli --complete "${words[@]}" 2>/dev/null)
  if [ ${#COMPREPLY[@]} -eq 0 ]
  then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
  fi
}
complete -F _netstitch_cli netstitch-cli
