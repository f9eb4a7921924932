/* Captured packets as a pcapng or pcap file, which Wireshark opens.
 *
 * One interface block for each pair of interface and link type; stamps in nanoseconds. The process,
 * the direction and the reason of a drop travel as options of the packet (pcapng,
 * draft-ietf-opsawg-pcapng). The older form (draft-ietf-opsawg-pcap) has room for none of that, and
 * for one link type only.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-pcap.h"

#include "base/ns-map.h"

#include "base/ns-error.h"
#include "engine/ns-packet-mask.h"
#include "wire/ns-wire-link.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A pcap file whose stamps are in nanoseconds. */
#define PCAP_MAGIC_NS 0xa1b23c4d

#define CHUNK (64 * 1024)
#define SNAP_LENGTH 65535

enum
{
  BLOCK_SECTION = 0x0a0d0d0a,
  BLOCK_INTERFACE = 1,
  BLOCK_PACKET = 6,
};

enum
{
  OPTION_END = 0,
  OPTION_COMMENT = 1,
  OPTION_EPB_FLAGS = 2,
  OPTION_IF_NAME = 2,
  OPTION_IF_DESCRIPTION = 3,
  OPTION_IF_TSRESOL = 9,
};

typedef struct
{
  const NsTrace *trace;
  const NsPacketMask *mask;
  GByteArray *out;
  NsMap *interfaces; /* (interface, link type) → number + 1 */
  guint n_interfaces;
  NsExportWriteFunc write;
  gpointer write_data;
} Writer;

static void
put_u16 (GByteArray *out, guint16 value)
{
  guint8 bytes[2] = { (guint8) value, (guint8) (value >> 8) };

  g_byte_array_append (out, bytes, 2);
}

static void
put_u32 (GByteArray *out, guint32 value)
{
  put_u16 (out, (guint16) value);
  put_u16 (out, (guint16) (value >> 16));
}

static void
put_padding (GByteArray *out, gsize n_bytes)
{
  static const guint8 zero[4] = { 0 };

  g_byte_array_append (out, zero, (guint) (-n_bytes & 3));
}

static void
put_padded (GByteArray *out, gconstpointer data, gsize n_bytes)
{
  if (n_bytes > 0)
    g_byte_array_append (out, data, (guint) n_bytes);
  put_padding (out, n_bytes);
}

static void
put_option (GByteArray *out, guint16 code, gconstpointer data, gsize n_bytes)
{
  n_bytes = MIN (n_bytes, G_MAXUINT16 - 3);
  put_u16 (out, code);
  put_u16 (out, (guint16) n_bytes);
  put_padded (out, data, n_bytes);
}

static guint
begin_block (GByteArray *out, guint32 type)
{
  guint at = out->len;

  put_u32 (out, type);
  put_u32 (out, 0);
  return at;
}

/* The length stands in front and behind. */
static void
end_block (GByteArray *out, guint at)
{
  guint32 length = out->len - at + 4;
  guint i;

  put_u32 (out, length);
  for (i = 0; i < 4; i++)
    out->data[at + 4 + i] = (guint8) (length >> (8 * i));
}

static void
put_section (GByteArray *out)
{
  guint at = begin_block (out, BLOCK_SECTION);

  put_u32 (out, 0x1a2b3c4d);
  put_u16 (out, 1);
  put_u16 (out, 0);
  put_u32 (out, G_MAXUINT32); /* length of the section: not told */
  put_u32 (out, G_MAXUINT32);
  end_block (out, at);
}

