/* Secrets that are split over several records of one stream.
 *
 * A cookie may begin in one packet and end in the next; the same is true of records of libraries
 * that log the data they send in pieces. The bytes of each direction of a connection are joined
 * before they are searched, and the position of each secret is stored per record.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/net/ns-hidden.h"

#include "base/ns-hash.h"
#include "base/ns-ip.h"
#include "base/ns-map.h"
#include "base/ns-secrets.h"
#include "engine/build/ns-builder.h"
#include "engine/net/ns-stream-mask.h"
#include "engine/net/packets/ns-packet-frame.h"
#include "schema/ns-payload.h"
#include "wire/ns-wire-frame.h"
#include "wire/ns-wire-stream.h"

#include <string.h>

/* Maximum number of bytes collected before a search, per flow and in total, and number of bytes
 * that a flow keeps after it to find secrets that continue. */
#define MAX_FLOW (1 << 20)
#define MAX_ALL (64 << 20)
#define KEPT_BYTES (16 << 10)

/* Pseudo event number of IP fragments; no event has it. */
#define EVENT_FRAGMENTS G_MAXUINT32

/* Key of a flow: one direction of a stream. */
typedef struct
{
  NsEndpoint src;
  NsEndpoint dst;
  guint64 owner; /* library object that the bytes belong to */
  guint32 pid;
  guint32 event;  /* number of the event with the bytes; 0: packets */
  guint32 opened; /* number of openings, or ID of a fragmented packet */
  guint32 unused;
} Key;

typedef struct
{
  gint64 time_ns;
  NsRecordRef ref;
  guint32 offset; /* offset in the payload */
  guint32 size;
  guint32 seq;
  guint32 at; /* offset in the bytes of the flow */
} Piece;

typedef struct
{
  Key key;
  gboolean has_seq;
  GArray *pieces;
  GByteArray *bytes;
} Flow;

/* A frame that continues in the next record. */
typedef struct
{
  Flow *flow;
  guint32 seq;
} Open;

typedef struct
{
  guint32 begin;
  guint32 end;
  guint32 next;       /* index + 1 */
  gboolean is_packed; /* in a compressed body */
} Range;

struct _NsHidden
{
  NsSecrets *secrets;
  GHashTable *flows;    /* set of Flow, each its own key */
  GHashTable *openings; /* Key → number of times opened */
  NsMap *open;          /* (thread, layer) → index + 1 */
  GArray *opens;        /* Open */
  NsMap *by_ref;        /* (buffer, offset) → index of a range + 1 */
  GArray *ranges;
  gsize n_bytes; /* in all flows */
};

static guint
hash_key (gconstpointer key)
{
  return ns_hash_bytes (ns_hash_get_key (), key, sizeof (Key));
}

static gboolean
is_same_key (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (Key)) == 0;
}

static void
flow_free (gpointer data)
{
  Flow *flow = data;

  g_array_unref (flow->pieces);
  g_byte_array_unref (flow->bytes);
  g_free (flow);
}

/**
 * ns_hidden_new:
 * @secrets: (nullable): definition of secrets; %NULL: the defaults
 *
 * Returns: (transfer full): an empty set of masks
 */
NsHidden *
ns_hidden_new (NsSecrets *secrets)
{
  NsHidden *self = g_new0 (NsHidden, 1);

  self->secrets = ns_secrets_ref (secrets);
  self->flows = g_hash_table_new_full (hash_key, is_same_key, NULL, flow_free);
  self->openings = g_hash_table_new_full (hash_key, is_same_key, g_free, NULL);
  self->open = ns_map_new ();
  self->opens = g_array_new (FALSE, TRUE, sizeof (Open));
  self->by_ref = ns_map_new ();
  self->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  return self;
}

/**
 * ns_hidden_free:
 * @self: (transfer full) (nullable): masks
 */
void
ns_hidden_free (NsHidden *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->flows);
  g_hash_table_unref (self->openings);
  ns_map_free (self->open);
  g_array_unref (self->opens);
  ns_map_free (self->by_ref);
  g_array_unref (self->ranges);
  ns_secrets_unref (self->secrets);
  g_free (self);
}

