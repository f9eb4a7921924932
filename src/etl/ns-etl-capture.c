/* Converts a .pcap or .pcapng file to a trace: each packet becomes a PktMon event of one component,
 * which is the interface.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-capture.h"

#include "base/ns-cursor.h"
#include "base/ns-time.h"
#include "etl/ns-capture-file.h"
#include "etl/ns-etl-writer.h"
#include "etl/ns-provider-guids.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <unistd.h>

#define NS_PER_S G_GUINT64_CONSTANT (1000000000)
#define NS_PER_TICK 100

/* Maximum size of a record, with its headers. */
#define MAX_BYTES 65300
#define MAX_LENGTH 65535
#define BUFFER_SIZE 0x20000
/* Raw times are offset so that none is 0, which the writer takes for "not set". */
#define RAW_OF_1970 G_GUINT64_CONSTANT (1000000)
/* Larger traces are converted to a temporary file. */
#define MAX_IN_MEMORY (64 << 20)

/* LINKTYPE_ numbers of tcpdump.org and ETHERTYPE numbers of IANA. */
enum
{
  LINK_NULL = 0,
  LINK_ETHERNET = 1,
  LINK_RAW_OF_BSD = 12,
  LINK_RAW = 101,
  LINK_IEEE_802_11 = 105,
  LINK_LOOP = 108,
  LINK_LINUX_SLL = 113,
  LINK_RADIOTAP = 127,
  LINK_IPV4 = 228,
  LINK_IPV6 = 229,
  LINK_LINUX_SLL2 = 276,
};

enum
{
  ETHER_IPV4 = 0x0800,
  ETHER_IPV6 = 0x86dd,
};

/* PktMon events, and its types of packet bytes. */
enum
{
  PKTMON_COMPONENT = 20,
  PKTMON_PACKET = 160,
  PKTMON_ETHERNET = 1,
  PKTMON_WIFI = 2,
  PKTMON_IP = 3,
};

typedef struct
{
  NsEtlWriter *writer;
  GByteArray *payload;
  const char *name; /* name of the file */
  guint64 n_packets;
  guint n_described; /* number of interfaces that were described */
  guint64 n_unknown; /* number of packets whose link type is none of those above */
  guint unknown_type;
} Conversion;

/* Number of the first interface, above those of real PktMon components, which may be in a trace of
 * the same case. */
#define FIRST_COMPONENT 60000

/* Extent of a file's packets. */
typedef struct
{
  gint64 first_ns;
  gint64 last_ns;
  guint64 n_packets;
  guint64 n_bytes;
} Survey;

static gboolean
survey_packets (const NsEtlSource *source, Survey *found, GError **error)
{
  g_autoptr (NsCaptureFile) file = ns_capture_file_new (source);
  GError *local_error = NULL;
  NsCapturedPacket packet;
  const char *kind;

  found->first_ns = G_MAXINT64;
  while (ns_capture_file_next (file, &packet, &local_error))
    {
      found->n_packets++;
      found->n_bytes += packet.size;
      found->first_ns = MIN (found->first_ns, packet.time_ns);
      found->last_ns = MAX (found->last_ns, packet.time_ns);
    }
  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  if (found->n_packets > 0)
    return TRUE;
  kind = ns_capture_file_is_pcapng (file) ? "pcapng" : "pcap";
  if (ns_capture_file_get_damage (file) != NULL)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_NOT_A_TRACE,
                 _ ("%s is a packet capture (%s) without packets: %s; record it again"),
                 ns_etl_source_get_name (source),
                 kind,
                 ns_capture_file_get_damage (file));
  else
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_NOT_A_TRACE,
                 _ ("%s is a packet capture (%s) without packets; record it again"),
                 ns_etl_source_get_name (source),
                 kind);
  return FALSE;
}

/* Removes a header of the capture from the beginning of the packet. */
static gboolean
take_header (NsCapturedPacket *packet, gsize n_bytes)
{
  if (n_bytes > packet->size)
    return FALSE;
  packet->data += n_bytes;
  packet->size -= n_bytes;
  packet->length -= (guint32) MIN (n_bytes, packet->length);
  return TRUE;
}

/* Removes a Linux "cooked" header (SLL, SLL2) and takes the direction from it; returns the Ethernet
 * type, 0: not IP. */
static guint16
take_linux_header (NsCapturedPacket *packet, gsize size, gsize type_at, gsize way_at)
{
  NsCursor cursor;
  guint16 type;
  guint16 way;

  ns_cursor_init (&cursor, packet->data, packet->size);
  ns_cursor_seek (&cursor, type_at);
  type = ns_cursor_u16be (&cursor);
  ns_cursor_seek (&cursor, way_at);
  /* the packet type has two bytes in SLL, one in SLL2 */
  way = size == 16 ? ns_cursor_u16be (&cursor) : ns_cursor_u8 (&cursor);
  if (!ns_cursor_ok (&cursor) || (type != ETHER_IPV4 && type != ETHER_IPV6) ||
      !take_header (packet, size))
    return 0;
  if (packet->direction == 0)
    packet->direction = way == 4 ? -1 : way == 0 ? 1 : 0;
  return PKTMON_IP;
}

