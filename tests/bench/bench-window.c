/* What a window costs that shows a million rows: how long its answers take, and how long it is
 * deaf meanwhile.
 *
 * bench-window N: makes a trace of N rows, opens it in a real window on a screen of its own, and
 * asks over the bus all the while how it is. A line a measurement: what, milliseconds until it was
 * there, milliseconds of the longest time without an answer, and milliseconds that the main thread
 * was on a processor meanwhile at most, which is what is left where others use the machine, too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "big-trace.h"

#include "../ui/window-driver.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Asked so often; whoever waits longer for an answer was blocked. */
#define ASK_US 3000
#define PATIENCE_S 300
/* How long after an answer what follows from it may block. */
#define AFTER_S 1.5

static double
seconds_since (gint64 begin_us)
{
  return (double) (g_get_monotonic_time () - begin_us) / G_USEC_PER_SEC;
}

typedef struct
{
  double answer_s;
  double stall_s;
  double work_s;
} Measured;

/* How long the main thread of the window has been on a processor. */
static double
read_work (void)
{
  g_autofree char *path =
      g_strdup_printf ("/proc/%s/task/%s/schedstat", driver_get_pid (), driver_get_pid ());
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  return (double) g_ascii_strtoull (text, NULL, 10) / 1e9;
}

/* Asks until @condition holds, then a little longer. */
static Measured
watch (DriverCondition condition, gconstpointer data, gint64 begin_us)
{
  Measured measured = { -1, 0, 0 };

  while (measured.answer_s < 0 || seconds_since (begin_us) < measured.answer_s + AFTER_S)
    {
      gint64 asked_us = g_get_monotonic_time ();
      double work_s = read_work ();
      DriverState state;
      gboolean is_there = driver_read_state (1, &state);

      if (is_there)
        {
          measured.stall_s = MAX (measured.stall_s, seconds_since (asked_us));
          measured.work_s = MAX (measured.work_s, read_work () - work_s);
        }
      if (measured.answer_s < 0 && is_there && condition (&state, data))
        measured.answer_s = seconds_since (begin_us);
      driver_state_clear (&state);
      if (seconds_since (begin_us) > PATIENCE_S)
        g_error ("the window did not answer");
      g_usleep (ASK_US);
    }
  return measured;
}

static void
tell (const char *what, Measured measured)
{
  g_print ("%-34s\t%.0f\t%.0f\t%.0f\n",
           what,
           measured.answer_s * 1e3,
           measured.stall_s * 1e3,
           measured.work_s * 1e3);
}

static void
measure (const char *what,
         const char *action,
         GVariant *parameter,
         DriverCondition condition,
         gconstpointer data)
{
  gint64 begin_us = g_get_monotonic_time ();
  double work_s = read_work ();
  double asked_s;
  Measured measured;

  driver_act (1, action, parameter);
  asked_s = seconds_since (begin_us);
  work_s = read_work () - work_s;
  measured = watch (condition, data, begin_us);
  measured.stall_s = MAX (measured.stall_s, asked_s);
  measured.work_s = MAX (measured.work_s, work_s);
  tell (what, measured);
}

static gboolean
has_rows (const DriverState *state, gconstpointer data)
{
  return strcmp (state->page, "trace") == 0 && state->n_rows > 0;
}

static gboolean
has_all_rows (const DriverState *state, gconstpointer data)
{
  return has_rows (state, NULL) && state->n_rows >= GPOINTER_TO_UINT (data);
}

static gboolean
has_fewer_rows (const DriverState *state, gconstpointer data)
{
  return state->n_rows > 0 && state->n_rows < GPOINTER_TO_UINT (data);
}

static gboolean
has_selected (const DriverState *state, gconstpointer data)
{
  return state->n_selected >= GPOINTER_TO_UINT (data);
}

/* The rows are the same before and after: what is over is told by the state of the work. */
static gboolean
is_idle (const DriverState *state, gconstpointer data)
{
  g_autoptr (GVariant) busy = driver_read_action (1, "busy");

  return busy != NULL && !g_variant_get_boolean (busy);
}

static void
measure_window (guint n_rows)
{
  DriverState state;
  gpointer n_all;

  tell ("first rows", watch (has_rows, NULL, g_get_monotonic_time ()));
  tell ("all rows",
        watch (has_all_rows, GUINT_TO_POINTER (n_rows / 10 * 9), g_get_monotonic_time ()));
  g_assert_true (driver_read_state (1, &state));
  n_all = GUINT_TO_POINTER (state.n_rows);
  driver_state_clear (&state);
  g_print ("# %u rows\n", GPOINTER_TO_UINT (n_all));
  measure ("filter, a third stays",
           "set-filter",
           g_variant_new_string ("pid>1130"),
           has_fewer_rows,
           n_all);
  measure ("filter off", "set-filter", g_variant_new_string (""), has_all_rows, n_all);
  measure ("filter by text",
           "set-filter",
           g_variant_new_string ("server:*site7*"),
           has_fewer_rows,
           n_all);
  measure ("filter off", "set-filter", g_variant_new_string (""), has_all_rows, n_all);
  measure ("sort by duration", "sort", g_variant_new_string ("-duration_ns"), is_idle, NULL);
  measure ("sort by process and server",
           "sort",
           g_variant_new_string ("process,server,open_ns"),
           is_idle,
           NULL);
  measure ("sort by URL", "sort", g_variant_new_string ("url"), is_idle, NULL);
  measure ("sort off", "sort", g_variant_new_string ("open_ns"), is_idle, NULL);
  measure ("select all", "select-all", NULL, has_selected, n_all);
  measure ("sort while all is selected", "sort", g_variant_new_string ("-open_ns"), is_idle, NULL);
}

int
main (int argc, char *argv[])
{
  BigTraceOptions options = { .seed = 1, .n_cpus = 16, .n_processes = 50 };
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  BigTraceCounts counts;

  if (argc != 2)
    {
      g_printerr ("bench-window ROWS\n");
      return 1;
    }
  options.n_connections = (guint) g_ascii_strtoull (argv[1], NULL, 10);
  path = g_strdup_printf ("%s/bench-window-%d.etl", g_get_tmp_dir (), (int) getpid ());
  if (!big_trace_write (&options, path, &counts, &error))
    g_error ("%s", error->message);
  if (driver_start (path))
    {
      g_print ("# what, ms until it was there, ms of the longest silence, ms of work in it\n");
      measure_window (options.n_connections);
      driver_stop ();
    }
  else
    g_print ("# there is no Xvfb to show a window on\n");
  g_unlink (path);
  return 0;
}
