/* Measures a window that shows a million rows: time to results, unresponsive time meanwhile, and
 * the frames of zoom, pan and scrolling.
 *
 * bench-window N: uses a trace of N rows, or that of NETSTITCH_BIG. With NETSTITCH_PLAYBACK
 * measures a playback only, with NETSTITCH_TIMES only filters, sorting and scrolling (by xdotool),
 * repeated that many times. A preloaded watcher (loop-watch) logs how long the main loop was
 * blocked, in wall-clock and processor time; only the latter is meaningful on a busy machine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "big-trace.h"
#include "loop-watch.h"

#include "../ui/window-driver.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Polling interval. Polling disturbs the window, so waits for idle read the log instead. */
#define ASK_US 4000
#define PATIENCE_S 300
/* Time after a result during which its follow-up work is measured. */
#define AFTER_S 1.5
/* A zoom or pan step is finished after this idle time. */
#define QUIET_US 60000
#define N_STEPS 40
/* Time per playback position, and duration of the playback. */
#define PLAY_STEP_US 300000
#define PLAY_US 8000000

static const LoopWatchLog *watch_log;

static double
seconds_since (gint64 begin_us)
{
  return (double) (g_get_monotonic_time () - begin_us) / G_USEC_PER_SEC;
}

/* The longest iterations in wall-clock and in processor time. */
typedef struct
{
  guint wall_us;
  guint cpu_us;
} Longest;

static Longest
find_longest (gint first, LoopWatchKind kind)
{
  gint n_records = g_atomic_int_get (&watch_log->n_records);
  Longest longest = { 0, 0 };
  gint i;

  for (i = first; i < n_records; i++)
    {
      const LoopWatchRecord *record = &watch_log->records[i];

      if (record->kind != kind)
        continue;
      longest.wall_us = MAX (longest.wall_us, record->wall_us);
      longest.cpu_us = MAX (longest.cpu_us, record->cpu_us);
    }
  return longest;
}

/* Returns when a result became visible that was missing at @not_yet_us and present at @answer_us:
 * the end of the first frame that ends after @not_yet_us, at least @answer_us; without any frame,
 * @answer_us. The error is at most one polling interval. */
static gint64
find_shown (gint first, gint64 not_yet_us, gint64 answer_us)
{
  gint n_records = g_atomic_int_get (&watch_log->n_records);
  gint i;

  for (i = first; i < n_records; i++)
    if (watch_log->records[i].kind == LOOP_WATCH_FRAME &&
        watch_log->records[i].end_us >= not_yet_us)
      return MAX (watch_log->records[i].end_us, answer_us);
  return answer_us;
}

static void
tell (const char *what, double answer_s, gint first)
{
  Longest round = find_longest (first, LOOP_WATCH_ROUND);
  Longest frame = find_longest (first, LOOP_WATCH_FRAME);

  g_print ("%-30s %8.0f %8.1f %8.1f %8.1f %8.1f\n",
           what,
           answer_s * 1e3,
           round.wall_us / 1e3,
           round.cpu_us / 1e3,
           frame.wall_us / 1e3,
           frame.cpu_us / 1e3);
}

/* Polls until @condition holds and is painted, then waits @after_s for follow-up work. Returns the
 * seconds from @begin_us to the paint. */
static double
watch (DriverCondition condition, gconstpointer data, gint64 begin_us, gint first, double after_s)
{
  gint64 not_yet_us = begin_us;
  gint64 answer_us = 0;

  while (answer_us == 0)
    {
      DriverState state;

      if (driver_read_state (1, &state) && condition (&state, data))
        answer_us = g_get_monotonic_time ();
      else
        not_yet_us = g_get_monotonic_time ();
      driver_state_clear (&state);
      if (seconds_since (begin_us) > PATIENCE_S)
        g_error ("the window did not answer");
      g_usleep (ASK_US);
    }
  g_usleep ((gulong) (after_s * G_USEC_PER_SEC));
  return (double) (find_shown (first, not_yet_us, answer_us) - begin_us) / G_USEC_PER_SEC;
}

static void
measure (const char *what,
         const char *action,
         GVariant *parameter,
         DriverCondition condition,
         gconstpointer data)
{
  gint first = g_atomic_int_get (&watch_log->n_records);
  gint64 begin_us = g_get_monotonic_time ();

  driver_act (1, action, parameter);
  tell (what, watch (condition, data, begin_us, first, AFTER_S), first);
}

