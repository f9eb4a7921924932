/* How long the main loop waits while the symbols of many modules come, and how long these take.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-trace-lookup.h"
#include "model/ns-symbol-job.h"
#include "ns-test-pdb.h"
#include "ns-test-place.h"
#include "stitch-fixture.h"

#define N_MODULES 200
#define N_ADDRESSES 500
#define BASE G_GUINT64_CONSTANT (0x100000000)
#define STEP G_GUINT64_CONSTANT (0x10000)
#define MAX_GAP_MS 50.0

typedef struct
{
  gint64 last_us;
  double longest_ms;
} Gap;

static gboolean
tick_cb (gpointer data)
{
  Gap *gap = data;
  gint64 now_us = g_get_monotonic_time ();

  gap->longest_ms = MAX (gap->longest_ms, (double) (now_us - gap->last_us) / 1000);
  gap->last_us = now_us;
  return G_SOURCE_CONTINUE;
}

static NsSession *
session_new (NsTestPlace *place)
{
  NsTrace *trace = stitch_trace_new ("10:1:NET 'S1");
  NsGuid guid = NS_TEST_PDB_GUID;

  for (guint i = 0; i < N_MODULES; i++)
    {
      g_autofree char *name = g_strdup_printf ("app%u.dll", i);
      g_autofree char *pdb = g_strdup_printf ("app%u.pdb", i);
      NsImageRow image = { .pid = STITCH_PID,
                           .base = BASE + i * STEP,
                           .size = STEP,
                           .name = ns_strings_add (trace->strings, name),
                           .load_ns = NS_TIME_NONE,
                           .unload_ns = NS_TIME_OPEN,
                           .pdb = ns_strings_add (trace->strings, pdb),
                           .guid = guid,
                           .age = NS_TEST_PDB_AGE,
                           .has_guid = TRUE };

      ns_test_place_write_pdb (place, pdb);
      g_array_append_val (trace->images, image);
    }
  ns_trace_index_images (trace);
  return ns_session_new (trace, NULL);
}

static void
ask_all (NsSymbolJob *job)
{
  for (guint i = 0; i < N_MODULES; i++)
    for (guint k = 0; k < N_ADDRESSES; k++)
      {
        gboolean is_named;

        g_free (ns_symbol_job_name_frame (job,
                                          STITCH_PID,
                                          BASE + i * STEP + 0x1000 + k,
                                          0,
                                          FALSE,
                                          &is_named));
        /* As rows that are scrolled by: the loop runs in between. */
        if (k % 50 == 0)
          g_main_context_iteration (NULL, FALSE);
      }
}

int
main (int argc, char *argv[])
{
  g_autoptr (NsTestPlace) place = ns_test_place_new ();
  NsSymbolSettings settings = { .path = place->root, .cache_folder = place->cache };
  g_autoptr (NsSession) session = session_new (place);
  Gap gap = { 0 };
  gint64 begin_us = g_get_monotonic_time ();
  NsSymbolJob *job;
  guint n_done = 0;
  guint n_named;
  guint n_asked;

  ns_symbol_job_set_defaults (&settings);
  job = ns_symbol_job_get_for_session (session);
  gap.last_us = g_get_monotonic_time ();
  g_timeout_add (1, tick_cb, &gap);
  ask_all (job);
  while (n_done < N_MODULES)
    {
      g_autoptr (GPtrArray) modules = NULL;

      g_main_context_iteration (NULL, TRUE);
      modules = ns_symbol_job_list_modules (job);
      n_done = 0;
      for (guint i = 0; i < modules->len; i++)
        n_done +=
            ((NsSymbolModule *) g_ptr_array_index (modules, i))->info.state == NS_MODULE_FOUND;
    }
  ns_symbol_job_configure (job);
  tick_cb (&gap);
  ns_symbol_job_count (job, &n_named, &n_asked);
  g_print ("symbols of %u modules, %u addresses each: %.0f ms; the main loop never waited longer "
           "than %.1f ms\n",
           N_MODULES,
           N_ADDRESSES,
           (double) (g_get_monotonic_time () - begin_us) / 1000,
           gap.longest_ms);
  return gap.longest_ms <= MAX_GAP_MS ? 0 : 1;
}
