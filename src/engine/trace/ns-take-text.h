/* Reads texts in payloads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-cursor.h"
#include "base/ns-strings.h"

G_BEGIN_DECLS

NsString ns_take_text (NsStrings *strings, NsCursor *cursor);

G_END_DECLS
