/* Reader of .pcap and .pcapng files.
 *
 * libpcap is not used, because it refuses a pcapng file whose interfaces have different link types:
 * an export of a trace is such a file, and so is a capture of several adapters. The formats are
 * those of draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-capture-file.h"

#include "base/ns-cursor.h"
#include "base/ns-strings.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define NS_PER_S G_GINT64_CONSTANT (1000000000)

/* Number of bytes that are read at once. */
#define WINDOW (1 << 20)
/* Reading ends at blocks and packets that claim to be larger. */
#define MAX_BLOCK (16 << 20)
#define MAX_INTERFACES 65536
#define MAX_NAME 1024

#define PCAP_HEADER 24
#define PCAP_PACKET 16
#define BLOCK_HEADER 8
#define BLOCK_TRAILER 4

enum
{
  MAGIC_US = 0xa1b2c3d4,
  MAGIC_NS = 0xa1b23c4d,
  MAGIC_MODIFIED = 0xa1b2cd34, /* eight more bytes per packet */
  BLOCK_SECTION = 0x0a0d0d0a,
  BYTE_ORDER_MAGIC = 0x1a2b3c4d,
  BLOCK_INTERFACE = 1,
  BLOCK_PACKET = 2,
  BLOCK_SIMPLE_PACKET = 3,
  BLOCK_ENHANCED_PACKET = 6,
};

enum
{
  OPTION_END = 0,
  OPTION_FLAGS = 2, /* of a packet */
  OPTION_NAME = 2,  /* of an interface */
  OPTION_DESCRIPTION = 3,
  OPTION_RESOLUTION = 9,
  OPTION_OFFSET = 14,
};

struct _NsCaptureFile
{
  const NsEtlSource *source;
  guint64 offset; /* offset of the next block or packet */
  guint8 *window;
  guint64 window_at;
  gsize n_window;
  GArray *interfaces;    /* (element-type NsCaptureInterface) */
  guint first_interface; /* first interface of the current section */
  guint64 n_untimed;
  char *damage; /* NULL: none found so far */
  gboolean is_pcapng;
  gboolean is_swapped;
  gsize n_packet_header; /* size of a packet header of a pcap */
};

static void
interface_clear (gpointer data)
{
  NsCaptureInterface *self = data;

  g_free (self->name);
  g_free (self->description);
}

static guint32
first_word (const NsEtlSource *source)
{
  guint8 bytes[4] = { 0 };
  gsize n = 0;
  NsCursor cursor;

  if (!ns_etl_source_read (source, 0, bytes, sizeof bytes, &n, NULL) || n < sizeof bytes)
    return 0;
  ns_cursor_init (&cursor, bytes, sizeof bytes);
  return ns_cursor_u32 (&cursor);
}

static gboolean
is_pcap_magic (guint32 word)
{
  return word == MAGIC_US || word == MAGIC_NS || word == MAGIC_MODIFIED;
}

/**
 * ns_capture_file_is_one:
 * @source: a file
 *
 * Returns: whether the file begins like a .pcap or .pcapng file
 */
gboolean
ns_capture_file_is_one (const NsEtlSource *source)
{
  guint32 word = first_word (source);

  return word == BLOCK_SECTION || is_pcap_magic (word) || is_pcap_magic (GUINT32_SWAP_LE_BE (word));
}

/**
 * ns_capture_file_new:
 * @source: (transfer none): a file for which ns_capture_file_is_one() holds; must outlive the
 *   result
 *
 * Returns: (transfer full): a reader
 */
NsCaptureFile *
ns_capture_file_new (const NsEtlSource *source)
{
  NsCaptureFile *self = g_new0 (NsCaptureFile, 1);

  self->source = source;
  self->is_pcapng = first_word (source) == BLOCK_SECTION;
  self->interfaces = g_array_new (FALSE, TRUE, sizeof (NsCaptureInterface));
  g_array_set_clear_func (self->interfaces, interface_clear);
  return self;
}

/**
 * ns_capture_file_free:
 * @self: (transfer full) (nullable): a reader
 *
 * Frees @self.
 */
void
ns_capture_file_free (NsCaptureFile *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->interfaces);
  g_free (self->window);
  g_free (self->damage);
  g_free (self);
}

/* Stores the damage and ends the reading. */
static gboolean G_GNUC_PRINTF (2, 3) stop_at_damage (NsCaptureFile *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  self->damage = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return FALSE;
}

