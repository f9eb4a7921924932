/* Counts the distinct values of a group level: one value may occur in several outer groups.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-groups.h"

#include "base/ns-hash.h"

/* Formats a value; unknown ones are skipped. Returns the length of the text in bytes. */
static gsize
take_value (const NsGroups *self,
            const NsTrace *trace,
            const NsField *field,
            const NsGroup *group,
            GHashTable *values)
{
  NsFieldValue value = { 0 };
  gsize n_bytes = 0;

  field =
      ns_field_get_shown (trace, field, g_array_index (self->rows, guint32, group->begin), &value);
  if (!value.is_null)
    {
      GString *text = g_string_new (NULL);

      ns_field_append_raw (field, &value, text);
      n_bytes = text->len;
      g_hash_table_add (values, g_string_free (text, FALSE));
    }
  ns_field_value_clear (&value);
  return n_bytes;
}

/**
 * ns_groups_count_values:
 * @self: groups
 * @trace: the trace
 * @field: the field that groups of @depth were grouped by
 * @depth: 0 for the outermost groups
 * @n_values: (out): number of distinct values
 *
 * Returns: %FALSE if there are more than %NS_GROUPS_MAX_COMPARED groups to compare, or if their
 *   texts have more than %NS_GROUPS_MAX_COMPARED_BYTES bytes
 */
gboolean
ns_groups_count_values (const NsGroups *self,
                        const NsTrace *trace,
                        const NsField *field,
                        guint depth,
                        guint *n_values)
{
  g_autoptr (GHashTable) values = NULL;
  gsize n_bytes = 0;
  guint i;

  *n_values = 0;
  if (self->groups->len > NS_GROUPS_MAX_COMPARED)
    return FALSE;
  values = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  for (i = 0; i < self->groups->len; i++)
    {
      const NsGroup *group = &g_array_index (self->groups, NsGroup, i);

      if (group->depth == depth)
        n_bytes += take_value (self, trace, field, group, values);
      if (n_bytes > NS_GROUPS_MAX_COMPARED_BYTES)
        return FALSE;
    }
  *n_values = g_hash_table_size (values);
  return TRUE;
}
