/* Links from a row to related rows of other tables, with their confidence and evidence.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/bits/ns-bits.h"
#include "engine/app/capi2/ns-capi2.h"
#include "engine/app/wfp/ns-wfp.h"
#include "engine/trace/ns-redirects.h"
#include "model/ns-row-links.h"

#include <glib/gi18n.h>

/* Minimum value of a pointer; smaller numbers are counts or indexes. */
#define MIN_KEY 0x10000u

/* Maximum number of following rows to check for child rows, and of listed child rows. */
#define MAX_ASKED 4096
#define MAX_PARTS 5

/* Fields whose id differs from the name of the table they link to. */
static const struct
{
  const char *id;
  NsTableId target; /* NS_N_TABLES: the same table */
  const char *title;
} other_names[] = {
  { "parent", NS_N_TABLES, N_ ("Part of") }, { "peer", NS_N_TABLES, N_ ("Other side") },
  { "activity", NS_TABLE_ACTIVITIES, NULL }, { "flow", NS_TABLE_FLOWS, NULL },
  { "udp", NS_TABLE_TCP, N_ ("UDP") },       { "http", NS_TABLE_WEBIO, N_ ("Retrieved by") },
};

/* Sets the table a field links to and the title of the link. */
static gboolean
get_target (NsTableId table, const NsField *field, NsRowLink *link)
{
  guint i;

  if (field->type != NS_TYPE_ROW)
    return FALSE;
  for (i = 0; i < G_N_ELEMENTS (other_names); i++)
    if (g_strcmp0 (field->id, other_names[i].id) == 0)
      {
        link->target = other_names[i].target == NS_N_TABLES ? table : other_names[i].target;
        link->title = other_names[i].title;
        /* Queued work is not part of the work that queued it. */
        if (table == NS_TABLE_TASKS && link->target == table)
          link->title = N_ ("Queued by");
        return TRUE;
      }
  return ns_table_from_name (field->id, &link->target);
}