/* Gets the next @n_bytes without consuming them; @data is NULL if the file ends before. */
static gboolean
look (NsCaptureFile *self, gsize n_bytes, const guint8 **data, GError **error)
{
  guint64 behind = self->window_at + self->n_window;

  *data = ns_etl_source_peek (self->source, self->offset, n_bytes);
  if (*data != NULL)
    return TRUE;
  if (n_bytes > ns_etl_source_get_size (self->source) ||
      self->offset > ns_etl_source_get_size (self->source) - n_bytes)
    return TRUE;
  if (self->window == NULL || self->offset < self->window_at || self->offset + n_bytes > behind)
    {
      gsize wanted = MAX (n_bytes, WINDOW);

      self->window = g_realloc (self->window, wanted);
      self->window_at = self->offset;
      if (!ns_etl_source_read (self->source,
                               self->offset,
                               self->window,
                               wanted,
                               &self->n_window,
                               error))
        return FALSE;
    }
  if (self->n_window - (self->offset - self->window_at) >= n_bytes)
    *data = self->window + (self->offset - self->window_at);
  return TRUE;
}

static guint16
read_u16 (const NsCaptureFile *self, NsCursor *cursor)
{
  return self->is_swapped ? ns_cursor_u16be (cursor) : ns_cursor_u16 (cursor);
}

static guint32
read_u32 (const NsCaptureFile *self, NsCursor *cursor)
{
  return self->is_swapped ? ns_cursor_u32be (cursor) : ns_cursor_u32 (cursor);
}

static gint64
to_ns (const NsCaptureInterface *interface, guint64 units)
{
  __int128 ns;

  if (interface->units_per_s != 0)
    ns = (__int128) units * NS_PER_S / interface->units_per_s;
  else
    ns = ((__int128) units * NS_PER_S) >> interface->shift;
  ns += (__int128) interface->offset_s * NS_PER_S;
  return (gint64) CLAMP (ns, 0, G_MAXINT64);
}

/* Reads the next option of a block; @at: (out): its value. */
static gboolean
next_option (const NsCaptureFile *self, NsCursor *options, guint16 *code, NsCursor *at)
{
  guint16 size;

  *code = read_u16 (self, options);
  size = read_u16 (self, options);
  if (!ns_cursor_ok (options) || *code == OPTION_END || !ns_cursor_sub (options, size, at))
    return FALSE;
  ns_cursor_skip (options, (4 - size % 4) % 4);
  return TRUE;
}

static char *
dup_name (const NsCursor *at)
{
  return ns_utf8_from_bytes ((const char *) at->data, MIN (at->size, MAX_NAME));
}

/* Sets the resolution of times from option if_tsresol: the highest bit selects between a power of
 * two and a power of ten. */
static void
set_resolution (NsCaptureInterface *interface, guint8 resolution)
{
  guint power = resolution & 0x7f;

  if ((resolution & 0x80) != 0)
    {
      interface->units_per_s = 0;
      interface->shift = MIN (power, 63);
      return;
    }
  for (interface->units_per_s = 1; power > 0 && interface->units_per_s < NS_PER_S * NS_PER_S;
       power--)
    interface->units_per_s *= 10;
}

static gboolean
read_interface (NsCaptureFile *self, NsCursor *block)
{
  NsCaptureInterface interface = { .units_per_s = 1000000 };
  guint16 code;
  NsCursor at;

  interface.link_type = read_u16 (self, block);
  ns_cursor_skip (block, 6);
  if (!ns_cursor_ok (block))
    return stop_at_damage (self, _ ("an interface without a link type"));
  if (self->interfaces->len >= MAX_INTERFACES)
    return stop_at_damage (self,
                           ngettext ("more than %u interface",
                                     "more than %u interfaces",
                                     MAX_INTERFACES),
                           MAX_INTERFACES);
  while (next_option (self, block, &code, &at))
    if (code == OPTION_NAME && interface.name == NULL)
      interface.name = dup_name (&at);
    else if (code == OPTION_DESCRIPTION && interface.description == NULL)
      interface.description = dup_name (&at);
    else if (code == OPTION_RESOLUTION && at.size == 1)
      set_resolution (&interface, ns_cursor_u8 (&at));
    else if (code == OPTION_OFFSET && at.size == 8)
      {
        guint64 offset = ns_cursor_u64 (&at);

        interface.offset_s = (gint64) (self->is_swapped ? GUINT64_SWAP_LE_BE (offset) : offset);
      }
  g_array_append_val (self->interfaces, interface);
  return TRUE;
}

static gboolean
find_interface (NsCaptureFile *self, guint32 number, NsCapturedPacket *packet)
{
  const NsCaptureInterface *interface;

  if (number >= self->interfaces->len - self->first_interface)
    return stop_at_damage (self, _ ("a packet of interface %u, which is not described"), number);
  packet->interface = self->first_interface + number;
  interface = ns_capture_file_get_interface (self, packet->interface);
  packet->link_type = interface->link_type;
  return TRUE;
}

