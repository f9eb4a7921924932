/* Trace writer: records of all header kinds and their extended items.
 *
 * Layouts: evntcons.h, evntrace.h and the WMI trace headers, as the reader parses them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer-private.h"

#define EVENT_HEADER_EXTENDED 1
#define NO_ITEM G_MAXSIZE

/* Links the previous item to a new one, and appends that. */
static void
put_item (GByteArray *out, gsize *previous, guint16 type, const guint8 *data, gsize size)
{
  gsize at = out->len;

  if (*previous != NO_ITEM)
    ns_etl_bytes_set_u16 (out, *previous + 4, 1);
  ns_etl_bytes_u16 (out, (guint16) ((8 + size + 7) & ~(gsize) 7));
  ns_etl_bytes_u16 (out, type);
  ns_etl_bytes_u16 (out, 0);
  ns_etl_bytes_u16 (out, (guint16) size);
  ns_etl_bytes_data (out, data, size);
  ns_etl_bytes_zero (out, -size & 7);
  *previous = at;
}

static void
put_stack (GByteArray *out, gsize *previous, const NsEtlWriterEvent *event)
{
  g_autoptr (GByteArray) data = g_byte_array_new ();
  guint i;

  ns_etl_bytes_u64 (data, event->stack_match_id);
  for (i = 0; i < event->n_stack; i++)
    ns_etl_bytes_ptr (data, event->stack[i], event->is_stack32 ? 4 : 8);
  put_item (out,
            previous,
            event->is_stack32 ? NS_EXT_STACK32 : NS_EXT_STACK64,
            data->data,
            data->len);
}

static void
put_stack_key (GByteArray *out, gsize *previous, const NsEtlWriterEvent *event)
{
  g_autoptr (GByteArray) data = g_byte_array_new ();

  ns_etl_bytes_u64 (data, event->stack_match_id);
  ns_etl_bytes_u64 (data, event->stack_key);
  put_item (out,
            previous,
            event->is_stack32 ? NS_EXT_STACK_KEY32 : NS_EXT_STACK_KEY64,
            data->data,
            data->len);
}

/* Appends the items in the order of real traces: related activity, stacks, traits, then the
 * schema. */
static void
put_items (GByteArray *out, const NsEtlWriterEvent *event)
{
  gsize previous = NO_ITEM;
  guint i;

  if (!ns_guid_is_zero (&event->related))
    put_item (out,
              &previous,
              NS_EXT_RELATED_ACTIVITY,
              event->related.bytes,
              sizeof event->related.bytes);
  if (event->n_stack > 0)
    put_stack (out, &previous, event);
  if (event->stack_key != 0)
    put_stack_key (out, &previous, event);
  for (i = 0; i < event->n_items; i++)
    put_item (out,
              &previous,
              event->items[i].type,
              event->items[i].data->data,
              event->items[i].data->len);
  if (event->prov_traits != NULL)
    put_item (out,
              &previous,
              NS_EXT_PROV_TRAITS,
              event->prov_traits->data,
              event->prov_traits->len);
  if (event->schema_tl != NULL)
    put_item (out, &previous, NS_EXT_SCHEMA_TL, event->schema_tl->data, event->schema_tl->len);
}

static gboolean
add_record (NsEtlWriter *self, guint cpu, guint64 raw, GByteArray *record, gsize size_at)
{
  if (record->len > NS_ETL_WRITER_MAX_RECORD)
    return FALSE;
  ns_etl_bytes_set_u16 (record, size_at, (guint16) record->len);
  return ns_etl_writer_add_bytes (self, cpu, raw, record->data, record->len);
}

/**
 * ns_etl_writer_add_event:
 * @self: a writer
 * @event: a record of a manifest or TraceLogging provider
 *
 * Returns: %FALSE if it is too large for a record or a buffer; then nothing is written
 */
gboolean
ns_etl_writer_add_event (NsEtlWriter *self, const NsEtlWriterEvent *event)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (GByteArray) items = g_byte_array_new ();

  put_items (items, event);
  ns_etl_bytes_u16 (out, 0);
  ns_etl_bytes_u8 (out, event->is_32bit ? NS_RECORD_EVENT32 : NS_RECORD_EVENT64);
  ns_etl_bytes_u8 (out, 0xc0);
  ns_etl_bytes_u16 (out, event->flags | (items->len > 0 ? EVENT_HEADER_EXTENDED : 0));
  ns_etl_bytes_u16 (out, 0);
  ns_etl_bytes_u32 (out, event->tid);
  ns_etl_bytes_u32 (out, event->pid);
  ns_etl_bytes_u64 (out, event->raw);
  ns_etl_bytes_guid (out, &event->guid);
  ns_etl_bytes_u16 (out, event->id);
  ns_etl_bytes_u8 (out, event->version);
  ns_etl_bytes_u8 (out, event->channel);
  ns_etl_bytes_u8 (out, event->level);
  ns_etl_bytes_u8 (out, event->opcode);
  ns_etl_bytes_u16 (out, event->task);
  ns_etl_bytes_u64 (out, event->keyword);
  ns_etl_bytes_u32 (out, event->kernel_time);
  ns_etl_bytes_u32 (out, event->user_time);
  ns_etl_bytes_guid (out, &event->activity);
  ns_etl_bytes_data (out, items->data, items->len);
  ns_etl_bytes_array (out, event->payload);
  return add_record (self, event->cpu, event->raw, out, 0);
}