static void
add_range (NsHidden *self, const Piece *piece, gsize begin, gsize end, gboolean is_packed)
{
  Range range = { .begin = (guint32) (piece->offset + begin),
                  .end = (guint32) (piece->offset + end),
                  .is_packed = is_packed };

  range.next = ns_map_get (self->by_ref, piece->ref.buffer, piece->ref.offset);
  g_array_append_val (self->ranges, range);
  ns_map_set (self->by_ref, piece->ref.buffer, piece->ref.offset, self->ranges->len);
}

/* Adds a range for the masked bytes of a piece. */
static void
note_masked (NsHidden *self,
             const Piece *piece,
             const guint8 *run,
             const guint8 *masked,
             gsize size,
             gboolean is_packed)
{
  gsize i = 0;

  while (i < size)
    {
      gsize begin = i;

      while (i < size && masked[i] != run[i])
        i++;
      if (i > begin)
        add_range (self, piece, begin, i, is_packed);
      else
        i++;
    }
}

static int
compare_pieces (gconstpointer a, gconstpointer b)
{
  const Piece *one = a;
  const Piece *other = b;

  if (one->time_ns != other->time_ns)
    return one->time_ns < other->time_ns ? -1 : 1;
  return (one->at > other->at) - (one->at < other->at);
}

static void
note_piece (NsHidden *self,
            const Flow *flow,
            const NsWirePiece *joined,
            guint number,
            const GPtrArray *runs,
            const GPtrArray *masked,
            gboolean is_packed)
{
  const GByteArray *run = g_ptr_array_index (runs, joined->run);
  const guint8 *hidden = g_ptr_array_index (masked, joined->run);

  if (hidden != NULL && joined->at < run->len)
    note_masked (self,
                 &g_array_index (flow->pieces, Piece, number),
                 run->data + joined->at,
                 hidden + joined->at,
                 MIN (joined->size, run->len - joined->at),
                 is_packed);
}

static void
search_pieces (NsHidden *self, const Flow *flow, NsWirePiece *joined)
{
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GPtrArray) masked = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) packed = g_ptr_array_new_with_free_func (g_free);
  guint i;

  runs = ns_wire_stream_join (joined, flow->pieces->len, flow->has_seq);
  for (i = 0; i < runs->len; i++)
    {
      const GByteArray *run = g_ptr_array_index (runs, i);

      g_ptr_array_add (masked,
                       ns_stream_dup_masked (self->secrets, &flow->key.dst, run->data, run->len));
      g_ptr_array_add (packed, ns_stream_dup_packed_masked (self->secrets, run->data, run->len));
    }
  for (i = 0; i < flow->pieces->len; i++)
    {
      note_piece (self, flow, &joined[i], i, runs, masked, FALSE);
      note_piece (self, flow, &joined[i], i, runs, packed, TRUE);
    }
}

/* Drops the pieces at the begin and keeps the last ones. */
static void
drop_begin (NsHidden *self, Flow *flow)
{
  guint32 at = 0;
  guint first = flow->pieces->len;

  while (first > 0 && at <= KEPT_BYTES / 2)
    at += g_array_index (flow->pieces, Piece, --first).size;
  if (at > KEPT_BYTES)
    first++;
  at = first < flow->pieces->len ? g_array_index (flow->pieces, Piece, first).at : flow->bytes->len;
  self->n_bytes -= at;
  g_array_remove_range (flow->pieces, 0, first);
  if (at > 0)
    g_byte_array_remove_range (flow->bytes, 0, at);
  for (first = 0; first < flow->pieces->len; first++)
    g_array_index (flow->pieces, Piece, first).at -= at;
}

static void
search_flow (NsHidden *self, Flow *flow)
{
  g_autofree NsWirePiece *joined = g_new0 (NsWirePiece, flow->pieces->len + 1);
  guint i;

  if (flow->pieces->len == 0)
    return;
  g_array_sort (flow->pieces, compare_pieces);
  for (i = 0; i < flow->pieces->len; i++)
    {
      const Piece *piece = &g_array_index (flow->pieces, Piece, i);

      joined[i].data = flow->bytes->data + piece->at;
      joined[i].size = piece->size;
      joined[i].seq = piece->seq;
    }
  search_pieces (self, flow, joined);
}

