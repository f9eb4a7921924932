/* Tests .pcap and .pcapng files: packets, times, interfaces, link types, damage.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-capture-file.h"
#include "etl/ns-etl-bytes.h"
#include "etl/ns-etl-file.h"

#include <string.h>

#define AT G_GINT64_CONSTANT (1700000000)
#define NS_PER_S G_GINT64_CONSTANT (1000000000)

static const guint8 frame[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0x08, 0x00, 0x45, 0x00 };

static NsEtlSource *
to_source (const GByteArray *file)
{
  g_autoptr (GBytes) bytes = g_bytes_new (file->data, file->len);

  return ns_etl_source_new_bytes (bytes, "capture");
}

static void
add_u32 (GByteArray *file, guint32 value, gboolean is_swapped)
{
  ns_etl_bytes_u32 (file, is_swapped ? GUINT32_SWAP_LE_BE (value) : value);
}

static GByteArray *
new_pcap (guint32 magic, guint32 link_type, gboolean is_swapped)
{
  GByteArray *file = g_byte_array_new ();

  add_u32 (file, magic, is_swapped);
  ns_etl_bytes_u16 (file, is_swapped ? 0x0200 : 2);
  ns_etl_bytes_u16 (file, is_swapped ? 0x0400 : 4);
  add_u32 (file, 0, is_swapped);
  add_u32 (file, 0, is_swapped);
  add_u32 (file, 65535, is_swapped);
  add_u32 (file, link_type, is_swapped);
  return file;
}

static void
add_pcap_packet (GByteArray *file,
                 guint32 seconds,
                 guint32 part,
                 const guint8 *data,
                 gsize size,
                 gboolean is_swapped)
{
  add_u32 (file, seconds, is_swapped);
  add_u32 (file, part, is_swapped);
  add_u32 (file, (guint32) size, is_swapped);
  add_u32 (file, (guint32) size + 100, is_swapped);
  ns_etl_bytes_data (file, data, size);
}

static void
add_block (GByteArray *file, guint32 kind, const GByteArray *content, gboolean is_swapped)
{
  guint32 padded = (content->len + 3) & ~3u;

  add_u32 (file, kind, is_swapped);
  add_u32 (file, padded + 12, is_swapped);
  ns_etl_bytes_data (file, content->data, content->len);
  ns_etl_bytes_zero (file, padded - content->len);
  add_u32 (file, padded + 12, is_swapped);
}

static void
begin_section (GByteArray *file)
{
  g_autoptr (GByteArray) content = g_byte_array_new ();

  ns_etl_bytes_u32 (content, 0x1a2b3c4d);
  ns_etl_bytes_u16 (content, 1);
  ns_etl_bytes_u16 (content, 0);
  ns_etl_bytes_u64 (content, G_MAXUINT64);
  add_block (file, 0x0a0d0d0a, content, FALSE);
}

static void
add_option (GByteArray *content, guint16 code, const void *data, guint16 size)
{
  ns_etl_bytes_u16 (content, code);
  ns_etl_bytes_u16 (content, size);
  ns_etl_bytes_data (content, data, size);
  ns_etl_bytes_zero (content, (4 - size % 4) % 4);
}

static void
add_interface (GByteArray *file, guint16 link_type, const char *name, guint8 resolution)
{
  g_autoptr (GByteArray) content = g_byte_array_new ();

  ns_etl_bytes_u16 (content, link_type);
  ns_etl_bytes_u16 (content, 0);
  ns_etl_bytes_u32 (content, 0);
  if (name != NULL)
    add_option (content, 2, name, (guint16) strlen (name));
  if (resolution != 0)
    add_option (content, 9, &resolution, 1);
  add_option (content, 0, NULL, 0);
  add_block (file, 1, content, FALSE);
}

static void
add_packet (GByteArray *file, guint32 interface, guint64 units, guint32 flags)
{
  g_autoptr (GByteArray) content = g_byte_array_new ();

  ns_etl_bytes_u32 (content, interface);
  ns_etl_bytes_u32 (content, (guint32) (units >> 32));
  ns_etl_bytes_u32 (content, (guint32) units);
  ns_etl_bytes_u32 (content, sizeof frame - 1);
  ns_etl_bytes_u32 (content, 1500);
  ns_etl_bytes_data (content, frame, sizeof frame - 1);
  ns_etl_bytes_zero (content, 1);
  if (flags != 0)
    add_option (content, 2, &flags, 4);
  add_block (file, 6, content, FALSE);
}

static void
test_pcap (void)
{
  static const struct
  {
    guint32 magic;
    gint64 part_ns;
  } kinds[] = { { 0xa1b2c3d4, 1000 }, { 0xa1b23c4d, 1 } };
  guint i;

  for (i = 0; i < 4; i++)
    {
      gboolean is_swapped = i % 2 == 1;
      g_autoptr (GByteArray) file = new_pcap (kinds[i / 2].magic, 1, is_swapped);
      g_autoptr (NsEtlSource) source = NULL;
      g_autoptr (NsCaptureFile) capture = NULL;
      NsCapturedPacket packet;

      add_pcap_packet (file, AT, 999, frame, sizeof frame, is_swapped);
      add_pcap_packet (file, AT + 1, 0, frame, 3, is_swapped);
      source = to_source (file);
      g_assert_true (ns_capture_file_is_one (source));
      capture = ns_capture_file_new (source);
      g_assert_true (ns_capture_file_next (capture, &packet, NULL));
      g_assert_cmpint (packet.time_ns, ==, AT * NS_PER_S + 999 * kinds[i / 2].part_ns);
      g_assert_cmpuint (packet.link_type, ==, 1);
      g_assert_cmpuint (packet.length, ==, sizeof frame + 100);
      g_assert_cmpmem (packet.data, packet.size, frame, sizeof frame);
      g_assert_true (ns_capture_file_next (capture, &packet, NULL));
      g_assert_cmpint (packet.time_ns, ==, (AT + 1) * NS_PER_S);
      g_assert_false (ns_capture_file_next (capture, &packet, NULL));
      g_assert_null (ns_capture_file_get_damage (capture));
    }
}

static void
test_pcapng (void)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autoptr (GByteArray) simple = g_byte_array_new ();
  g_autoptr (NsEtlSource) source = NULL;
  g_autoptr (NsCaptureFile) capture = NULL;
  NsCapturedPacket packet;

  begin_section (file);
  add_interface (file, 1, "Ethernet", 0);
  add_interface (file, 101, NULL, 9);
  add_packet (file, 1, (guint64) (AT * NS_PER_S + 7), 2);
  add_packet (file, 0, (guint64) (AT * 1000000), 1);
  ns_etl_bytes_u32 (simple, 4);
  ns_etl_bytes_u32 (simple, 0);
  add_block (file, 3, simple, FALSE);
  begin_section (file);
  add_interface (file, 105, "Wi-Fi", 0x80 | 20);
  add_packet (file, 0, (guint64) AT << 20, 0);

  source = to_source (file);
  capture = ns_capture_file_new (source);
  g_assert_true (ns_capture_file_next (capture, &packet, NULL));
  g_assert_cmpint (packet.time_ns, ==, AT * NS_PER_S + 7);
  g_assert_cmpuint (packet.link_type, ==, 101);
  g_assert_cmpint (packet.direction, ==, -1);
  g_assert_cmpuint (packet.length, ==, 1500);
  g_assert_true (ns_capture_file_next (capture, &packet, NULL));
  g_assert_cmpint (packet.time_ns, ==, AT * NS_PER_S);
  g_assert_cmpint (packet.direction, ==, 1);
  g_assert_true (ns_capture_file_next (capture, &packet, NULL));
  g_assert_cmpuint (packet.interface, ==, 2);
  g_assert_cmpuint (packet.link_type, ==, 105);
  g_assert_cmpint (packet.time_ns, ==, AT * NS_PER_S);
  g_assert_cmpstr (ns_capture_file_get_interface (capture, 2)->name, ==, "Wi-Fi");
  g_assert_false (ns_capture_file_next (capture, &packet, NULL));
  g_assert_cmpuint (ns_capture_file_get_n_untimed (capture), ==, 1);
  g_assert_null (ns_capture_file_get_damage (capture));
}

/* Wherever the file is truncated, the packets before that are read and the truncation is
 * reported. */
