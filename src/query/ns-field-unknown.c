/* Error message for a field that a table does not have.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-nearest.h"
#include "query/ns-fields.h"

#include <glib/gi18n-lib.h>

/**
 * ns_table_find_nearest_field:
 * @table: a table
 * @id: a mistyped field name
 *
 * Returns: (transfer none) (nullable): the ID of the field nearest to @id; %NULL if none is near
 */
const char *
ns_table_find_nearest_field (NsTableId table, const char *id)
{
  NsNearest search;
  const NsField *fields;
  guint n_fields;
  guint i;

  fields = ns_table_get_fields (table, &n_fields);
  ns_nearest_init (&search, id);
  for (i = 0; i < n_fields; i++)
    ns_nearest_offer (&search, fields[i].id);
  return search.best;
}

/**
 * ns_table_refuse_field:
 * @table: a table
 * @id: an unknown field name
 * @error: return location
 *
 * Returns: %FALSE, with an %NS_TRACE_ERROR_QUERY that names the nearest field
 */
gboolean
ns_table_refuse_field (NsTableId table, const char *id, GError **error)
{
  const char *nearest = ns_table_find_nearest_field (table, id);
  const char *verb = ns_table_get_name (table);

  if (nearest != NULL)
    return ns_trace_refuse_query (error,
                                  _ ("“%s” has no field “%s”; did you mean “%s”?"),
                                  verb,
                                  id,
                                  nearest);
  return ns_trace_refuse_query (error,
                                _ ("“%s” has no field “%s”; netstitch-cli %s --help lists its "
                                   "fields"),
                                verb,
                                id,
                                verb);
}