/* Searches a flow and drops its bytes. Afterwards the pieces are in time order, their bytes in
 * file order. */
static void
search_and_drop (NsHidden *self, Flow *flow)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint i;

  search_flow (self, flow);
  for (i = 0; i < flow->pieces->len; i++)
    {
      Piece *piece = &g_array_index (flow->pieces, Piece, i);
      guint at = bytes->len;

      g_byte_array_append (bytes, flow->bytes->data + piece->at, piece->size);
      piece->at = at;
    }
  g_byte_array_unref (flow->bytes);
  flow->bytes = g_steal_pointer (&bytes);
  drop_begin (self, flow);
}

static void
search_all (NsHidden *self)
{
  GHashTableIter iter;
  gpointer flow;

  g_hash_table_iter_init (&iter, self->flows);
  while (g_hash_table_iter_next (&iter, NULL, &flow))
    search_and_drop (self, flow);
}

static Flow *
get_flow (NsHidden *self, const Key *key, gboolean has_seq)
{
  Flow *flow = g_hash_table_lookup (self->flows, key);

  if (flow == NULL)
    {
      flow = g_new0 (Flow, 1);
      flow->key = *key;
      flow->has_seq = has_seq;
      flow->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
      flow->bytes = g_byte_array_new ();
      g_hash_table_insert (self->flows, &flow->key, flow);
    }
  return flow;
}

static void
add_piece (NsHidden *self,
           Flow *flow,
           const NsRecord *record,
           const guint8 *data,
           gsize size,
           guint32 seq)
{
  Piece piece = { .time_ns = record->time_ns,
                  .ref = record->ref,
                  .offset = (guint32) (data - record->payload),
                  .size = (guint32) size,
                  .seq = seq,
                  .at = flow->bytes->len };

  if (size == 0)
    return;
  g_array_append_val (flow->pieces, piece);
  g_byte_array_append (flow->bytes, data, (guint) size);
  self->n_bytes += size;
  if (flow->bytes->len > MAX_FLOW)
    search_and_drop (self, flow);
  if (self->n_bytes > MAX_ALL)
    search_all (self);
}

/* Searches a record that is not part of a stream. */
static void
search_alone (NsHidden *self, const NsRecord *record, const guint8 *data, gsize size)
{
  Piece piece = { .ref = record->ref, .offset = (guint32) (data - record->payload) };
  g_autofree guint8 *masked = ns_secrets_dup_masked (self->secrets, data, size);

  if (masked != NULL)
    note_masked (self, &piece, data, masked, size, FALSE);
}

/* Returns how often the connection was opened: each opening restarts the sequence numbers at 0. */
static guint32
get_opened (NsHidden *self, const Key *key, gboolean is_opening)
{
  guint32 n = GPOINTER_TO_UINT (g_hash_table_lookup (self->openings, key));

  if (is_opening)
    g_hash_table_insert (self->openings, g_memdup2 (key, sizeof *key), GUINT_TO_POINTER (++n));
  return n;
}

static Open *
get_open (NsHidden *self, const NsRecord *record, guint64 layer)
{
  guint64 owner = (guint64) record->tid << 32 | (guint32) (record->keyword >> 32);
  guint number = ns_map_get (self->open, owner, layer);

  if (number == 0)
    {
      g_array_set_size (self->opens, self->opens->len + 1);
      number = self->opens->len;
      ns_map_set (self->open, owner, layer, number);
    }
  return &g_array_index (self->opens, Open, number - 1);
}

static void
learn_fragment (NsHidden *self, const NsRecord *record, const NsWireFrame *frame)
{
  Key key;

  memset (&key, 0, sizeof key);
  memcpy (&key.src, &frame->src, sizeof key.src);
  memcpy (&key.dst, &frame->dst, sizeof key.dst);
  /* Fragments are joined without ports: only the first fragment has them. */
  key.src.port = 0;
  key.dst.port = 0;
  key.event = EVENT_FRAGMENTS;
  key.opened = frame->fragment_id;
  add_piece (self,
             get_flow (self, &key, TRUE),
             record,
             frame->fragment,
             frame->fragment_size,
             frame->fragment_offset);
}

