/* Groups of rows and events that support one finding, by process and subject, and the finding made
 * of a group.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "base/ns-text.h"
#include "engine/trace/ns-event-index.h"
#include "findings/ns-findings-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Maximum number of events at one time that are marked. */
#define MAX_AT_ONCE 8
#define MAX_MARKED_SPANS 500
/* Sizes of the memory blocks for groups, in bytes. */
#define BLOCK_BYTES ((gsize) 64 * 1024)
#define MAX_PIECE_BYTES (BLOCK_BYTES / 4)
#define ALIGNMENT 16

/* Reasons to lower the confidence in a finding. */
typedef enum
{
  HAS_LOSSES = 1 << 0,
  TOUCHES_ENDS = 1 << 1,
} Doubt;

static void
free_list (const NsFindingGroup *group, GArray *list)
{
  if (list != group->none)
    g_array_unref (list);
}

void
ns_findings_group_free (gpointer data)
{
  NsFindingGroup *group = data;

  free_list (group, group->spans);
  free_list (group, group->owners);
  free_list (group, group->refs);
  free_list (group, group->activities);
  free_list (group, group->moments);
  free_list (group, group->marks);
}

/* Allocates memory for a group. Rules make hundreds of thousands of groups, so the next rule reuses
 * the memory. */
static gpointer
take_piece (NsFindings *self, gsize n_bytes)
{
  gpointer piece;

  if (n_bytes > MAX_PIECE_BYTES)
    {
      piece = g_malloc (n_bytes);
      g_ptr_array_add (self->large, piece);
      return piece;
    }
  n_bytes = (n_bytes + ALIGNMENT - 1) & ~(gsize) (ALIGNMENT - 1);
  if (self->n_blocks == 0 || self->n_block_bytes + n_bytes > BLOCK_BYTES)
    {
      if (self->n_blocks == self->blocks->len)
        g_ptr_array_add (self->blocks, g_malloc (BLOCK_BYTES));
      self->n_blocks++;
      self->n_block_bytes = 0;
    }
  piece = (guint8 *) self->blocks->pdata[self->n_blocks - 1] + self->n_block_bytes;
  self->n_block_bytes += n_bytes;
  return piece;
}

static char *
take_text (NsFindings *self, const char *text, gsize n_bytes)
{
  char *copy = take_piece (self, n_bytes + 1);

  memcpy (copy, text, n_bytes);
  copy[n_bytes] = '\0';
  return copy;
}

void
ns_findings_set_subject (NsFindings *self, NsFindingGroup *group, const char *subject)
{
  group->subject = take_text (self, subject, strlen (subject));
}

/* Appends to a list of a group. Most groups stay empty, so empty lists share one array. */
static void
append (const NsFindingGroup *group, GArray **list, gconstpointer value, guint n_bytes)
{
  if (*list == group->none)
    *list = g_array_new (FALSE, FALSE, n_bytes);
  g_array_append_vals (*list, value, 1);
}

/* Returns the group of a process, a subject and an optional further key (@extra, nullable),
 * creating it if needed; (transfer none). */
NsFindingGroup *
ns_findings_group (NsFindings *self, guint32 pid, const char *subject, const char *extra)
{
  NsFindingGroup *group;

  g_string_truncate (self->key, 0);
  ns_text_append_unsigned (self->key, pid);
  ns_text_append (self->key, "\n", 1);
  ns_text_append_text (self->key, subject);
  ns_text_append (self->key, "\n", 1);
  if (extra != NULL)
    ns_text_append_text (self->key, extra);
  group = g_hash_table_lookup (self->groups, self->key->str);
  if (group != NULL)
    return group;
  group = take_piece (self, sizeof *group);
  *group = (NsFindingGroup){ 0 };
  group->key = take_text (self, self->key->str, self->key->len);
  ns_findings_set_subject (self, group, subject);
  group->pid = pid;
  group->process_ns = NS_TIME_NONE;
  group->none = self->none; /* outlives the group */
  group->spans = group->owners = group->refs = self->none;
  group->activities = group->moments = group->marks = self->none;
  g_hash_table_insert (self->groups, group->key, group);
  g_ptr_array_add (self->order, group);
  return group;
}

/* Adds a row of the master table that the finding concerns. */
void
ns_findings_add_activity (NsFindingGroup *group, NsRow activity)
{
  append (group, &group->activities, &activity, sizeof activity);
}

/* Adds a row that supports the finding, with the time that it lost. Rows with only one known time,
 * or none, count but cost nothing. */
