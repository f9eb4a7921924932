/* Tests the sources of a provider's event layouts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/system/ns-providers.h"
#include "stitch-fixture.h"

static const NsGuid own = NS_GUID_INIT (0x11111111, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);

static void
add_version (NsEtlWriter *writer, guint n, guint id, guint8 version, GByteArray *schema)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .raw = ns_etl_writer_get_base_raw (writer) + (guint64) n * STITCH_MS,
                             .guid = own,
                             .id = (guint16) id,
                             .version = version,
                             .channel = schema != NULL ? 11 : 0,
                             .schema_tl = schema,
                             .payload = payload };

  g_assert_true (ns_etl_writer_add_event (writer, &event));
}

static void
add_event (NsEtlWriter *writer, guint n, GByteArray *schema)
{
  add_version (writer, n, n, 0, schema);
}

/* Versions of one event are counted apart, whichever comes first. */
static void
test_versions_without_a_layout_are_counted (void)
{
  static const NsEtlWriterOptions options = { .n_processors = 1 };
  guint known;

  for (known = 0; known < 2; known++)
    {
      g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
      g_autoptr (GByteArray) fields = g_byte_array_new ();
      g_autoptr (GByteArray) schema = ns_etl_writer_schema_tl ("Named", fields);
      NsTrace *trace;
      guint i;

      for (i = 1; i <= 5; i++)
        add_version (writer, i, 9, i % 2, i % 2 == known ? schema : NULL);
      trace = stitch_trace_from_writer (writer);
      g_assert_cmpuint (ns_providers_count_undecodable (trace), ==, known == 1 ? 2 : 3);
      ns_trace_unref (trace);
    }
}

/* MAX event types without a description, then a self-describing one. */
static void
test_so_many_kinds_are_looked_at_only (void)
{
  static const NsEtlWriterOptions options = { .n_processors = 1 };
  guint n;

  for (n = NS_PROVIDERS_MAX_LOOKED_UP - 1; n <= NS_PROVIDERS_MAX_LOOKED_UP; n++)
    {
      g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
      g_autoptr (GByteArray) fields = g_byte_array_new ();
      g_autoptr (GByteArray) schema = ns_etl_writer_schema_tl ("Named", fields);
      const NsProviderRow *row = NULL;
      NsTrace *trace;
      guint i;

      for (i = 1; i <= n; i++)
        add_event (writer, i, NULL);
      add_event (writer, i, schema);
      trace = stitch_trace_from_writer (writer);
      for (i = 0; i < trace->providers->len; i++)
        if (ns_guid_equal (&g_array_index (trace->providers, NsProviderRow, i).guid, &own))
          row = &g_array_index (trace->providers, NsProviderRow, i);
      g_assert_nonnull (row);
      g_assert_cmpuint (row->n_events, ==, n + 1);
      g_assert_cmpstr (row->schema, ==, n < NS_PROVIDERS_MAX_LOOKED_UP ? "tracelogging" : "none");
      ns_trace_unref (trace);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/providers/versions-without-a-layout-are-counted",
                   test_versions_without_a_layout_are_counted);
  g_test_add_func ("/providers/so-many-kinds-are-looked-at-only",
                   test_so_many_kinds_are_looked_at_only);
  return g_test_run ();
}