static void
learn_frame (NsHidden *self, const NsRecord *record, const NsPacketFrame *frame)
{
  Open *open = frame->is_begin && frame->is_end ? NULL : get_open (self, record, frame->layer);
  NsWireFrame parsed;
  Flow *flow;
  Key key;

  if (!frame->is_begin)
    {
      if (open != NULL && open->flow != NULL)
        {
          add_piece (self, open->flow, record, frame->bytes.data, frame->bytes.size, open->seq);
          open->seq += (guint32) frame->bytes.size;
        }
      return;
    }
  if (open != NULL)
    open->flow = NULL;
  if (!ns_wire_frame_parse (&parsed, frame->bytes.data, frame->bytes.size, frame->link_type))
    return;
  if (parsed.fragment != NULL)
    learn_fragment (self, record, &parsed);
  if (parsed.protocol != NS_IP_TCP)
    {
      if (parsed.payload != NULL)
        search_alone (self, record, parsed.payload, parsed.payload_size);
      return;
    }
  memset (&key, 0, sizeof key);
  memcpy (&key.src, &parsed.src, sizeof key.src);
  memcpy (&key.dst, &parsed.dst, sizeof key.dst);
  key.opened = get_opened (self, &key, (parsed.tcp_flags & NS_TCP_SYN) != 0);
  if (parsed.payload == NULL || parsed.payload_size == 0)
    return;
  flow = get_flow (self, &key, TRUE);
  add_piece (self, flow, record, parsed.payload, parsed.payload_size, parsed.seq);
  if (open != NULL)
    {
      open->flow = flow;
      open->seq = parsed.seq + (guint32) parsed.payload_size;
    }
}

typedef struct
{
  NsHidden *hidden;
  const NsRecord *record;
  Key key;
  gboolean has_owner;
} Learning;

/* Reads the owner of a message, which precedes its bytes. */
static gboolean
learn_item (const NsPayloadItem *item, gpointer user_data)
{
  Learning *self = user_data;
  guint64 number;

  if (item->kind != NS_ITEM_VALUE)
    return TRUE;
  if (!self->has_owner && ns_value_get_uint (item, &number))
    {
      self->key.owner = number;
      self->has_owner = TRUE;
    }
  else if (self->has_owner && item->size > 0 && item->field->in_type == NS_IN_BINARY &&
           item->field->out_type != NS_OUT_SOCKETADDRESS)
    {
      add_piece (self->hidden,
                 get_flow (self->hidden, &self->key, FALSE),
                 self->record,
                 item->data,
                 item->size,
                 0);
      return FALSE;
    }
  return TRUE;
}

/* Returns whether the record is of a library that logs the bytes it sends and receives. */
static gboolean
writes_bytes (const NsRecord *record)
{
  static const NsGuid libraries[] = {
    NS_GUID_WININET_CAPTURE,
    NS_GUID_WEBIO,
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (libraries); i++)
    if (ns_guid_equal (&record->guid, &libraries[i]))
      return TRUE;
  return FALSE;
}

static gboolean
has_bytes (const NsSchema *schema)
{
  guint i;

  for (i = 0; i < schema->n_fields; i++)
    if (schema->fields[i].in_type == NS_IN_BINARY &&
        schema->fields[i].out_type != NS_OUT_SOCKETADDRESS)
      return TRUE;
  return FALSE;
}

/**
 * ns_hidden_learn:
 * @self: masks
 * @schemas: layouts
 * @record: a record
 *
 * Collects stream bytes of a record.
 */
void
ns_hidden_learn (NsHidden *self, NsSchemas *schemas, const NsRecord *record)
{
  NsPacketFrame frame;
  const NsSchema *schema;

  if ((record->flags & NS_RECORD_MANIFEST) == 0)
    return;
  if (ns_packets_find_frame (record, &frame))
    {
      learn_frame (self, record, &frame);
      return;
    }
  if (!writes_bytes (record))
    return;
  schema = ns_schemas_find (schemas, record);
  if (schema != NULL && has_bytes (schema))
    {
      Learning learning = { .hidden = self, .record = record };

      learning.key.pid = record->pid;
      learning.key.event = record->id;
      ns_payload_walk (schema, record, learn_item, &learning);
    }
}

