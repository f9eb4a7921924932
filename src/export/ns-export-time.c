/* Time formats of exports.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-time.h"

#include <string.h>

static const struct
{
  const char *name;
  const char *suffix; /* suffix that replaces "_ns" of a field's ID */
} formats[] = {
  [NS_EXPORT_TIME_NS] = { "ns", "_ns" },
  [NS_EXPORT_TIME_REL] = { "rel", "_s" },
  [NS_EXPORT_TIME_ISO] = { "iso", "_utc" },
  [NS_EXPORT_TIME_LOCAL] = { "local", "_local" },
  [NS_EXPORT_TIME_FILETIME] = { "filetime", "_filetime" },
  [NS_EXPORT_TIME_UNIX_NS] = { "unix-ns", "_unix_ns" },
};

/**
 * ns_export_time_from_name:
 * @name: "rel", "iso" …
 * @format: (out): the format
 *
 * Returns: %TRUE if there is such a format
 */
gboolean
ns_export_time_from_name (const char *name, NsExportTime *format)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strcmp (formats[i].name, name) == 0)
      {
        *format = i;
        return TRUE;
      }
  return FALSE;
}

/**
 * ns_export_time_get_suffix:
 * @format: a format
 *
 * Returns: the suffix of column names with such times
 */
const char *
ns_export_time_get_suffix (NsExportTime format)
{
  return formats[format].suffix;
}

/**
 * ns_export_time_append:
 * @text: (inout): appended to
 * @trace: the trace of the time
 * @time_ns: a known time
 * @format: the format
 */
void
ns_export_time_append (GString *text, const NsTrace *trace, gint64 time_ns, NsExportTime format)
{
  g_autofree char *stamp = NULL;
  guint64 filetime;

  switch (format)
    {
    case NS_EXPORT_TIME_REL:
      stamp = ns_time_seconds_to_text (time_ns, 9);
      break;
    case NS_EXPORT_TIME_ISO:
      filetime = ns_etl_file_ns_to_filetime (trace->file, time_ns);
      stamp = ns_time_filetime_to_iso (filetime, 0, TRUE);
      break;
    case NS_EXPORT_TIME_LOCAL:
      filetime = ns_etl_file_ns_to_filetime (trace->file, time_ns);
      stamp = ns_time_filetime_to_iso (
          filetime,
          ns_zone_get_offset_min (&ns_etl_file_get_header (trace->file)->zone, filetime),
          FALSE);
      break;
    case NS_EXPORT_TIME_FILETIME:
      filetime = ns_etl_file_ns_to_filetime (trace->file, time_ns);
      stamp = g_strdup_printf ("%" G_GUINT64_FORMAT, filetime);
      break;
    case NS_EXPORT_TIME_UNIX_NS:
      /* The time stamp in the header has a resolution of 100 ns; finer digits come from the
       * trace clock. */
      filetime = ns_etl_file_ns_to_filetime (trace->file, 0);
      stamp = g_strdup_printf ("%" G_GINT64_FORMAT,
                               ((gint64) filetime - NS_FILETIME_UNIX_EPOCH) * 100 + time_ns);
      break;
    case NS_EXPORT_TIME_NS:
    default:
      stamp = g_strdup_printf ("%" G_GINT64_FORMAT, time_ns);
      break;
    }
  g_string_append (text, stamp);
}