static guint32
interface_of (Writer *self, const NsPacketRow *row)
{
  guint64 kind = (guint64) row->interface_name << 16 | row->link_type;
  guint32 number = ns_map_get (self->interfaces, row->interface, kind);
  const char *told = ns_trace_text (self->trace, row->interface_name);
  guint8 nanoseconds = 9;
  char name[32];
  guint at;

  if (number != 0)
    return number - 1;
  at = begin_block (self->out, BLOCK_INTERFACE);
  put_u16 (self->out, row->link_type);
  put_u16 (self->out, 0);
  put_u32 (self->out, SNAP_LENGTH);
  g_snprintf (name, sizeof name, "interface %u", row->interface);
  put_option (self->out, OPTION_IF_NAME, name, strlen (name));
  if (told != NULL)
    put_option (self->out, OPTION_IF_DESCRIPTION, told, strlen (told));
  put_option (self->out, OPTION_IF_TSRESOL, &nanoseconds, 1);
  put_u32 (self->out, OPTION_END);
  end_block (self->out, at);
  ns_map_set (self->interfaces, row->interface, kind, ++self->n_interfaces);
  return self->n_interfaces - 1;
}

/* The bytes of a packet that may be shown; whether some are hidden. */
static gboolean
put_frame (Writer *self, const NsPacketRow *row)
{
  guint at = self->out->len;
  gboolean is_masked;

  if (row->captured == 0)
    return FALSE;
  g_byte_array_append (self->out, self->trace->packet_bytes->data + row->data, row->captured);
  is_masked = ns_packet_mask_apply (self->mask, row, self->out->data + at);
  ns_wire_link_unprotect (self->out->data + at, row->captured, row->link_type);
  return is_masked;
}

static void
put_comment (Writer *self, const NsPacketRow *row, gboolean is_masked)
{
  g_autoptr (GString) comment = g_string_new (NULL);

  if (row->pid != NS_PID_UNKNOWN)
    {
      const char *name = ns_trace_get_process_name (self->trace, row->pid, row->time_ns);

      g_string_append_printf (comment, "process %s (%u)", name != NULL ? name : "?", row->pid);
    }
  if (row->dropped)
    {
      const char *reason = ns_trace_text (self->trace, row->drop_reason);

      g_string_append_printf (comment,
                              "%sdropped: %s",
                              comment->len > 0 ? ", " : "",
                              reason != NULL ? reason : "?");
    }
  if (is_masked)
    g_string_append_printf (comment, "%ssecrets masked", comment->len > 0 ? ", " : "");
  if (comment->len > 0)
    put_option (self->out, OPTION_COMMENT, comment->str, comment->len);
}

static guint64
unix_ns_of (const NsTrace *trace, const NsPacketRow *row)
{
  guint64 filetime = ns_etl_file_ns_to_filetime (trace->file, row->time_ns);

  return filetime > NS_FILETIME_UNIX_EPOCH ? (filetime - NS_FILETIME_UNIX_EPOCH) * 100 : 0;
}

/* A row whose bytes are not all there would be a mistake of ours; never read past the end. */
static gboolean
has_its_bytes (const NsTrace *trace, const NsPacketRow *row)
{
  return row->captured <= trace->packet_bytes->len &&
         row->data <= trace->packet_bytes->len - row->captured;
}

static void
put_packet (Writer *self, const NsPacketRow *row)
{
  guint32 interface = interface_of (self, row);
  guint64 unix_ns = unix_ns_of (self->trace, row);
  guint32 direction = row->direction > 0 ? 1 : row->direction < 0 ? 2 : 0;
  guint at = begin_block (self->out, BLOCK_PACKET);
  gboolean is_masked;

  put_u32 (self->out, interface);
  put_u32 (self->out, (guint32) (unix_ns >> 32));
  put_u32 (self->out, (guint32) unix_ns);
  put_u32 (self->out, row->captured);
  put_u32 (self->out, MAX (row->length, row->captured));
  is_masked = put_frame (self, row);
  put_padding (self->out, row->captured);
  put_comment (self, row, is_masked);
  if (direction != 0)
    {
      guint8 flags[4] = { (guint8) direction, 0, 0, 0 };

      put_option (self->out, OPTION_EPB_FLAGS, flags, sizeof flags);
    }
  put_u32 (self->out, OPTION_END);
  end_block (self->out, at);
}