static guint16
take_radiotap (NsCapturedPacket *packet)
{
  NsCursor cursor;
  guint16 size;

  ns_cursor_init (&cursor, packet->data, packet->size);
  ns_cursor_skip (&cursor, 2);
  size = ns_cursor_u16 (&cursor);
  return ns_cursor_ok (&cursor) && take_header (packet, size) ? PKTMON_WIFI : 0;
}

/* Returns the PktMon type of the packet's bytes, after removing a header if needed; 0: none. */
static guint16
to_pktmon (NsCapturedPacket *packet)
{
  switch (packet->link_type)
    {
    case LINK_ETHERNET:
      return PKTMON_ETHERNET;

    case LINK_RAW:
    case LINK_RAW_OF_BSD:
    case LINK_IPV4:
    case LINK_IPV6:
      return PKTMON_IP;

    case LINK_IEEE_802_11:
      return PKTMON_WIFI;

    case LINK_RADIOTAP:
      return take_radiotap (packet);

    case LINK_NULL:
    case LINK_LOOP:
      return take_header (packet, 4) ? PKTMON_IP : 0;

    case LINK_LINUX_SLL:
      return take_linux_header (packet, 16, 14, 0);

    case LINK_LINUX_SLL2:
      return take_linux_header (packet, 20, 0, 10);

    default:
      return 0;
    }
}

static void
add_event (Conversion *self, guint16 id, gint64 time_ns)
{
  NsEtlWriterEvent event = {
    .raw = (guint64) time_ns + RAW_OF_1970,
    .guid = NS_GUID_PKTMON,
    .id = id,
    .level = 4,
    .payload = self->payload,
  };

  ns_etl_writer_add_event (self->writer, &event);
  g_byte_array_set_size (self->payload, 0);
}

static guint16
component_of (guint interface)
{
  return (guint16) MIN (FIRST_COMPONENT + interface, G_MAXUINT16);
}

/* Adds the names of new interfaces in the way PktMon describes its components; an interface without
 * a name gets that of the file. */
static void
describe_interfaces (Conversion *self, const NsCaptureFile *file, gint64 time_ns)
{
  g_autofree char *own = NULL;

  if (self->n_described == ns_capture_file_get_n_interfaces (file))
    return;
  own = g_path_get_basename (self->name);
  for (; self->n_described < ns_capture_file_get_n_interfaces (file); self->n_described++)
    {
      const NsCaptureInterface *interface = ns_capture_file_get_interface (file, self->n_described);
      const char *name = interface->name != NULL ? interface->name : interface->description;
      const char *description =
          interface->description != NULL ? interface->description : interface->name;

      ns_etl_bytes_u16 (self->payload, component_of (self->n_described));
      ns_etl_bytes_u16 (self->payload, 0);
      ns_etl_bytes_wstr (self->payload, name != NULL ? name : own);
      ns_etl_bytes_wstr (self->payload, description != NULL ? description : own);
      add_event (self, PKTMON_COMPONENT, time_ns);
    }
}

static void
add_packet (Conversion *self, NsCapturedPacket *packet)
{
  guint16 type = to_pktmon (packet);
  gsize size = MIN (packet->size, MAX_BYTES);

  if (type == 0)
    {
      self->n_unknown++;
      self->unknown_type = packet->link_type;
      return;
    }
  ns_etl_bytes_u64 (self->payload, ++self->n_packets);
  ns_etl_bytes_u16 (self->payload, 1);
  /* The appearance count stays 0: an equal packet of another interface, or of a trace beside the
   * file, is the same packet. */
  ns_etl_bytes_u16 (self->payload, 0);
  ns_etl_bytes_u16 (self->payload, packet->direction > 0 ? 1 : packet->direction < 0 ? 2 : 0);
  ns_etl_bytes_u16 (self->payload, type);
  ns_etl_bytes_u16 (self->payload, component_of (packet->interface));
  ns_etl_bytes_u16 (self->payload, 1);
  ns_etl_bytes_u16 (self->payload, 0);
  ns_etl_bytes_u32 (self->payload, 0);
  ns_etl_bytes_u32 (self->payload, 0);
  ns_etl_bytes_u16 (self->payload, (guint16) MIN (MAX (packet->length, packet->size), MAX_LENGTH));
  ns_etl_bytes_u16 (self->payload, (guint16) size);
  ns_etl_bytes_data (self->payload, packet->data, size);
  add_event (self, PKTMON_PACKET, packet->time_ns);
}

/* Appends a clause; @clause: (transfer full). */
static void
add_clause (GString *text, char *clause)
{
  if (text->len > 0)
    g_string_append (text, "; ");
  g_string_append (text, clause);
  g_free (clause);
}

