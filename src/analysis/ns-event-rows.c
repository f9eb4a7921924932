/* Finds the rows that a record belongs to, by the keys in its fields.
 *
 * The inverse of ns-row-events, with the same keys: a row matches if it was open when the record
 * was written, and has a pointer or handle that equals one of the record's fields.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "analysis/ns-event-rows.h"

#include "engine/net/kernel/ns-kernel-ends.h"
#include "engine/open/ns-event-read.h"
#include "query/ns-field-get.h"
#include "query/ns-row-events.h"
#include "query/ns-row-keys.h"
#include "schema/ns-payload.h"

#include <string.h>

#define ROWS_BETWEEN_NEWS 4096

/* Layers, the most informative one first. */
static const NsTableId layers[] = { NS_TABLE_WEBIO,       NS_TABLE_WININET, NS_TABLE_CHROMIUM,
                                    NS_TABLE_DOTNET,      NS_TABLE_LDAP,    NS_TABLE_URLMON,
                                    NS_TABLE_HTTP_SERVER, NS_TABLE_WINSOCK, NS_TABLE_TCP };

typedef struct
{
  const NsTrace *trace;
  const NsRecord *record;
  NsEventRows *found;
  guint64 keys[NS_EVENT_ROWS_MAX_KEYS];
  guint n_keys;
  gboolean has_ends;
  NsEndpoint local;
  NsEndpoint remote;
  NsProgressFunc progress;
  gpointer progress_data;
} Search;

static gboolean
take_number (const NsPayloadItem *item, gpointer user_data)
{
  Search *self = user_data;
  guint64 value;
  guint i;

  if (item->kind != NS_ITEM_VALUE || item->size < 4 || !ns_value_get_uint (item, &value) ||
      value < NS_ROW_EVENTS_MIN_KEY)
    return TRUE;
  for (i = 0; i < self->n_keys; i++)
    if (self->keys[i] == value)
      return TRUE;
  self->keys[self->n_keys++] = value;
  return self->n_keys < NS_EVENT_ROWS_MAX_KEYS;
}

static gboolean
get_value (const NsTrace *trace, NsTableId table, guint32 row, const char *id, NsFieldValue *value)
{
  const NsField *field = ns_table_find_field (table, id);

  memset (value, 0, sizeof *value);
  value->is_null = TRUE;
  if (field != NULL)
    ns_field_get (trace, field, row, value);
  return !value->is_null;
}

/* Returns whether a row was open when the record was written, and belongs to a process in which
 * the key is valid. */
static gboolean
is_alive (const Search *self, NsTableId table, guint32 row, const guint64 *key)
{
  g_autoptr (NsRowEvents) about = ns_row_events_describe (self->trace, table, row);

  return self->record->time_ns >= about->span.begin_ns &&
         self->record->time_ns <= about->span.end_ns &&
         (key == NULL || ns_row_events_means_the_same (about->pid, *key, self->record));
}

static void
add_link (Search *self, const NsEventRowLink *link)
{
  guint i;

  for (i = 0; i < self->found->links->len; i++)
    {
      const NsEventRowLink *other = &g_array_index (self->found->links, NsEventRowLink, i);

      if (other->table == link->table && other->row == link->row)
        return;
    }
  if (self->found->links->len < NS_EVENT_ROWS_MAX)
    g_array_append_val (self->found->links, *link);
}

static gboolean
goes_on (Search *self)
{
  return self->progress == NULL || self->progress (0, self->progress_data);
}

/* Finds the newest row with the key that was open. */
static gboolean
look_through (Search *self, NsTableId table, const NsField *field)
{
  NsEventRowLink link = { .table = table, .reason = NS_EVENT_ROW_KEY, .key = field };
  gboolean has_link = FALSE;
  guint k;

  for (k = 0; k < self->n_keys; k++)
    {
      const guint32 *rows;
      guint n_rows;

      if (!goes_on (self) ||
          !ns_row_keys_find (self->trace, table, field, self->keys[k], &rows, &n_rows))
        return FALSE;
      for (; n_rows > 0 && (!has_link || rows[n_rows - 1] > link.row); n_rows--)
        {
          if (n_rows % ROWS_BETWEEN_NEWS == 0 && !goes_on (self))
            return FALSE;
          if (!is_alive (self, table, rows[n_rows - 1], &self->keys[k]))
            continue;
          link.row = rows[n_rows - 1];
          link.value = self->keys[k];
          has_link = TRUE;
        }
    }
  if (has_link)
    add_link (self, &link);
  return TRUE;
}

static gboolean
find_by_keys (Search *self)
{
  guint n_fields;
  guint i;
  guint k;

  for (i = 0; i < G_N_ELEMENTS (layers) && self->n_keys > 0; i++)
    {
      const NsField *fields = ns_table_get_fields (layers[i], &n_fields);

      for (k = 0; k < n_fields; k++)
        if (ns_row_events_is_key_field (&fields[k]) && !look_through (self, layers[i], &fields[k]))
          return FALSE;
    }
  return TRUE;
}

