/* What was entered of one log: how far its clock is off, and which column holds the time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "side/ns-side-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A correction beyond a century is a mistake. */
#define MAX_OFFSET_SECONDS 3.2e9

/**
 * ns_side_options_dup_value:
 * @lines: (nullable): `NAME=VALUE` lines of #NsSideOptions
 * @path: a file
 * @name: the last part of its path
 *
 * Returns: (transfer full) (nullable): what they say of the file, by its path or name, or by no
 *   name at all
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
 * @text: what was entered
 * @offset_ns: (out): what it is in nanoseconds
 *
 * Returns: whether it is a number of seconds, of less than a hundred years
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
 * Returns: whether each of them is a file and a number of seconds
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
                       _ ("“%s” is no offset; it is FILE=SECONDS, such as pfirewall.log=-1.5"),
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
 * @offset_ns: (out): what is to be added to its times
 *
 * Returns: whether they tell of the file, by its path or the last part of it
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
