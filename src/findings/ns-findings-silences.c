/* Rule about sleep, network changes and clock changes of the machine: D46.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define AFTER_SILENCE_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D46_AFTER)
/* In the recording of a machine that slept, silences are few, and nearly every second outside them
 * has events. */
#define MAX_SILENCES 3
#define MIN_LOUD_NS (10 * NS_PER_SECOND)
#define MIN_LOUD_PERCENT(self) ns_findings_limit (self, NS_THRESHOLD_D46_LOUD)
/* A silence this long counts as sleep even if the recording holds few events. */
#define LONG_SILENCE_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D46_LONG)
#define TIMES_THE_REST 100
#define MIN_SILENCE_NS(self) ns_findings_limit_ns (self, NS_THRESHOLD_D46_SILENCE)
#define STEP_BACK_NS NS_PER_MS
/* Clocks drift apart by some seconds a day. */
#define CLOCKS_DIFFER_NS (5 * NS_PER_SECOND)
#define CLOCKS_DIFFER_PERMILLE 1
#define MAX_REPORTED 64

/* Events of Microsoft-Windows-Kernel-Power. */
enum
{
  POWER_SLEEPS = 42,
  POWER_WAKES = 107,
};

/* Kinds of groups: suffixes of their keys. */
#define IS_POWER "power"
#define IS_NETWORK "network"
#define IS_BACK "back"
#define IS_CLOCK "clock"

/* Counts the connection attempts that failed within AFTER_SILENCE_NS, each once per group. */
static void
add_failures (NsFindings *self, NsFindingGroup *group, guint8 *counted, gint64 from_ns)
{
  guint i;

  for (i = 0; i < self->attempts->len; i++)
    {
      const NsAttempt *attempt = &g_array_index (self->attempts, NsAttempt, i);

      if (counted[i] != 0 || attempt->end == NS_ATTEMPT_OK || attempt->end == NS_ATTEMPT_OPEN ||
          attempt->end == NS_ATTEMPT_CANCELLED || !ns_time_is_set (attempt->close_ns) ||
          attempt->close_ns < from_ns ||
          ns_time_between (from_ns, attempt->close_ns) > AFTER_SILENCE_NS (self))
        continue;
      counted[i] = 1;
      group->sum_a++;
      ns_findings_add_ref (group, attempt->table, attempt->row);
      if (attempt->event != G_MAXUINT32)
        ns_findings_mark (group, attempt->event);
      else
        ns_findings_mark_at (self, group, attempt->close_ns);
      if (attempt->activity != 0)
        ns_findings_add_activity (group, attempt->activity);
    }
}

static guint8 *
new_counted (const NsFindings *self)
{
  return g_new0 (guint8, self->attempts->len + 1);
}

/* Returns the sentence for a group, with placeholders. */
static const char *
get_sentence (const NsFindingGroup *group)
{
  gboolean is_one = group->count == 1;

  if (g_str_has_suffix (group->key, "\n" IS_POWER))
    /* Translators: do not translate the words in braces. */
    return is_one ? _ ("The machine went to sleep or woke up at {at}; it slept for up to "
                       "{longest}. Connects that failed right after it: {n}.")
                  : _ ("The machine went to sleep or woke up{times}, first at {at}; it slept for "
                       "up to {longest}. Connects that failed right after it: {n}.");
  if (g_str_has_suffix (group->key, "\n" IS_NETWORK))
    return is_one ? _ ("The network of the machine changed at {at}. Connects that failed right "
                       "after it: {n}.")
                  : _ ("The network of the machine changed{times}, first at {at}. Connects that "
                       "failed right after it: {n}.");
  if (g_str_has_suffix (group->key, "\n" IS_BACK))
    return _ ("Time went back by {longest}, to {at}: the clock was set, or the file contains parts "
              "of several recordings. Connects that failed right after it: {n}.");
  if (g_str_has_suffix (group->key, "\n" IS_CLOCK))
    return _ ("The clock of the machine and the counter for time stamps of records differ by "
              "{longest} at the end, at {at}: the clock was set, or the machine slept. Connects "
              "that failed right after it: {n}.");
  return group->sum_b != 0
             ? _ ("No processor recorded an event for {longest}, starting at {at}: the machine "
                  "slept. Connects that failed right after it: {n}.")
             : _ ("No processor recorded an event for {longest}, starting at {at}: the machine "
                  "probably slept. Connects that failed right after it: {n}.");
}

