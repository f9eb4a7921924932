/* Reads cells whose values many rows share: texts of processes, addresses, and layers. Each text is
 * formatted once, and keeps its address, by which a column recognizes it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-extract-private.h"

#include "query/ns-field-column.h"
#include "query/ns-field-get.h"

#include <string.h>

/* Minimum and maximum number of addresses whose texts are cached, and number of rows for each. */
#define MIN_ADDRESSES 64
#define MAX_ADDRESSES 4096
#define ROWS_PER_ADDRESS 16
/* Block size of the allocator for kept texts, and maximum size of all of them. */
#define KEPT_BLOCK_BYTES 4096
#define MAX_KEPT_BYTES (1024 * 1024)
/* Minimum number of rows for a cache of look-ups, which takes longer to clear than few look-ups. */
#define MIN_RECENT_ROWS 4096

typedef struct
{
  NsIp ip;
  const char *text; /* NULL: the entry is free */
  guint n_bytes;
} Address;

typedef struct
{
  char *text; /* NULL: unknown */
  guint8 is_read;
  guint8 is_by_row; /* rows of the process may have different texts */
} ProcessText;

struct _NsExtractShared
{
  const NsTrace *trace;
  const NsField *field;
  gboolean has_port;     /* endpoints: with the port */
  NsTraceRecent *recent; /* NULL: not cached */
  ProcessText *texts;    /* by row of the process, from 1; NULL: the field is not of a process */
  Address *addresses;    /* by hash; NULL: the field is not of an endpoint */
  guint n_addresses;     /* size of @addresses, a power of two */
  GHashTable *layers;    /* layer set → GPtrArray; NULL: the field does not list layers */
  GStringChunk *kept;
  gsize n_kept_bytes;
};

/**
 * ns_extract_shared_new: (skip)
 * @trace: a trace
 * @field: a field that is extracted as a text, or as a list
 * @n_rows: number of rows to read
 *
 * Returns: (transfer full) (nullable): a reader of the field, used by one thread at a time; its
 *   lasting texts are valid as long as it; %NULL: the field is read row by row
 */
NsExtractShared *
ns_extract_shared_new (const NsTrace *trace, const NsField *field, guint n_rows)
{
  gboolean is_of_process = ns_field_is_of_process (field);
  gboolean is_of_endpoint = ns_field_is_of_endpoint (field);
  NsExtractShared *self;

  if (!is_of_process && !is_of_endpoint && field->get != ns_get_layers)
    return NULL;
  self = g_new0 (NsExtractShared, 1);
  self->trace = trace;
  self->field = field;
  if (is_of_process)
    {
      self->texts = g_new0 (ProcessText, trace->processes->len + 1);
      if (n_rows >= MIN_RECENT_ROWS)
        self->recent = g_new0 (NsTraceRecent, 1);
    }
  else if (is_of_endpoint)
    {
      self->has_port = field->type != NS_TYPE_IP;
      self->n_addresses =
          1u << g_bit_storage (CLAMP (n_rows / ROWS_PER_ADDRESS, MIN_ADDRESSES, MAX_ADDRESSES) - 1);
      self->addresses = g_new0 (Address, self->n_addresses);
      self->kept = g_string_chunk_new (KEPT_BLOCK_BYTES);
    }
  else
    self->layers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  return self;
}

/**
 * ns_extract_shared_free: (skip)
 * @self: (transfer full) (nullable): a reader
 */
void
ns_extract_shared_free (NsExtractShared *self)
{
  guint i;

  if (self == NULL)
    return;
  for (i = 0; self->texts != NULL && i <= self->trace->processes->len; i++)
    g_free (self->texts[i].text);
  g_free (self->texts);
  g_free (self->recent);
  g_free (self->addresses);
  g_clear_pointer (&self->layers, g_hash_table_unref);
  if (self->kept != NULL)
    g_string_chunk_free (self->kept);
  g_free (self);
}

static char *
dup_text (const NsExtractShared *self, guint row)
{
  char *text = NULL;
  NsFieldValue value;

  ns_field_get (self->trace, self->field, row, &value);
  if (!value.is_null)
    text = g_strdup (value.v.text);
  ns_field_value_clear (&value);
  return text;
}

/* Returns the text of a process; %NULL: its rows may have different texts. */
static const ProcessText *
find_text (NsExtractShared *self, NsRow process, guint row)
{
  ProcessText *text;

  if (process == 0 || process > self->trace->processes->len)
    return NULL;
  text = &self->texts[process];
  if (!text->is_read)
    {
      text->is_read = TRUE;
      text->is_by_row =
          self->field->get == ns_get_process_tree && !ns_field_has_one_tree (self->trace, process);
      if (!text->is_by_row)
        text->text = dup_text (self, row);
    }
  return text->is_by_row ? NULL : text;
}

static void
read_processes (NsExtractShared *self, NsExtractBatch *batch, NsTypedCell *cells)
{
  guint i;

  for (i = 0; i < batch->n_rows; i++)
    {
      guint row = batch->rows[i];
      NsRow process = ns_field_get_process (self->trace, row, self->field, self->recent);
      const ProcessText *shared = find_text (self, process, row);
      char *own;

      if (shared != NULL)
        {
          cells[i] = (NsTypedCell){ .is_null = shared->text == NULL,
                                    .is_lasting = TRUE,
                                    .text = shared->text };
          continue;
        }
      own = dup_text (self, row);
      if (own != NULL)
        g_ptr_array_add (batch->texts, own);
      cells[i] = (NsTypedCell){ .is_null = own == NULL, .text = own };
    }
}

