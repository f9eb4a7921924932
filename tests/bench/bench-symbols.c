/* Measures how long the main loop is blocked while the symbols of many modules load, and how long
 * loading takes.
 *
 * Each iteration of the main loop is measured in processor time, which does not depend on the load
 * of the machine; wall-clock time is printed as well.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-trace-lookup.h"
#include "model/ns-symbol-job.h"
#include "ns-test-folder.h"
#include "ns-test-pdb.h"
#include "stitch-fixture.h"

#include <time.h>

#define N_MODULES 200
#define N_ADDRESSES 500
#define N_SHOWN 50
#define BASE G_GUINT64_CONSTANT (0x100000000)
#define STEP G_GUINT64_CONSTANT (0x10000)
#define MAX_TURN_MS 10.0

/* The longest iteration of the main loop so far. */
typedef struct
{
  double begin_ms;
  gint64 begin_us;
  double longest_ms;
  double longest_clock_ms;
} Turns;

static double
get_thread_ms (void)
{
  struct timespec spent;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &spent);
  return (double) spent.tv_sec * 1e3 + (double) spent.tv_nsec / 1e6;
}

static void
begin_turn (Turns *turns)
{
  turns->begin_ms = get_thread_ms ();
  turns->begin_us = g_get_monotonic_time ();
}

static void
end_turn (Turns *turns)
{
  turns->longest_ms = MAX (turns->longest_ms, get_thread_ms () - turns->begin_ms);
  turns->longest_clock_ms =
      MAX (turns->longest_clock_ms, (double) (g_get_monotonic_time () - turns->begin_us) / 1000);
}

static NsSession *
session_new (NsTestFolder *folder)
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

      ns_test_folder_write_pdb (folder, pdb);
      g_array_append_val (trace->images, image);
    }
  ns_trace_index_images (trace);
  return ns_session_new (trace, NULL);
}

/* Requests symbols in batches, as scrolling does, and runs the main loop between them. */
static void
ask_all (NsSymbolJob *job, Turns *turns)
{
  for (guint i = 0; i < N_MODULES; i++)
    for (guint k = 0; k < N_ADDRESSES; k += N_SHOWN)
      {
        begin_turn (turns);
        for (guint n = k; n < k + N_SHOWN; n++)
          {
            gboolean is_named;

            g_free (ns_symbol_job_name_frame (job,
                                              STITCH_PID,
                                              BASE + i * STEP + 0x1000 + n,
                                              0,
                                              FALSE,
                                              &is_named));
          }
        g_main_context_iteration (NULL, FALSE);
        end_turn (turns);
      }
}

/* Lists the modules after each change, as the symbols page does. */
static void
list_cb (NsSymbolJob *job, guint *n_found)
{
  g_autoptr (GPtrArray) modules = ns_symbol_job_list_modules (job);

  *n_found = 0;
  for (guint i = 0; i < modules->len; i++)
    *n_found += ((NsSymbolModule *) g_ptr_array_index (modules, i))->info.state == NS_MODULE_FOUND;
}

static gboolean
wake_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
run_until_found (NsSymbolJob *job, Turns *turns)
{
  guint n_found = 0;
  gulong id = g_signal_connect (job, "changed", G_CALLBACK (list_cb), &n_found);

  while (n_found < N_MODULES)
    {
      /* Waiting time does not count as work. */
      while (!g_main_context_pending (NULL))
        g_usleep (500);
      begin_turn (turns);
      g_main_context_iteration (NULL, FALSE);
      end_turn (turns);
    }
  g_signal_handler_disconnect (job, id);
}

int
main (int argc, char *argv[])
{
  g_autoptr (NsTestFolder) folder = ns_test_folder_new ();
  NsSymbolSettings settings = { .path = folder->root, .cache_folder = folder->cache };
  g_autoptr (NsSession) session = session_new (folder);
  Turns turns = { 0 };
  gint64 begin_us = g_get_monotonic_time ();
  NsSymbolJob *job;

  ns_view_context_set_symbols (ns_session_get_trace (session)->view, &settings);
  job = ns_symbol_job_get_for_session (session);
  g_timeout_add (1, wake_cb, NULL);
  ask_all (job, &turns);
  run_until_found (job, &turns);
  g_print ("symbols of %u modules, %u addresses each: %.0f ms; the main loop never worked longer "
           "than %.1f ms (%.1f ms on the clock) at a time",
           N_MODULES,
           N_ADDRESSES,
           (double) (g_get_monotonic_time () - begin_us) / 1000,
           turns.longest_ms,
           turns.longest_clock_ms);
  /* Starts again with all symbols found so far. */
  begin_turn (&turns);
  ns_symbol_job_configure (job);
  end_turn (&turns);
  g_print (", and %.1f ms (%.1f ms) with beginning anew\n",
           turns.longest_ms,
           turns.longest_clock_ms);
  return turns.longest_ms <= MAX_TURN_MS ? 0 : 1;
}