static void
report_event (NsFindings *self, NsFindingGroup *group)
{
  g_autofree char *n_failed = g_strdup_printf ("%u", (guint) group->sum_a);
  g_autofree char *at = ns_findings_dup_span (group->process_ns);

  if (group->count == 0)
    return;
  ns_findings_report_sentence (self,
                               group,
                               group->sum_a > 0 ? NS_SEVERITY_WARNING : NS_SEVERITY_INFO,
                               group->sum_b != 0  ? NS_FINDING_HIGH
                               : group->sum_a > 0 ? NS_FINDING_MEDIUM
                                                  : NS_FINDING_LOW,
                               get_sentence (group),
                               "at",
                               at,
                               "n",
                               n_failed,
                               NULL);
}

static gboolean
is_silence (const NsFindings *self, const NsTimeSpan *silence)
{
  return silence->end_ns - silence->begin_ns >= MIN_SILENCE_NS (self);
}

/* Returns whether nearly every second outside the silences has an event. */
static gboolean
is_dense (const NsFindings *self)
{
  gint64 loud_ns = self->trace->end_ns;
  guint n_silences = 0;
  guint i;

  for (i = 0; i < self->trace->silences->len; i++)
    {
      const NsTimeSpan *silence = &g_array_index (self->trace->silences, NsTimeSpan, i);

      if (!is_silence (self, silence))
        continue;
      n_silences++;
      loud_ns -= silence->end_ns - silence->begin_ns;
    }
  return n_silences <= MAX_SILENCES && loud_ns >= MIN_LOUD_NS &&
         self->trace->n_loud_seconds * 100 >=
             (guint64) (loud_ns / NS_PER_SECOND) * MIN_LOUD_PERCENT (self);
}

/* Returns whether the silence is long even for a machine with few events. */
static gboolean
is_long (const NsFindings *self, const NsTimeSpan *silence)
{
  gint64 length_ns = silence->end_ns - silence->begin_ns;

  return length_ns >= LONG_SILENCE_NS (self) ||
         (is_silence (self, silence) &&
          length_ns / TIMES_THE_REST >= MAX (self->trace->end_ns - length_ns, 1));
}

/* Returns whether the machine recorded nothing for most of the span. */
gboolean
ns_findings_has_slept (const NsFindings *self, gint64 from_ns, gint64 to_ns)
{
  const NsTrace *trace = self->trace;
  gboolean has_many = is_dense (self);
  gint64 silent_ns = 0;
  guint i;

  for (i = 0; i < trace->silences->len; i++)
    {
      const NsTimeSpan *silence = &g_array_index (trace->silences, NsTimeSpan, i);

      if (has_many && is_silence (self, silence))
        silent_ns += MAX (MIN (silence->end_ns, to_ns) - MAX (silence->begin_ns, from_ns), 0);
    }
  return silent_ns > ns_time_between (from_ns, to_ns) / 2;
}

static void
gather_silences (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  gboolean are_all = is_dense (self);
  guint n_reported = 0;
  guint i;

  for (i = 0; i < trace->silences->len && n_reported < MAX_REPORTED; i++)
    {
      const NsTimeSpan *silence = &g_array_index (trace->silences, NsTimeSpan, i);
      g_autofree char *number = g_strdup_printf ("%u", i);
      g_autofree guint8 *counted = NULL;
      NsFindingGroup *group;

      if (!(are_all && is_silence (self, silence)) && !is_long (self, silence))
        continue;
      n_reported++;
      counted = new_counted (self);
      group = ns_findings_group (self, NS_PID_UNKNOWN, "", number);
      ns_findings_add (group, NS_N_TABLES, 0, 0, silence->begin_ns, silence->end_ns);
      ns_findings_mark_at (self, group, silence->begin_ns);
      ns_findings_mark_at (self, group, silence->end_ns);
      add_failures (self, group, counted, silence->end_ns);
    }
}

/* Returns the group of a reported silence during which the machine slept according to Windows;
 * %NULL: none. */
static NsFindingGroup *
find_silence (NsFindings *self, gint64 begin_ns, gint64 end_ns)
{
  guint i;

  for (i = 0; i < self->order->len; i++)
    {
      NsFindingGroup *group = g_ptr_array_index (self->order, i);
      const NsTimeSpan *span =
          group->spans->len > 0 ? &g_array_index (group->spans, NsTimeSpan, 0) : NULL;

      if (span != NULL && ns_time_between (begin_ns, span->end_ns) >= -NS_PER_SECOND &&
          ns_time_between (span->begin_ns, end_ns) >= -NS_PER_SECOND)
        return group;
    }
  return NULL;
}

static void
add_sleep (NsFindings *self, guint8 *counted, const NsSign *sleep, const NsSign *wake)
{
  gint64 begin_ns = sleep != NULL ? sleep->time_ns : wake->time_ns;
  gint64 end_ns = wake != NULL ? wake->time_ns : sleep->time_ns;
  NsFindingGroup *group = find_silence (self, begin_ns, end_ns);

  if (group == NULL || g_str_has_suffix (group->key, "\n" IS_POWER))
    {
      group = ns_findings_group (self, NS_PID_UNKNOWN, "", IS_POWER);
      ns_findings_add (group, NS_N_TABLES, 0, 0, begin_ns, end_ns);
      add_failures (self, group, counted, end_ns);
    }
  group->sum_b = TRUE;
  if (sleep != NULL)
    ns_findings_mark (group, sleep->event);
  if (wake != NULL)
    ns_findings_mark (group, wake->event);
}