static gboolean
is_there (const DriverState *state, gconstpointer data)
{
  return TRUE;
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

/* The number of rows does not change, so the state of the work tells when it is finished. */
static gboolean
is_idle (const DriverState *state, gconstpointer data)
{
  g_autoptr (GVariant) busy = driver_read_action (1, "busy");

  return busy != NULL && !g_variant_get_boolean (busy);
}

/* Returns whether rows are grouped as @data says. */
static gboolean
is_grouped (const DriverState *state, gconstpointer data)
{
  g_autoptr (GVariant) places = driver_read_action (1, "places");
  guint n_groups = 0;

  if (places != NULL)
    g_variant_get (places, "(uu)", NULL, &n_groups);
  return (n_groups > 0) == (data != NULL) && is_idle (state, NULL);
}

static gboolean
has_hits (const DriverState *state, gconstpointer data)
{
  g_autoptr (GVariant) found = driver_read_action (1, "find-state");
  guint n_hits = 0;
  gboolean is_busy = TRUE;

  if (found != NULL)
    g_variant_get (found, "(suub)", NULL, NULL, &n_hits, &is_busy);
  return n_hits > 0 && !is_busy;
}

static gboolean
is_written (const DriverState *state, gconstpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint number_a = *(const guint *) a;
  guint number_b = *(const guint *) b;

  return number_a < number_b ? -1 : number_a > number_b;
}

static double
percentile_ms (GArray *numbers, double part)
{
  g_array_sort (numbers, compare_numbers);
  return g_array_index (numbers, guint, (guint) (part * (numbers->len - 1) + 0.5)) / 1e3;
}

/* Waits until the window is idle. */
static void
wait_for_quiet (gint64 quiet_us)
{
  gint64 begin_us = g_get_monotonic_time ();
  gint64 last_us = begin_us;

  while (g_get_monotonic_time () - last_us < quiet_us && seconds_since (begin_us) < PATIENCE_S)
    {
      gint n_records = g_atomic_int_get (&watch_log->n_records);

      if (n_records > 0)
        last_us = MAX (last_us, watch_log->records[n_records - 1].end_us);
      g_usleep (2000);
    }
}

/* Computes the next visible time span. */
typedef void (*NextSpan) (gint64 *begin_ns, gint64 *end_ns);

static void
zoom_in (gint64 *begin_ns, gint64 *end_ns)
{
  gint64 length = *end_ns - *begin_ns;

  *begin_ns += length / 8;
  *end_ns -= length / 8;
}

static void
zoom_out (gint64 *begin_ns, gint64 *end_ns)
{
  gint64 length = *end_ns - *begin_ns;

  *begin_ns -= length / 6;
  *end_ns += length / 6;
}

static void
pan_later (gint64 *begin_ns, gint64 *end_ns)
{
  gint64 by = (*end_ns - *begin_ns) / 50;

  *begin_ns += by;
  *end_ns += by;
}

static void
pan_earlier (gint64 *begin_ns, gint64 *end_ns)
{
  gint64 by = (*end_ns - *begin_ns) / 50;

  *begin_ns -= by;
  *end_ns -= by;
}

/* Prints wall-clock and processor time of the first frame, the median frame, the 95th percentile,
 * and the longest iteration since record @first. */
static void
report_frames (const char *what, Longest opening, GArray *walls, GArray *cpus, gint first)
{
  Longest round = find_longest (first, LOOP_WATCH_ROUND);

  g_print ("%-30s %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f\n",
           what,
           opening.wall_us / 1e3,
           opening.cpu_us / 1e3,
           percentile_ms (walls, 0.5),
           percentile_ms (cpus, 0.5),
           percentile_ms (walls, 0.95),
           percentile_ms (cpus, 0.95),
           round.wall_us / 1e3,
           round.cpu_us / 1e3);
}

/* Makes one step at a time and waits until the window is idle. */
static void
measure_steps (const char *what, NextSpan next, guint n_steps, gint64 *begin_ns, gint64 *end_ns)
{
  g_autoptr (GArray) walls = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) cpus = g_array_new (FALSE, FALSE, sizeof (guint));
  Longest opening = { 0, 0 };
  gint first = g_atomic_int_get (&watch_log->n_records);
  guint i;

  for (i = 0; i < n_steps; i++)
    {
      gint before = g_atomic_int_get (&watch_log->n_records);
      Longest frame;

      next (begin_ns, end_ns);
      driver_act (1, "zoom-span", g_variant_new ("(xx)", *begin_ns, *end_ns));
      wait_for_quiet (QUIET_US);
      frame = find_longest (before, LOOP_WATCH_FRAME);
      if (i == 0)
        opening = frame;
      g_array_append_val (walls, frame.wall_us);
      g_array_append_val (cpus, frame.cpu_us);
    }
  report_frames (what, opening, walls, cpus, first);
}