static guint
hash_address (const NsIp *ip)
{
  guint32 first;
  guint32 last = 0;

  memcpy (&first, ip->bytes, sizeof first);
  if (ip->family != NS_AF_INET)
    memcpy (&last, ip->bytes + sizeof ip->bytes - sizeof last, sizeof last);
  return ((first ^ last) * 0x9e3779b1u) >> 16;
}

static gboolean
is_same (const NsIp *a, const NsIp *b)
{
  return a->family == b->family &&
         memcmp (a->bytes, b->bytes, a->family == NS_AF_INET ? 4 : sizeof a->bytes) == 0;
}

/* Returns the entry of an address; %NULL: there is no more room for its text. */
static const Address *
find_address (NsExtractShared *self, const NsIp *ip)
{
  Address *address = &self->addresses[hash_address (ip) & (self->n_addresses - 1)];
  char text[NS_IP_TEXT_SIZE];

  if (address->text != NULL && is_same (&address->ip, ip))
    return address;
  if (self->n_kept_bytes > MAX_KEPT_BYTES)
    return NULL;
  ns_ip_to_text (ip, text);
  address->ip = *ip;
  address->n_bytes = (guint) strlen (text);
  address->text = g_string_chunk_insert_len (self->kept, text, (gssize) address->n_bytes);
  self->n_kept_bytes += address->n_bytes + 1;
  return address;
}

static NsTypedCell
make_text (NsExtractBatch *batch, const char *text, gsize n_bytes)
{
  return (NsTypedCell){ .n_bytes = (guint32) n_bytes,
                        .text = g_string_chunk_insert_len (batch->made, text, (gssize) n_bytes) };
}

/* Formats an endpoint like ns_endpoint_to_text(). */
static NsTypedCell
make_endpoint (NsExtractBatch *batch, const NsEndpoint *end, const Address *address)
{
  char text[2 * NS_IP_TEXT_SIZE];
  guint port = end->port;
  char *here = text + sizeof text;

  if (port == 0 || end->ip.family != NS_AF_INET)
    {
      ns_endpoint_to_text (end, text);
      return make_text (batch, text, strlen (text));
    }
  for (; port > 0; port /= 10)
    *--here = (char) ('0' + port % 10);
  *--here = ':';
  here -= address->n_bytes;
  memcpy (here, address->text, address->n_bytes);
  return make_text (batch, here, (gsize) (text + sizeof text - here));
}

static void
read_endpoints (NsExtractShared *self, NsExtractBatch *batch, NsTypedCell *cells)
{
  const NsEndpoint *ends[NS_TYPED_BATCH_ROWS];
  char text[NS_IP_TEXT_SIZE];
  guint i;

  /* The endpoints of rows are anywhere in memory. */
  for (i = 0; i < batch->n_rows; i++)
    {
      ends[i] = ns_field_peek_endpoint (self->trace, batch->rows[i], self->field);
      __builtin_prefetch (ends[i]);
    }
  for (i = 0; i < batch->n_rows; i++)
    {
      const Address *address;

      if (ns_ip_is_empty (&ends[i]->ip))
        {
          cells[i] = (NsTypedCell){ .is_null = TRUE };
          continue;
        }
      address = find_address (self, &ends[i]->ip);
      if (address == NULL)
        {
          if (self->has_port)
            ns_endpoint_to_text (ends[i], text);
          else
            ns_ip_to_text (&ends[i]->ip, text);
          cells[i] = make_text (batch, text, strlen (text));
        }
      else if (self->has_port)
        cells[i] = make_endpoint (batch, ends[i], address);
      else
        cells[i] = (NsTypedCell){ .is_lasting = TRUE, .text = address->text };
    }
}

static void
read_layers (NsExtractShared *self, NsExtractBatch *batch, NsTypedCell *cells)
{
  guint i;

  for (i = 0; i < batch->n_rows; i++)
    {
      guint32 layers = ns_field_get_layers (self->trace, batch->rows[i], self->field);
      GPtrArray *list = g_hash_table_lookup (self->layers, GUINT_TO_POINTER (layers));

      if (list == NULL)
        {
          NsFieldValue value;

          ns_field_get (self->trace, self->field, batch->rows[i], &value);
          list = g_steal_pointer (&value.list);
          ns_field_value_clear (&value);
          g_hash_table_insert (self->layers, GUINT_TO_POINTER (layers), list);
        }
      cells[i] = (NsTypedCell){ .is_null = list == NULL, .is_lasting = TRUE, .list = list };
    }
}

/**
 * ns_extract_shared_read: (skip)
 * @self: a reader
 * @batch: (inout): rows; owns the texts that do not last
 * @cells: (out caller-allocates): one per row, with room for #NS_TYPED_BATCH_ROWS
 */
void
ns_extract_shared_read (NsExtractShared *self, NsExtractBatch *batch, NsTypedCell *cells)
{
  if (self->texts != NULL)
    read_processes (self, batch, cells);
  else if (self->addresses != NULL)
    read_endpoints (self, batch, cells);
  else
    read_layers (self, batch, cells);
}
