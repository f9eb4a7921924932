/* File names of traces, logs, WFP filter lists and archives.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-archive.h"

#include <string.h>

static gboolean
ends_with (const char *name, gsize length, const char *ending)
{
  gsize n = strlen (ending);

  return length >= n && g_ascii_strncasecmp (name + length - n, ending, n) == 0;
}

/**
 * ns_etl_archive_has_trace_name:
 * @name: name of a file or a member
 *
 * Returns: whether traces have such names: `.etl`, or `.etl.` with a number, as autologger sessions
 *   have it; or packet captures: `.pcap`, `.pcapng`
 */
gboolean
ns_etl_archive_has_trace_name (const char *name)
{
  gsize length = strlen (name);
  gsize end = length;

  if (ends_with (name, length, ".pcap") || ends_with (name, length, ".pcapng"))
    return TRUE;
  while (end > 0 && g_ascii_isdigit (name[end - 1]))
    end--;
  if (end < length && end > 0 && name[end - 1] == '.')
    length = end - 1;
  return ends_with (name, length, ".etl");
}

/**
 * ns_etl_archive_has_log_name:
 * @name: name of a file or a member
 *
 * Returns: whether logs of other tools have such names
 */
gboolean
ns_etl_archive_has_log_name (const char *name)
{
  static const char *const ends[] = { ".log", ".old", ".har", ".json",
                                      ".csv", ".tsv", ".txt", ".syslog" };
  gsize length = strlen (name);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ends); i++)
    if (length > strlen (ends[i]) &&
        g_ascii_strcasecmp (name + length - strlen (ends[i]), ends[i]) == 0)
      return TRUE;
  return FALSE;
}

/* Files that `netsh wfp show state`, `show filters` and `capture` write. */
static const char *const filters_names[] = { "wfpstate.xml", "filters.xml", "wfpdiag.xml", NULL };

/**
 * ns_etl_archive_get_filters_names:
 *
 * Returns: (array zero-terminated=1) (transfer none): names of files that hold names of WFP filters
 */
const char *const *
ns_etl_archive_get_filters_names (void)
{
  return filters_names;
}

/**
 * ns_etl_archive_find_filters_name:
 * @name: name of a file or a member
 *
 * Returns: its position among the names of ns_etl_archive_get_filters_names(), from 1 on; 0: none
 *   of them
 */
guint
ns_etl_archive_find_filters_name (const char *name)
{
  const char *slash = strrchr (name, '/');
  guint i;

  for (i = 0; filters_names[i] != NULL; i++)
    if (g_ascii_strcasecmp (slash != NULL ? slash + 1 : name, filters_names[i]) == 0)
      return i + 1;
  return 0;
}

/**
 * ns_etl_archive_dup_unpacked_name:
 * @name: name of a file
 *
 * Returns: (transfer full) (nullable): the name without `.gz`, in any case; %NULL: it has another
 *   ending
 */
char *
ns_etl_archive_dup_unpacked_name (const char *name)
{
  gsize length = strlen (name);

  return ends_with (name, length, ".gz") ? g_strndup (name, length - strlen (".gz")) : NULL;
}

/**
 * ns_etl_archive_has_name:
 * @name: name of a file
 *
 * Returns: whether archives, or compressed traces or logs, have such names
 */
gboolean
ns_etl_archive_has_name (const char *name)
{
  static const char *const ends[] = {
    ".zip", ".cab", ".7z", ".wpapk", ".tar.gz", ".tgz", ".etlgz"
  };
  gsize length = strlen (name);
  g_autofree char *plain = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ends); i++)
    if (ends_with (name, length, ends[i]))
      return TRUE;
  plain = ns_etl_archive_dup_unpacked_name (name);
  return plain != NULL &&
         (ns_etl_archive_has_trace_name (plain) || ns_etl_archive_has_log_name (plain));
}