void
ns_findings_add (NsFindingGroup *group,
                 NsTableId table,
                 NsRow row,
                 NsRow activity,
                 gint64 open_ns,
                 gint64 close_ns)
{
  gint64 begin_ns = ns_time_is_set (open_ns) ? open_ns : close_ns;
  NsFindingRef ref = { table, row };

  if (activity == 0 && table == NS_TABLE_ACTIVITIES)
    activity = row;
  group->count++;
  if (ns_time_is_set (begin_ns))
    {
      NsTimeSpan span = { begin_ns,
                          ns_time_is_set (close_ns) ? MAX (close_ns, begin_ns) : begin_ns };
      NsFindingOwner owner = { span, ref };

      if (activity != 0)
        owner.ref = (NsFindingRef){ NS_TABLE_ACTIVITIES, activity };
      if (group->process_ns == NS_TIME_NONE)
        group->process_ns = begin_ns;
      group->worst_ns = MAX (group->worst_ns, span.end_ns - span.begin_ns);
      append (group, &group->spans, &span, sizeof span);
      append (group, &group->owners, &owner, sizeof owner);
    }
  if (row != 0)
    append (group, &group->refs, &ref, sizeof ref);
  if (activity != 0)
    ns_findings_add_activity (group, activity);
}

/* Adds a row that supports the finding but lost no time itself. */
void
ns_findings_add_ref (NsFindingGroup *group, NsTableId table, NsRow row)
{
  NsFindingRef ref = { table, row };

  append (group, &group->refs, &ref, sizeof ref);
}

/* Marks an event that reports the failure itself; @event: 0-based row of the table of events. */
void
ns_findings_mark (NsFindingGroup *group, guint32 event)
{
  append (group, &group->marks, &event, sizeof event);
}

/* Marks the events at a time, for failures whose event is not known. */
void
ns_findings_mark_at (const NsFindings *self, NsFindingGroup *group, gint64 time_ns)
{
  const NsTrace *trace = self->trace;
  guint low = 0;
  guint high = trace->events->len;
  guint i;

  if (!ns_time_is_set (time_ns))
    return;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (ns_trace_get_event_time (trace, middle) < time_ns)
        low = middle + 1;
      else
        high = middle;
    }
  for (i = 0; i < MAX_AT_ONCE && low + i < trace->events->len &&
              ns_trace_get_event_time (trace, low + i) == time_ns;
       i++)
    ns_findings_mark (group, low + i);
}

void
ns_findings_add_moment (NsFindingGroup *group, const NsFindingMoment *moment)
{
  if (group->process_ns == NS_TIME_NONE)
    group->process_ns = moment->open_ns;
  append (group, &group->moments, moment, sizeof *moment);
}

/* Compares two NsFindingMoment by start, then by row. */
gint
ns_findings_compare_moments (gconstpointer a, gconstpointer b)
{
  const NsFindingMoment *left = a;
  const NsFindingMoment *right = b;

  if (left->open_ns != right->open_ns)
    return left->open_ns < right->open_ns ? -1 : 1;
  return (left->row > right->row) - (left->row < right->row);
}

void
ns_findings_sort_moments (NsFindingGroup *group)
{
  g_array_sort (group->moments, ns_findings_compare_moments);
}

static gint
compare_spans (gconstpointer a, gconstpointer b)
{
  const NsTimeSpan *left = a;
  const NsTimeSpan *right = b;

  return (left->begin_ns > right->begin_ns) - (left->begin_ns < right->begin_ns);
}

/* Returns the time that at least one row of the group lost; sorts the spans. */
gint64
ns_findings_get_cost (const NsFindingGroup *group)
{
  gint64 until_ns = G_MININT64;
  gint64 cost_ns = 0;
  guint i;

  g_array_sort (group->spans, compare_spans);
  for (i = 0; i < group->spans->len; i++)
    {
      const NsTimeSpan *span = &g_array_index (group->spans, NsTimeSpan, i);
      gint64 begin_ns = MAX (span->begin_ns, until_ns);

      if (span->end_ns > begin_ns)
        cost_ns += span->end_ns - begin_ns;
      until_ns = MAX (until_ns, span->end_ns);
    }
  return cost_ns;
}

static gint
compare_refs (gconstpointer a, gconstpointer b)
{
  const NsFindingRef *left = a;
  const NsFindingRef *right = b;

  if (left->table != right->table)
    return left->table < right->table ? -1 : 1;
  return (left->row > right->row) - (left->row < right->row);
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  NsRow left = *(const NsRow *) a;
  NsRow right = *(const NsRow *) b;

  return (left > right) - (left < right);
}

