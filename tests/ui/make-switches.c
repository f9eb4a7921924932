/* Writes a small trace of a connection and its thread's context switches: make-switches FILE.
 *
 * Thread 1 of process 100 connects at 100 ms and waits from 200 to 300 ms; the trace ends at 500
 * ms.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "stitch-fixture.h"

#define WAITING 5

/* Writes a context switch from one thread to another. */
static void
switch_threads (NsEtlWriter *writer, guint ms, guint32 new_tid, guint32 old_tid)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterGroup record = { .cpu = 1,
                              .raw = ns_etl_writer_get_base_raw (writer) + ms * STITCH_MS,
                              .kind = NS_RECORD_PERFINFO64,
                              .group = 0x05,
                              .opcode = 36,
                              .version = 2,
                              .payload = payload };

  ns_etl_bytes_u32 (payload, new_tid);
  ns_etl_bytes_u32 (payload, old_tid);
  ns_etl_bytes_zero (payload, 6);
  ns_etl_bytes_u8 (payload, WAITING);
  ns_etl_bytes_zero (payload, 9);
  g_assert_true (ns_etl_writer_add_group (writer, &record));
}

int
main (int argc, char **argv)
{
  static const NsEtlWriterOptions options = { .n_processors = 16 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  if (argc != 2)
    {
      g_printerr ("Usage: make-switches FILE\n");
      return 2;
    }
  stitch_images_write (writer);
  switch_threads (writer, 50, 1, 0);
  stitch_script_write (writer, "100:1:NET");
  switch_threads (writer, 200, 0, 1);
  switch_threads (writer, 300, 1, 0);
  stitch_script_write (writer, "500:8@3:WE Z z");
  bytes = ns_etl_writer_finish (writer);
  if (!g_file_set_contents (argv[1],
                            g_bytes_get_data (bytes, NULL),
                            (gssize) g_bytes_get_size (bytes),
                            &error))
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  return 0;
}
