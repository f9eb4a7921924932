/* Measures payload decoding: every field of every event, in one thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-file.h"
#include "schema/ns-payload.h"

#include <stdio.h>

#define N_ROUNDS 5

typedef struct
{
  NsSchemas *schemas;
  guint64 n_records;
  guint64 n_values;
  guint64 sum; /* keeps the compiler from removing the reads */
} Work;

static gboolean
learn_cb (const NsRecord *record, gpointer user_data)
{
  ns_schemas_learn (((Work *) user_data)->schemas, record);
  return TRUE;
}

static gboolean
walk_cb (const NsRecord *record, gpointer user_data)
{
  Work *work = user_data;

  work->n_records++;
  work->sum += record->raw;
  return TRUE;
}

static gboolean
value_cb (const NsPayloadItem *item, gpointer user_data)
{
  Work *work = user_data;
  guint64 value;

  work->n_values++;
  if (ns_value_get_uint (item, &value))
    work->sum += value;
  else
    work->sum += item->size;
  return TRUE;
}

static gboolean
decode_cb (const NsRecord *record, gpointer user_data)
{
  Work *work = user_data;

  work->n_records++;
  ns_payload_walk (ns_schemas_find (work->schemas, record), record, value_cb, work);
  return TRUE;
}

/* Returns the seconds of the fastest round. */
static double
measure (NsEtlFile *file, NsRecordFunc func, Work *work)
{
  gint64 best_us = G_MAXINT64;
  guint i;

  for (i = 0; i < N_ROUNDS; i++)
    {
      gint64 begin_us = g_get_monotonic_time ();

      work->n_records = 0;
      work->n_values = 0;
      ns_etl_file_walk (file, NS_ETL_WALK_FILE_ORDER, NULL, func, work, NULL, NULL, NULL);
      best_us = MIN (best_us, g_get_monotonic_time () - begin_us);
    }
  return (double) best_us / 1e6;
}

int
main (int argc, char *argv[])
{
  static const char *const names[] = { "TraceLoggingTester.etl.zip", "KernelNetwork.etl" };
  const char *dir = g_getenv ("NETSTITCH_TEST_TRACES");
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (dir != NULL ? dir : ".", names[i], NULL);
      g_autoptr (NsEtlFile) file = ns_etl_file_open (argc > 1 ? argv[1] : path, NULL, NULL);
      Work work = { .schemas = ns_schemas_new (NULL) };
      double decode_s;
      double walk_s;

      if (file != NULL)
        {
          ns_etl_file_walk (file, NS_ETL_WALK_FILE_ORDER, NULL, learn_cb, &work, NULL, NULL, NULL);
          walk_s = measure (file, walk_cb, &work);
          decode_s = measure (file, decode_cb, &work);
          printf (
              "%s: %" G_GUINT64_FORMAT " events, %" G_GUINT64_FORMAT
              " values; walk %.2f M events/s, full decode %.2f M events/s, %.1f times the walk\n",
              ns_etl_file_get_path (file),
              work.n_records,
              work.n_values,
              (double) work.n_records / walk_s / 1e6,
              (double) work.n_records / decode_s / 1e6,
              decode_s / walk_s);
        }
      ns_schemas_free (work.schemas);
      if (argc > 1)
        break;
    }
  return 0;
}