/**
 * ns_etl_writer_add_group:
 * @self: a writer
 * @group: a kernel record
 *
 * Returns: %FALSE if it is too large for a record or a buffer; then nothing is written
 */
gboolean
ns_etl_writer_add_group (NsEtlWriter *self, const NsEtlWriterGroup *group)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();

  ns_etl_writer_encode_group (out, group);
  return add_record (self, group->cpu, group->raw, out, 4);
}

/**
 * ns_etl_writer_add_full:
 * @self: a writer
 * @full: a classic record
 *
 * Returns: %FALSE if it is too large for a record or a buffer; then nothing is written
 */
gboolean
ns_etl_writer_add_full (NsEtlWriter *self, const NsEtlWriterFull *full)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  NsRecordKind kind = full->kind != 0 ? full->kind : NS_RECORD_FULL64;

  ns_etl_bytes_u16 (out, 0);
  ns_etl_bytes_u8 (out, (guint8) kind);
  ns_etl_bytes_u8 (out, 0xc0);
  ns_etl_bytes_u8 (out, full->opcode);
  ns_etl_bytes_u8 (out, full->level);
  ns_etl_bytes_u16 (out, full->version);
  ns_etl_bytes_u32 (out, full->tid);
  ns_etl_bytes_u32 (out, full->pid);
  ns_etl_bytes_u64 (out, full->raw);
  ns_etl_bytes_guid (out, &full->guid);
  ns_etl_bytes_u64 (out, 0);
  if (kind == NS_RECORD_INSTANCE32 || kind == NS_RECORD_INSTANCE64)
    {
      ns_etl_bytes_u32 (out, full->instance_id);
      ns_etl_bytes_u32 (out, full->parent_instance_id);
      ns_etl_bytes_guid (out, &full->parent_guid);
    }
  ns_etl_bytes_array (out, full->payload);
  return add_record (self, full->cpu, full->raw, out, 0);
}

/**
 * ns_etl_writer_add_message:
 * @self: a writer
 * @message: a WPP message
 *
 * Returns: %FALSE if it is too large for a record or a buffer; then nothing is written
 */
gboolean
ns_etl_writer_add_message (NsEtlWriter *self, const NsEtlWriterMessage *message)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  guint16 flags = message->flags != 0 ? message->flags : 0xaa;

  ns_etl_bytes_u16 (out, 0);
  ns_etl_bytes_u8 (out, 0);
  ns_etl_bytes_u8 (out, 0x90);
  ns_etl_bytes_u16 (out, message->number);
  ns_etl_bytes_u16 (out, flags);
  if (flags & 1)
    ns_etl_bytes_u32 (out, message->sequence);
  if (flags & 4)
    ns_etl_bytes_u32 (out, message->component);
  else if (flags & 2)
    ns_etl_bytes_guid (out, &message->guid);
  if (flags & 8)
    ns_etl_bytes_u64 (out, message->raw);
  if (flags & 0x20)
    {
      ns_etl_bytes_u32 (out, message->tid);
      ns_etl_bytes_u32 (out, message->pid);
    }
  ns_etl_bytes_array (out, message->payload);
  return add_record (self, message->cpu, message->raw, out, 0);
}

/**
 * ns_etl_writer_schema_tl:
 * @name: name of the event
 * @fields: (nullable): fields in the TraceLogging layout: name with NUL, in-type, …
 *
 * Returns: (transfer full): the data of an item %NS_EXT_SCHEMA_TL
 */
GByteArray *
ns_etl_writer_schema_tl (const char *name, const GByteArray *fields)
{
  GByteArray *out = g_byte_array_new ();

  ns_etl_bytes_u16 (out, 0);
  ns_etl_bytes_u8 (out, 0); /* tag */
  ns_etl_bytes_astr (out, name);
  ns_etl_bytes_array (out, fields);
  ns_etl_bytes_set_u16 (out, 0, (guint16) out->len);
  return out;
}

/**
 * ns_etl_writer_prov_traits:
 * @provider: name of the provider
 *
 * Returns: (transfer full): the data of an item %NS_EXT_PROV_TRAITS
 */
GByteArray *
ns_etl_writer_prov_traits (const char *provider)
{
  GByteArray *out = g_byte_array_new ();

  ns_etl_bytes_u16 (out, 0);
  ns_etl_bytes_astr (out, provider);
  ns_etl_bytes_set_u16 (out, 0, (guint16) out->len);
  return out;
}
