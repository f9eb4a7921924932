/* Parses the trace header: the first record of a file, which describes the rest.
 *
 * TRACE_LOGFILE_HEADER of evntrace.h, in the 32 or 64-bit form according to the kind of the record.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-header.h"

#include "base/ns-strings.h"
#include "etl/ns-etl-buffer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define RECORD_HEADER_SIZE 0x20
/* Size of the payload before the texts, in the 32 and 64-bit form. */
#define FIXED_SIZE_32 0x110
#define FIXED_SIZE_64 0x118
/* Older layouts have different buffers (a guess; Windows 7 writes 1.5). */
#define MIN_LAYOUT 0x0104
/* Maximum size of the first buffer's header and record. */
#define MAX_FIRST_BYTES (NS_ETL_BUFFER_HEADER_SIZE + G_MAXUINT16)

#define TIMEZONE_NAME_BYTES 64

static gboolean
refuse (GError **error, const NsEtlSource *source, const char *why)
{
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_NOT_A_TRACE,
               _ ("%s is not an event trace log: %s"),
               ns_etl_source_get_name (source),
               why);
  return FALSE;
}

/* Reads @n_bytes of UTF-16 up to the first NUL; (transfer full). */
static char *
read_fixed_text (NsCursor *cursor, gsize n_bytes)
{
  NsCursor sub;
  const guint8 *text;
  gsize n_text = 0;

  if (!ns_cursor_sub (cursor, n_bytes, &sub))
    return g_strdup ("");
  text = ns_cursor_wstr (&sub, &n_text);
  return ns_utf8_from_utf16 (text, n_text);
}

static char *
read_text (NsCursor *cursor)
{
  gsize n_text = 0;
  const guint8 *text = ns_cursor_wstr (cursor, &n_text);

  return text != NULL ? ns_utf8_from_utf16 (text, n_text) : g_strdup ("");
}

/* Reads a SYSTEMTIME. */
static void
read_zone_date (NsCursor *cursor, NsZoneDate *date)
{
  date->year = ns_cursor_u16 (cursor);
  date->month = ns_cursor_u16 (cursor);
  date->weekday = ns_cursor_u16 (cursor);
  date->day = ns_cursor_u16 (cursor);
  date->hour = ns_cursor_u16 (cursor);
  date->minute = ns_cursor_u16 (cursor);
  date->second = ns_cursor_u16 (cursor);
  ns_cursor_skip (cursor,
                  2); /* milliseconds: changes of daylight saving time need no such precision */
}

static void
read_payload (NsEtlHeader *self, NsCursor *cursor, guint pointer_size)
{
  self->buffer_size = ns_cursor_u32 (cursor);
  self->os_major = ns_cursor_u8 (cursor);
  self->os_minor = ns_cursor_u8 (cursor);
  self->layout_major = ns_cursor_u8 (cursor);
  self->layout_minor = ns_cursor_u8 (cursor);
  self->os_build = ns_cursor_u32 (cursor);
  self->n_processors = ns_cursor_u32 (cursor);
  self->end_filetime = ns_cursor_u64 (cursor);
  self->timer_resolution = ns_cursor_u32 (cursor);
  self->max_file_size = ns_cursor_u32 (cursor);
  self->mode = ns_cursor_u32 (cursor);
  self->buffers_written = ns_cursor_u32 (cursor);
  self->start_buffers = ns_cursor_u32 (cursor);
  self->pointer_size = ns_cursor_u32 (cursor);
  self->events_lost = ns_cursor_u32 (cursor);
  self->cpu_mhz = ns_cursor_u32 (cursor);
  ns_cursor_skip (cursor, 2 * (gsize) pointer_size); /* pointers of the logging process */
  self->zone.bias_min = (gint32) ns_cursor_u32 (cursor);
  self->timezone_standard = read_fixed_text (cursor, TIMEZONE_NAME_BYTES);
  read_zone_date (cursor, &self->zone.standard);
  self->zone.standard_bias_min = (gint32) ns_cursor_u32 (cursor);
  self->timezone_daylight = read_fixed_text (cursor, TIMEZONE_NAME_BYTES);
  read_zone_date (cursor, &self->zone.daylight);
  self->zone.daylight_bias_min = (gint32) ns_cursor_u32 (cursor);
  ns_cursor_skip (cursor, 4);
  self->boot_filetime = ns_cursor_u64 (cursor);
  self->frequency = ns_cursor_u64 (cursor);
  self->start_filetime = ns_cursor_u64 (cursor);
  self->clock = ns_cursor_u32 (cursor);
  self->buffers_lost = ns_cursor_u32 (cursor);
  self->session = read_text (cursor);
  self->log_file = read_text (cursor);
  if (self->pointer_size != 4 && self->pointer_size != 8)
    self->pointer_size = pointer_size;
}