static void
sort_once (GArray *values, GCompareFunc compare)
{
  guint size = g_array_get_element_size (values);
  guint n_kept = 0;
  guint i;

  g_array_sort (values, compare);
  for (i = 0; i < values->len; i++)
    {
      const char *value = values->data + (gsize) i * size;

      if (n_kept > 0 && compare (values->data + (gsize) (n_kept - 1) * size, value) == 0)
        continue;
      memmove (values->data + (gsize) n_kept * size, value, size);
      n_kept++;
    }
  g_array_set_size (values, n_kept);
}

void
ns_findings_clear_groups (NsFindings *self)
{
  g_hash_table_remove_all (self->groups);
  g_ptr_array_set_size (self->order, 0);
  g_ptr_array_set_size (self->large, 0);
  self->n_blocks = 0;
}

/* Calls @tell for each group that the rule has gathered, in order of their creation. */
void
ns_findings_report_groups (NsFindings *self, NsFindingReportFunc tell)
{
  guint i;

  for (i = 0; i < self->order->len; i++)
    tell (self, g_ptr_array_index (self->order, i));
}

/**
 * ns_findings_has_losses: (skip)
 * @self: the findings of one trace
 * @begin_ns: a time
 * @end_ns: not before @begin_ns
 *
 * Returns: whether events were lost from @begin_ns to @end_ns
 */
gboolean
ns_findings_has_losses (const NsFindings *self, gint64 begin_ns, gint64 end_ns)
{
  guint low = 0;
  guint high = self->losses->len;

  /* Finds the first loss that begins after the span; only the one before it can overlap the
   * span. */
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->losses, NsTimeSpan, middle).begin_ns <= end_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && g_array_index (self->losses, NsTimeSpan, low - 1).end_ns >= begin_ns;
}

/* Appends to @text what the rule set aside (once) and the thresholds that the user changed; takes
 * ownership of @text; (transfer full). */
char *
ns_findings_add_notes (NsFindings *self, char *text)
{
  g_autofree char *changes =
      ns_thresholds_describe_changes (self->trace->thresholds, self->rule->id);
  g_autofree char *aside = g_steal_pointer (&self->aside);
  GString *notes = g_string_new (text);

  if (aside != NULL)
    g_string_append_printf (notes, " %s", aside);
  if (changes != NULL)
    g_string_append_printf (notes, " %s", changes);
  g_free (text);
  return g_string_free (notes, FALSE);
}

/* Returns whether the span reaches beyond the trace, so that its real end is unknown. */
static gboolean
touches_ends (const NsFindings *self, const NsTimeSpan *span)
{
  return span->end_ns > span->begin_ns &&
         (span->begin_ns < 0 || span->end_ns >= self->trace->end_ns);
}

static guint
get_doubts (const NsFindings *self, const NsFindingGroup *group)
{
  guint doubts = 0;
  guint i;

  for (i = 0; i < group->spans->len; i++)
    {
      const NsTimeSpan *span = &g_array_index (group->spans, NsTimeSpan, i);

      if (touches_ends (self, span))
        doubts |= TOUCHES_ENDS;
      if (ns_findings_has_losses (self, span->begin_ns, span->end_ns))
        doubts |= HAS_LOSSES;
    }
  return doubts;
}

void
ns_findings_init_verdict (const NsFindings *self, NsFindingRow *row)
{
  row->rule = self->rule->id;
  row->title = _ (self->rule->title);
  row->severity = NS_SEVERITY_INFO;
  row->pid = NS_PID_UNKNOWN;
  row->open_ns = row->close_ns = NS_TIME_NONE;
  row->cost_ns = NS_UNKNOWN;
  row->activities = g_array_new (FALSE, FALSE, sizeof (NsRow));
  row->refs = g_array_new (FALSE, FALSE, sizeof (NsFindingRef));
  row->evidence = g_array_new (FALSE, FALSE, sizeof (guint32));
  row->marks = g_array_new (FALSE, FALSE, sizeof (guint32));
  row->needs = g_ptr_array_new ();
  row->trust = self->losses->len > 0 ? NS_FINDING_MEDIUM : NS_FINDING_HIGH;
}

/* Reports that the rule cannot be judged: @need is what the trace lacks, @text says why. */
void
ns_findings_add_unjudged (NsFindings *self, const char *need, const char *text)
{
  NsFindingRow row = { 0 };

  ns_findings_init_verdict (self, &row);
  row.verdict = NS_VERDICT_UNJUDGED;
  row.text = g_strdup (text);
  g_ptr_array_add (row.needs, (gpointer) g_intern_string (need));
  g_array_append_val (self->rows, row);
}