/* Finds rows by both endpoints of the connection, as kernel network events have no pointers. */
static gboolean
find_by_addresses (Search *self)
{
  const NsField *field = ns_table_find_field (NS_TABLE_KERNEL_NETWORK, "ip");
  const guint32 *rows;
  guint n_rows;
  guint i;

  if (!self->has_ends)
    return TRUE;
  if (!goes_on (self) || !ns_row_keys_find (self->trace,
                                            NS_TABLE_KERNEL_NETWORK,
                                            field,
                                            ns_row_keys_of_ends (&self->local, &self->remote),
                                            &rows,
                                            &n_rows))
    return FALSE;
  for (i = 0; i < n_rows && self->found->links->len < NS_EVENT_ROWS_MAX; i++)
    {
      const NsKernelNetworkRow *kernel =
          &g_array_index (self->trace->kernel_network, NsKernelNetworkRow, rows[i]);
      NsEventRowLink link = { NS_TABLE_KERNEL_NETWORK, rows[i], NS_EVENT_ROW_ADDRESSES, NULL, 0 };

      if (i % ROWS_BETWEEN_NEWS == 0 && !goes_on (self))
        return FALSE;
      if (ns_endpoint_equal (&kernel->remote, &self->remote) &&
          ns_endpoint_equal (&kernel->local, &self->local) &&
          is_alive (self, link.table, rows[i], NULL))
        add_link (self, &link);
    }
  return TRUE;
}

static gboolean
look_for_activity (Search *self, NsTableId table, const NsField *field)
{
  const NsGuid *wanted = &self->record->activity;
  const guint32 *rows;
  guint n_rows;
  guint i;

  if (!goes_on (self) ||
      !ns_row_keys_find (self->trace, table, field, ns_row_keys_of_guid (wanted), &rows, &n_rows))
    return FALSE;
  for (i = 0; i < n_rows && self->found->links->len < NS_EVENT_ROWS_MAX; i++)
    {
      NsEventRowLink link = { table, rows[i], NS_EVENT_ROW_ACTIVITY, field, 0 };
      const NsGuid *guid = ns_field_peek_guid (self->trace, rows[i], field);

      if (i % ROWS_BETWEEN_NEWS == 0 && !goes_on (self))
        return FALSE;
      if (guid != NULL && ns_guid_equal (guid, wanted) && is_alive (self, table, rows[i], NULL))
        add_link (self, &link);
    }
  return TRUE;
}

static gboolean
find_by_activity (Search *self)
{
  guint i;

  if (ns_guid_is_zero (&self->record->activity))
    return TRUE;
  for (i = 0; i < G_N_ELEMENTS (layers); i++)
    {
      const NsField *field = ns_table_find_field (layers[i], "activity_guid");

      if (field != NULL && !look_for_activity (self, layers[i], field))
        return FALSE;
    }
  return TRUE;
}

/* Sets the operation and its process. */
static void
note_activity (Search *self)
{
  NsEventRows *found = self->found;
  guint i;

  for (i = 0; i < found->links->len; i++)
    {
      const NsEventRowLink *link = &g_array_index (found->links, NsEventRowLink, i);
      NsFieldValue value = { .is_null = TRUE };

      if (found->activity == G_MAXUINT32 &&
          get_value (self->trace, link->table, link->row, "activity", &value) && value.v.u >= 1 &&
          value.v.u <= self->trace->activities->len)
        found->activity = (guint32) value.v.u - 1;
      ns_field_value_clear (&value);
      if (found->owner_pid == NS_PID_UNKNOWN &&
          get_value (self->trace, link->table, link->row, "pid", &value) && value.v.u < G_MAXUINT32)
        found->owner_pid = (guint32) value.v.u;
      ns_field_value_clear (&value);
    }
}

/**
 * ns_event_rows_find:
 * @trace: a trace
 * @event: row of the table of events, 0-based
 * @progress: (nullable): called regularly; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * The first call indexes the rows of the trace, in time proportional to their number.
 *
 * Returns: (transfer full) (nullable): the rows; %NULL if stopped, if the file no longer has the
 *   record, or if memory is short
 */
NsEventRows *
ns_event_rows_find (const NsTrace *trace,
                    guint32 event,
                    NsProgressFunc progress,
                    gpointer progress_data)
{
  g_autoptr (NsEventRows) found = NULL;
  Search search = { .trace = trace, .progress = progress, .progress_data = progress_data };
  NsRecord record;
  NsEvent read;

  if (!ns_event_read (trace, event, &read))
    return NULL;
  /* Copy the fields first, as the record's bytes may become invalid while rows are searched. */
  ns_payload_walk (read.schema, read.record, take_number, &search);
  search.has_ends =
      ns_kernel_ends_find (trace->kernel_ends, read.record, &search.local, &search.remote);
  record = *read.record;
  found = g_new0 (NsEventRows, 1);
  found->event = event;
  found->links = g_array_new (FALSE, FALSE, sizeof (NsEventRowLink));
  found->activity = G_MAXUINT32;
  found->time_ns = record.time_ns;
  found->pid = record.pid;
  found->owner_pid = NS_PID_UNKNOWN;
  search.record = &record;
  search.found = found;
  if (!find_by_keys (&search))
    return NULL;
  if (found->links->len == 0 && !find_by_addresses (&search))
    return NULL;
  if (found->links->len == 0 && !find_by_activity (&search))
    return NULL;
  note_activity (&search);
  return g_steal_pointer (&found);
}

/**
 * ns_event_rows_free:
 * @self: (transfer full) (nullable): the rows found
 */
void
ns_event_rows_free (NsEventRows *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->links);
  g_free (self);
}
