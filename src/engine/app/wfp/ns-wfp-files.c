/* Companion files with names of WFP filters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/wfp/ns-wfp.h"

#include <stdio.h>
#include <string.h>

/* Number of bytes read to recognize a file. */
#define LOOK_BYTES 65536

/**
 * ns_wfp_is_names: (skip)
 * @bytes: beginning of a file
 * @n_bytes: number of bytes
 *
 * Returns: whether it is an XML file with filter names, as written by `netsh wfp`, in UTF-8 or
 *   UTF-16; element names are ASCII
 */
gboolean
ns_wfp_is_names (const guint8 *bytes, gsize n_bytes)
{
  g_autofree char *text = NULL;
  gsize n_text = 0;
  gsize i;

  n_bytes = MIN (n_bytes, LOOK_BYTES);
  text = g_malloc (n_bytes + 1);
  for (i = 0; i < n_bytes; i++)
    if (g_ascii_isprint (bytes[i]))
      text[n_text++] = (char) bytes[i];
  text[n_text] = '\0';
  return *text == '<' && (strstr (text, "<wfp") != NULL || strstr (text, "<filterId>") != NULL);
}

static gboolean
begins_with_filters (const char *path)
{
  g_autofree guint8 *bytes = NULL;
  FILE *file = g_file_test (path, G_FILE_TEST_IS_REGULAR) ? fopen (path, "rbe") : NULL;
  gsize n_bytes;

  if (file == NULL)
    return FALSE;
  bytes = g_malloc (LOOK_BYTES);
  n_bytes = fread (bytes, 1, LOOK_BYTES, file);
  fclose (file);
  return ns_wfp_is_names (bytes, n_bytes);
}

/**
 * ns_wfp_take_names_file: (skip)
 * @traces: (inout) (element-type filename): named files
 *
 * Returns: (transfer none) (nullable): the first of them with filter names, removed from the list;
 *   %NULL: none
 */
const char *
ns_wfp_take_names_file (GPtrArray *traces)
{
  guint i;

  for (i = 0; i < traces->len; i++)
    {
      const char *path = g_ptr_array_index (traces, i);
      gsize length = strlen (path);

      if (length < strlen (".xml") ||
          g_ascii_strcasecmp (path + length - strlen (".xml"), ".xml") != 0 ||
          !begins_with_filters (path))
        continue;
      g_ptr_array_remove_index (traces, i);
      return path;
    }
  return NULL;
}