/* Reports that the rule cannot be judged: what seems to be missing may be among the lost events or
 * outside the trace. */
static void
report_absent (NsFindings *self, guint doubts)
{
  NsFindingRow *last =
      self->rows->len > 0 ? &g_array_index (self->rows, NsFindingRow, self->rows->len - 1) : NULL;

  if (last != NULL && last->rule == self->rule->id)
    return;
  if ((doubts & HAS_LOSSES) != 0)
    ns_findings_add_unjudged (
        self,
        _ ("a trace without lost events"),
        _ ("Events were lost: the seemingly missing events may be among them."));
  else
    ns_findings_add_unjudged (self,
                              _ ("a longer trace"),
                              _ ("The trace starts or ends within this time: the seemingly missing "
                                 "events may lie outside it."));
}

/* Marks the event at a time unless there are several. */
static void
mark_only_at (const NsFindings *self, NsFindingGroup *group, gint64 time_ns)
{
  guint n_before = group->marks->len;

  ns_findings_mark_at (self, group, time_ns);
  if (group->marks->len > n_before + 1)
    g_array_set_size (group->marks, n_before);
}

/* Marks the first and the last event of each span, for failures without an event of their own. */
static void
mark_spans (const NsFindings *self, NsFindingGroup *group)
{
  guint i;

  for (i = 0; i < group->spans->len && i < MAX_MARKED_SPANS; i++)
    {
      const NsTimeSpan *span = &g_array_index (group->spans, NsTimeSpan, i);

      mark_only_at (self, group, span->begin_ns);
      if (span->end_ns != span->begin_ns)
        mark_only_at (self, group, span->end_ns);
    }
}

/* Removes the leading “A process:” of a sentence whose process is unknown; it adds nothing. */
static char *
cut_unknown_process (const NsFindingGroup *group, char *text)
{
  g_autofree char *begin = NULL;
  gsize length;

  if (group->pid != NS_PID_UNKNOWN)
    return text;
  begin = g_strconcat (_ ("A process"), ": ", NULL);
  length = strlen (begin);
  if (g_str_has_prefix (text, begin))
    memmove (text, text + length, strlen (text) - length + 1);
  return text;
}

/* Makes a finding of the group and takes what the group has gathered: a group is reported once. */
void
ns_findings_report (NsFindings *self,
                    NsFindingGroup *group,
                    NsSeverity severity,
                    NsFindingTrust trust,
                    const char *format,
                    ...)
{
  guint doubts = get_doubts (self, group);
  NsFindingRow row = { 0 };
  va_list arguments;

  if (group->is_absence && doubts != 0)
    {
      report_absent (self, doubts);
      return;
    }
  va_start (arguments, format);
  row.text =
      ns_findings_add_notes (self,
                             cut_unknown_process (group, g_strdup_vprintf (format, arguments)));
  va_end (arguments);
  row.rule = self->rule->id;
  row.title = _ (self->rule->title);
  row.advice = _ (self->rule->advice);
  row.severity = severity;
  row.verdict = NS_VERDICT_FOUND;
  row.trust = doubts != 0 && trust > NS_FINDING_LOW ? trust - 1 : trust;
  row.pid = group->pid;
  row.process_ns = group->process_ns;
  row.subject = group->subject[0] != '\0' ? g_strdup (group->subject) : NULL;
  row.cost_ns = ns_findings_get_cost (group);
  row.count = group->count;
  row.open_ns = row.close_ns = NS_TIME_NONE;
  if (group->spans->len > 0)
    {
      guint i;

      row.open_ns = g_array_index (group->spans, NsTimeSpan, 0).begin_ns;
      for (i = 0; i < group->spans->len; i++)
        row.close_ns = MAX (row.close_ns, g_array_index (group->spans, NsTimeSpan, i).end_ns);
    }
  else
    row.cost_ns = NS_UNKNOWN;
  row.activities = g_array_ref (group->activities);
  row.refs = g_array_ref (group->refs);
  row.shares = ns_findings_share (group->owners);
  sort_once (row.activities, compare_numbers);
  sort_once (row.refs, compare_refs);
  if (group->marks->len == 0)
    mark_spans (self, group);
  row.marks = g_array_ref (group->marks);
  sort_once (row.marks, compare_numbers);
  row.evidence = g_array_new (FALSE, FALSE, sizeof (guint32));
  row.needs = g_ptr_array_new ();
  g_array_append_val (self->rows, row);
}
