/* Finds the request that bytes on a shared connection belong to. WinHTTP logs received data only
 * with the connection; the request is in the record's activity ID, whose first half is the request
 * handle.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "export/ns-row-owner.h"

#include "base/ns-hash.h"
#include "query/ns-fields.h"

/* WinHTTP records with TLS handshake messages. */
#define EVENT_HANDSHAKE_TAKEN 704 /* input of InitializeSecurityContext */
#define EVENT_HANDSHAKE_GIVEN 705 /* output of InitializeSecurityContext, to be sent */

struct _NsRowOwner
{
  guint32 pid;
  GHashTable *others; /* handles of other requests on the connection */
};

static const NsGuid webio = NS_GUID_WEBIO;

/* Returns the request of a row; %NULL: none. */
static const NsWebioRow *
get_request (const NsTrace *trace, NsTableId table, guint32 row)
{
  NsRow number = 0;

  if (table == NS_TABLE_WEBIO)
    number = row + 1;
  else if (table == NS_TABLE_ACTIVITIES)
    number = g_array_index (trace->activities, NsActivityRow, row).webio;
  return number != 0 ? NS_ROW_AT (trace->webio, NsWebioRow, number) : NULL;
}

static gboolean
used_connection (const NsWebioRow *request, guint64 connection)
{
  guint i;

  for (i = 0; i < request->n_conns; i++)
    if (request->conns[i].connection == connection)
      return TRUE;
  return FALSE;
}

static gboolean
share_connection (const NsWebioRow *one, const NsWebioRow *other)
{
  guint i;

  for (i = 0; i < one->n_conns; i++)
    if (used_connection (other, one->conns[i].connection))
      return TRUE;
  return FALSE;
}

/**
 * ns_row_owner_new:
 * @trace: a trace
 * @table: a table
 * @row: one of its rows, 0-based
 *
 * Returns: (transfer full) (nullable): the other users of its connection; %NULL: none
 */
NsRowOwner *
ns_row_owner_new (const NsTrace *trace, NsTableId table, guint32 row)
{
  const NsWebioRow *own = get_request (trace, table, row);
  g_autoptr (GHashTable) others = NULL;
  NsRowOwner *self;
  guint i;

  if (own == NULL || own->n_conns == 0)
    return NULL;
  others = g_hash_table_new_full (ns_hash_int64, g_int64_equal, g_free, NULL);
  for (i = 0; i < trace->webio->len; i++)
    {
      const NsWebioRow *other = &g_array_index (trace->webio, NsWebioRow, i);

      if (other->pid == own->pid && other->handle != 0 && other->handle != own->handle &&
          share_connection (own, other))
        g_hash_table_add (others, g_memdup2 (&other->handle, sizeof other->handle));
    }
  if (g_hash_table_size (others) == 0)
    return NULL;
  self = g_new0 (NsRowOwner, 1);
  self->pid = own->pid;
  self->others = g_steal_pointer (&others);
  return self;
}

/**
 * ns_row_owner_is_other:
 * @self: other users of a connection
 * @record: a record that refers to the connection and not to its request
 *
 * Returns: whether it was written for another request
 */
gboolean
ns_row_owner_is_other (const NsRowOwner *self, const NsRecord *record)
{
  guint64 handle = ns_guid_low (&record->activity);

  return record->pid == self->pid && ns_guid_equal (&record->guid, &webio) &&
         g_hash_table_contains (self->others, &handle);
}

/**
 * ns_row_owner_get_handshake:
 * @record: a record
 *
 * Returns: direction of its bytes if they are TLS handshake messages: 1 in, -1 out; else 0
 */
int
ns_row_owner_get_handshake (const NsRecord *record)
{
  if (!ns_guid_equal (&record->guid, &webio))
    return 0;
  return record->id == EVENT_HANDSHAKE_TAKEN ? 1 : record->id == EVENT_HANDSHAKE_GIVEN ? -1 : 0;
}

/**
 * ns_row_owner_free:
 * @self: (transfer full) (nullable): other users of a connection
 */
void
ns_row_owner_free (NsRowOwner *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->others);
  g_free (self);
}