/* Returns a line about what was not read; (transfer full); %NULL: nothing. */
static char *
dup_damage (const Conversion *self, const NsCaptureFile *file)
{
  guint64 n_untimed = ns_capture_file_get_n_untimed (file);
  GString *text = g_string_new (NULL);

  if (ns_capture_file_get_damage (file) != NULL)
    add_clause (text,
                g_strdup_printf (_ ("%s; the data after it is not read"),
                                 ns_capture_file_get_damage (file)));
  if (self->n_unknown > 0)
    add_clause (
        text,
        g_strdup_printf (
            ngettext ("%" PRIu64 " packet with an unknown link layer (LINKTYPE %u) was left out",
                      "%" PRIu64 " packets with an unknown link layer (LINKTYPE %u) were left out",
                      self->n_unknown),
            self->n_unknown,
            self->unknown_type));
  if (n_untimed > 0)
    add_clause (text,
                g_strdup_printf (ngettext ("%" PRIu64 " packet without a time was left out",
                                           "%" PRIu64 " packets without a time were left out",
                                           n_untimed),
                                 n_untimed));
  return g_string_free (text, text->len == 0);
}

static gboolean
write_packets (Conversion *self, const NsEtlSource *source, char **damage, GError **error)
{
  g_autoptr (NsCaptureFile) file = ns_capture_file_new (source);
  GError *local_error = NULL;
  NsCapturedPacket packet;

  while (ns_capture_file_next (file, &packet, &local_error))
    {
      describe_interfaces (self, file, packet.time_ns);
      add_packet (self, &packet);
    }
  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  *damage = dup_damage (self, file);
  return TRUE;
}

static void
set_write_error (GError **error, const NsEtlSource *source, const char *reason)
{
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_WRITE,
               _ ("cannot convert %s in %s: %s; make room there or set TMPDIR to another folder"),
               ns_etl_source_get_name (source),
               g_get_tmp_dir (),
               reason);
}

/* Opens an unlinked temporary file; -1: error. */
static int
open_nameless (const NsEtlSource *source, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("netstitch-XXXXXX", &path, &local_error);

  if (fd >= 0)
    g_unlink (path);
  else
    set_write_error (error, source, local_error->message);
  return fd;
}

/* Ends the trace in the file, if there is one. */
static gboolean
end_stream (NsEtlWriter *writer, int fd, const NsEtlSource *source, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  if (fd < 0 || ns_etl_writer_finish_stream (writer, &local_error))
    return TRUE;
  set_write_error (error, source, local_error->message);
  return FALSE;
}

static NsEtlWriter *
new_writer (const Survey *found, const NsEtlSource *source)
{
  guint64 first_tick = (guint64) found->first_ns / NS_PER_TICK;
  g_autofree char *name = g_path_get_basename (ns_etl_source_get_name (source));
  NsEtlWriterOptions options = {
    .buffer_size = BUFFER_SIZE,
    .n_processors = 1,
    .frequency = NS_PER_S,
    /* All captures share one time scale. */
    .base_raw = first_tick * NS_PER_TICK + RAW_OF_1970,
    .start_filetime = first_tick + NS_FILETIME_UNIX_EPOCH,
    .end_filetime = (guint64) found->last_ns / NS_PER_TICK + 1 + NS_FILETIME_UNIX_EPOCH,
    .session = "Packet capture",
    /* The folder would change the size of the header, and so tables of records. */
    .log_file = name,
  };

  return ns_etl_writer_new (&options);
}

/**
 * ns_etl_capture_convert:
 * @source: a file for which ns_capture_file_is_one() holds
 * @error: return location
 *
 * Packets of more than 65,300 bytes are truncated. A large file is converted to an unlinked file in
 * the folder for temporary files.
 *
 * Returns: (transfer full) (nullable): the packets as a trace; %NULL with @error set if it failed
 */
NsEtlSource *
ns_etl_capture_convert (const NsEtlSource *source, GError **error)
{
  g_autoptr (NsEtlWriter) writer = NULL;
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autofree char *damage = NULL;
  Conversion conversion = { .payload = payload, .name = ns_etl_source_get_name (source) };
  NsEtlSource *converted;
  Survey found = { 0 };
  int fd = -1;

  if (!survey_packets (source, &found, error))
    return NULL;
  writer = new_writer (&found, source);
  conversion.writer = writer;
  if (found.n_bytes > MAX_IN_MEMORY)
    {
      fd = open_nameless (source, error);
      if (fd < 0)
        return NULL;
      ns_etl_writer_stream_to_fd (writer, fd);
    }
  if (!write_packets (&conversion, source, &damage, error) ||
      !end_stream (writer, fd, source, error))
    {
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  if (fd >= 0)
    converted = ns_etl_source_new_fd (fd,
                                      (guint64) lseek (fd, 0, SEEK_END),
                                      ns_etl_source_get_name (source));
  else
    {
      g_autoptr (GBytes) bytes = ns_etl_writer_finish (writer);

      converted = ns_etl_source_new_bytes (bytes, ns_etl_source_get_name (source));
    }
  if (damage != NULL)
    ns_etl_source_set_damage (converted, damage);
  return converted;
}
