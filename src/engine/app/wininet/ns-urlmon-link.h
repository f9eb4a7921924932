/* Links URLMon downloads with their WinINet requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

void ns_urlmon_link_rows (NsTrace *trace);

G_END_DECLS
