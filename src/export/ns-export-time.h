/* Time formats of exports.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

typedef enum
{
  NS_EXPORT_TIME_NS,       /* integer ns since the trace header */
  NS_EXPORT_TIME_REL,      /* seconds since the trace header, nine decimals */
  NS_EXPORT_TIME_ISO,      /* ISO 8601, UTC */
  NS_EXPORT_TIME_LOCAL,    /* ISO 8601 in the traced machine's time zone */
  NS_EXPORT_TIME_FILETIME, /* 100 ns since 1601 */
  NS_EXPORT_TIME_UNIX_NS,  /* ns since 1970 */
} NsExportTime;

gboolean ns_export_time_from_name (const char *name, NsExportTime *format);
const char *ns_export_time_get_suffix (NsExportTime format);
void
ns_export_time_append (GString *text, const NsTrace *trace, gint64 time_ns, NsExportTime format);

G_END_DECLS