/* Number of bytes that are tested for being text. */
#define TEXT_BYTES 256

/* Returns what a file that is not a trace seems to be; NULL: unknown. */
static const char *
guess_other_kind (const guint8 *data, gsize n_bytes)
{
  static const struct
  {
    guint8 magic[4];
    const char *why;
  } kinds[] = {
    { { 0x0a, 0x0d, 0x0d, 0x0a },
      N_ ("it is a packet capture (pcapng); open it in a packet analyser") },
    { { 0xd4, 0xc3, 0xb2, 0xa1 },
      N_ ("it is a packet capture (pcap); open it in a packet analyser") },
    { { 0xa1, 0xb2, 0xc3, 0xd4 },
      N_ ("it is a packet capture (pcap); open it in a packet analyser") },
    { { 0x4d, 0x3c, 0xb2, 0xa1 },
      N_ ("it is a packet capture (pcap); open it in a packet analyser") },
    { { 0xa1, 0xb2, 0x3c, 0x4d },
      N_ ("it is a packet capture (pcap); open it in a packet analyser") },
    { { 'G', 'M', 'B', 'U' },
      N_ ("it is a Network Monitor capture; open it in a packet analyser") },
    { { 'E', 'l', 'f', 'F' }, N_ ("it is an event log (.evtx); open it in an event viewer") },
  };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (n_bytes >= sizeof kinds[i].magic &&
        memcmp (data, kinds[i].magic, sizeof kinds[i].magic) == 0)
      return _ (kinds[i].why);
  for (i = 0; i < MIN (n_bytes, TEXT_BYTES); i++)
    if (!g_ascii_isprint (data[i]) && !g_ascii_isspace (data[i]))
      return NULL;
  return _ ("it is a text file");
}

/* Checks the fields of the first buffer's header that tell a trace from other files. */
static gboolean
check_first_buffer (NsCursor *cursor,
                    const NsEtlSource *source,
                    guint32 *buffer_size,
                    GError **error)
{
  guint flags;
  guint type;

  *buffer_size = ns_cursor_u32 (cursor);
  ns_cursor_seek (cursor, 0x34);
  flags = ns_cursor_u16 (cursor);
  type = ns_cursor_u16 (cursor);
  if (!ns_cursor_ok (cursor))
    return refuse (error, source, _ ("it is too short; was it copied completely?"));
  if (type != NS_ETL_BUFFER_HEADER || flags & NS_ETL_FLAG_COMPRESSED)
    return refuse (error, source, _ ("at byte 52 there is no header buffer"));
  if (*buffer_size < NS_ETL_BUFFER_HEADER_SIZE || *buffer_size > NS_ETL_MAX_BUFFER_SIZE)
    return refuse (error, source, _ ("the buffer size at byte 0 is invalid"));
  return TRUE;
}

