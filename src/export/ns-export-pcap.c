/* Captured packets as a pcapng or pcap file for Wireshark.
 *
 * There is one interface block per pair of interface and link type, with names and addresses. Time
 * stamps have nanoseconds. A name resolution block precedes the packets. Process, URL, direction,
 * row and drop reason are packet options (pcapng, draft-ietf-opsawg-pcapng). The older format
 * (draft-ietf-opsawg-pcap) supports none of these, and only one link type.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-pcap.h"

#include "base/ns-error.h"
#include "base/ns-map.h"
#include "engine/net/packets/ns-packet-components.h"
#include "engine/net/packets/ns-packet-mask.h"
#include "engine/net/packets/ns-packet-row.h"
#include "wire/ns-wire-link.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Magic number of a pcap file with nanosecond time stamps. */
#define PCAP_MAGIC_NS 0xa1b23c4d

#define CHUNK (64 * 1024)
#define SNAP_LENGTH 65535
/* Maximum length of comments and names. */
#define MAX_TEXT 2048
/* Maximum number of names written; the number per address is also limited. */
#define MAX_NAMES 100000
#define MAX_NAMES_OF_ADDRESS 8

enum
{
  BLOCK_SECTION = 0x0a0d0d0a,
  BLOCK_INTERFACE = 1,
  BLOCK_NAMES = 4,
  BLOCK_PACKET = 6,
};

enum
{
  OPTION_END = 0,
  OPTION_COMMENT = 1,
  OPTION_EPB_FLAGS = 2,
  OPTION_EPB_PACKETID = 5,
  OPTION_EPB_VERDICT = 7,
  OPTION_IF_NAME = 2,
  OPTION_IF_DESCRIPTION = 3,
  OPTION_IF_IPV4 = 4,
  OPTION_IF_IPV6 = 5,
  OPTION_IF_MAC = 6,
  OPTION_IF_TSRESOL = 9,
  OPTION_SECTION_OS = 3,
  OPTION_SECTION_PROGRAM = 4,
};

enum
{
  NAME_END = 0,
  NAME_IPV4 = 1,
  NAME_IPV6 = 2,
};

/* Verdict type “hardware”, whose values the capturing system defines. */
#define VERDICT_HARDWARE 0