/* Reads the captured bytes of a packet; options may follow them. */
static gboolean
read_data (NsCaptureFile *self, NsCursor *block, guint32 size, NsCapturedPacket *packet)
{
  packet->data = ns_cursor_take (block, size);
  if (!ns_cursor_ok (block))
    return stop_at_damage (self, _ ("a packet is longer than its block"));
  packet->size = size;
  return TRUE;
}

static gboolean
read_enhanced (NsCaptureFile *self, NsCursor *block, gboolean is_old, NsCapturedPacket *packet)
{
  guint32 number = is_old ? read_u16 (self, block) : read_u32 (self, block);
  guint64 units;
  guint32 size;
  guint16 code;
  NsCursor at;

  if (is_old)
    ns_cursor_skip (block, 2);
  units = (guint64) read_u32 (self, block) << 32;
  units |= read_u32 (self, block);
  size = read_u32 (self, block);
  packet->length = read_u32 (self, block);
  if (!ns_cursor_ok (block))
    return stop_at_damage (self, _ ("a packet without its header"));
  if (!find_interface (self, number, packet) || !read_data (self, block, size, packet))
    return FALSE;
  packet->time_ns = to_ns (ns_capture_file_get_interface (self, packet->interface), units);
  ns_cursor_skip (block, (4 - size % 4) % 4);
  while (next_option (self, block, &code, &at))
    if (code == OPTION_FLAGS && at.size == 4)
      {
        guint32 way = read_u32 (self, &at) & 3;

        packet->direction = way == 1 ? 1 : way == 2 ? -1 : 0;
      }
  return TRUE;
}

static gboolean
begin_section (NsCaptureFile *self, const guint8 *data)
{
  NsCursor cursor;
  guint32 magic;

  ns_cursor_init (&cursor, data + BLOCK_HEADER, 4);
  magic = ns_cursor_u32 (&cursor);
  if (magic != BYTE_ORDER_MAGIC && GUINT32_SWAP_LE_BE (magic) != BYTE_ORDER_MAGIC)
    return stop_at_damage (self, _ ("a section without its byte-order mark"));
  self->is_swapped = magic != BYTE_ORDER_MAGIC;
  self->first_interface = self->interfaces->len;
  return TRUE;
}

/* Reads the next block; @kind is 0 at the end of the file. */
static gboolean
next_block (NsCaptureFile *self, guint32 *kind, NsCursor *block, GError **error)
{
  const guint8 *data;
  NsCursor cursor;
  guint32 size;

  *kind = 0;
  if (self->offset >= ns_etl_source_get_size (self->source))
    return TRUE;
  if (!look (self, BLOCK_HEADER + 4, &data, error))
    return FALSE;
  if (data == NULL)
    return stop_at_damage (self, _ ("the file ends inside a block"));
  ns_cursor_init (&cursor, data, BLOCK_HEADER);
  *kind = read_u32 (self, &cursor);
  if (*kind == BLOCK_SECTION && !begin_section (self, data))
    return FALSE;
  ns_cursor_init (&cursor, data + 4, 4);
  size = read_u32 (self, &cursor);
  if (size < BLOCK_HEADER + BLOCK_TRAILER || size % 4 != 0 || size > MAX_BLOCK)
    return stop_at_damage (self,
                           ngettext ("a block claims %u byte", "a block claims %u bytes", size),
                           size);
  if (!look (self, size, &data, error))
    return FALSE;
  if (data == NULL)
    return stop_at_damage (self, _ ("the file ends inside a block"));
  ns_cursor_init (block, data + BLOCK_HEADER, size - BLOCK_HEADER - BLOCK_TRAILER);
  self->offset += size;
  return TRUE;
}

static gboolean
next_of_pcapng (NsCaptureFile *self, NsCapturedPacket *packet, GError **error)
{
  NsCursor block;
  guint32 kind;

  while (next_block (self, &kind, &block, error) && kind != 0)
    switch (kind)
      {
      case BLOCK_INTERFACE:
        if (!read_interface (self, &block))
          return FALSE;
        break;

      case BLOCK_ENHANCED_PACKET:
      case BLOCK_PACKET:
        return read_enhanced (self, &block, kind == BLOCK_PACKET, packet);

      case BLOCK_SIMPLE_PACKET:
        self->n_untimed++;
        break;

      default:
        break;
      }
  return FALSE;
}

