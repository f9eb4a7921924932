/* Texts of a trace as rows may hold them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-strings.h"

G_BEGIN_DECLS

NsString ns_masked_text (NsStrings *strings, NsString text);
NsString ns_masked_command (NsStrings *strings, NsString command);

G_END_DECLS