/* Groups the times at which Windows reports that it goes to sleep and wakes up. */
static void
gather_power (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autofree guint8 *counted = new_counted (self);
  const NsSign *sleep = NULL;
  guint n_reported = 0;
  guint i;

  for (i = 0; i < trace->signs->len && n_reported < MAX_REPORTED; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      gboolean is_sleep = sign->id == POWER_SLEEPS;

      if (sign->source != NS_SIGN_POWER || (!is_sleep && sign->id != POWER_WAKES))
        continue;
      if (sleep != NULL || !is_sleep)
        {
          add_sleep (self, counted, sleep, is_sleep ? NULL : sign);
          n_reported++;
        }
      sleep = is_sleep ? sign : NULL;
    }
  if (sleep != NULL)
    add_sleep (self, counted, sleep, NULL);
}

static gboolean
is_network_change (const NsSign *sign)
{
  return (sign->source == NS_SIGN_WININET && sign->id == 308) ||
         (sign->source == NS_SIGN_TCPIP && (sign->id == 1106 || sign->id == 1130));
}

static void
gather_network (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  g_autofree guint8 *counted = new_counted (self);
  guint n_reported = 0;
  guint i;

  for (i = 0; i < trace->signs->len && n_reported < MAX_REPORTED; i++)
    {
      const NsSign *sign = &g_array_index (trace->signs, NsSign, i);
      NsFindingGroup *group;

      if (!is_network_change (sign))
        continue;
      n_reported++;
      group = ns_findings_group (self, NS_PID_UNKNOWN, "", IS_NETWORK);
      ns_findings_add (group, NS_N_TABLES, 0, 0, sign->time_ns, sign->time_ns);
      group->sum_b = TRUE;
      ns_findings_mark (group, sign->event);
      add_failures (self, group, counted, sign->time_ns);
    }
}

static void
add_clock (NsFindings *self, const char *kind, gint64 begin_ns, gint64 end_ns)
{
  g_autofree guint8 *counted = new_counted (self);
  NsFindingGroup *group = ns_findings_group (self, NS_PID_UNKNOWN, "", kind);

  ns_findings_add (group, NS_N_TABLES, 0, 0, begin_ns, end_ns);
  group->process_ns = begin_ns;
  add_failures (self, group, counted, begin_ns);
}

static void
gather_steps_back (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);
  gint64 from_ns;
  gint64 to_ns;

  if (report->back_from_raw == report->back_to_raw)
    return;
  from_ns = ns_etl_file_raw_to_ns (trace->file, report->back_from_raw);
  to_ns = ns_etl_file_raw_to_ns (trace->file, report->back_to_raw);
  if (ns_time_between (to_ns, from_ns) > STEP_BACK_NS)
    add_clock (self, IS_BACK, to_ns, from_ns);
}

/* Compares clocks: the header holds the length of the session by the system clock, events are
 * stamped with a counter. If the counter is ahead, the clock was set back. If it is behind, nothing
 * may have happened at the end, unless the machine had events in every second. */
static void
compare_clocks (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  const NsEtlHeader *header = ns_etl_file_get_header (trace->file);
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);
  guint64 ticks = header->end_filetime - header->start_filetime;
  gint64 clock_ns;
  gint64 ahead_ns;

  if (ns_etl_file_get_clock (trace->file) == NS_CLOCK_SYSTEM ||
      header->end_filetime <= header->start_filetime || header->start_filetime == 0 ||
      ticks > (guint64) NS_TIME_MAX / 100 || trace->is_incomplete || report->n_damaged > 0)
    return;
  clock_ns = (gint64) ticks * 100;
  ahead_ns = ns_time_between (clock_ns, trace->end_ns);
  if (ABS (ahead_ns) < CLOCKS_DIFFER_NS ||
      ABS (ahead_ns) / CLOCKS_DIFFER_PERMILLE < MAX (clock_ns, trace->end_ns) / 1000)
    return;
  if (ahead_ns < 0 && (!report->is_numbered || !is_dense (self)))
    return;
  add_clock (self, IS_CLOCK, MIN (clock_ns, trace->end_ns), MAX (clock_ns, trace->end_ns));
}

void
ns_find_silences (NsFindings *self)
{
  gather_silences (self);
  gather_power (self);
  gather_network (self);
  gather_steps_back (self);
  compare_clocks (self);
  ns_findings_report_groups (self, report_event);
}
