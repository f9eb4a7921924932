/* Tests payloads that are shorter or longer than their layouts.
 *
 * Uses every Windows layout of the layers' events, truncated after each byte.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/bits/ns-bits.h"
#include "engine/app/capi2/ns-capi2.h"
#include "engine/app/quic/ns-quic.h"
#include "engine/app/rpc/ns-rpc.h"
#include "engine/app/smb/ns-smb.h"
#include "engine/app/wfp/ns-wfp.h"
#include "etl/ns-provider-guids.h"
#include "schema/ns-schema-builtin.h"

#include "story.h"

#include <string.h>

/* Larger than any layout of these providers with short strings. */
#define MAX_BYTES 512
#define TEXT_UNITS 2

typedef struct
{
  StoryProvider provider;
  NsGuid guid;
  gboolean is_32bit;
} Layer;

static const Layer layers[] = {
  { STORY_BITS, NS_GUID_BITS_CLIENT, FALSE }, { STORY_CAPI2, NS_GUID_CAPI2, FALSE },
  { STORY_WFP, NS_GUID_WFP, FALSE },          { STORY_SCHANNEL, NS_GUID_SCHANNEL, FALSE },
  { STORY_SMB, NS_GUID_SMB_CLIENT, FALSE },   { STORY_SMB, NS_GUID_SMB_CLIENT, TRUE },
  { STORY_RPC, NS_GUID_RPC, FALSE },          { STORY_WINQUIC, NS_GUID_WINQUIC, FALSE },
  { STORY_WINQUIC, NS_GUID_WINQUIC, TRUE },   { STORY_WEBIO, NS_GUID_WEBIO, FALSE },
  { STORY_WININET, NS_GUID_WININET, TRUE },
};

/* Returns the field whose length is in field @n, or 0 if @n is no length. */
static guint
length_in (const NsSchema *schema, guint n, gboolean *is_binary)
{
  guint i;

  for (i = 0; i < schema->n_top; i++)
    if ((schema->fields[i].flags & NS_FIELD_LENGTH_REF) != 0 && schema->fields[i].length == n)
      {
        *is_binary = schema->fields[i].in_type == NS_IN_BINARY;
        return i;
      }
  return 0;
}

static void
append_number (GByteArray *bytes, const NsSchema *schema, guint n, guint size)
{
  /* A binary field is a socket address of 16 bytes. */
  gboolean is_binary = FALSE;
  guint64 number =
      length_in (schema, n, &is_binary) != 0 ? (is_binary ? 16 : TEXT_UNITS) : 0x10 + n;
  guint i;

  for (i = 0; i < size; i++)
    ns_etl_bytes_u8 (bytes, (guint8) (number >> (8 * i)));
}

static void
append_field (GByteArray *bytes, const NsSchema *schema, guint n, gboolean is_32bit)
{
  static const guint8 address[16] = { 2, 0, 1, 0xbd, 10, 0, 0, 9 };
  static const guint8 sid[12] = { 1, 1, 0, 0, 0, 0, 0, 5, 18 };
  const NsSchemaField *field = &schema->fields[n];

  switch (field->in_type)
    {
    case NS_IN_INT8:
    case NS_IN_UINT8:
      append_number (bytes, schema, n, 1);
      break;
    case NS_IN_INT16:
    case NS_IN_UINT16:
      append_number (bytes, schema, n, 2);
      break;
    case NS_IN_INT64:
    case NS_IN_UINT64:
    case NS_IN_HEXINT64:
    case NS_IN_FILETIME:
    case NS_IN_DOUBLE:
      append_number (bytes, schema, n, 8);
      break;
    case NS_IN_POINTER:
    case NS_IN_SIZET:
      append_number (bytes, schema, n, is_32bit ? 4 : 8);
      break;
    case NS_IN_GUID:
      g_byte_array_append (bytes, sid, sizeof sid);
      append_number (bytes, schema, n, 4);
      break;
    case NS_IN_SID:
      g_byte_array_append (bytes, sid, sizeof sid);
      break;
    case NS_IN_BINARY:
    case NS_IN_HEXDUMP:
      g_byte_array_append (bytes, address, sizeof address);
      break;
    case NS_IN_UNICODESTRING:
      if ((field->flags & NS_FIELD_LENGTH_REF) != 0)
        g_byte_array_append (bytes, (const guint8 *) "a\0b", 2 * TEXT_UNITS);
      else
        ns_etl_bytes_wstr (bytes, "ab");
      break;
    case NS_IN_ANSISTRING:
      if ((field->flags & NS_FIELD_LENGTH_REF) != 0)
        g_byte_array_append (bytes, (const guint8 *) "ab", TEXT_UNITS);
      else
        ns_etl_bytes_astr (bytes, "ab");
      break;
    default:
      append_number (bytes, schema, n, 4);
      break;
    }
}

