/* Format and columns of a listing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-table.h"

#include <string.h>

/* Names of formats; HTML is not a format of listings. */
static const char *const format_names[] = {
  [NS_EXPORT_TEXT] = "text", [NS_EXPORT_CSV] = "csv",     [NS_EXPORT_TSV] = "tsv",
  [NS_EXPORT_JSON] = "json", [NS_EXPORT_JSONL] = "jsonl", [NS_EXPORT_MARKDOWN] = "markdown",
};

/**
 * ns_export_format_from_name:
 * @name: "csv", "json" …
 * @format: (out): the format
 *
 * Returns: %TRUE if there is such a format
 */
gboolean
ns_export_format_from_name (const char *name, NsExportFormat *format)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (format_names); i++)
    if (strcmp (format_names[i], name) == 0)
      {
        *format = i;
        return TRUE;
      }
  return FALSE;
}

/**
 * ns_export_parse_columns:
 * @table: a table
 * @text: IDs separated by commas, or "all"
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: (transfer container) (element-type NsField) (nullable): the fields, in that order
 */
GPtrArray *
ns_export_parse_columns (NsTableId table, const char *text, GError **error)
{
  g_auto (GStrv) ids = g_strsplit (text, ",", -1);
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  guint i;

  if (strcmp (text, "all") == 0)
    {
      for (i = 0; i < n_fields; i++)
        g_ptr_array_add (columns, (gpointer) &fields[i]);
      return g_steal_pointer (&columns);
    }
  for (i = 0; ids[i] != NULL; i++)
    {
      const NsField *field = ns_table_find_field (table, g_strstrip (ids[i]));

      if (field == NULL)
        {
          ns_table_refuse_field (table, ids[i], error);
          return NULL;
        }
      g_ptr_array_add (columns, (gpointer) field);
    }
  return g_steal_pointer (&columns);
}

/**
 * ns_export_list_columns:
 * @table: a table
 * @format: a format
 *
 * Returns: (transfer container) (element-type NsField): the default fields: for JSON all that are
 *   not redundant, otherwise the default columns
 */
GPtrArray *
ns_export_list_columns (NsTableId table, NsExportFormat format)
{
  GPtrArray *columns;
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  guint i;

  if (format == NS_EXPORT_TEXT || format == NS_EXPORT_MARKDOWN || format == NS_EXPORT_HTML)
    return ns_table_list_columns (table);
  columns = g_ptr_array_new ();
  for (i = 0; i < n_fields; i++)
    if (fields[i].in_json)
      g_ptr_array_add (columns, (gpointer) &fields[i]);
  return columns;
}