/**
 * ns_hidden_settle:
 * @self: masks
 *
 * Searches the remaining bytes after all records.
 */
void
ns_hidden_settle (NsHidden *self)
{
  GHashTableIter iter;
  gpointer flow;

  g_hash_table_iter_init (&iter, self->flows);
  while (g_hash_table_iter_next (&iter, NULL, &flow))
    search_flow (self, flow);
  g_hash_table_remove_all (self->flows);
  g_hash_table_remove_all (self->openings);
  g_array_set_size (self->opens, 0);
  self->n_bytes = 0;
}

static guint8 *
dup_masked (const NsHidden *self, const NsRecord *record, gboolean with_packed)
{
  guint8 *copy;
  guint8 *payload;
  guint32 number;

  if (self == NULL || self->ranges->len == 0)
    return NULL;
  number = ns_map_get (self->by_ref, record->ref.buffer, record->ref.offset);
  if (number == 0)
    return NULL;
  copy = g_memdup2 (record->header, record->size);
  payload = copy + (record->payload - record->header);
  for (; number != 0; number = g_array_index (self->ranges, Range, number - 1).next)
    {
      const Range *range = &g_array_index (self->ranges, Range, number - 1);

      if (range->end <= record->payload_size && (with_packed || !range->is_packed))
        memset (payload + range->begin, NS_SECRETS_BYTE, range->end - range->begin);
    }
  return copy;
}

/**
 * ns_hidden_dup_masked:
 * @self: (nullable): masks
 * @record: a record
 *
 * Returns: (transfer full) (nullable): the record, from its header on, with asterisks instead of
 *   secrets; %NULL if it has none, or secrets are shown
 */
guint8 *
ns_hidden_dup_masked (const NsHidden *self, const NsRecord *record)
{
  return dup_masked (self, record, TRUE);
}

/**
 * ns_hidden_dup_plain_masked:
 * @self: (nullable): masks
 * @record: a record
 *
 * Likewise, but keeps compressed bodies, for callers that decompress and mask them.
 *
 * Returns: (transfer full) (nullable): as ns_hidden_dup_masked()
 */
guint8 *
ns_hidden_dup_plain_masked (const NsHidden *self, const NsRecord *record)
{
  return dup_masked (self, record, FALSE);
}

/**
 * ns_hidden_use_copy:
 * @record: a record
 * @copy: its bytes, from its header on
 *
 * Points @record to the bytes of @copy.
 */
void
ns_hidden_use_copy (NsRecord *record, const guint8 *copy)
{
  const guint8 *header = record->header;

  record->header = copy;
  record->payload = copy + (record->payload - header);
  if (record->extended != NULL)
    record->extended = copy + (record->extended - header);
}

static void
hidden_start (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;

  if (!builder->options.want_events || ns_secrets_are_shown (trace->secrets))
    return;
  trace->hidden = ns_hidden_new (trace->secrets);
  ns_trace_own (trace, trace->hidden, (GDestroyNotify) ns_hidden_free);
}

static void
hidden_event (NsBuilder *builder, const NsRecord *record)
{
  if (builder->trace->hidden != NULL)
    ns_hidden_learn (builder->trace->hidden, builder->trace->schemas, record);
}

static void
hidden_finish (NsBuilder *builder)
{
  if (builder->trace->hidden != NULL)
    ns_hidden_settle (builder->trace->hidden);
}

static const NsProviderOps hidden_ops[] = {
  { NS_GUID_NDIS_PACKET_CAPTURE, NULL, hidden_event },
  { NS_GUID_PKTMON, NULL, hidden_event },
  { NS_GUID_NDIS_WAN_CAPTURE, NULL, hidden_event },
  { NS_GUID_WININET_CAPTURE, NULL, hidden_event },
  { NS_GUID_WEBIO, NULL, hidden_event },
};

const NsPart ns_hidden_part = {
  .name = "hidden",
  .start = hidden_start,
  .number = hidden_finish,
  .ops = hidden_ops,
  .n_ops = G_N_ELEMENTS (hidden_ops),
};