static void
report_bytes (Story *story,
              double ms,
              const Layer *layer,
              const NsSchemaBlock *block,
              guint n,
              const char *hex,
              gsize n_bytes)
{
  g_autofree char *part = g_strndup (hex, 2 * n_bytes);

  story_write_version (story,
                       ms,
                       layer->provider,
                       ns_schema_block_get_id (block, n),
                       ns_schema_block_get_version (block, n),
                       "x",
                       part);
}

/* Writes one event for each payload length, from 0 to more than the layout. */
static guint
report_layout (Story *story, double *ms, const Layer *layer, NsSchemaBlock *block, guint n)
{
  const NsSchema *schema = ns_schema_block_get (block, n);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  char hex[2 * MAX_BYTES + 1];
  gsize length;
  guint i;

  for (i = 0; i < schema->n_top; i++)
    append_field (bytes, schema, i, layer->is_32bit);
  for (i = 0; i < 8; i++)
    ns_etl_bytes_u8 (bytes, 0xff);
  length = MIN (bytes->len, MAX_BYTES);
  for (i = 0; i < length; i++)
    g_snprintf (hex + 2 * (gsize) i, 3, "%02x", bytes->data[i]);
  for (i = 0; i <= length; i++)
    {
      /* Two processes use equal IDs. */
      story->pid = 100 + i % 2;
      story->tid = 40 + i % 3;
      story->activity = i % 5;
      report_bytes (story, *ms, layer, block, n, hex, i);
      *ms += 0.001;
    }
  return (guint) length + 1;
}

/* Asserts that the rows of a layer are consistent for any payload. */
static void
assert_layer_holds (const NsTrace *trace, const GArray *table, gsize row_bytes)
{
  gint64 before_ns = G_MININT64;
  guint i;

  for (i = 0; i < table->len; i++)
    {
      const NsLayerRow *row = (const NsLayerRow *) (table->data + i * row_bytes);

      g_assert_cmpint (row->open_ns, >=, before_ns);
      g_assert_cmpint (row->close_ns, >=, row->open_ns);
      g_assert_cmpuint (row->activity, <=, trace->activities->len);
      g_assert_true (!row->opened_before_trace || row->open_ns == 0);
      before_ns = row->open_ns;
    }
}

static guint64
count_told (const NsTrace *trace, const NsGuid *guid)
{
  guint64 n = 0;
  guint i;

  for (i = 0; i < trace->providers->len; i++)
    if (ns_guid_equal (&g_array_index (trace->providers, NsProviderRow, i).guid, guid))
      n += g_array_index (trace->providers, NsProviderRow, i).n_events;
  return n;
}

static void
test_layouts_may_be_cut_anywhere (gconstpointer data)
{
  const Layer *layer = data;
  g_autoptr (NsSchemaData) schemas = ns_schema_builtin_new ();
  gint number = ns_schema_data_find (schemas, &layer->guid);
  g_autoptr (Story) story = story_new ();
  g_autoptr (NsTrace) trace = NULL;
  NsSchemaBlock *block;
  guint64 n_told = 0;
  double ms = 1;
  guint i;

  g_assert_cmpint (number, >=, 0);
  block = ns_schema_data_get_block (schemas, (guint) number, NULL);
  g_assert_nonnull (block);
  story->is_32bit = layer->is_32bit;
  for (i = 0; i < ns_schema_block_get_n_events (block); i++)
    n_told += report_layout (story, &ms, layer, block, i);
  g_assert_cmpuint (n_told, >, 100);
  trace = story_open (story, ms + 10);

  /* No event was dropped. */
  g_assert_cmpuint (count_told (trace, &layer->guid), ==, n_told);
  assert_layer_holds (trace, trace->bits, sizeof (NsBitsRow));
  assert_layer_holds (trace, trace->wfp, sizeof (NsWfpRow));
  assert_layer_holds (trace, trace->smb, sizeof (NsSmbRow));
  assert_layer_holds (trace, trace->rpc, sizeof (NsRpcRow));
  assert_layer_holds (trace, trace->capi2, sizeof (NsCapi2Row));
  assert_layer_holds (trace, trace->quic, sizeof (NsQuicRow));
}

int
main (int argc, char *argv[])
{
  g_autoptr (NsSchemaData) schemas = ns_schema_builtin_new ();
  guint i;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  for (i = 0; i < G_N_ELEMENTS (layers); i++)
    {
      g_autofree char *path =
          g_strdup_printf ("/layouts/%s-%s",
                           ns_schema_builtin_provider_name (schemas, &layers[i].guid),
                           layers[i].is_32bit ? "32" : "64");

      g_test_add_data_func (path, &layers[i], test_layouts_may_be_cut_anywhere);
    }
  return g_test_run ();
}