static gboolean
flush (Writer *self, gsize at_least, GError **error)
{
  gboolean ok = TRUE;

  if (self->out->len < at_least || self->out->len == 0)
    return TRUE;
  ok = self->write ((const char *) self->out->data, self->out->len, self->write_data, error);
  g_byte_array_set_size (self->out, 0);
  return ok;
}

/**
 * ns_export_pcapng:
 * @trace: a trace
 * @packets: (array length=n_packets): rows of the packets, 0-based, in time order
 * @n_packets: how many
 * @write: where the bytes go
 * @write_data: for @write
 * @error: what @write said
 *
 * Returns: %FALSE if @write failed
 */
gboolean
ns_export_pcapng (const NsTrace *trace,
                  const guint32 *packets,
                  gsize n_packets,
                  NsExportWriteFunc write,
                  gpointer write_data,
                  GError **error)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (NsMap) interfaces = ns_map_new ();
  const NsPacketMask *mask = ns_packet_mask_get (trace);
  Writer self = { trace, mask, out, interfaces, 0, write, write_data };
  gsize i;

  put_section (out);
  for (i = 0; i < n_packets; i++)
    {
      const NsPacketRow *row = &g_array_index (trace->packets, NsPacketRow, packets[i]);

      if (!has_its_bytes (trace, row))
        continue;
      put_packet (&self, row);
      if (!flush (&self, CHUNK, error))
        return FALSE;
    }
  return flush (&self, 0, error);
}

static void
put_pcap_header (GByteArray *out, guint32 link_type)
{
  put_u32 (out, PCAP_MAGIC_NS);
  put_u16 (out, 2);
  put_u16 (out, 4);
  put_u32 (out, 0);
  put_u32 (out, 0);
  put_u32 (out, SNAP_LENGTH);
  put_u32 (out, link_type);
}

static void
put_pcap_packet (Writer *self, const NsPacketRow *row)
{
  GByteArray *out = self->out;
  guint64 unix_ns = unix_ns_of (self->trace, row);

  put_u32 (out, (guint32) (unix_ns / 1000000000));
  put_u32 (out, (guint32) (unix_ns % 1000000000));
  put_u32 (out, row->captured);
  put_u32 (out, MAX (row->length, row->captured));
  put_frame (self, row);
}

/**
 * ns_export_pcap:
 * @trace: a trace
 * @packets: (array length=n_packets): rows of the packets, 0-based, in time order
 * @n_packets: how many
 * @write: where the bytes go
 * @write_data: for @write
 * @error: %NS_TRACE_ERROR_QUERY when the packets have several link types, or what @write said
 *
 * Returns: %FALSE if nothing was written, or @write failed
 */
gboolean
ns_export_pcap (const NsTrace *trace,
                const guint32 *packets,
                gsize n_packets,
                NsExportWriteFunc write,
                gpointer write_data,
                GError **error)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  const NsPacketMask *mask = ns_packet_mask_get (trace);
  Writer self = { trace, mask, out, NULL, 0, write, write_data };
  const NsPacketRow *rows = (const NsPacketRow *) (gconstpointer) trace->packets->data;
  guint32 link_type = n_packets > 0 ? rows[packets[0]].link_type : 1;
  gsize i;

  for (i = 0; i < n_packets; i++)
    if (rows[packets[i]].link_type != link_type)
      {
        g_set_error (error,
                     NS_TRACE_ERROR,
                     NS_TRACE_ERROR_QUERY,
                     _ ("a pcap file has one link type, and these packets have %u and %u: choose "
                        "rows with --filter, or write pcapng"),
                     link_type,
                     rows[packets[i]].link_type);
        return FALSE;
      }
  put_pcap_header (out, link_type);
  for (i = 0; i < n_packets; i++)
    if (has_its_bytes (trace, &rows[packets[i]]))
      {
        put_pcap_packet (&self, &rows[packets[i]]);
        if (!flush (&self, CHUNK, error))
          return FALSE;
      }
  return flush (&self, 0, error);
}