/* Presses keys or mouse buttons over the table at the rate of key repeat. */
static gboolean
press (const char *const *words)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autofree char *program = g_find_program_in_path ("xdotool");
  g_autoptr (GSubprocess) process = NULL;

  if (program == NULL)
    return FALSE;
  g_subprocess_launcher_setenv (launcher, "DISPLAY", driver_get_display (), TRUE);
  process = g_subprocess_launcher_spawnv (launcher, words, NULL);
  return process != NULL && g_subprocess_wait_check (process, NULL, NULL);
}

/* Measures all frames from the first press until the window is idle. */
static void
measure_scroll (const char *what, const char *const *words)
{
  g_autoptr (GArray) walls = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) cpus = g_array_new (FALSE, FALSE, sizeof (guint));
  gint first = g_atomic_int_get (&watch_log->n_records);
  Longest opening = { 0, 0 };
  gint n_records;
  gint i;

  if (!press (words))
    return;
  wait_for_quiet (QUIET_US);
  n_records = g_atomic_int_get (&watch_log->n_records);
  for (i = first; i < n_records; i++)
    {
      const LoopWatchRecord *record = &watch_log->records[i];

      if (record->kind != LOOP_WATCH_FRAME)
        continue;
      if (walls->len == 0)
        opening = (Longest){ record->wall_us, record->cpu_us };
      g_array_append_val (walls, record->wall_us);
      g_array_append_val (cpus, record->cpu_us);
    }
  if (walls->len > 0)
    report_frames (what, opening, walls, cpus, first);
  g_print ("#   %u frames\n", walls->len);
}

static void
measure_scrolling (void)
{
  static const char *const to_table[] = { "xdotool",   "search",    "--onlyvisible",
                                          "--class",   "netstitch", "windowfocus",
                                          "mousemove", "700",       "800",
                                          "click",     "1",         NULL };
  static const char *const wheel_down[] = { "xdotool", "click", "--repeat", "1000",
                                            "--delay", "16",    "5",        NULL };
  static const char *const wheel_up[] = { "xdotool", "click", "--repeat", "1000",
                                          "--delay", "16",    "4",        NULL };
  static const char *const pages_down[] = { "xdotool", "key", "--repeat", "100",
                                            "--delay", "50",  "Next",     NULL };
  static const char *const pages_up[] = { "xdotool", "key", "--repeat", "100",
                                          "--delay", "50",  "Prior",    NULL };
  static const char *const ends[] = { "xdotool", "key",     "--repeat", "5",   "--repeat-delay",
                                      "300",     "--delay", "150",      "End", "Home",
                                      NULL };

  if (!press (to_table))
    return;
  wait_for_quiet (G_USEC_PER_SEC);
  g_print ("# scrolling: first frame (clock, processor), median, 95 %%, longest round, ms each\n");
  measure_scroll ("1000 steps of the wheel, down", wheel_down);
  measure_scroll ("1000 steps of the wheel, up", wheel_up);
  measure_scroll ("100 pages down", pages_down);
  measure_scroll ("100 pages up", pages_up);
  measure_scroll ("to the end and back", ends);
}