static void
test_cut (void)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  guint first;
  guint second;
  guint end;

  begin_section (file);
  add_interface (file, 1, "Ethernet", 0);
  first = file->len;
  add_packet (file, 0, 1, 0);
  second = file->len;
  add_packet (file, 0, 2, 0);
  for (end = 4; end <= file->len; end++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (file->data, end);
      g_autoptr (NsEtlSource) source = ns_etl_source_new_bytes (bytes, "capture");
      g_autoptr (NsCaptureFile) capture = ns_capture_file_new (source);
      NsCapturedPacket packet;
      guint n = 0;

      while (ns_capture_file_next (capture, &packet, NULL))
        n++;
      g_assert_cmpuint (n, ==, end == file->len ? 2 : end >= second ? 1 : 0);
      if (end == first || end == second || end == file->len || end == 28)
        g_assert_null (ns_capture_file_get_damage (capture));
      else
        g_assert_nonnull (ns_capture_file_get_damage (capture));
    }
}

static void
test_liars (void)
{
  static const guint32 sizes[] = { 0, 8, 13, 0x7fffffff, 0xfffffffc };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GByteArray) file = g_byte_array_new ();
      g_autoptr (NsEtlSource) source = NULL;
      g_autoptr (NsCaptureFile) capture = NULL;
      NsCapturedPacket packet;

      begin_section (file);
      ns_etl_bytes_u32 (file, 6);
      ns_etl_bytes_u32 (file, sizes[i]);
      ns_etl_bytes_zero (file, 64);
      source = to_source (file);
      capture = ns_capture_file_new (source);
      g_assert_false (ns_capture_file_next (capture, &packet, NULL));
      g_assert_nonnull (ns_capture_file_get_damage (capture));
    }
  for (i = 0; i < 2; i++)
    {
      g_autoptr (GByteArray) file = g_byte_array_new ();
      g_autoptr (NsEtlSource) source = NULL;
      g_autoptr (NsCaptureFile) capture = NULL;
      NsCapturedPacket packet;

      begin_section (file);
      if (i == 1)
        add_interface (file, 1, NULL, 0);
      add_packet (file, i == 0 ? 0 : 1, 1, 0);
      source = to_source (file);
      capture = ns_capture_file_new (source);
      g_assert_false (ns_capture_file_next (capture, &packet, NULL));
      g_assert_nonnull (strstr (ns_capture_file_get_damage (capture), "not described"));
    }
}