static gboolean
read_record (NsEtlHeader *self, NsCursor *cursor, const NsEtlSource *source, GError **error)
{
  guint kind;
  guint marker;
  gsize size;
  guint hook;
  NsCursor payload;

  ns_cursor_seek (cursor, NS_ETL_BUFFER_HEADER_SIZE + 2);
  kind = ns_cursor_u8 (cursor);
  marker = ns_cursor_u8 (cursor);
  size = ns_cursor_u16 (cursor);
  hook = ns_cursor_u16 (cursor);
  ns_cursor_skip (cursor, 8);
  self->base_raw = ns_cursor_u64 (cursor);
  ns_cursor_skip (cursor, 8);
  if (!ns_cursor_ok (cursor) || marker != 0xc0 || hook != 0 ||
      (kind != NS_RECORD_SYSTEM32 && kind != NS_RECORD_SYSTEM64))
    return refuse (error, source, _ ("at byte 72 there is no trace header"));
  if (size < RECORD_HEADER_SIZE + (kind == NS_RECORD_SYSTEM32 ? FIXED_SIZE_32 : FIXED_SIZE_64))
    return refuse (error, source, _ ("at byte 72 the trace header is too short"));

  ns_cursor_init (&payload,
                  cursor->data + cursor->pos,
                  MIN (size - RECORD_HEADER_SIZE, ns_cursor_left (cursor)));
  read_payload (self, &payload, kind == NS_RECORD_SYSTEM32 ? 4 : 8);
  if (!ns_cursor_ok (&payload))
    return refuse (error,
                   source,
                   _ ("it ends inside the trace header at byte 72; was it copied completely?"));
  if ((self->layout_major << 8 | self->layout_minor) < MIN_LAYOUT)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_TOO_OLD,
                   _ ("%s has layout %u.%u of Windows 2003 or before, which is too old; "
                      "convert it with tracerpt on Windows"),
                   ns_etl_source_get_name (source),
                   self->layout_major,
                   self->layout_minor);
      return FALSE;
    }
  return TRUE;
}

/**
 * ns_etl_header_read:
 * @self: (out): the trace header; clear it with ns_etl_header_clear(), also on failure
 * @source: a file
 * @first_buffer_size: (out): size of the first buffer in the file
 * @error: return location
 *
 * Returns: %FALSE with @error set if this is no trace, or one in an unsupported old layout
 */
gboolean
ns_etl_header_read (NsEtlHeader *self,
                    const NsEtlSource *source,
                    guint32 *first_buffer_size,
                    GError **error)
{
  g_autofree guint8 *data = g_malloc0 (MAX_FIRST_BYTES);
  const char *other_kind;
  gsize n_read;
  NsCursor cursor;

  memset (self, 0, sizeof *self);
  if (ns_etl_source_get_size (source) == 0)
    return refuse (
        error,
        source,
        _ ("it is empty (0 bytes); was the session stopped before the file was copied?"));
  if (!ns_etl_source_read (source, 0, data, MAX_FIRST_BYTES, &n_read, error))
    return FALSE;

  other_kind = guess_other_kind (data, n_read);
  if (other_kind != NULL)
    return refuse (error, source, other_kind);
  ns_cursor_init (&cursor, data, n_read);
  if (!check_first_buffer (&cursor, source, first_buffer_size, error) ||
      !read_record (self, &cursor, source, error))
    return FALSE;

  return TRUE;
}

/**
 * ns_etl_header_clear:
 * @self: a header
 *
 * Frees its texts.
 */
void
ns_etl_header_clear (NsEtlHeader *self)
{
  g_clear_pointer (&self->session, g_free);
  g_clear_pointer (&self->log_file, g_free);
  g_clear_pointer (&self->timezone_standard, g_free);
  g_clear_pointer (&self->timezone_daylight, g_free);
}

/**
 * ns_etl_header_is_same_session:
 * @a: the header of an input of a case
 * @b: the header of another input
 *
 * Returns: whether the same session recorded both
 */
gboolean
ns_etl_header_is_same_session (const NsEtlHeader *a, const NsEtlHeader *b)
{
  return a->start_filetime == b->start_filetime && a->base_raw == b->base_raw &&
         a->boot_filetime == b->boot_filetime && strcmp (a->session, b->session) == 0;
}