static void
measure_frames (void)
{
  DriverState state;
  gint64 begin_ns;
  gint64 end_ns;

  g_assert_true (driver_read_state (1, &state));
  begin_ns = state.begin_ns;
  end_ns = state.end_ns;
  driver_state_clear (&state);
  g_print ("# frames: first (clock, processor), median, 95 %%, longest round, ms each\n");
  measure_steps ("zoom in", zoom_in, N_STEPS, &begin_ns, &end_ns);
  measure_steps ("zoom out", zoom_out, N_STEPS / 2, &begin_ns, &end_ns);
  measure_steps ("pan later", pan_later, N_STEPS, &begin_ns, &end_ns);
  measure_steps ("pan earlier", pan_earlier, N_STEPS, &begin_ns, &end_ns);
  measure_steps ("zoom out", zoom_out, N_STEPS / 2, &begin_ns, &end_ns);
  measure_steps ("zoom in, again", zoom_in, N_STEPS / 8, &begin_ns, &end_ns);
  measure_steps ("pan later, nearly all seen", pan_later, N_STEPS, &begin_ns, &end_ns);
}

/* Measures loading. Work before the window is visible blocks nobody and is printed separately. */
static void
measure_load (guint n_rows, gint64 begin_us)
{
  gint first;

  tell ("a window", watch (is_there, NULL, begin_us, 0, 0), 0);
  first = g_atomic_int_get (&watch_log->n_records);
  tell ("first rows", watch (has_rows, NULL, begin_us, first, 0), first);
  first = g_atomic_int_get (&watch_log->n_records);
  tell ("all rows",
        watch (has_all_rows, GUINT_TO_POINTER (n_rows / 10 * 9), begin_us, first, AFTER_S),
        first);
  wait_for_quiet (G_USEC_PER_SEC);
}

static gpointer
count_all (void)
{
  DriverState state;
  gpointer n_all;

  g_assert_true (driver_read_state (1, &state));
  n_all = GUINT_TO_POINTER (state.n_rows);
  driver_state_clear (&state);
  g_print ("# %u rows\n", GPOINTER_TO_UINT (n_all));
  return n_all;
}

static void
measure_filters (gpointer n_all)
{
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
  measure ("filter by expression",
           "set-filter",
           g_variant_new_string ("url~item.*7$"),
           has_fewer_rows,
           n_all);
  measure ("filter off", "set-filter", g_variant_new_string (""), has_all_rows, n_all);
  measure ("filter by phases",
           "set-filter",
           g_variant_new_string ("phases:1234"),
           has_fewer_rows,
           n_all);
  measure ("filter off", "set-filter", g_variant_new_string (""), has_all_rows, n_all);
}

static void
measure_orders (void)
{
  measure ("sort by duration", "sort", g_variant_new_string ("-duration_ns"), is_idle, NULL);
  measure ("sort by process and server",
           "sort",
           g_variant_new_string ("process,server,open_ns"),
           is_idle,
           NULL);
  measure ("sort by URL", "sort", g_variant_new_string ("url"), is_idle, NULL);
  measure ("sort off", "sort", g_variant_new_string ("open_ns"), is_idle, NULL);
}

static void
measure_answers (gpointer n_all)
{
  measure ("group by process and server",
           "group-by",
           g_variant_new_string ("process_pid,server"),
           is_grouped,
           n_all);
  measure ("open all groups", "expand-groups", NULL, is_idle, NULL);
  measure ("group by URL", "group-by", g_variant_new_string ("url"), is_grouped, n_all);
  measure ("groups off", "group-by", g_variant_new_string (""), is_grouped, NULL);
  measure ("find", "find-text", g_variant_new_string ("site7"), has_hits, NULL);
  measure ("find no more", "find-text", g_variant_new_string (""), is_idle, NULL);
  measure ("select all", "select-all", NULL, has_selected, n_all);
  measure ("copy all", "copy", NULL, is_idle, NULL);
  measure ("sort while all is selected", "sort", g_variant_new_string ("-open_ns"), is_idle, NULL);
}

/* Measures positions all over the trace, then a playback at the highest speed, where each tick
 * shows another position. */
