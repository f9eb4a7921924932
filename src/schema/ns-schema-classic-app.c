/* Layouts of the event class of the Tcl Windows API, which scripts use to log their operations.
 * From the class description (MOF) that the library registers with Windows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-classic-data.h"

/* clang-format off */
const NsClassicRow ns_classic_app_rows[] = {
  { NS_CLASSIC_TWAPI, 1, 0, "Message", "wstr Message" },
  { NS_CLASSIC_TWAPI, 2, 0, "VariableTrace",
    "wstr Operation wstr Name wstr Index wstr Value wstr Context" },
  { NS_CLASSIC_TWAPI, 3, 0, "ExecutionTrace",
    "wstr Operation wstr Command wstr Code wstr Result wstr Context" },
  { NS_CLASSIC_TWAPI, 4, 0, "CommandTrace",
    "wstr Operation wstr OldName wstr NewName wstr Context" },
};
/* clang-format on */

const guint ns_classic_n_app_rows = G_N_ELEMENTS (ns_classic_app_rows);
