/* Runs a fuzz target over a generated corpus, and over the files named as arguments.
 *
 * The named files, former failures, are replayed unchanged and mutated. The generated corpus has
 * small traces of every header type, each also truncated and with changed bytes at many offsets. It
 * seeds the fuzzer and runs with every test.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer.h"
#include "fuzz/ns-fuzz.h"

#include <glib/gstdio.h>

/* Slow targets are built with a lower number. */
#ifndef N_CHANGES
#define N_CHANGES 3000
#endif
#define BUFFER_SIZE 2048
#define HEADER_SIZE 0x48

static void
add_records (NsEtlWriter *writer)
{
  static const NsRecordKind kinds[] = { NS_RECORD_SYSTEM32,   NS_RECORD_SYSTEM64,
                                        NS_RECORD_COMPACT32,  NS_RECORD_COMPACT64,
                                        NS_RECORD_PERFINFO32, NS_RECORD_PERFINFO64 };
  static const guint64 stack[] = { 0x7ff800001000, 0x7ff800002000, 0xfffff80000001000 };
  static const guint8 unknown[] = { 16, 0, 0x0c, 0xc0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
  guint64 base = ns_etl_writer_get_base_raw (writer);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GByteArray) schema = ns_etl_writer_schema_tl ("event", NULL);
  g_autoptr (GByteArray) traits = ns_etl_writer_prov_traits ("provider");
  guint i;

  ns_etl_bytes_wstr (payload, "payload");
  for (i = 0; i < 24; i++)
    {
      NsEtlWriterEvent event = {
        .cpu = i % 3,
        .raw = base + i * 3,
        .guid = NS_GUID_INIT (7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8),
        .id = (guint16) i,
        .payload = payload,
        .is_32bit = i % 4 == 1,
        .related = NS_GUID_INIT (3, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8),
        .stack = stack,
        .n_stack = i % 4,
        .schema_tl = i % 2 != 0 ? schema : NULL,
        .prov_traits = i % 2 != 0 ? traits : NULL,
      };
      NsEtlWriterGroup group = { .cpu = i % 3,
                                 .raw = base + i * 3 + 1,
                                 .kind = kinds[i % G_N_ELEMENTS (kinds)],
                                 .group = (guint8) (i % 6),
                                 .opcode = (guint8) i,
                                 .payload = payload };
      NsEtlWriterFull full = { .cpu = i % 3,
                               .raw = base + i * 3 + 1,
                               .kind = i % 2 != 0 ? NS_RECORD_INSTANCE64 : 0,
                               .payload = payload };
      NsEtlWriterMessage message = { .cpu = i % 3,
                                     .raw = base + i * 3 + 2,
                                     .flags = (guint16) (i * 11 | 2),
                                     .payload = payload };

      ns_etl_writer_add_event (writer, &event);
      ns_etl_writer_add_group (writer, &group);
      ns_etl_writer_add_full (writer, &full);
      ns_etl_writer_add_message (writer, &message);
      if (i % 8 == 5)
        ns_etl_writer_add_bytes (writer, 0, base, unknown, sizeof unknown);
    }
}

static GBytes *
make_trace (gboolean is_compressed, guint pointer_size)
{
  NsEtlWriterOptions options = { .buffer_size = BUFFER_SIZE,
                                 .is_compressed = is_compressed,
                                 .pointer_size = pointer_size };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);

  add_records (writer);
  return ns_etl_writer_finish (writer);
}

/* Sets single bytes to a few significant values at offsets spread over the whole trace. */
static void
run_changed (const guint8 *data, gsize size)
{
  static const guint8 values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  g_autofree guint8 *copy = g_memdup2 (data, size);
  guint i;

  for (i = 0; i < N_CHANGES; i++)
    {
      gsize at = (gsize) g_rand_int_range (rand, 0, (gint32) size);
      gsize cut = (gsize) g_rand_int_range (rand, 0, (gint32) size);
      /* Each input is a separate allocation, so that a read past its end is detected. */
      g_autofree guint8 *part = g_memdup2 (data, cut);

      copy[at] = values[i % G_N_ELEMENTS (values)];
      LLVMFuzzerTestOneInput (copy, size);
      LLVMFuzzerTestOneInput (part, cut);
      /* Some changes are kept, so that damage accumulates. */
      if (i % 50 != 0)
        copy[at] = data[at];
      if (i % 500 == 499)
        memcpy (copy, data, size);
    }
}

static void
test_corpus (void)
{
  guint i;

  for (i = 0; i < 4; i++)
    {
      g_autoptr (GBytes) bytes = make_trace (i % 2 != 0, i < 2 ? 8 : 4);
      gsize size;
      const guint8 *data = g_bytes_get_data (bytes, &size);

      LLVMFuzzerTestOneInput (data, size);
      run_changed (data, size);
      /* Repeats this from the first record of the second buffer on, for the fuzz target of
       * records. */
      run_changed (data + BUFFER_SIZE + HEADER_SIZE, size - BUFFER_SIZE - HEADER_SIZE);
    }
  LLVMFuzzerTestOneInput (NULL, 0);
}

static void
test_file (gconstpointer path)
{
  g_autofree char *data = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;

  g_file_get_contents (path, &data, &size, &error);
  g_assert_no_error (error);
  LLVMFuzzerTestOneInput ((const guint8 *) data, size);
  if (size > 0)
    run_changed ((const guint8 *) data, size);
}

int
main (int argc, char *argv[])
{
  int i;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/replay/corpus", test_corpus);
  for (i = 1; i < argc; i++)
    {
      g_autofree char *name = g_strdup_printf ("/replay/file-%d", i);

      g_test_add_data_func (name, argv[i], test_file);
    }
  return g_test_run ();
}
