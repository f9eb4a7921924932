/* Options per log: its clock offset, and the column with the time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "side/ns-side-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Offsets of more than a century are refused as mistakes. */
#define MAX_OFFSET_SECONDS 3.2e9

/**
 * ns_side_options_dup_value:
 * @lines: (nullable): `NAME=VALUE` lines of #NsSideOptions
 * @path: a file
 * @name: its base name
 *
 * Returns: (transfer full) (nullable): the value for the file, given by its path, its name, or
 *   without a name
 */
char *
ns_side_options_dup_value (const char *lines, const char *path, const char *name)
{
  g_auto (GStrv) all = lines != NULL ? g_strsplit (lines, "\n", -1) : NULL;
  char *value = NULL;
  guint i;

  for (i = 0; all != NULL && all[i] != NULL; i++)
    {
      const char *equals = strrchr (all[i], '=');
      g_autofree char *who = equals != NULL ? g_strndup (all[i], (gsize) (equals - all[i])) : NULL;

      if (who != NULL && strcmp (who, path) != 0 && strcmp (who, name) != 0)
        continue;
      if (*all[i] == '\0')
        continue;
      g_free (value);
      value = g_strdup (equals != NULL ? equals + 1 : all[i]);
    }
  return value;
}

/**
 * ns_side_parse_offset:
 * @text: a number of seconds
 * @offset_ns: (out): the offset in nanoseconds
 *
 * Returns: whether it is a number of seconds of less than a hundred years
 */
gboolean
ns_side_parse_offset (const char *text, gint64 *offset_ns)
{
  double seconds;
  char *end;

  seconds = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0' ||
      !(seconds > -MAX_OFFSET_SECONDS && seconds < MAX_OFFSET_SECONDS))
    return FALSE;
  *offset_ns = (gint64) (seconds * NS_PER_SECOND + (seconds < 0 ? -0.5 : 0.5));
  return TRUE;
}

/**
 * ns_side_check_offsets:
 * @offsets: (nullable): lines of #NsSideOptions
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: whether each line has a file and a number of seconds, else %FALSE with @error set
 */
gboolean
ns_side_check_offsets (const char *offsets, GError **error)
{
  g_auto (GStrv) all = g_strsplit (offsets != NULL ? offsets : "", "\n", -1);
  guint i;

  for (i = 0; all[i] != NULL; i++)
    {
      const char *equals = strrchr (all[i], '=');
      gint64 offset_ns;

      if (*all[i] == '\0')
        continue;
      if (equals == NULL || equals == all[i] || !ns_side_parse_offset (equals + 1, &offset_ns))
        {
          g_set_error (error,
                       NS_TRACE_ERROR,
                       NS_TRACE_ERROR_QUERY,
                       _ ("“%s” is not an offset; write FILE=SECONDS, such as pfirewall.log=-1.5"),
                       all[i]);
          return FALSE;
        }
    }
  return TRUE;
}

/**
 * ns_side_find_offset:
 * @offsets: (nullable): lines of #NsSideOptions
 * @path: a file
 * @offset_ns: (out): offset to add to its times
 *
 * Returns: whether there is an offset for the file, by its path or base name
 */
gboolean
ns_side_find_offset (const char *offsets, const char *path, gint64 *offset_ns)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *offset = ns_side_options_dup_value (offsets, path, name);

  return offset != NULL && ns_side_parse_offset (offset, offset_ns);
}

char *
ns_side_dup_time_column (const NsSideOptions *options, const NsSideLog *log)
{
  char *column = ns_side_options_dup_value (options->time_columns, log->path, log->name);

  if (column != NULL && *column == '\0')
    g_clear_pointer (&column, g_free);
  return column;
}