typedef struct
{
  guint n_packets;
  gint64 last_ns;
  guint16 last_type;
} Seen;

static gboolean
see (const NsRecord *record, gpointer user_data)
{
  Seen *seen = user_data;

  if (record->id != 160)
    return TRUE;
  seen->n_packets++;
  seen->last_ns = record->time_ns;
  seen->last_type = record->payload[14];
  return TRUE;
}

static NsEtlFile *
open_file (const GByteArray *file)
{
  g_autoptr (GBytes) bytes = g_bytes_new (file->data, file->len);

  return ns_etl_file_open_bytes (bytes, "capture.pcap", NULL);
}

/* Records are in time order, whatever the order of the file. */
static void
test_trace (void)
{
  static const struct
  {
    guint32 link_type;
    guint16 pktmon;
    gsize header;
  } kinds[] = { { 1, 1, 0 },   { 101, 3, 0 },  { 105, 2, 0 },  { 0, 3, 4 },
                { 108, 3, 4 }, { 113, 3, 16 }, { 276, 3, 20 }, { 127, 2, 8 } };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GByteArray) file = new_pcap (0xa1b2c3d4, kinds[i].link_type, FALSE);
      guint8 data[64] = { 0 };
      NsEtlFile *trace;
      Seen seen = { 0 };

      if (kinds[i].link_type == 113)
        data[14] = 0x08;
      if (kinds[i].link_type == 276)
        data[0] = 0x08;
      if (kinds[i].link_type == 127)
        data[2] = 8;
      add_pcap_packet (file, AT + 2, 500000, data, sizeof data, FALSE);
      add_pcap_packet (file, AT, 0, data, sizeof data, FALSE);
      add_pcap_packet (file, AT + 1, 0, data, sizeof data, FALSE);
      trace = open_file (file);
      g_assert_nonnull (trace);
      g_assert_true (ns_etl_file_is_capture (trace));
      g_assert_true (
          ns_etl_file_walk (trace, NS_ETL_WALK_TIME_ORDER, NULL, see, &seen, NULL, NULL, NULL));
      g_assert_cmpuint (seen.n_packets, ==, 3);
      g_assert_cmpint (seen.last_ns, ==, 2 * NS_PER_S + 500000000);
      g_assert_cmpuint (seen.last_type, ==, kinds[i].pktmon);
      g_assert_cmpuint (ns_etl_file_get_report (trace)->damage->len, ==, 0);
      ns_etl_file_free (trace);
    }
}

/* A capture without time stamps begins in 1970, shown as 0. */
static void
test_time_zero (void)
{
  g_autoptr (GByteArray) file = new_pcap (0xa1b2c3d4, 1, FALSE);
  NsEtlFile *trace;
  Seen seen = { 0 };

  add_pcap_packet (file, 0, 0, frame, sizeof frame, FALSE);
  trace = open_file (file);
  g_assert_nonnull (trace);
  g_assert_true (
      ns_etl_file_walk (trace, NS_ETL_WALK_TIME_ORDER, NULL, see, &seen, NULL, NULL, NULL));
  g_assert_cmpuint (seen.n_packets, ==, 1);
  g_assert_cmpint (seen.last_ns, ==, 0);
  ns_etl_file_free (trace);
}

static void
test_not_read (void)
{
  g_autoptr (GByteArray) unknown = new_pcap (0xa1b2c3d4, 147, FALSE);
  g_autoptr (GByteArray) empty = new_pcap (0xa1b2c3d4, 1, FALSE);
  NsEtlFile *trace;
  Seen seen = { 0 };

  g_assert_null (open_file (empty));
  add_pcap_packet (unknown, AT, 0, frame, sizeof frame, FALSE);
  trace = open_file (unknown);
  g_assert_nonnull (trace);
  g_assert_true (
      ns_etl_file_walk (trace, NS_ETL_WALK_TIME_ORDER, NULL, see, &seen, NULL, NULL, NULL));
  g_assert_cmpuint (seen.n_packets, ==, 0);
  g_assert_cmpuint (ns_etl_file_get_report (trace)->damage->len, ==, 1);
  ns_etl_file_free (trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/etl/capture/pcap", test_pcap);
  g_test_add_func ("/etl/capture/pcapng", test_pcapng);
  g_test_add_func ("/etl/capture/cut", test_cut);
  g_test_add_func ("/etl/capture/liars", test_liars);
  g_test_add_func ("/etl/capture/trace", test_trace);
  g_test_add_func ("/etl/capture/time-zero", test_time_zero);
  g_test_add_func ("/etl/capture/not-read", test_not_read);
  return g_test_run ();
}
