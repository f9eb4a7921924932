/* Joins manifests that .NET event sources send as events in several pieces, by provider and
 * process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-sent.h"

#include <string.h>

#define PIECE_FORMAT 1
#define PIECE_MAGIC 0x5b
#define MAX_PIECES 1000
#define MAX_XML_BYTES (16 * 1024 * 1024)
/* Maximum size of all incomplete manifests. */
#define MAX_WAITING_BYTES (64 * 1024 * 1024)

typedef struct
{
  NsGuid provider;
  guint32 pid;
  guint16 total;
  guint16 next;
  GString *xml;
} Joining;

struct _NsSchemaSent
{
  GHashTable *joining; /* (element-type Joining Joining): by provider and PID */
  gsize waiting_bytes;
};

/* Fixed layout of the pieces in which manifests are sent: their own manifest describes them
 * poorly. */
static const NsSchemaField sent_piece_fields[] = {
  { .name = "Format", .in_type = NS_IN_UINT8, .count = 1 },
  { .name = "MajorVersion", .in_type = NS_IN_UINT8, .count = 1 },
  { .name = "MinorVersion", .in_type = NS_IN_UINT8, .count = 1 },
  { .name = "Magic", .in_type = NS_IN_UINT8, .out_type = NS_OUT_HEXINT8, .count = 1 },
  { .name = "TotalChunks", .in_type = NS_IN_UINT16, .count = 1 },
  { .name = "ChunkNumber", .in_type = NS_IN_UINT16, .count = 1 },
  { .name = "Data",
    .in_type = NS_IN_NONNULLTERMINATEDANSISTRING,
    .out_type = NS_OUT_UTF8,
    .count = 1 },
};
const NsSchema ns_schema_sent_piece = {
  .source = NS_SCHEMA_BUILTIN,
  .task_name = "ManifestData",
  .n_fields = G_N_ELEMENTS (sent_piece_fields),
  .n_top = G_N_ELEMENTS (sent_piece_fields),
  .fields = sent_piece_fields,
};

static guint
joining_hash (gconstpointer data)
{
  const Joining *self = data;

  return ns_guid_hash (&self->provider) ^ self->pid;
}

static gboolean
joining_equal (gconstpointer a, gconstpointer b)
{
  const Joining *x = a;
  const Joining *y = b;

  return x->pid == y->pid && ns_guid_equal (&x->provider, &y->provider);
}

static void
joining_free (gpointer data)
{
  Joining *self = data;

  if (self->xml != NULL)
    g_string_free (self->xml, TRUE);
  g_free (self);
}

/**
 * ns_schema_sent_new:
 *
 * Returns: (transfer full): a joiner without incomplete manifests
 */
NsSchemaSent *
ns_schema_sent_new (void)
{
  NsSchemaSent *self = g_new0 (NsSchemaSent, 1);

  self->joining = g_hash_table_new_full (joining_hash, joining_equal, NULL, joining_free);
  return self;
}

/**
 * ns_schema_sent_free:
 * @self: (transfer full) (nullable): a joiner
 */
void
ns_schema_sent_free (NsSchemaSent *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->joining);
  g_free (self);
}

static void
drop (NsSchemaSent *self, Joining *joining)
{
  self->waiting_bytes -= joining->xml->len;
  g_hash_table_remove (self->joining, joining);
}

static Joining *
begin (NsSchemaSent *self, const NsRecord *record, guint16 total)
{
  Joining key = { .provider = record->guid, .pid = record->pid };
  Joining *joining = g_hash_table_lookup (self->joining, &key);

  if (joining != NULL)
    drop (self, joining);
  joining = g_new0 (Joining, 1);
  joining->provider = record->guid;
  joining->pid = record->pid;
  joining->total = total;
  joining->xml = g_string_new (NULL);
  g_hash_table_add (self->joining, joining);
  return joining;
}

/**
 * ns_schema_sent_add:
 * @self: a joiner
 * @record: an event with the ID %NS_SCHEMA_SENT_ID
 * @xml: (out) (transfer full) (nullable): the complete manifest after its last piece
 *
 * Returns: %TRUE if the piece continues the previous ones
 */
gboolean
ns_schema_sent_add (NsSchemaSent *self, const NsRecord *record, GString **xml)
{
  Joining key = { .provider = record->guid, .pid = record->pid };
  const guint8 *piece;
  Joining *joining;
  NsCursor cursor;
  guint16 number;
  guint16 total;
  guint8 format;
  guint8 magic;
  gsize n;

  *xml = NULL;
  ns_record_cursor (record, &cursor);
  format = ns_cursor_u8 (&cursor);
  ns_cursor_skip (&cursor, 2);
  magic = ns_cursor_u8 (&cursor);
  total = ns_cursor_u16 (&cursor);
  number = ns_cursor_u16 (&cursor);
  if (!ns_cursor_ok (&cursor) || format != PIECE_FORMAT || magic != PIECE_MAGIC || total == 0 ||
      total > MAX_PIECES || number >= total)
    return FALSE;

  joining = number == 0 ? begin (self, record, total) : g_hash_table_lookup (self->joining, &key);
  if (joining == NULL)
    return FALSE;
  n = ns_cursor_left (&cursor);
  if (joining->next != number || joining->total != total || joining->xml->len + n > MAX_XML_BYTES ||
      self->waiting_bytes + n > MAX_WAITING_BYTES)
    {
      drop (self, joining);
      return FALSE;
    }

  piece = ns_cursor_take (&cursor, n);
  g_string_append_len (joining->xml, (const char *) piece, (gssize) n);
  self->waiting_bytes += n;
  joining->next++;
  if (joining->next == total)
    {
      self->waiting_bytes -= joining->xml->len;
      *xml = g_steal_pointer (&joining->xml);
      g_hash_table_remove (self->joining, joining);
    }
  return TRUE;
}
