# Completion of netstitch-cli for fish; the program itself lists the candidates.
# SPDX-License-Identifier: GPL-3.0-or-later
function __netstitch_cli_offers
    set -l words (commandline -opc) (commandline -ct)
    netstitch-cli --complete $words[2..-1] 2>/dev/null
end
complete -c netstitch-cli -a '(__netstitch_cli_offers)'