static gboolean
get_key (const NsTrace *trace, const NsField *field, guint32 row, guint64 *key)
{
  NsFieldValue value = { 0 };
  gboolean is_key;

  /* A status code is not an identifier. */
  if (field->type != NS_TYPE_HEX || g_strcmp0 (field->id, "status") == 0)
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

/* Finds the first pointer or handle of the other row that this row has, too. */
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

/* Adds a link for a redirect. @request and @other are rows of @known, the table with the redirects;
 * @table may be the activities. */
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

/* Adds the redirects of a request: requests with the same handle, or with the same source in a
 * browser. */
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

static gboolean
is_listed (const GArray *links, NsTableId target, guint32 row)
{
  guint i;

  for (i = 0; i < links->len; i++)
    if (g_array_index (links, NsRowLink, i).target == target &&
        g_array_index (links, NsRowLink, i).row == row)
      return TRUE;
  return FALSE;
}

/* The table of TCP has UDP endpoints, too. */
static gboolean
is_udp (const NsTrace *trace, NsTableId table, guint32 row)
{
  return table == NS_TABLE_TCP && g_array_index (trace->tcp, NsTcpRow, row).is_udp;
}

/**
 * ns_row_links_get_title:
 * @trace: the trace
 * @target: a table
 * @row: row of @target, 0-based
 *
 * Returns: (transfer none): the title of a link to @row that says nothing about the relation, to be
 *   translated: the title of the table, or “UDP” for a UDP endpoint in the table of TCP
 */
const char *
ns_row_links_get_title (const NsTrace *trace, NsTableId target, guint32 row)
{
  return is_udp (trace, target, row) ? N_ ("UDP") : ns_table_get_title (target);
}

static void
add_link (const NsTrace *trace, NsTableId table, guint32 row, const NsRowLink *known, GArray *links)
{
  NsRowLink link = *known;

  link.confidence =
      ns_link_get_confidence (trace, table, row + 1, link.target, (NsRow) link.row + 1);
  link.evidence = ns_link_get_evidence (trace, table, row + 1, link.target, (NsRow) link.row + 1);
  /* Links found by other means have their own evidence. */
  if (link.evidence == NULL &&
      (link.confidence == NS_CONFIDENCE_CERTAIN || link.confidence == NS_LINK_NOT_JUDGED))
    find_key (trace, table, row, &link);
  if (link.title == NULL && is_udp (trace, link.target, link.row))
    link.title = N_ ("UDP");
  g_array_append_val (links, link);
}

/* Returns the row that a field links to, 1-based; 0 if there is none. */
static NsRow
get_named (const NsTrace *trace, const NsField *field, guint32 row)
{
  NsFieldValue value = { 0 };
  NsRow named;

  ns_field_get (trace, field, row, &value);
  named = value.is_null ? 0 : (NsRow) value.v.u;
  ns_field_value_clear (&value);
  return named;
}

/* Adds the first child rows; they follow the row, because rows are sorted by start time. */
static void
add_parts (const NsTrace *trace, NsTableId table, guint32 row, GArray *links)
{
  const NsField *parent = ns_table_find_field (table, "parent");
  guint32 end = MIN (ns_table_get_n_rows (trace, table), row + MAX_ASKED);
  guint n = 0;
  guint32 i;

  for (i = row + 1; parent != NULL && i < end && n < MAX_PARTS; i++)
    if (get_named (trace, parent, i) == row + 1)
      {
        NsRowLink link = { .target = table,
                           .row = i,
                           .title = table == NS_TABLE_TASKS ? N_ ("Queued") : N_ ("Contains") };

        add_link (trace, table, row, &link, links);
        n++;
      }
}

/* Adds the layer row that an operation was created from, and rows that link only to the
 * operation. */
static void
add_layers (const NsTrace *trace, guint32 row, GArray *links)
{
  const NsActivityRow *activity = &g_array_index (trace->activities, NsActivityRow, row);
  NsRowLink link = { .target = (NsTableId) activity->source_table,
                     .row = activity->source_row - 1 };
  NsRow check = ns_capi2_find_check (trace, row + 1);
  guint n = 0;
  guint i;

  if (activity->source_row > 0 &&
      activity->source_row <= ns_table_get_n_rows (trace, link.target) &&
      !is_listed (links, link.target, link.row))
    add_link (trace, NS_TABLE_ACTIVITIES, row, &link, links);
  if (check > 0)
    {
      link = (NsRowLink){ .target = NS_TABLE_CAPI2, .row = check - 1 };
      add_link (trace, NS_TABLE_ACTIVITIES, row, &link, links);
    }
  for (i = 0; activity->more != NULL && (activity->more->is_blocked || activity->more->drops > 0) &&
              i < trace->wfp->len && n < MAX_PARTS;
       i++)
    if (g_array_index (trace->wfp, NsWfpRow, i).layer.activity == row + 1 &&
        !is_listed (links, NS_TABLE_WFP, i))
      {
        link = (NsRowLink){ .target = NS_TABLE_WFP, .row = i };
        add_link (trace, NS_TABLE_ACTIVITIES, row, &link, links);
        n++;
      }
}

/* Adds the requests that carried a transfer. */
static void
add_requests (const NsTrace *trace, guint32 row, GArray *links)
{
  const GArray *requests = g_array_index (trace->bits, NsBitsRow, row).requests;
  guint i;

  for (i = 0; requests != NULL && i < MIN (requests->len, MAX_PARTS); i++)
    {
      NsRowLink link = { .target = NS_TABLE_WEBIO, .row = g_array_index (requests, NsRow, i) - 1 };

      add_link (trace, NS_TABLE_BITS, row, &link, links);
    }
}

/**
 * ns_row_links_list:
 * @trace: an opened trace
 * @table: a table
 * @row: one of its rows, 0-based
 *
 * Lists the rows that the fields of a row link to, in the order of the fields; the layer rows of an
 * operation and its first child rows; and the requests before and after a redirect.
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
      NsRowLink link = { 0 };

      if (!get_target (table, &fields[i], &link))
        continue;
      link.row = get_named (trace, &fields[i], row) - 1;
      if (link.row < ns_table_get_n_rows (trace, link.target))
        add_link (trace, table, row, &link, links);
    }
  if (table == NS_TABLE_ACTIVITIES)
    add_layers (trace, row, links);
  if (table == NS_TABLE_BITS)
    add_requests (trace, row, links);
  add_parts (trace, table, row, links);
  add_redirects (trace, table, row, links);
  return links;
}
