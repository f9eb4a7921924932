/* The rows of other tables that a row names: how sure each link is, and what it stands on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-redirects.h"
#include "model/ns-row-links.h"

#include <glib/gi18n.h>

/* Below this a number is a count or an index, and no pointer. */
#define MIN_KEY 0x10000u

/* The table a field names a row of. */
static gboolean
get_target (NsTableId table, const NsField *field, NsTableId *target)
{
  if (field->type != NS_TYPE_ROW)
    return FALSE;
  *target = NS_TABLE_ACTIVITIES;
  if (g_strcmp0 (field->id, "parent") == 0)
    *target = table;
  else if (g_strcmp0 (field->id, "flow") == 0)
    *target = NS_TABLE_FLOWS;
  else if (g_strcmp0 (field->id, "activity") != 0 && !ns_table_from_name (field->id, target))
    return FALSE;
  return TRUE;
}

static gboolean
get_key (const NsTrace *trace, const NsField *field, guint32 row, guint64 *key)
{
  NsFieldValue value = { 0 };
  gboolean is_key;

  if (field->type != NS_TYPE_HEX)
    return FALSE;
  ns_field_get (trace, field, row, &value);
  is_key = !value.is_null && value.type == NS_TYPE_HEX && value.v.u >= MIN_KEY;
  *key = is_key ? value.v.u : 0;
  ns_field_value_clear (&value);
  return is_key;
}

static gboolean
has_key (const NsTrace *trace, NsTableId table, guint32 row, guint64 key)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  guint64 value;
  guint i;

  for (i = 0; i < n_fields; i++)
    if (get_key (trace, &fields[i], row, &value) && value == key)
      return TRUE;
  return FALSE;
}

/* The first pointer or handle of the other row that this one has, too. */
static void
find_key (const NsTrace *trace, NsTableId table, guint32 row, NsRowLink *link)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (link->target, &n_fields);
  guint i;

  for (i = 0; i < n_fields && link->key == NULL; i++)
    if (get_key (trace, &fields[i], link->row, &link->value) &&
        has_key (trace, table, row, link->value))
      link->key = &fields[i];
}

/* @request and @other are rows of @known, which tells of redirects; @table may be that of
 * activities.
 */
static void
add_redirect (const NsTrace *trace,
              NsTableId table,
              NsTableId known,
              NsRow request,
              NsRow other,
              const char *title,
              GArray *links)
{
  NsRowLink link = { .target = known, .title = title, .confidence = NS_CONFIDENCE_CERTAIN };
  NsRow shown = table == known ? other : ns_redirects_get_activity (trace, known, other);
  NsRow from = table == known ? request : ns_redirects_get_activity (trace, known, request);

  if (other == 0 || shown == 0 || shown == from)
    return;
  link.row = other - 1;
  find_key (trace, known, request - 1, &link);
  link.target = table;
  link.row = shown - 1;
  g_array_append_val (links, link);
}

/* A request goes on as another one of the same handle, or of the same source of a browser. */
static void
add_redirects (const NsTrace *trace, NsTableId table, guint32 row, GArray *links)
{
  NsTableId known = table;
  NsRow request = row + 1;

  if (table == NS_TABLE_ACTIVITIES && !ns_redirects_find (trace, row + 1, &known, &request))
    return;
  add_redirect (trace,
                table,
                known,
                request,
                ns_redirects_get_before (trace, known, request),
                N_ ("Redirected from"),
                links);
  add_redirect (trace,
                table,
                known,
                request,
                ns_redirects_get_after (trace, known, request),
                N_ ("Redirected to"),
                links);
}

/**
 * ns_row_links_list:
 * @trace: an opened trace
 * @table: a table
 * @row: one of its rows, 0-based
 *
 * Lists the rows of other tables that a row names, in the order of its fields, and the requests
 * that it came from and went on as.
 *
 * Returns: (transfer full) (element-type NsRowLink): the links
 */
GArray *
ns_row_links_list (const NsTrace *trace, NsTableId table, guint32 row)
{
  GArray *links = g_array_new (FALSE, TRUE, sizeof (NsRowLink));
  guint n_fields;
  const NsField *fields = ns_table_get_fields (table, &n_fields);
  guint i;

  g_return_val_if_fail (trace != NULL, links);

  for (i = 0; i < n_fields; i++)
    {
      NsFieldValue value = { 0 };
      NsRowLink link = { 0 };

      if (!get_target (table, &fields[i], &link.target))
        continue;
      ns_field_get (trace, &fields[i], row, &value);
      link.row = value.is_null || value.v.u == 0 ? G_MAXUINT32 : (guint32) value.v.u - 1;
      ns_field_value_clear (&value);
      if (link.row >= ns_table_get_n_rows (trace, link.target))
        continue;
      link.confidence =
          ns_link_get_confidence (trace, table, row + 1, link.target, (NsRow) link.row + 1);
      /* What was found by other means has the keys of what it found. */
      if (link.confidence == NS_CONFIDENCE_CERTAIN || link.confidence == NS_LINK_NOT_JUDGED)
        find_key (trace, table, row, &link);
      g_array_append_val (links, link);
    }
  add_redirects (trace, table, row, links);
  return links;
}