static void
measure_playback (void)
{
  g_autoptr (GArray) walls = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) cpus = g_array_new (FALSE, FALSE, sizeof (guint));
  Longest opening = { 0, 0 };
  gint first;
  gint64 end_ns;
  DriverState state;
  guint i;

  driver_act (1, "zoom-whole", NULL);
  wait_for_quiet (G_USEC_PER_SEC);
  g_assert_true (driver_read_state (1, &state));
  end_ns = state.end_ns;
  driver_state_clear (&state);
  measure ("playback", "playback", NULL, is_idle, NULL);
  first = g_atomic_int_get (&watch_log->n_records);
  for (i = 0; i < N_STEPS; i++)
    {
      gint before = g_atomic_int_get (&watch_log->n_records);
      Longest frame;

      driver_act (1, "play-at", g_variant_new_int64 (end_ns / N_STEPS * i));
      /* A playback is never idle: each tick is an iteration. */
      g_usleep (PLAY_STEP_US);
      frame = find_longest (before, LOOP_WATCH_FRAME);
      if (i == 0)
        opening = frame;
      g_array_append_val (walls, frame.wall_us);
      g_array_append_val (cpus, frame.cpu_us);
    }
  report_frames ("moments of a playback", opening, walls, cpus, first);
  driver_act (1, "play-at", g_variant_new_int64 (0));
  driver_act (1, "play-speed", g_variant_new_string ("10"));
  first = g_atomic_int_get (&watch_log->n_records);
  driver_act (1, "play", NULL);
  g_usleep (PLAY_US);
  tell ("playing", (double) PLAY_US / G_USEC_PER_SEC, first);
  first = g_atomic_int_get (&watch_log->n_records);
  driver_act (1, "play", NULL);
  g_usleep (PLAY_US / 2);
  tell ("a pause", 0, first);
  measure ("playback off", "playback", NULL, is_idle, NULL);
}

/* Measures exporting the whole table and closing. */
static void
measure_end (void)
{
  g_autofree char *path = g_build_filename (driver_get_folder (), "all.csv", NULL);
  gint first;
  gint64 begin_us;
  DriverState state;

  measure ("select nothing", "select-rows", g_variant_new ("au", NULL), is_idle, NULL);
  measure ("export all", "export-to", g_variant_new_string (path), is_written, path);
  g_unlink (path);
  first = g_atomic_int_get (&watch_log->n_records);
  begin_us = g_get_monotonic_time ();
  driver_act (1, "close", NULL);
  while (driver_read_state (1, &state) && seconds_since (begin_us) < PATIENCE_S)
    {
      driver_state_clear (&state);
      g_usleep (ASK_US);
    }
  tell ("close", seconds_since (begin_us), first);
}

/* Creates the file that the watcher writes to. */
static char *
open_log (void)
{
  g_autofree char *path = g_strdup_printf ("%s/loop-watch-%d", g_get_tmp_dir (), (int) getpid ());
  int fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  if (fd < 0 || ftruncate (fd, sizeof (LoopWatchLog)) != 0)
    g_error ("%s could not be made", path);
  watch_log = mmap (NULL, sizeof (LoopWatchLog), PROT_READ, MAP_SHARED, fd, 0);
  g_assert_true (watch_log != MAP_FAILED);
  close (fd);
  return g_steal_pointer (&path);
}

static void
measure_all (void)
{
  gpointer n_all;

  if (g_getenv ("NETSTITCH_PLAYBACK") != NULL)
    {
      measure_playback ();
      return;
    }
  measure_frames ();
  measure_playback ();
  n_all = count_all ();
  measure_scrolling ();
  measure_filters (n_all);
  measure_orders ();
  measure_answers (n_all);
  measure_end ();
}

static void
run (const char *path, guint n_rows)
{
  const char *times = g_getenv ("NETSTITCH_TIMES");
  guint64 n_times = times != NULL ? g_ascii_strtoull (times, NULL, 10) : 0;
  g_autofree char *log_path = open_log ();
  gint64 begin_us;

  driver_setenv ("LD_PRELOAD", g_getenv ("NETSTITCH_LOOP_WATCH"));
  driver_setenv (LOOP_WATCH_FILE, log_path);
  if (driver_start (path))
    {
      begin_us = driver_get_start_us ();
      g_print ("# what, ms until it was on the screen, ms of the longest round of the main loop "
               "(clock, processor), of the longest frame (clock, processor)\n");
      measure_load (n_rows, begin_us);
      if (times == NULL)
        measure_all ();
      for (; n_times > 0; n_times--)
        {
          measure_filters (count_all ());
          measure_orders ();
          measure_scrolling ();
        }
      driver_stop ();
    }
  else
    g_print ("# there is no Xvfb to show a window on\n");
  g_unlink (log_path);
}

int
main (int argc, char *argv[])
{
  return big_trace_bench (argc, argv, run);
}
