/* LD_PRELOAD library for GTK programs that logs how long each main loop iteration blocked, in
 * wall-clock and processor time, and the duration of frames.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "loop-watch.h"

#include <fcntl.h>
#include <glib-object.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef struct
{
  gint64 wall_us;
  gint64 cpu_us;
} Moment;

static LoopWatchLog *watch_log;
static Moment round_begin;
static Moment frame_begin;
static gboolean has_frames;

static Moment
get_now (void)
{
  struct timespec cpu;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &cpu);
  return (Moment){ g_get_monotonic_time (), cpu.tv_sec * G_USEC_PER_SEC + cpu.tv_nsec / 1000 };
}

static void
write_down (LoopWatchKind kind, const Moment *begin, const Moment *end)
{
  gint n_records = watch_log->n_records;
  LoopWatchRecord *record = &watch_log->records[n_records];

  if (end->wall_us - begin->wall_us < LOOP_WATCH_LEAST_US || n_records == LOOP_WATCH_MAX_RECORDS)
    return;
  record->end_us = end->wall_us;
  record->wall_us = (guint32) (end->wall_us - begin->wall_us);
  record->cpu_us = (guint32) (end->cpu_us - begin->cpu_us);
  record->kind = kind;
  g_atomic_int_set (&watch_log->n_records, n_records + 1);
}

static gboolean
before_paint_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  frame_begin = get_now ();
  return TRUE;
}

static gboolean
after_paint_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  Moment now = get_now ();

  write_down (LOOP_WATCH_FRAME, &frame_begin, &now);
  return TRUE;
}

/* GdkFrameClock has no class before the first window is created. */
static void
watch_frames (void)
{
  GType type = g_type_from_name ("GdkFrameClock");

  if (type == 0 || g_type_class_peek (type) == NULL)
    return;
  g_signal_add_emission_hook (g_signal_lookup ("before-paint", type),
                              0,
                              before_paint_cb,
                              NULL,
                              NULL);
  g_signal_add_emission_hook (g_signal_lookup ("after-paint", type), 0, after_paint_cb, NULL, NULL);
  has_frames = TRUE;
}

/* Poll function: the time between two polls is one iteration. */
static gint
wait_and_watch (GPollFD *fds, guint n_fds, gint timeout_ms)
{
  Moment now = get_now ();
  gint n_ready;

  if (round_begin.wall_us != 0)
    write_down (LOOP_WATCH_ROUND, &round_begin, &now);
  if (!has_frames)
    watch_frames ();
  n_ready = g_poll (fds, n_fds, timeout_ms);
  round_begin = get_now ();
  return n_ready;
}

static void __attribute__ ((constructor)) begin (void)
{
  const char *path = g_getenv (LOOP_WATCH_FILE);
  int fd = path != NULL ? open (path, O_RDWR | O_CLOEXEC) : -1;
  void *place;

  if (fd < 0)
    return;
  place = mmap (NULL, sizeof (LoopWatchLog), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close (fd);
  if (place == MAP_FAILED)
    return;
  watch_log = place;
  /* Child processes are not watched. */
  g_unsetenv (LOOP_WATCH_FILE);
  g_unsetenv ("LD_PRELOAD");
  g_main_context_set_poll_func (NULL, wait_and_watch);
}