typedef struct
{
  const NsTrace *trace;
  const NsPacketMask *mask;
  GByteArray *out;
  NsMap *interfaces; /* (interface, its numbering, link type) → number + 1 */
  guint n_interfaces;
  NsRow *current; /* (nullable): by flow: the current operation */
  NsRow *next;    /* (nullable): by operation: the next one of its conversation; 0: none */
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

static void
put_text_option (GByteArray *out, guint16 code, const char *text)
{
  if (text != NULL && *text != '\0')
    {
      const char *end = text + MIN (strlen (text), MAX_TEXT);

      /* Truncate at a character boundary. */
      if (*end != '\0')
        end = g_utf8_find_prev_char (text, end + 1);
      put_option (out, code, text, (gsize) (end - text));
    }
}

static guint
begin_block (GByteArray *out, guint32 type)
{
  guint at = out->len;

  put_u32 (out, type);
  put_u32 (out, 0);
  return at;
}

/* Writes the block length, which is at the begin and the end of the block. */
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
put_section (GByteArray *out, const NsTrace *trace)
{
  const NsEtlHeader *header = ns_etl_file_get_header (trace->file);
  g_autofree char *os = NULL;
  guint at = begin_block (out, BLOCK_SECTION);

  put_u32 (out, 0x1a2b3c4d);
  put_u16 (out, 1);
  put_u16 (out, 0);
  put_u32 (out, G_MAXUINT32); /* section length: not specified */
  put_u32 (out, G_MAXUINT32);
  if (header->os_major != 0)
    os = g_strdup_printf ("Windows %u.%u.%u", header->os_major, header->os_minor, header->os_build);
  put_text_option (out, OPTION_SECTION_OS, os);
  put_text_option (out, OPTION_SECTION_PROGRAM, "Netstitch " NS_VERSION);
  put_u32 (out, OPTION_END);
  end_block (out, at);
}

/* Returns the PktMon component that captured a packet; %NULL: it has another source. */
static const NsPacketComponent *
find_component (const NsTrace *trace, const NsPacketRow *row)
{
  const NsPacketPlace *place = ns_packet_row_get_place (trace, row);

  return place->is_pktmon ? ns_packet_components_find (trace->packet_components, place->interface)
                          : NULL;
}

/* Writes interface addresses with the prefix length of a host, as the actual one is unknown. */
static void
put_addresses (GByteArray *out, const NsTrace *trace, guint32 component)
{
  const guint8 *mac = ns_packet_components_find_mac (trace->packet_components, component);
  g_autoptr (GArray) ips =
      ns_packet_components_list_addresses (trace->packet_components, component);
  guint i;

  for (i = 0; i < ips->len; i++)
    {
      const NsIp *ip = &g_array_index (ips, NsIp, i);
      gboolean is_v4 = ip->family == NS_AF_INET;
      gsize size = is_v4 ? 4 : 16;
      guint8 value[17];

      memcpy (value, ip->bytes, size);
      if (is_v4)
        memset (value + size, 0xff, 4);
      else
        value[size] = 128;
      put_option (out, is_v4 ? OPTION_IF_IPV4 : OPTION_IF_IPV6, value, is_v4 ? 8 : 17);
    }
  if (mac != NULL)
    put_option (out, OPTION_IF_MAC, mac, NS_MAC_SIZE);
}

/* Writes the interface name, which Wireshark displays, such as `netvsc.sys`; descriptions
 * distinguish adapters with the same driver. */
static void
put_interface_name (GByteArray *out, const NsTrace *trace, const NsPacketRow *row)
{
  const NsPacketComponent *component = find_component (trace, row);
  const NsPacketPlace *place = ns_packet_row_get_place (trace, row);
  const char *interface = ns_trace_text (trace, place->interface_name);
  g_autofree char *name = NULL;
  g_autofree char *description = NULL;

  if (interface == NULL || *interface == '\0')
    {
      name = g_strdup_printf (place->is_pktmon ? "component %u" : "interface %u", place->interface);
      put_text_option (out, OPTION_IF_NAME, name);
      return;
    }
  put_text_option (out, OPTION_IF_NAME, interface);
  if (component == NULL)
    return;
  if (component->description != NS_STRING_NONE)
    description = g_strdup_printf ("%s, component %u",
                                   ns_trace_text (trace, component->description),
                                   component->id);
  else
    description = g_strdup_printf ("component %u", component->id);
  put_text_option (out, OPTION_IF_DESCRIPTION, description);
  put_addresses (out, trace, component->id);
}

static guint32
interface_of (Writer *self, const NsPacketRow *row)
{
  const NsPacketPlace *place = ns_packet_row_get_place (self->trace, row);
  guint64 kind = (guint64) place->interface_name << 17 | (guint64) place->is_pktmon << 16 |
                 ns_packet_row_get_link_type (row);
  guint32 number = ns_map_get (self->interfaces, place->interface, kind);
  guint8 nanoseconds = 9;
  guint at;

  if (number != 0)
    return number - 1;
  at = begin_block (self->out, BLOCK_INTERFACE);
  put_u16 (self->out, (guint16) ns_packet_row_get_link_type (row));
  put_u16 (self->out, 0);
  put_u32 (self->out, SNAP_LENGTH);
  put_interface_name (self->out, self->trace, row);
  put_option (self->out, OPTION_IF_TSRESOL, &nanoseconds, 1);
  put_u32 (self->out, OPTION_END);
  end_block (self->out, at);
  ns_map_set (self->interfaces, place->interface, kind, ++self->n_interfaces);
  return self->n_interfaces - 1;
}

/* Returns whether the bytes of a row exist; guards against reading past the end. */
static gboolean
has_its_bytes (const NsTrace *trace, const NsPacketRow *row)
{
  return ns_packet_row_is_frame (row) &&
         (row->captured == 0 || ns_packet_row_get_bytes (trace, row) != NULL);
}

/* Writes all interface blocks before the packets: editcap rejects files whose link types are not
 * known from the begin. */
static void
put_interfaces (Writer *self, const guint32 *packets, gsize n_packets)
{
  gsize i;

  for (i = 0; i < n_packets; i++)
    {
      const NsPacketRow *row = &g_array_index (self->trace->packets, NsPacketRow, packets[i]);

      if (has_its_bytes (self->trace, row))
        interface_of (self, row);
    }
}

/* Names by address, for the packets being written. */
typedef struct
{
  GHashTable *wanted; /* NsIp → GArray of NsString */
  guint n_names;
} Names;

static guint
hash_ip (gconstpointer data)
{
  guint64 hash = ns_ip_hash (data);

  return (guint) (hash ^ hash >> 32);
}

static gboolean
are_equal_ips (gconstpointer a, gconstpointer b)
{
  return ns_ip_equal (a, b);
}

static void
want_address (Names *self, const NsIp *ip)
{
  if (!ns_ip_is_empty (ip) && !g_hash_table_contains (self->wanted, ip))
    g_hash_table_insert (self->wanted,
                         g_memdup2 (ip, sizeof *ip),
                         g_array_new (FALSE, FALSE, sizeof (NsString)));
}

static void
add_name (Names *self, const NsIp *ip, NsString name)
{
  GArray *names = g_hash_table_lookup (self->wanted, ip);
  guint i;

  if (names == NULL || names->len >= MAX_NAMES_OF_ADDRESS || self->n_names >= MAX_NAMES)
    return;
  for (i = 0; i < names->len; i++)
    if (g_array_index (names, NsString, i) == name)
      return;
  g_array_append_val (names, name);
  self->n_names++;
}

static void
put_name_record (Writer *self, const NsIp *ip, const GArray *names)
{
  g_autoptr (GByteArray) value = g_byte_array_new ();
  gboolean is_v4 = ip->family == NS_AF_INET;
  guint i;

  g_byte_array_append (value, ip->bytes, is_v4 ? 4 : 16);
  for (i = 0; i < names->len; i++)
    {
      const char *name = ns_trace_text (self->trace, g_array_index (names, NsString, i));

      g_byte_array_append (value, (const guint8 *) name, (guint) MIN (strlen (name), MAX_TEXT));
      g_byte_array_append (value, (const guint8 *) "", 1);
    }
  put_option (self->out, is_v4 ? NAME_IPV4 : NAME_IPV6, value->data, value->len);
}

/* Writes the names that the trace resolved, in the order of their addresses and before the
 * packets, so that readers know them from the begin. */
static void
put_names (Writer *self, const guint32 *packets, gsize n_packets)
{
  Names names = {
    g_hash_table_new_full (hash_ip, are_equal_ips, g_free, (GDestroyNotify) g_array_unref)
  };
  guint at = 0;
  gsize i;
  guint j;

  for (i = 0; self->trace->dns->len > 0 && i < n_packets; i++)
    {
      const NsPacketRow *row = &g_array_index (self->trace->packets, NsPacketRow, packets[i]);
      NsPacketEnds ends;

      ns_packet_row_read_ends (self->trace, row, &ends);
      want_address (&names, &ends.src.ip);
      want_address (&names, &ends.dst.ip);
    }
  for (i = 0; i < self->trace->dns->len; i++)
    {
      const NsDnsRow *row = &g_array_index (self->trace->dns, NsDnsRow, i);
      const char *query = ns_trace_text (self->trace, row->query);

      if (query == NULL || *query == '\0')
        continue;
      for (j = 0; row->addresses != NULL && j < row->addresses->len; j++)
        add_name (&names, &g_array_index (row->addresses, NsIp, j), row->query);
    }
  for (i = 0; names.n_names > 0 && i < self->trace->dns->len; i++)
    {
      const NsDnsRow *row = &g_array_index (self->trace->dns, NsDnsRow, i);

      for (j = 0; row->addresses != NULL && j < row->addresses->len; j++)
        {
          const NsIp *ip = &g_array_index (row->addresses, NsIp, j);
          const GArray *of_ip = g_hash_table_lookup (names.wanted, ip);

          if (of_ip == NULL || of_ip->len == 0)
            continue;
          if (at == 0)
            at = begin_block (self->out, BLOCK_NAMES);
          put_name_record (self, ip, of_ip);
          g_hash_table_remove (names.wanted, ip);
        }
    }
  if (at != 0)
    {
      put_u32 (self->out, NAME_END);
      end_block (self->out, at);
    }
  g_hash_table_unref (names.wanted);
}

/* Finds the padding of Wi-Fi drivers between headers, which readers would parse as content.
 * Returns its size, and its offset in @at. */
static guint32
find_gap (const Writer *self, const NsPacketRow *row, guint32 *at)
{
  NsWireLink link;

  *at = 0;
  if (row->captured == 0 || row->link != NS_PACKET_IEEE_802_11)
    return 0;
  ns_wire_link_read (&link,
                     self->trace->packet_bytes->data + row->data,
                     row->captured,
                     NS_LINK_IEEE_802_11);
  if (link.gap == 0)
    return 0;
  *at = (guint32) (link.size - 8 - link.gap);
  return (guint32) link.gap;
}

/* Writes the captured and original length and the masked bytes of a packet; returns whether any
 * byte is masked. */
static gboolean
put_frame (Writer *self, const NsPacketRow *row)
{
  guint32 gap_at;
  guint32 gap = find_gap (self, row, &gap_at);
  gboolean is_masked;
  guint at;

  put_u32 (self->out, row->captured - gap);
  put_u32 (self->out, MAX (row->length, row->captured) - gap);
  at = self->out->len;
  if (row->captured == 0)
    return FALSE;
  g_byte_array_append (self->out, self->trace->packet_bytes->data + row->data, row->captured);
  is_masked = ns_packet_mask_apply (self->mask, row, self->out->data + at);
  ns_wire_link_unprotect (self->out->data + at, row->captured, ns_packet_row_get_link_type (row));
  if (gap > 0)
    g_byte_array_remove_range (self->out, at + gap_at, gap);
  return is_masked;
}

/* Links the operations of each conversation in sequence. */
static void
find_operations (Writer *self)
{
  const NsTrace *trace = self->trace;
  g_autofree NsRow *last = g_new0 (NsRow, (gsize) trace->flows->len + 1);
  guint i;

  self->current = g_new0 (NsRow, (gsize) trace->flows->len + 1);
  self->next = g_new0 (NsRow, (gsize) trace->activities->len + 1);
  for (i = 0; i < trace->activities->len; i++)
    {
      NsRow flow = g_array_index (trace->activities, NsActivityRow, i).flow;

      if (flow == 0 || flow > trace->flows->len)
        continue;
      if (last[flow] != 0)
        self->next[last[flow]] = i + 1;
      else
        self->current[flow] = i + 1;
      last[flow] = i + 1;
    }
}

/* Returns the operation of a packet, or 0: of several in its conversation, the one that began
 * last. */
static NsRow
find_operation (Writer *self, const NsPacketRow *row)
{
  NsRow *current;
  NsRow next;

  if (row->flow == 0 || row->flow > self->trace->flows->len)
    return 0;
  current = &self->current[row->flow];
  while ((next = self->next[*current]) != 0 &&
         NS_ROW_AT (self->trace->activities, NsActivityRow, next)->open_ns <= row->time_ns)
    *current = next;
  return *current != 0 ? *current : ns_packet_row_get_activity (self->trace, row);
}

/* Adds the URL of the packet's operation, in which secrets are already masked. */
static void
append_url (Writer *self, const NsPacketRow *row, GString *comment)
{
  const NsTrace *trace = self->trace;
  NsRow activity = find_operation (self, row);
  const char *url = NULL;

  if (activity != 0 && activity <= trace->activities->len)
    url = ns_trace_text (trace, NS_ROW_AT (trace->activities, NsActivityRow, activity)->url);
  if (url != NULL && *url != '\0')
    g_string_append_printf (comment, "%s%s", comment->len > 0 ? ", " : "", url);
}

static void
put_comment (Writer *self, const NsPacketRow *row, gboolean is_masked)
{
  g_autoptr (GString) comment = g_string_new (NULL);
  guint32 pid = ns_packet_row_get_pid (self->trace, row);

  if (pid != NS_PID_UNKNOWN)
    {
      const char *name = ns_trace_get_process_name (self->trace, pid, row->time_ns);

      g_string_append_printf (comment, "process %s (%u)", name != NULL ? name : "?", pid);
    }
  append_url (self, row, comment);
  if (row->dropped)
    {
      const char *reason =
          ns_trace_text (self->trace, ns_packet_row_get_place (self->trace, row)->drop_reason);

      g_string_append_printf (comment,
                              "%sdropped: %s",
                              comment->len > 0 ? ", " : "",
                              reason != NULL ? reason : "?");
    }
  if (is_masked)
    g_string_append_printf (comment, "%ssecrets masked", comment->len > 0 ? ", " : "");
  if (comment->len > 0)
    put_text_option (self->out, OPTION_COMMENT, comment->str);
}

static guint64
unix_ns_of (const NsTrace *trace, const NsPacketRow *row)
{
  guint64 filetime = ns_etl_file_ns_to_filetime (trace->file, row->time_ns);

  return filetime > NS_FILETIME_UNIX_EPOCH ? (filetime - NS_FILETIME_UNIX_EPOCH) * 100 : 0;
}

/* Writes the row number as packet ID, so that the row can be found. */
static void
put_row (GByteArray *out, const NsTrace *trace, const NsPacketRow *row)
{
  guint64 number = (guint64) (row - (const NsPacketRow *) (gconstpointer) trace->packets->data) + 1;
  guint64 value = GUINT64_TO_LE (number);

  put_option (out, OPTION_EPB_PACKETID, &value, sizeof value);
}

/* Writes the verdict that Windows dropped the packet, with the number of the reason. */
static void
put_verdict (GByteArray *out, const NsTrace *trace, const NsPacketRow *row)
{
  guint8 verdict[5] = { VERDICT_HARDWARE };
  guint i;

  if (!row->dropped)
    return;
  for (i = 0; i < 4; i++)
    verdict[1 + i] = (guint8) (ns_packet_row_get_place (trace, row)->drop_number >> (8 * i));
  put_option (out, OPTION_EPB_VERDICT, verdict, sizeof verdict);
}

static void
put_packet (Writer *self, const NsPacketRow *row)
{
  guint32 interface = interface_of (self, row);
  guint64 unix_ns = unix_ns_of (self->trace, row);
  guint32 direction = row->direction > 0 ? 1 : row->direction < 0 ? 2 : 0;
  guint at = begin_block (self->out, BLOCK_PACKET);
  gboolean is_masked;
  guint frame_at;

  put_u32 (self->out, interface);
  put_u32 (self->out, (guint32) (unix_ns >> 32));
  put_u32 (self->out, (guint32) unix_ns);
  frame_at = self->out->len + 8;
  is_masked = put_frame (self, row);
  put_padding (self->out, self->out->len - frame_at);
  put_comment (self, row, is_masked);
  if (direction != 0)
    {
      guint8 flags[4] = { (guint8) direction, 0, 0, 0 };

      put_option (self->out, OPTION_EPB_FLAGS, flags, sizeof flags);
    }
  put_row (self->out, self->trace, row);
  put_verdict (self->out, self->trace, row);
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
 * @n_packets: number of packets
 * @write: receives the bytes
 * @write_data: for @write
 * @error: error of @write
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
  Writer self = { trace, mask, out, interfaces, 0, NULL, NULL, write, write_data };
  gboolean ok = TRUE;
  gsize i;

  find_operations (&self);
  put_section (out, trace);
  put_interfaces (&self, packets, n_packets);
  put_names (&self, packets, n_packets);
  for (i = 0; i < n_packets && ok; i++)
    {
      const NsPacketRow *row = &g_array_index (trace->packets, NsPacketRow, packets[i]);

      if (!has_its_bytes (trace, row))
        continue;
      put_packet (&self, row);
      ok = flush (&self, CHUNK, error);
    }
  g_free (self.current);
  g_free (self.next);
  return ok && flush (&self, 0, error);
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
  put_frame (self, row);
}

/**
 * ns_export_pcap:
 * @trace: a trace
 * @packets: (array length=n_packets): rows of the packets, 0-based, in time order
 * @n_packets: number of packets
 * @write: receives the bytes
 * @write_data: for @write
 * @error: %NS_TRACE_ERROR_QUERY if the packets have several link types, or the error of @write
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
  Writer self = { trace, mask, out, NULL, 0, NULL, NULL, write, write_data };
  const NsPacketRow *rows = (const NsPacketRow *) (gconstpointer) trace->packets->data;
  guint32 link_type = n_packets > 0 ? ns_packet_row_get_link_type (&rows[packets[0]]) : 1;
  gsize i;

  for (i = 0; i < n_packets; i++)
    if (ns_packet_row_get_link_type (&rows[packets[i]]) != link_type)
      {
        g_set_error (error,
                     NS_TRACE_ERROR,
                     NS_TRACE_ERROR_QUERY,
                     _ ("a pcap file has one link type, and these packets have %u and %u: choose "
                        "rows with --filter, or write pcapng"),
                     link_type,
                     ns_packet_row_get_link_type (&rows[packets[i]]));
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