static gboolean
begin_pcap (NsCaptureFile *self, GError **error)
{
  NsCaptureInterface interface = { .units_per_s = 1000000 };
  const guint8 *data;
  NsCursor cursor;
  guint32 magic;

  if (!look (self, PCAP_HEADER, &data, error))
    return FALSE;
  if (data == NULL)
    return stop_at_damage (self, _ ("the file ends inside its header"));
  ns_cursor_init (&cursor, data, PCAP_HEADER);
  magic = ns_cursor_u32 (&cursor);
  self->is_swapped = !is_pcap_magic (magic);
  if (self->is_swapped)
    magic = GUINT32_SWAP_LE_BE (magic);
  if (magic == MAGIC_NS)
    interface.units_per_s = NS_PER_S;
  self->n_packet_header = PCAP_PACKET + (magic == MAGIC_MODIFIED ? 8 : 0);
  ns_cursor_skip (&cursor, 16);
  /* The upper half describes checksums (FCS) at the end of frames. */
  interface.link_type = (guint16) read_u32 (self, &cursor);
  g_array_append_val (self->interfaces, interface);
  self->offset = PCAP_HEADER;
  return TRUE;
}

static gboolean
next_of_pcap (NsCaptureFile *self, NsCapturedPacket *packet, GError **error)
{
  const guint8 *data;
  NsCursor cursor;
  guint64 units;
  guint32 size;

  if (self->interfaces->len == 0 && !begin_pcap (self, error))
    return FALSE;
  if (self->offset >= ns_etl_source_get_size (self->source))
    return FALSE;
  if (!look (self, self->n_packet_header, &data, error))
    return FALSE;
  if (data == NULL)
    return stop_at_damage (self, _ ("the file ends inside a packet"));
  ns_cursor_init (&cursor, data, self->n_packet_header);
  packet->link_type = ns_capture_file_get_interface (self, 0)->link_type;
  units = (guint64) read_u32 (self, &cursor) *
          (guint64) ns_capture_file_get_interface (self, 0)->units_per_s;
  units += read_u32 (self, &cursor);
  packet->time_ns = to_ns (ns_capture_file_get_interface (self, 0), units);
  size = read_u32 (self, &cursor);
  packet->length = read_u32 (self, &cursor);
  if (size > MAX_BLOCK)
    return stop_at_damage (self,
                           ngettext ("a packet claims %u byte", "a packet claims %u bytes", size),
                           size);
  self->offset += self->n_packet_header;
  if (!look (self, size, &data, error))
    return FALSE;
  if (data == NULL)
    return stop_at_damage (self, _ ("the file ends inside a packet"));
  packet->data = data;
  packet->size = size;
  self->offset += size;
  return TRUE;
}

/**
 * ns_capture_file_is_pcapng:
 * @self: a reader
 *
 * Returns: whether the file is a .pcapng, and not a .pcap
 */
gboolean
ns_capture_file_is_pcapng (const NsCaptureFile *self)
{
  return self->is_pcapng;
}

/**
 * ns_capture_file_next:
 * @self: a reader
 * @packet: (out): the next packet
 * @error: set if the medium cannot be read
 *
 * Returns: whether there is another packet; damage ends the packets, see
 *   ns_capture_file_get_damage()
 */
gboolean
ns_capture_file_next (NsCaptureFile *self, NsCapturedPacket *packet, GError **error)
{
  memset (packet, 0, sizeof *packet);
  if (self->damage != NULL)
    return FALSE;
  return self->is_pcapng ? next_of_pcapng (self, packet, error)
                         : next_of_pcap (self, packet, error);
}

/**
 * ns_capture_file_get_n_interfaces:
 * @self: a reader
 *
 * Returns: the number of interfaces described so far
 */
guint
ns_capture_file_get_n_interfaces (const NsCaptureFile *self)
{
  return self->interfaces->len;
}

/**
 * ns_capture_file_get_interface:
 * @self: a reader
 * @interface: number of an interface
 *
 * Returns: (transfer none): the description of the interface, valid until the next call of
 *   ns_capture_file_next()
 */
const NsCaptureInterface *
ns_capture_file_get_interface (const NsCaptureFile *self, guint interface)
{
  return &g_array_index (self->interfaces, NsCaptureInterface, interface);
}

/**
 * ns_capture_file_get_n_untimed:
 * @self: a reader
 *
 * Returns: the number of packets without a time so far, which are skipped because they have no
 *   place in the order of time
 */
guint64
ns_capture_file_get_n_untimed (const NsCaptureFile *self)
{
  return self->n_untimed;
}

/**
 * ns_capture_file_get_damage:
 * @self: a reader
 *
 * Returns: (transfer none) (nullable): the damage that ended the packets, without a full stop;
 *   %NULL: the file ended regularly
 */
const char *
ns_capture_file_get_damage (const NsCaptureFile *self)
{
  return self->damage;
}
