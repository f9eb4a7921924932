/* Tests the sources of a provider's event layouts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-survey.h"
#include "engine/system/ns-providers.h"
#include "stitch-fixture.h"

static const NsGuid own = NS_GUID_INIT (0x11111111, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);

/* Event ID of an EventSource's embedded manifest. */
#define ID_SENT_MANIFEST 0xfffe

static const NsEtlWriterOptions options = { .n_processors = 1 };

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

static const NsSurveyProvider *
find_own (const NsSurvey *survey)
{
  guint i;

  for (i = 0; i < survey->providers->len; i++)
    if (ns_guid_equal (&g_array_index (survey->providers, NsSurveyProvider, i).guid, &own))
      return &g_array_index (survey->providers, NsSurveyProvider, i);
  return NULL;
}

static void
assert_sources (NsEtlWriter *writer, const char *expected)
{
  NsTrace *trace = stitch_trace_from_writer (writer);
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  g_autoptr (NsSurvey) survey = ns_survey_new (trace->file, schemas, NULL, NULL, NULL, NULL);
  guint i;

  g_assert_nonnull (survey);
  g_assert_cmpstr (ns_schema_source_to_text (find_own (survey)->source), ==, expected);
  for (i = 0; i < trace->providers->len; i++)
    {
      const NsProviderRow *row = &g_array_index (trace->providers, NsProviderRow, i);

      if (ns_guid_equal (&row->guid, &own))
        g_assert_cmpstr (row->schema, ==, expected);
    }
  ns_trace_unref (trace);
}

static void
add_manifest (NsEtlWriter *writer, guint n)
{
  static const guint8 head[] = { 1, 1, 0, 0x5b, 1, 0, 0, 0 };
  static const char manifest[] =
      "<instrumentationManifest xmlns='http://schemas.microsoft.com/win/2004/08/events'>"
      "<instrumentation><events>"
      "<provider name='Own' guid='{11111111-0002-0003-0405-060708090a0b}' symbol='O'>"
      "<events><event value='1' version='0'/><event value='2' version='0'/></events>"
      "</provider></events></instrumentation></instrumentationManifest>";
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .raw = ns_etl_writer_get_base_raw (writer) + (guint64) n * STITCH_MS,
                             .guid = own,
                             .id = ID_SENT_MANIFEST,
                             .task = ID_SENT_MANIFEST,
                             .payload = payload };

  g_byte_array_append (payload, head, sizeof head);
  g_byte_array_append (payload, (const guint8 *) manifest, sizeof manifest - 1);
  g_assert_true (ns_etl_writer_add_event (writer, &event));
}

/* The survey and the table agree: the source of most records, that of the manifest only if there is
 * nothing else. */
static void
test_most_records_tell_the_source (void)
{
  g_autoptr (NsEtlWriter) alone = ns_etl_writer_new (&options);
  g_autoptr (NsEtlWriter) sent = ns_etl_writer_new (&options);
  g_autoptr (NsEtlWriter) unknown = ns_etl_writer_new (&options);
  g_autoptr (GByteArray) fields = g_byte_array_new ();
  g_autoptr (GByteArray) schema = ns_etl_writer_schema_tl ("Named", fields);

  add_manifest (alone, 1);
  assert_sources (alone, "builtin");

  add_manifest (sent, 1);
  add_event (sent, 1, NULL);
  add_event (sent, 2, NULL);
  add_event (sent, 3, schema);
  assert_sources (sent, "embedded");

  add_manifest (unknown, 1);
  add_event (unknown, 4, NULL);
  assert_sources (unknown, "none");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/providers/versions-without-a-layout-are-counted",
                   test_versions_without_a_layout_are_counted);
  g_test_add_func ("/providers/so-many-kinds-are-looked-at-only",
                   test_so_many_kinds_are_looked_at_only);
  g_test_add_func ("/providers/most-records-tell-the-source", test_most_records_tell_the_source);
  return g_test_run ();
}
